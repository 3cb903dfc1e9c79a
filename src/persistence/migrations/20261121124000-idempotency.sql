-- One row for every idempotency key that a merchant has used and whose answer is kept. The id is a keyed hash of project,
-- environment, method, path and key, so that two uses of one key meet on the primary key. Nothing refers to these rows.
create table idempotency_key (
  id text primary key check (id ~ '^[0-9a-f]{64}$'),
  project_id text not null references project (id),
  sandbox boolean not null,
  -- Of the fields of the request; keyed, because they may hold a card number.
  request_hash text not null check (request_hash ~ '^[0-9a-f]{64}$'),
  -- The attempt that answers, where a payment does.
  operation_id text,
  status integer,
  -- Text and not jsonb: a repeated answer has the same bytes.
  body text,
  created_at timestamptz not null,
  completed_at timestamptz,
  constraint answer_is_whole check (num_nonnulls(status, body, completed_at) in (0, 3))
);
create index idempotency_key_age on idempotency_key (created_at);
