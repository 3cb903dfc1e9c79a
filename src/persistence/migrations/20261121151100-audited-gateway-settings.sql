-- What the audit log has of a gateway configuration: also the new settings, and of its secrets only that they are others.
create or replace function audited_state(of_row gateway_configuration) returns jsonb language sql stable as $$
  select jsonb_build_object(
    'id', of_row.id,
    'project_id', of_row.project_id,
    'sandbox', of_row.sandbox,
    'gateway_name', of_row.gateway_name,
    'enabled', of_row.enabled,
    'draining_since', of_row.draining_since at time zone 'UTC',
    'default_preferred_scheme', of_row.default_preferred_scheme,
    'capabilities', of_row.capabilities,
    'authorization_validity', of_row.authorization_validity,
    'settings', of_row.settings,
    'default_currency', of_row.default_currency,
    'processing_region', of_row.processing_region,
    'merchant_account_country_code', of_row.merchant_account_country_code,
    'credentials_hash_digest', encode(sha256(convert_to(of_row.credentials_hash, 'UTF8')), 'hex'),
    'deleted_at', of_row.deleted_at at time zone 'UTC')
$$;

drop trigger audit on gateway_configuration;
create trigger audit after insert or delete or update of
  id, project_id, sandbox, gateway_name, enabled, draining_since, default_preferred_scheme, capabilities,
  authorization_validity, settings, default_currency, processing_region, merchant_account_country_code,
  credentials_hash, deleted_at
  on gateway_configuration for each row execute function audit_settings();

-- What the log has of the accounts that were there before lacks what was added: of the new columns only settings has a
-- value by itself.
lock table audit_entry in share row exclusive mode;
do $$
declare
  account gateway_configuration%rowtype;
begin
  for account in select * from gateway_configuration order by created_at, id loop
    perform append_audit_entry('project ' || account.project_id, account.project_id, account.sandbox,
      'gateway_configuration.row-changed', 'migration', jsonb_build_object('id', account.id, 'changes',
        jsonb_build_object('settings', jsonb_build_array(null, account.settings)))::text);
  end loop;
end
$$;
