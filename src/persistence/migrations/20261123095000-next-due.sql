-- When the clock asks next for something on a payment, and when an unknown outcome is looked up next. `domain` says when;
-- whoever writes the payment writes both, so that the rule stands once. They follow from columns that are audited.
alter table transaction
  add column next_due_at timestamptz,
  add column next_look_up_at timestamptz;

drop index transaction_in_flight;
drop index transaction_due;
-- What the sweep of payments reads in this order, from the most overdue on.
create index transaction_next on transaction (least(next_due_at, next_look_up_at), invoice_id)
  where next_due_at is not null or next_look_up_at is not null;
