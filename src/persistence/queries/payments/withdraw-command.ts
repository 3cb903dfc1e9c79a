import type { OperationRow } from '../../entities/operation.ts'
import { WithdrawnCommandEntity } from '../../entities/withdrawn-command.ts'
import type { EntityManager } from '../../orm.ts'
import { finalResultOf, findLastAttempt } from './last-attempt.ts'
import { type LockedPayment, lockPayment } from './payment-lock.ts'

/** What became of a command whose caller stopped waiting. */
export type Withdrawal =
  /** It has not begun, and from now on it never will. */
  | { kind: 'withdrawn' }
  /** It has begun: its attempt is written, and its result where there is one; of a sale, of the last step that has begun. */
  | { kind: 'begun'; result: OperationRow | null; isCapture: boolean }
  /** It writes no attempt, and the payment shows that it is done. */
  | { kind: 'done' }

interface Withdrawing {
  projectId: string
  sandbox: boolean
  invoiceId: string
  operationId: string
  /** Of a sale: its second step. It is begun without the first where another request has authorized the payment. */
  captureOperationId?: string | null
  /** Of a command that writes no attempt: how the payment shows that it is done. */
  isDone?: (locked: LockedPayment) => boolean
  now: Date
}

/** Runs in the same database transaction and under the same lock, of a command that has begun. */
type WhenBegun = (em: EntityManager, result: OperationRow | null, isCapture: boolean) => Promise<void>

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
  const { projectId, sandbox, invoiceId, operationId, captureOperationId = null, now } = withdrawing
  return em.transactional(async (transaction) => {
    // A deleted invoice takes no command any more, and no mark.
    const locked = await lockPayment(transaction, { projectId, sandbox, invoiceId })
    if (locked === null) return { kind: 'withdrawn' }
    if (withdrawing.isDone?.(locked)) return { kind: 'done' }
    const rowsOf = (id: string) => findLastAttempt(transaction, { projectId, sandbox }, id)
    const ofCapture = captureOperationId === null ? [] : await rowsOf(captureOperationId)
    const isCapture = ofCapture.length > 0
    const rows = isCapture ? ofCapture : await rowsOf(operationId)
    if (rows.length > 0) {
      const result = finalResultOf(rows)
      await whenBegun(transaction, result, isCapture)
      return { kind: 'begun', result, isCapture }
    }
    await transaction.upsert(WithdrawnCommandEntity, { operationId, projectId, sandbox, invoiceId, createdAt: now })
    return { kind: 'withdrawn' }
  })
}
