import type { EntityManager } from '../../orm.ts'

/**
 * SQL condition: the transaction has something open at a gateway configuration: reserved money, a call with an unknown
 * outcome, or an orphan to reverse. The query must have both tables under their names.
 */
export const OPEN_AT_CONFIGURATION = `
  transaction.project_id = configuration.project_id and transaction.sandbox = configuration.sandbox
  and (transaction.gateway_configuration_id = configuration.id and captured_minor + voided_minor < authorized_minor
    or (attempts_in_flight <> '[]' or orphans <> '[]') and exists (
      select from operation
       where operation.transaction_id = transaction.id and operation.gateway_configuration_id = configuration.id
         and attempts_in_flight || orphans @> jsonb_build_array(jsonb_build_object('operationId', operation.id))))`

/**
 * SQL condition: the transaction has a call to a gateway configuration that the gateway has neither answered nor confirmed
 * as pending, or an orphan to reverse there. Attempts that staff have closed do not count.
 */
const UNANSWERED_AT_CONFIGURATION = `
  transaction.project_id = configuration.project_id and transaction.sandbox = configuration.sandbox
  and (attempts_in_flight <> '[]' or orphans <> '[]') and exists (
    select from operation
     where operation.transaction_id = transaction.id and operation.gateway_configuration_id = configuration.id
       and (orphans @> jsonb_build_array(jsonb_build_object('operationId', operation.id))
         or attempts_in_flight @> jsonb_build_array(jsonb_build_object('operationId', operation.id, 'isAbandoned', false))
           and not exists (
             select from operation result
              where result.transaction_id = transaction.id and result.attempt_operation_id = operation.id
                and result.outcome = 'pending')))`

/**
 * Locks the account of a gateway configuration until the end of the caller's database transaction. Attempts that are being
 * written for it commit first, and later ones wait.
 */
export async function lockAccount(em: EntityManager, configurationId: string): Promise<void> {
  await em.execute('select from gateway_configuration where id = ? for update', [configurationId])
}

/**
 * The invoices of payments that are open at a gateway configuration, the oldest first, `limit` at most.
 *
 * @param which `anything`: also money reserved there; `unanswered`: only unanswered calls, and orphans to reverse.
 */
export async function findOpenInvoices(
  em: EntityManager,
  { configurationId, which, limit }: { configurationId: string; which: 'anything' | 'unanswered'; limit: number },
): Promise<string[]> {
  const isOpen = which === 'anything' ? OPEN_AT_CONFIGURATION : UNANSWERED_AT_CONFIGURATION
  const rows = await em.execute<{ invoiceId: string }[]>(
    `select transaction.invoice_id as "invoiceId" from gateway_configuration configuration
       join transaction on ${isOpen}
      where configuration.id = ?
      order by transaction.created_at, transaction.id limit ?`,
    [configurationId, limit],
  )
  return rows.map(({ invoiceId }) => invoiceId)
}
