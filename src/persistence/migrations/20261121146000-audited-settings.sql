-- Settings are changed by administrative acts, and each act is an entry of the audit log. A change by hand is no act: so
-- triggers write what has become of the rows into the same chain, beside the acts.

-- What decides who may do what, and how much of it; no names. src/audit/audited-columns.ts lists the same.
create function audited_state(of_row project) returns jsonb language sql stable as $$
  select jsonb_build_object(
    'id', of_row.id,
    'default_currency', of_row.default_currency,
    'accepts_partial_approvals', of_row.accepts_partial_approvals,
    'primary_limit', of_row.primary_limit,
    'secondary_limit', of_row.secondary_limit,
    'sandbox_limit', of_row.sandbox_limit,
    'client_address_limit', of_row.client_address_limit,
    'client_invoice_limit', of_row.client_invoice_limit,
    'suspended_at', of_row.suspended_at at time zone 'UTC',
    'allows_client_captures', of_row.allows_client_captures,
    'allows_client_overrides', of_row.allows_client_overrides)
$$;

-- Of the hash of the secret only that it is another one.
create function audited_state(of_row api_key) returns jsonb language sql stable as $$
  select jsonb_build_object(
    'id', of_row.id,
    'project_id', of_row.project_id,
    'sandbox', of_row.sandbox,
    'permissions', of_row.permissions,
    'secret_hash_digest', encode(sha256(convert_to(of_row.secret_hash, 'UTF8')), 'hex'),
    'revoked_at', of_row.revoked_at at time zone 'UTC')
$$;

create function audited_state(of_row gateway_configuration) returns jsonb language sql stable as $$
  select jsonb_build_object(
    'id', of_row.id,
    'project_id', of_row.project_id,
    'sandbox', of_row.sandbox,
    'gateway_name', of_row.gateway_name,
    'enabled', of_row.enabled,
    'draining_since', of_row.draining_since at time zone 'UTC',
    'default_preferred_scheme', of_row.default_preferred_scheme,
    'capabilities', of_row.capabilities,
    'authorization_validity', of_row.authorization_validity)
$$;

-- The kinds have "row-" in them, because an act may have the same name.
create function audit_settings() returns trigger language plpgsql
set search_path = public, pg_temp as $$
declare
  before constant jsonb := case when tg_op = 'INSERT' then null else audited_state(old) end;
  after constant jsonb := case when tg_op = 'DELETE' then null else audited_state(new) end;
  owner_before constant text := coalesce(before ->> 'project_id', before ->> 'id');
  owner_after constant text := coalesce(after ->> 'project_id', after ->> 'id');
  of_table constant text := tg_table_name;
  actor constant text := 'database:' || session_user;
  changes jsonb;
begin
  if before = after then return null; end if;
  if owner_before = owner_after and before ->> 'sandbox' is not distinct from after ->> 'sandbox'
    and before ->> 'id' = after ->> 'id' then
    -- Each value that differs, as [before, after].
    select jsonb_object_agg(value.key, jsonb_build_array(before -> value.key, value.value))
    into changes from jsonb_each(after) as value where value.value <> before -> value.key;
    perform record_audit_act(owner_after, (after ->> 'sandbox')::boolean, of_table || '.row-changed', actor,
      jsonb_build_object('id', after ->> 'id', 'changes', changes));
    return null;
  end if;
  -- What goes from one project to another ends in the one chain and begins in the other.
  if before is not null then
    perform record_audit_act(owner_before, (before ->> 'sandbox')::boolean, of_table || '.row-deleted', actor,
      jsonb_build_object('id', before ->> 'id'));
  end if;
  if after is not null then
    perform record_audit_act(owner_after, (after ->> 'sandbox')::boolean, of_table || '.row-created', actor,
      jsonb_strip_nulls(after));
  end if;
  return null;
end
$$;

-- The columns are named, so that what every request may write, such as when a key was last used, calls nothing.
create trigger audit after insert or delete or update of
  id, default_currency, accepts_partial_approvals, primary_limit, secondary_limit, sandbox_limit, client_address_limit,
  client_invoice_limit, suspended_at, allows_client_captures, allows_client_overrides
  on project for each row execute function audit_settings();
create trigger audit after insert or delete or update of
  id, project_id, sandbox, permissions, secret_hash, revoked_at
  on api_key for each row execute function audit_settings();
create trigger audit after insert or delete or update of
  id, project_id, sandbox, gateway_name, enabled, draining_since, default_preferred_scheme, capabilities,
  authorization_validity
  on gateway_configuration for each row execute function audit_settings();

-- What was there before stands in the log as it was when this began. Acts wait meanwhile: a lock for each of the chains
-- would be more than PostgreSQL holds.
lock table audit_entry in share row exclusive mode;
do $$
declare
  owner project%rowtype;
  key api_key%rowtype;
  account gateway_configuration%rowtype;
begin
  for owner in select * from project order by created_at, id loop
    perform append_audit_entry('project ' || owner.id, owner.id, null, 'project.row-created', 'migration',
      jsonb_strip_nulls(audited_state(owner))::text);
  end loop;
  for key in select * from api_key order by created_at, id loop
    perform append_audit_entry('project ' || key.project_id, key.project_id, key.sandbox, 'api_key.row-created',
      'migration', jsonb_strip_nulls(audited_state(key))::text);
  end loop;
  for account in select * from gateway_configuration order by created_at, id loop
    perform append_audit_entry('project ' || account.project_id, account.project_id, account.sandbox,
      'gateway_configuration.row-created', 'migration', jsonb_strip_nulls(audited_state(account))::text);
  end loop;
end
$$;
