-- Several secret keys for each environment of a project, each with what it may be used for.
alter table api_key
  add column name text,
  add column permissions text[] not null default '{read,payments,refunds,configuration,webhooks}'
    check (permissions <@ '{read,payments,refunds,configuration,webhooks}'),
  -- The last characters of the secret, by which people tell their keys apart.
  add column secret_ending text,
  -- Exact to the minute.
  add column last_used_at timestamptz;

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

-- domain/gcra.ts under a row lock; a test proves the two equal. The clock is read when the row is ours, so that a wait
-- for it admits nobody too early. The caller's database transaction does not wait for the disk: what a crash of the
-- server forgets are the requests of its last 600 ms.
create function take_request(
  asked_kind text, asked_subject text, asked_limit integer, asked_now_us bigint default null,
  out is_allowed boolean, out remaining integer, out retry_after_us bigint, out full_in_us bigint
) language plpgsql as $$
declare
  interval_us constant bigint := ceil(60000000.0 / asked_limit);
  capacity_us constant bigint := interval_us * asked_limit;
  arrival_us bigint;
  now_us bigint;
begin
  perform set_config('synchronous_commit', 'off', true);
  loop
    select bucket.theoretical_arrival_us into arrival_us from rate_limit_bucket bucket
    where bucket.kind = asked_kind and bucket.subject = asked_subject for no key update;
    exit when found;
    insert into rate_limit_bucket (kind, subject, theoretical_arrival_us) values (asked_kind, asked_subject, 0)
    on conflict do nothing;
  end loop;
  now_us := coalesce(asked_now_us, (extract(epoch from clock_timestamp()) * 1000000)::bigint);
  arrival_us := least(greatest(arrival_us, now_us), now_us + capacity_us);
  is_allowed := arrival_us + interval_us <= now_us + capacity_us;
  if is_allowed then
    arrival_us := arrival_us + interval_us;
    update rate_limit_bucket bucket set theoretical_arrival_us = arrival_us
    where bucket.kind = asked_kind and bucket.subject = asked_subject;
    retry_after_us := 0;
  else
    retry_after_us := arrival_us + interval_us - now_us - capacity_us;
  end if;
  remaining := (now_us + capacity_us - arrival_us) / interval_us;
  full_in_us := arrival_us - now_us;
end
$$;
