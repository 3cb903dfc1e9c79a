import type { BookEntry } from '../../../../domain/books.ts'
import type { OperationOutcome } from '../../../../domain/operation.ts'
import type { ReconciliationRow } from '../../entities/reconciliation.ts'
import type { EntityManager } from '../../orm.ts'
import { textArray } from './lines.ts'

/** An entry of our books, and its payment. */
export interface KnownEntry extends BookEntry {
  transactionId: string
}

type Run = Pick<ReconciliationRow, 'projectId' | 'sandbox' | 'gatewayConfigurationId'>

/** The results of an attempt; the capture of a sale that failed after all corrects the authorization that took the money. */
const OF_ATTEMPT = `result.transaction_id = attempt.transaction_id and not result.is_attempt
  and attempt.id in (result.attempt_operation_id, result.corrected_attempt_id)`

/** Money that moved: captures, refunds, and authorizations that took it at once. */
const MOVES_MONEY = "(result.type in ('capture', 'refund') or result.type = 'authorization' and result.is_sale)"

/** The entries of attempts with these ids; those of other accounts, and attempts that move no money, are left out. */
export async function findEntries(em: EntityManager, run: Run, attemptIds: readonly string[]): Promise<KnownEntry[]> {
  if (attemptIds.length === 0) return []
  type Row = Omit<KnownEntry, 'state'> & { outcome: OperationOutcome | null; isAccountable: boolean }
  const rows = await em.execute<Row[]>(
    `select attempt.id as reference, attempt.transaction_id as "transactionId",
            case attempt.type when 'refund' then 'refund' else 'capture' end as type,
            last.outcome, coalesce(last.is_accountable, false) as "isAccountable",
            coalesce(last.amount_minor, attempt.amount_minor)::float8 as "amountMinor",
            coalesce(last.currency, attempt.currency) as currency, coalesce(last.created_at, attempt.created_at) as at,
            (select result.gateway_operation_id from operation result
              where ${OF_ATTEMPT} and result.gateway_operation_id is not null
              order by result.position desc limit 1) as "gatewayReference"
       from operation attempt
       left join lateral (select result.* from operation result where ${OF_ATTEMPT}
                           order by result.position desc limit 1) as last on true
      where attempt.id = any(?::text[]) and attempt.is_attempt and attempt.gateway_configuration_id = ?
        and attempt.project_id = ? and attempt.sandbox = ?
        and (attempt.type in ('capture', 'refund')
             or exists (select from operation result where ${OF_ATTEMPT} and result.is_sale))`,
    [textArray(attemptIds), run.gatewayConfigurationId, run.projectId, run.sandbox],
  )
  return rows.map(({ outcome, isAccountable, ...row }) => ({
    ...row,
    state: stateOf(outcome, isAccountable),
    at: new Date(row.at).getTime(),
  }))
}

/** A success that moved no money of the payment, such as a late approval that is reversed, stands in no total of ours. */
function stateOf(outcome: OperationOutcome | null, isAccountable: boolean): BookEntry['state'] {
  if (outcome === 'failed') return 'failed'
  if (outcome === 'succeeded') return isAccountable ? 'succeeded' : 'failed'
  return 'open'
}

/** The attempts whose results have one of these ids of the gateway. */
export async function findAttemptsByGateway(
  em: EntityManager,
  { gatewayConfigurationId }: Run,
  gatewayReferences: readonly string[],
): Promise<string[]> {
  if (gatewayReferences.length === 0) return []
  const rows = await em.execute<{ id: string | null }[]>(
    `select coalesce(result.attempt_operation_id, result.corrected_attempt_id) as id from operation result
      where result.gateway_configuration_id = ? and result.gateway_operation_id = any(?::text[])
        and result.type in ('authorization', 'capture', 'refund') and not result.is_attempt and ${MOVES_MONEY}`,
    [gatewayConfigurationId, textArray(gatewayReferences)],
  )
  return rows.flatMap(({ id }) => id ?? [])
}

/** A result, by which the next part begins behind this one. */
export interface ResultPlace {
  createdAt: Date
  id: string
}

/** A part of the attempts that had a result in a time span, in the order of the results. */
export async function findAttemptsBetween(
  em: EntityManager,
  { projectId, sandbox, gatewayConfigurationId }: Run,
  { after, until, limit }: { after: ResultPlace; until: Date; limit: number },
): Promise<{ attemptIds: string[]; last: ResultPlace | null }> {
  const rows = await em.execute<{ attemptId: string | null; createdAt: string; id: string }[]>(
    `select coalesce(result.attempt_operation_id, result.corrected_attempt_id) as "attemptId",
            result.created_at as "createdAt", result.id
       from operation result
      where result.project_id = ? and result.sandbox = ? and not result.is_attempt
        and (result.created_at, result.id) > (?::timestamptz, ?) and result.created_at < ?
        and result.gateway_configuration_id = ? and ${MOVES_MONEY}
      order by result.created_at, result.id limit ?`,
    [projectId, sandbox, after.createdAt, after.id, until, gatewayConfigurationId, limit],
  )
  const last = rows.length < limit ? undefined : rows.at(-1)
  return {
    attemptIds: [...new Set(rows.flatMap(({ attemptId }) => attemptId ?? []))],
    last: last === undefined ? null : { createdAt: new Date(last.createdAt), id: last.id },
  }
}

/** The payments that lines of a gateway name by any of their operations, by the line's reference. */
export async function findPaymentsOf(
  em: EntityManager,
  { projectId, sandbox, gatewayConfigurationId }: Run,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (names.length === 0) return new Map()
  const rows = await em.execute<{ name: string; transactionId: string }[]>(
    `select id as name, transaction_id as "transactionId" from operation
      where id = any(?::text[]) and project_id = ? and sandbox = ?
     union all
     select gateway_operation_id, transaction_id from operation
      where gateway_configuration_id = ? and gateway_operation_id = any(?::text[])
        and type in ('authorization', 'capture', 'refund')`,
    [textArray(names), projectId, sandbox, gatewayConfigurationId, textArray(names)],
  )
  return new Map(rows.map(({ name, transactionId }) => [name, transactionId]))
}
