-- What merchants asked of the interface and what they were told, without card data and secrets, for 30 days. It is the
-- table that is written most and bears witness only: nothing refers to it, so it has no key that others could refer to.
create table api_request (
  id text primary key,
  project_id text not null references project (id),
  sandbox boolean not null,
  -- The X-Request-Id of the answer. A caller may choose it, and may choose it twice.
  request_id text not null,
  method text not null,
  path text not null,
  query jsonb,
  status integer not null check (status between 100 and 599),
  error_type text,
  has_idempotency_key boolean not null,
  ip text,
  user_agent text,
  api_version text,
  latency_ms integer not null check (latency_ms >= 0),
  request_body jsonb,
  response_body text,
  created_at timestamptz not null
);
-- The list, in its order.
create index api_request_list on api_request (project_id, sandbox, created_at, id);
create index api_request_name on api_request (project_id, sandbox, request_id);
-- For the deletion by age: rows come in the order of their age, so a summary of each block is enough.
create index api_request_age on api_request using brin (created_at);
