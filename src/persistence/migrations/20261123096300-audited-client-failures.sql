-- What the audit log has of a project: also how many attempts of clients may fail.
create or replace function audited_state(of_row project) returns jsonb language sql stable as $$
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
    'allows_client_overrides', of_row.allows_client_overrides,
    'allows_client_amounts', of_row.allows_client_amounts,
    'blocks_stopped_payments', of_row.blocks_stopped_payments,
    'enforces_retry_after', of_row.enforces_retry_after,
    'enforces_network_limits', of_row.enforces_network_limits,
    'visa_reattempts', of_row.visa_reattempts,
    'mastercard_declines_per_day', of_row.mastercard_declines_per_day,
    'mastercard_declines_per_amount', of_row.mastercard_declines_per_amount,
    'client_failures_per_invoice', of_row.client_failures_per_invoice,
    'client_failures_per_card', of_row.client_failures_per_card,
    'client_failures_per_project', of_row.client_failures_per_project)
$$;

drop trigger audit on project;
create trigger audit after insert or delete or update of
  id, default_currency, accepts_partial_approvals, primary_limit, secondary_limit, sandbox_limit, client_address_limit,
  client_invoice_limit, suspended_at, allows_client_captures, allows_client_overrides, allows_client_amounts,
  blocks_stopped_payments, enforces_retry_after, enforces_network_limits, visa_reattempts, mastercard_declines_per_day,
  mastercard_declines_per_amount, client_failures_per_invoice, client_failures_per_card, client_failures_per_project
  on project for each row execute function audit_settings();

-- What the log has of the projects that were there before lacks what was added.
lock table audit_entry in share row exclusive mode;
do $$
declare
  owner project%rowtype;
begin
  for owner in select * from project order by created_at, id loop
    perform append_audit_entry('project ' || owner.id, owner.id, null, 'project.row-changed', 'migration',
      jsonb_build_object('id', owner.id, 'changes', jsonb_build_object(
        'client_failures_per_invoice', jsonb_build_array(null, owner.client_failures_per_invoice),
        'client_failures_per_card', jsonb_build_array(null, owner.client_failures_per_card),
        'client_failures_per_project', jsonb_build_array(null, owner.client_failures_per_project)))::text);
  end loop;
end
$$;
