-- Gateways also tell unasked what has become of a call of ours, and what they tell may come before we know what it is about.
alter table gateway_notice
  -- Null until the payment is found that it is about.
  alter column invoice_id drop not null,
  -- A gateway may name no sum.
  alter column amount_minor drop not null,
  alter column currency drop not null,
  -- Of what has become of a call: its kind, and how it ended; null where only a look-up can tell.
  add column operation_type text,
  add column outcome jsonb,
  -- The authorization that it is about, by the gateway's own id.
  add column gateway_authorization_id text,
  add constraint notice_what check (what in
    ('settled', 'refund-failed', 'retrieval-request', 'fraud-notification', 'chargeback-created', 'chargeback-won',
     'chargeback-lost')),
  add constraint settled_is_of_a_call check (
    (what = 'settled') = (operation_type is not null)
    and (what <> 'settled' or reference is not null)
    and (what = 'settled' or outcome is null)),
  add constraint sum_has_a_currency check ((amount_minor is null) = (currency is null)),
  add constraint applied_to_a_payment check (applied_at is null or invoice_id is not null);

-- What waits for its payment is few, and is deleted when nobody has asked for it in time.
create index gateway_notice_unclaimed on gateway_notice (received_at) where invoice_id is null;
-- Which other words there are about the same call, and about the same authorization.
create index gateway_notice_reference on gateway_notice (gateway_configuration_id, reference) where reference is not null;
create index gateway_notice_authorization on gateway_notice (gateway_configuration_id, gateway_authorization_id)
  where gateway_authorization_id is not null;
-- Whose authorization a notice names.
create index operation_gateway_authorization on operation (gateway_configuration_id, gateway_operation_id)
  where type = 'authorization' and gateway_operation_id is not null;
