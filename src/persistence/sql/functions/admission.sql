-- Requests of one key that are admitted together take what they need out of the bucket at once: its row is locked and
-- written, and the key looked up, once for all of them. While they wait for the row the next are asked for on connections of
-- their own. A row that nobody gives back must not take all of a process, so they wait for less than others wait for locks.

-- The Generic Cell Rate Algorithm (ITU-T I.371, virtual scheduling), for so many requests one after the other: a bucket
-- holds asked_limit requests and refills as many a minute. All that is kept of it is the instant at which it will be full
-- again, in microseconds since the epoch. In any window of t seconds it admits at most asked_limit + asked_limit * t / 60 + 1,
-- where t counts every step forward of the clock and no step back.
--
-- The interval of a request is rounded up, so that rounding never admits more: at most 1 % less at the highest limit there
-- is. Where the limit changes, the bucket stays as full as it was, in parts, and a window that spans the change keeps to the
-- higher limit, give or take what the rounding makes of the bucket. A bucket is never emptier than empty: a clock that was
-- set back by an hour would lock it for as long.
--
-- The clock is read when the row is ours, so that a wait for it admits nobody too early. The caller's database transaction
-- does not wait for the disk: what a crash of the server forgets are the requests of its last 600 ms.
create or replace function take_requests(
  asked_kind text, asked_subject text, asked_limit integer, asked_count integer default 1,
  asked_now_us bigint default null
) returns table (
  place integer, is_allowed boolean, remaining integer, more_in_us bigint
) language plpgsql rows 8 set lock_timeout = '1s' as $$
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
  for nth in 1..asked_count loop
    place := nth;
    is_allowed := arrival_us + interval_us <= now_us + capacity_us;
    if is_allowed then arrival_us := arrival_us + interval_us; end if;
    remaining := (now_us + capacity_us - arrival_us) / interval_us;
    -- Until one more is left than now: for a request that was refused, until it would be admitted.
    more_in_us := arrival_us - now_us - capacity_us + (remaining + 1) * interval_us;
    return next;
  end loop;
  -- Refused requests change the bucket only where the clock was set back: it is empty then, and fills from here.
  if arrival_us <> stored_us then
    update rate_limit_bucket bucket set theoretical_arrival_us = arrival_us
    where bucket.kind = asked_kind and bucket.subject = asked_subject;
  end if;
end
$$;

-- Finds a secret key and takes requests out of the bucket that they count towards: a row for each of them, none where no
-- key of the project has that hash, or it was revoked. A function, because every request of the interface asks it:
-- PostgreSQL keeps the plans of a function, and would make those of a statement anew each time. All statements lock the
-- bucket before the key.
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
    -- Exact to the minute: a row that every request wrote would be one more that all requests wait for.
    update api_key set last_used_at = now() from key
    where api_key.id = key.api_key_id and (last_used_at is null or last_used_at < now() - interval '1 minute')
  )
  select key.*, taken.* from key, lateral take_requests(key.kind, key.project_id, key."limit", asked_count) taken;
end
$$;
