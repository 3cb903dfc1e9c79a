-- Whether calls without a secret key may say how much of an invoice is captured.
alter table project add column allows_client_amounts boolean not null default false;

-- Who is admitted brings the option along; the functions are otherwise as they were.
drop function admit_requests(text, text, boolean, boolean, integer);
create function admit_requests(
  asked_project_id text, asked_secret_hash text, means_sandbox boolean, is_secondary boolean, asked_count integer
) returns table (
  api_key_id text, sandbox boolean, secret_hash text, permissions text[],
  project_id text, is_suspended boolean, allows_client_captures boolean, allows_client_overrides boolean,
  allows_client_amounts boolean,
  kind text, "limit" integer,
  place integer, is_allowed boolean, remaining integer, retry_after_us bigint, full_in_us bigint
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

-- The same for a call that names a project and no secret: a row for each bucket that was asked, none where there is no
-- such project. The invoice is asked only where the address was admitted, so that whoever has asked too much cannot lock
-- an invoice for everybody else; all statements lock the address before the invoice.
create function admit_client(
  asked_project_id text, asked_environment text, asked_address text, asked_invoice_id text
) returns table (
  project_id text, is_suspended boolean, allows_client_captures boolean, allows_client_overrides boolean,
  allows_client_amounts boolean,
  kind text, "limit" integer, is_allowed boolean, remaining integer, retry_after_us bigint, full_in_us bigint
) language plpgsql as $$
#variable_conflict use_column
declare
  owner constant text := asked_project_id || ' ' || asked_environment || ' ';
  address_limit integer;
  invoice_limit integer;
begin
  select project.id, project.suspended_at is not null, project.allows_client_captures, project.allows_client_overrides,
         project.allows_client_amounts,
         project.client_address_limit, project.client_invoice_limit
  into project_id, is_suspended, allows_client_captures, allows_client_overrides, allows_client_amounts,
       address_limit, invoice_limit
  from project where project.id = asked_project_id;
  if not found then return; end if;
  kind := 'client_address';
  "limit" := address_limit;
  select taken.is_allowed, taken.remaining, taken.retry_after_us, taken.full_in_us
  into is_allowed, remaining, retry_after_us, full_in_us
  from take_requests(kind, owner || asked_address, address_limit) taken;
  return next;
  if not is_allowed or asked_invoice_id is null then return; end if;
  kind := 'client_invoice';
  "limit" := invoice_limit;
  select taken.is_allowed, taken.remaining, taken.retry_after_us, taken.full_in_us
  into is_allowed, remaining, retry_after_us, full_in_us
  from take_requests(kind, owner || asked_invoice_id, invoice_limit) taken;
  return next;
end
$$;
