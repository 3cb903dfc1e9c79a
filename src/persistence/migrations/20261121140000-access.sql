-- Several secret keys for each environment of a project, each with what it may be used for.
alter table api_key
  add column name text,
  add column permissions text[] not null default '{read,payments,refunds,configuration,webhooks}'
    check (permissions <@ '{read,payments,refunds,configuration,webhooks}'),
  -- The last characters of the secret, by which people tell their keys apart.
  add column secret_ending text,
  -- Exact to the minute.
  add column last_used_at timestamptz;

alter table api_request
  -- The key that the request was made with; null where a client made it.
  add column api_key_id text;

-- Requests a minute; 600,000 is the most that the limiter counts exactly (domain/rate-limits.ts).
create domain requests_a_minute as integer check (value between 1 and 600000);
alter table project
  add column primary_limit requests_a_minute not null default 3000,
  add column secondary_limit requests_a_minute not null default 3000,
  add column sandbox_limit requests_a_minute not null default 3000,
  add column client_address_limit requests_a_minute not null default 300,
  add column client_invoice_limit requests_a_minute not null default 60,
  -- While it is set, no new money moves.
  add column suspended_at timestamptz,
  -- Calls without a secret may also capture and increment what is authorized, and set what overrides a rule.
  add column allows_client_captures boolean not null default false,
  add column allows_client_overrides boolean not null default false;

-- One row for each bucket of the limiter. A row that is not there is a full bucket.
create table rate_limit_bucket (
  kind text not null,
  -- The id of a project, of an invoice, or an address.
  subject text not null,
  -- When the bucket will be full again, in microseconds since the epoch.
  theoretical_arrival_us bigint not null,
  primary key (kind, subject)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);
