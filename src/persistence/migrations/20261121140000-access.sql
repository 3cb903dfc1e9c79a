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
  stored_us bigint;
  arrival_us bigint;
  now_us bigint;
begin
  perform set_config('synchronous_commit', 'off', true);
  loop
    select bucket.theoretical_arrival_us into stored_us from rate_limit_bucket bucket
    where bucket.kind = asked_kind and bucket.subject = asked_subject for no key update;
    exit when found;
    insert into rate_limit_bucket (kind, subject, theoretical_arrival_us) values (asked_kind, asked_subject, 0)
    on conflict do nothing;
  end loop;
  now_us := coalesce(asked_now_us, (extract(epoch from clock_timestamp()) * 1000000)::bigint);
  arrival_us := least(greatest(stored_us, now_us), now_us + capacity_us);
  is_allowed := arrival_us + interval_us <= now_us + capacity_us;
  if is_allowed then
    arrival_us := arrival_us + interval_us;
    retry_after_us := 0;
  else
    retry_after_us := arrival_us + interval_us - now_us - capacity_us;
  end if;
  -- A refused request changes the bucket only where the clock was set back: it is empty then, and fills from here.
  if is_allowed or stored_us > arrival_us then
    update rate_limit_bucket bucket set theoretical_arrival_us = arrival_us
    where bucket.kind = asked_kind and bucket.subject = asked_subject;
  end if;
  remaining := (now_us + capacity_us - arrival_us) / interval_us;
  full_in_us := arrival_us - now_us;
end
$$;

-- Finds a secret key and takes one request out of the bucket that it counts towards; no row where no key of the project
-- has that hash, or it was revoked. A function, because every request of the interface asks it: PostgreSQL keeps the
-- plans of a function, and would make those of a statement anew each time. All statements lock the bucket before the key.
create function admit_key(
  asked_project_id text, asked_secret_hash text, means_sandbox boolean, is_secondary boolean
) returns table (
  api_key_id text, sandbox boolean, secret_hash text, permissions text[],
  project_id text, is_suspended boolean, allows_client_captures boolean, allows_client_overrides boolean,
  kind text, "limit" integer, is_allowed boolean, remaining integer, retry_after_us bigint, full_in_us bigint
) language plpgsql as $$
#variable_conflict use_column
begin
  return query
  with key as materialized (
    select api_key.id as api_key_id, api_key.sandbox, api_key.secret_hash, api_key.permissions,
           project.id as project_id, project.suspended_at is not null as is_suspended,
           project.allows_client_captures, project.allows_client_overrides,
           case when api_key.sandbox then 'sandbox' when is_secondary then 'secondary' else 'primary' end as kind,
           case when api_key.sandbox then sandbox_limit when is_secondary then secondary_limit else primary_limit
           end::integer as "limit"
    from api_key join project on project.id = api_key.project_id
    where api_key.secret_hash = asked_secret_hash and project.id = asked_project_id
      and api_key.revoked_at is null and (api_key.sandbox or not means_sandbox)
  ), used as (
    -- Exact to the minute: a row that every request wrote would be one more that all requests wait for.
    update api_key set last_used_at = now() from key
    where api_key.id = key.api_key_id and (last_used_at is null or last_used_at < now() - interval '1 minute')
  )
  select key.*, taken.* from key, lateral take_request(key.kind, key.project_id, key."limit") taken;
end
$$;

-- The same for a call that names a project and no secret: a row for each bucket that was asked, none where there is no
-- such project. The invoice is asked only where the address was admitted, so that whoever has asked too much cannot lock
-- an invoice for everybody else; all statements lock the address before the invoice.
create function admit_client(
  asked_project_id text, asked_environment text, asked_address text, asked_invoice_id text
) returns table (
  project_id text, is_suspended boolean, allows_client_captures boolean, allows_client_overrides boolean,
  kind text, "limit" integer, is_allowed boolean, remaining integer, retry_after_us bigint, full_in_us bigint
) language plpgsql as $$
#variable_conflict use_column
declare
  owner constant text := asked_project_id || ' ' || asked_environment || ' ';
  address_limit integer;
  invoice_limit integer;
begin
  select project.id, project.suspended_at is not null, project.allows_client_captures, project.allows_client_overrides,
         project.client_address_limit, project.client_invoice_limit
  into project_id, is_suspended, allows_client_captures, allows_client_overrides, address_limit, invoice_limit
  from project where project.id = asked_project_id;
  if not found then return; end if;
  kind := 'client_address';
  "limit" := address_limit;
  select taken.* into is_allowed, remaining, retry_after_us, full_in_us
  from take_request(kind, owner || asked_address, address_limit) taken;
  return next;
  if not is_allowed or asked_invoice_id is null then return; end if;
  kind := 'client_invoice';
  "limit" := invoice_limit;
  select taken.* into is_allowed, remaining, retry_after_us, full_in_us
  from take_request(kind, owner || asked_invoice_id, invoice_limit) taken;
  return next;
end
$$;
