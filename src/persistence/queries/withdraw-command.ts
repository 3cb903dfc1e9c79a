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

/**
 * Takes a command back, unless it has begun. Beginning and withdrawing take the same lock, so that exactly one of them
 * happens, whatever was lost between the caller and the workflow.
 */
export function withdrawCommand(em: EntityManager, withdrawing: Withdrawing): Promise<Withdrawal> {
  const { projectId, sandbox, invoiceId, operationId, now } = withdrawing
  return em.transactional(async (transaction) => {
    await lockPayment(transaction, { projectId, sandbox, invoiceId })
    const rows = await transaction.find(OperationEntity, {
      projectId,
      sandbox,
      $or: [{ id: operationId }, { attemptOperationId: operationId }],
    })
    if (rows.length > 0) {
      const result = rows.find((row) => row.outcome === 'succeeded' || row.outcome === 'failed')
      return { kind: 'begun', result: result ?? null }
    }
    await transaction.upsert(WithdrawnCommandEntity, { operationId, projectId, sandbox, invoiceId, createdAt: now })
    return { kind: 'withdrawn' }
  })
}

/** Asked under the lock of the payment, before a command begins. */
export async function isWithdrawn(em: EntityManager, operationId: string): Promise<boolean> {
  return (await em.count(WithdrawnCommandEntity, { operationId })) > 0
}
