-- What the attempts to authorize of the last 30 days have in common: routing rules count payments by it. A table of its
-- own, so that the address of a customer goes when no rule may look back to it any more.
create table attempt_mark (
  -- The attempt that begins a command; those at other gateways that follow it are of the same payment and card.
  operation_id text primary key,
  project_id text not null,
  sandbox boolean not null,
  invoice_id text not null,
  card_fingerprint text,
  card_iin text,
  customer_id text,
  ip_address text,
  -- Of the payment's clock.
  at timestamptz not null,
  created_at timestamptz not null,
  foreign key (project_id, sandbox, invoice_id) references invoice (project_id, sandbox, id) on delete cascade
);

-- A count reads its index from the newest entry on, and nothing else.
create index attempt_mark_card on attempt_mark (project_id, sandbox, card_fingerprint, at) include (invoice_id)
  where card_fingerprint is not null;
create index attempt_mark_iin on attempt_mark (project_id, sandbox, card_iin, at) include (invoice_id)
  where card_iin is not null;
create index attempt_mark_customer on attempt_mark (project_id, sandbox, customer_id, at) include (invoice_id)
  where customer_id is not null;
create index attempt_mark_address on attempt_mark (project_id, sandbox, ip_address, at) include (invoice_id)
  where ip_address is not null;
-- Not on "at", or it would seem a way to the newest entries of one card.
create index attempt_mark_age on attempt_mark (created_at);
create index attempt_mark_invoice on attempt_mark (invoice_id);

-- Versions are listed like everything else.
create index rule_set_list on rule_set (project_id, sandbox, created_at, id);
