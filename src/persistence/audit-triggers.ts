import { AUDITED_TABLES, type AuditedTable, auditedState, type Columns, isSettings } from './audited-columns.ts'

/** SQL: of each audited table what the log has of a row, and the trigger that writes it; made of the list of columns. */
export function auditTriggers(): string {
  return (Object.keys(AUDITED_TABLES) as AuditedTable[])
    .map((table) => `${stateOf(table)}\n${triggerOf(table)}`)
    .join('\n')
}

/** Stable and not immutable, because PostgreSQL makes it part of the statement that uses it only then. */
function stateOf(table: AuditedTable): string {
  return `create or replace function audited_state(of_row ${table}) returns jsonb language sql stable as $$
  select ${auditedState(table, 'of_row')}
$$;`
}

/** Of settings the columns are named, so that what every request may write, such as when a key was last used, calls nothing. */
function triggerOf(table: AuditedTable): string {
  const { values, instants, digests = [] }: Columns = AUDITED_TABLES[table]
  const [columns, audit] = isSettings(table)
    ? [` of ${[...values, ...instants, ...digests].join(', ')}`, 'audit_settings']
    : ['', 'audit_row']
  return `create or replace trigger audit after insert or delete or update${columns}
  on ${table} for each row execute function ${audit}();
`
}
