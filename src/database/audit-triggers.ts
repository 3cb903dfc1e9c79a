import {
  AUDITED_TABLES,
  type AuditedTable,
  auditedState,
  type Columns,
  isSettings,
  nothingIn,
} from './audited-columns.ts'

/** SQL made from the list of columns: for each audited table its logged JSON, and the trigger that writes it. */
export function auditTriggers(): string {
  return (Object.keys(AUDITED_TABLES) as AuditedTable[])
    .map((table) => `${makeStateFunction(table)}\n${makeTrigger(table)}`)
    .join('\n')
}

/** Stable and not immutable: only then does PostgreSQL inline the function. */
function makeStateFunction(table: AuditedTable): string {
  return `create or replace function audited_state(of_row ${table}) returns jsonb language sql stable as $$
  select ${auditedState(table, 'of_row')}
$$;`
}

/** Names the columns of settings, so that frequent updates of others, such as a key's last use, run no trigger. */
function makeTrigger(table: AuditedTable): string {
  const { values, instants, digests = [] }: Columns = AUDITED_TABLES[table]
  const [columns, audit] = isSettings(table)
    ? [` of ${[...values, ...instants, ...digests].join(', ')}`, 'audit_settings()']
    : ['', `audit_row('${JSON.stringify(nothingIn(table))}')`]
  return `create or replace trigger audit after insert or delete or update${columns}
  on ${table} for each row execute function ${audit};
`
}
