import { OperationEntity, type OperationRow } from '../entities/operation.ts'
import { WithdrawnCommandEntity } from '../entities/withdrawn-command.ts'
import type { EntityManager } from '../orm.ts'
import { lockPayment } from './payment-lock.ts'

/** What became of a command whose caller stopped waiting. */
export type Withdrawal =
  /** It has not begun, and from now on it never will. */
  | { kind: 'withdrawn' }
  /** It has begun: its attempt is written, and its result where there is one. */
  | { kind: 'begun'; result: OperationRow | null }

interface Withdrawing {
  projectId: string
  sandbox: boolean
  invoiceId: string
  operationId: string
  now: Date
}

/** Runs in the same database transaction and under the same lock, of a command that has begun. */
type WhenBegun = (em: EntityManager, result: OperationRow | null) => Promise<void>

/**
 * Takes a command back, unless it has begun. Beginning and withdrawing take the same lock, so that exactly one of them
 * happens, whatever was lost between the caller and the workflow. What is told of one that has begun can be kept in
 * `whenBegun`, before anything else happens to the payment.
 */
export function withdrawCommand(
  em: EntityManager,
  withdrawing: Withdrawing,
  whenBegun: WhenBegun = async () => {},
): Promise<Withdrawal> {
  const { projectId, sandbox, invoiceId, operationId, now } = withdrawing
  return em.transactional(async (transaction) => {
    await lockPayment(transaction, { projectId, sandbox, invoiceId })
    const rows = await transaction.find(OperationEntity, {
      projectId,
      sandbox,
      $or: [{ id: operationId }, { attemptOperationId: operationId }],
    })
    if (rows.length > 0) {
      const result = finalResultOf(rows)
      await whenBegun(transaction, result)
      return { kind: 'begun', result }
    }
    await transaction.upsert(WithdrawnCommandEntity, { operationId, projectId, sandbox, invoiceId, createdAt: now })
    return { kind: 'withdrawn' }
  })
}

/** Of the rows of one attempt, the one that ended it. */
export function finalResultOf(rows: readonly OperationRow[]): OperationRow | null {
  return rows.find((row) => !row.isAttempt && (row.outcome === 'succeeded' || row.outcome === 'failed')) ?? null
}

/** Asked under the lock of the payment, before a command begins. */
export async function isWithdrawn(em: EntityManager, operationId: string): Promise<boolean> {
  return (await em.count(WithdrawnCommandEntity, { operationId })) > 0
}
