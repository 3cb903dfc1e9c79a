-- A gateway tells that an authorization has ended there, and how much of it was captured.
alter table gateway_notice
  drop constraint notice_what,
  add constraint notice_what check (what in
    ('settled', 'authorization-ended', 'refund-failed', 'retrieval-request', 'fraud-notification', 'chargeback-created',
     'chargeback-won', 'chargeback-lost')),
  add constraint ended_names_a_sum check (
    what <> 'authorization-ended' or (amount_minor is not null and gateway_authorization_id is not null));
