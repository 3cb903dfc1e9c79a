import { type AuditedTable, auditedState, isSettings } from '../persistence/audited-columns.ts'

/** The names of the chains of projects begin with it. */
const PROJECT_CHAIN = 'project '

/**
 * The statement that reads rows as the log has them, by the names of the chains that they belong to. It asks no function of
 * the database that it verifies.
 */
export function selectAudited(table: AuditedTable): string {
  const state = auditedState(table)
  if (isSettings(table)) {
    const owner = table === 'project' ? 'id' : 'project_id'
    return `select '${PROJECT_CHAIN}' || ${owner} as chain, ${state} as state from ${table}
      where ${owner} in (
        select substr(name, ${PROJECT_CHAIN.length + 1}) from jsonb_array_elements_text(?::jsonb) as chain (name)
         where starts_with(name, '${PROJECT_CHAIN}'))`
  }
  const chain = table === 'transaction' ? 'id' : 'transaction_id'
  return `select ${chain} as chain, ${state} as state from ${table}
    where ${chain} in (select jsonb_array_elements_text(?::jsonb))`
}
