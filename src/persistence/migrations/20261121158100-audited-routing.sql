-- Which rules decide about payments is a setting: a change by hand is an entry of the audit log, beside the acts.

-- Of the rules themselves only that they are others. src/audit/audited-columns.ts lists the same.
create function audited_state(of_row rule_set) returns jsonb language sql stable as $$
  select jsonb_build_object(
    'id', of_row.id,
    'project_id', of_row.project_id,
    'sandbox', of_row.sandbox,
    'version', of_row.version,
    'default_currency', of_row.default_currency,
    'created_by', of_row.created_by,
    'rules_digest', encode(sha256(convert_to(of_row.rules::text, 'UTF8')), 'hex'))
$$;

create function audited_state(of_row active_rule_set) returns jsonb language sql stable as $$
  select jsonb_build_object(
    'id', of_row.id,
    'project_id', of_row.project_id,
    'sandbox', of_row.sandbox,
    'rule_set_id', of_row.rule_set_id)
$$;

create trigger audit after insert or delete on rule_set for each row execute function audit_settings();
create trigger audit after insert or delete or update of project_id, sandbox, rule_set_id
  on active_rule_set for each row execute function audit_settings();
