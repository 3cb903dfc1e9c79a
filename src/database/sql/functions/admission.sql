-- Requests of one key that arrive together are admitted together: one look-up of the key, one lock and one write of its
-- bucket for all of them. While they wait for the lock, the next batch waits on a connection of its own. Their lock
-- timeout is shorter than others, so that one stuck bucket row cannot occupy all connections of a process.

-- The Generic Cell Rate Algorithm (ITU-T I.371, virtual scheduling), for several requests in sequence. A bucket holds
-- asked_limit requests and refills by as many in asked_seconds, a minute where nothing else is said. Its only state is the instant at which it will be full again,
-- in microseconds since the epoch. In any window of t seconds it admits at most asked_limit + asked_limit * t / 60 + 1
-- requests, where t counts every step forward of the clock and no step back.
--
-- The interval of a request is rounded up, so that rounding never admits more; it admits at most 1 % less, at the
-- highest limit. When the limit changes, the bucket keeps its fill level as a fraction, and a window across the change
-- keeps to the higher limit, apart from rounding. A bucket is never emptier than empty: otherwise a clock set back by
-- an hour would block the key for an hour.
--
-- The clock is read after the row is locked, so that waiting for the lock admits no request too early. The caller's
-- transaction does not wait for the disk: a crash of the server forgets the requests of the last 600 ms at most.
create or replace function take_requests(
  asked_kind text, asked_subject text, asked_limit integer, asked_count integer default 1,
  asked_now_us bigint default null, asked_seconds integer default 60
) returns table (
  place integer, is_allowed boolean, remaining integer, more_in_us bigint
) language plpgsql rows 8 set lock_timeout = '1s' as $$
declare
  interval_us constant bigint := ceil(1000000.0 * asked_seconds / asked_limit);
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
  for nth in 1..asked_count loop
    place := nth;
    is_allowed := arrival_us + interval_us <= now_us + capacity_us;
    if is_allowed then arrival_us := arrival_us + interval_us; end if;
    remaining := (now_us + capacity_us - arrival_us) / interval_us;
    -- Time until `remaining` grows by one: for a refused request, until it would be admitted.
    more_in_us := arrival_us - now_us - capacity_us + (remaining + 1) * interval_us;
    return next;
  end loop;
  -- Refused requests change the bucket only after the clock was set back: the bucket is then empty and fills from now.
  if arrival_us <> stored_us then
    update rate_limit_bucket bucket set theoretical_arrival_us = arrival_us
    where bucket.kind = asked_kind and bucket.subject = asked_subject;
  end if;
end
$$;

-- How many requests a bucket would admit at once now, for people to see. Takes none and waits for nobody.
create or replace function remaining_requests(asked_kind text, asked_subject text, asked_limit integer)
returns integer language sql as $$
  select ((now_us + capacity_us - least(greatest(coalesce(stored_us, 0), now_us), now_us + capacity_us))
    / interval_us)::integer
  from (select ceil(60000000.0 / asked_limit)::bigint as interval_us) interval,
    lateral (select interval_us * asked_limit as capacity_us,
                    (extract(epoch from clock_timestamp()) * 1000000)::bigint as now_us) bucket,
    lateral (select (select theoretical_arrival_us from rate_limit_bucket
                      where kind = asked_kind and subject = asked_subject) as stored_us) stored
$$;

-- Finds a secret key and takes requests from its bucket. Returns a row for each request, and none where the project has
-- no such key or it was revoked. It is a function because every API request runs it, and PostgreSQL keeps the plans of
-- a function. All statements lock the bucket before the key.
create or replace function admit_requests(
  asked_project_id text, asked_secret_hash text, means_sandbox boolean, is_secondary boolean, asked_count integer
) returns table (
  api_key_id text, sandbox boolean, secret_hash text, permissions text[],
  project_id text, is_suspended boolean, allows_client_captures boolean, allows_client_overrides boolean,
  allows_client_amounts boolean,
  kind text, "limit" integer,
  place integer, is_allowed boolean, remaining integer, more_in_us bigint
) language plpgsql rows 8 set lock_timeout = '1s' as $$
#variable_conflict use_column
begin
  return query
  with key as materialized (
    select api_key.id as api_key_id, api_key.sandbox, api_key.secret_hash, api_key.permissions,
           project.id as project_id, project.suspended_at is not null as is_suspended,
           project.allows_client_captures, project.allows_client_overrides, project.allows_client_amounts,
           case when api_key.sandbox then 'sandbox' when is_secondary then 'secondary' else 'primary' end as kind,
           case when api_key.sandbox then sandbox_limit when is_secondary then secondary_limit else primary_limit
           end::integer as "limit"
    from api_key join project on project.id = api_key.project_id
    where api_key.secret_hash = asked_secret_hash and project.id = asked_project_id
      and api_key.revoked_at is null and (api_key.sandbox or not means_sandbox)
  ), used as (
    -- Exact to the minute only: if every request wrote this row, all requests of the key would wait for one another.
    update api_key set last_used_at = now() from key
    where api_key.id = key.api_key_id and (last_used_at is null or last_used_at < now() - interval '1 minute')
  )
  select key.*, taken.* from key, lateral take_requests(key.kind, key.project_id, key."limit", asked_count) taken;
end
$$;
