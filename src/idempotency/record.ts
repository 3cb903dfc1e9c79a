import { answerOfResult, type CommandAnswer, type IdempotencyClaim } from '../../domain/command.ts'
import { PAYMENT_FAILED } from '../../domain/errors.ts'
import { OperationEntity, type OperationRow } from '../persistence/entities/operation.ts'
import { TransactionEntity, type TransactionRow } from '../persistence/entities/transaction.ts'
import type { EntityManager } from '../persistence/orm.ts'
import { findAnswerRows } from '../persistence/queries/payments/answer-rows.ts'
import { finalResultOf, findLastAttempt } from '../persistence/queries/payments/last-attempt.ts'
import { lockPayment } from '../persistence/queries/payments/payment-lock.ts'
import type { Scope } from '../persistence/queries/scope.ts'
import { type AnsweredPayment, presentPaymentAnswer } from '../presenters/payment-answer.ts'

/** Runs a statement, with `$1` and so on for its values, in the database transaction of the caller. */
export type Execute = <Row extends object>(sql: string, values: readonly unknown[]) => Promise<Row[]>

/** The same through an EntityManager, which takes `?` for each value in its place. */
export function executeWith(em: EntityManager): Execute {
  return <Row extends object>(sql: string, values: readonly unknown[]) => {
    const placed: unknown[] = []
    const text = sql.replaceAll(/\$(\d+)/g, (_, place) => {
      placed.push(values[Number(place) - 1])
      return '?'
    })
    return em.execute<Row[]>(text, placed)
  }
}

/** An answer as it is kept: the bytes of the body, which are sent again as they are. */
export interface KeptAnswer {
  status: number
  body: string
}

/** Twice the 30 s for which the first caller waited: nobody answers it any more. */
const LOST_AFTER_MS = 60_000

/** What a request finds that comes with a key. */
export type FoundKey =
  | { kind: 'free' }
  /** The key came before, with another body. */
  | { kind: 'of another body' }
  | { kind: 'under way' }
  /** Under way for so long that its run must have been lost; see `answerLostKey`. */
  | { kind: 'lost' }
  | ({ kind: 'answered'; operationId: string | null } & KeptAnswer)

/** What becomes of a request that comes with this key now. */
export async function findKey(execute: Execute, { id, requestHash }: IdempotencyClaim, now: Date): Promise<FoundKey> {
  const [row] = await execute<{ hash: string; operationId: string | null; isLost: boolean } & KeptAnswer>(
    `select request_hash as hash, operation_id as "operationId", status, body, created_at < $1 as "isLost"
       from idempotency_key where id = $2`,
    [new Date(now.getTime() - LOST_AFTER_MS), id],
  )
  if (row === undefined) return { kind: 'free' }
  if (row.hash !== requestHash) return { kind: 'of another body' }
  const { operationId, status, body } = row
  if (body !== null) return { kind: 'answered', operationId, status, body }
  return { kind: row.isLost ? 'lost' : 'under way' }
}

/**
 * Takes a key for an operation, or for the caller's own database transaction where no payment is asked (`null`).
 * A key that another transaction has just taken is waited for until that transaction ends. `taken` says that the key
 * belongs to another request; an operation that claims again has what it had.
 */
export async function claimKey(
  execute: Execute,
  { projectId, sandbox }: Scope,
  { id, requestHash }: IdempotencyClaim,
  operationId: string | null,
  now: Date,
): Promise<'claimed' | 'taken'> {
  const claimed = await execute(
    `insert into idempotency_key (id, project_id, sandbox, request_hash, operation_id, created_at)
     values ($1, $2, $3, $4, $5, $6) on conflict (id) do nothing returning id`,
    [id, projectId, sandbox, requestHash, operationId, now],
  )
  if (claimed.length > 0) return 'claimed'
  // A statement of its own, which sees what the first has waited for.
  const own = await execute('select id from idempotency_key where id = $1 and operation_id = $2', [id, operationId])
  return own.length > 0 ? 'claimed' : 'taken'
}

/** Keeps what a payment answers, in the database transaction of what it tells, under the lock of the payment. */
export async function keepPaymentAnswer(
  execute: Execute,
  claim: IdempotencyClaim,
  answered: Omit<AnsweredPayment, 'requestId'>,
  now: Date,
): Promise<void> {
  const { status, body } = presentPaymentAnswer({ ...answered, requestId: claim.requestId })
  // A gateway was asked, whatever the status is: it must not be asked again.
  const isOutcome = answered.answer.kind === 'declined'
  await keepAnswer(execute, claim, { status, body: JSON.stringify(body), isOutcome }, now)
}

/**
 * Keeps the answer of a claimed key, once: a key that has its answer keeps it. Outcomes are kept, declines among them;
 * of a refusal nothing is kept, and the key is free again, so that a corrected or later request is judged anew.
 */
export async function keepAnswer(
  execute: Execute,
  { id }: Pick<IdempotencyClaim, 'id'>,
  { status, body, isOutcome = false }: KeptAnswer & { isOutcome?: boolean },
  now: Date,
): Promise<void> {
  const isKept = isOutcome || (status >= 200 && status < 300) || status === PAYMENT_FAILED
  if (!isKept) return freeKey(execute, id)
  await execute(
    'update idempotency_key set status = $1, body = $2, completed_at = $3 where id = $4 and completed_at is null',
    [status, body, now, id],
  )
}

/** Gives a key back that has no answer yet. */
async function freeKey(execute: Execute, id: string): Promise<void> {
  await execute('delete from idempotency_key where id = $1 and completed_at is null', [id])
}

/**
 * Gives a key its answer where the run that would have given it was lost: from the record, under the lock of the payment.
 * What the record leaves open is answered as pending, and found out later like every unknown outcome.
 */
export function answerLostKey(em: EntityManager, claim: IdempotencyClaim, now: Date): Promise<void> {
  return em.transactional(async (transaction) => {
    const execute = executeWith(transaction)
    const [key] = await execute<Scope & { operationId: string | null }>(
      'select project_id as "projectId", sandbox, operation_id as "operationId" from idempotency_key where id = $1',
      [claim.id],
    )
    if (key === undefined) return
    const { operationId, ...scope } = key
    const attempt = await transaction.findOne(OperationEntity, { ...scope, id: operationId ?? '' })
    const paid = await transaction.findOne(TransactionEntity, { ...scope, id: attempt?.transactionId ?? '' })
    if (attempt === null || paid === null) {
      // A sale of what another request had authorized claims its key before it has an attempt: nothing came of it.
      await freeKey(execute, claim.id)
      return
    }
    const payment = { ...scope, invoiceId: paid.invoiceId }
    await lockPayment(transaction, payment)
    const rows = await findLastAttempt(transaction, scope, attempt.id)
    const found = await findAnswerRows(transaction, payment, attempt.refundId ?? null)
    const answer = answerOfLost(finalResultOf(rows), found.transaction, now)
    await keepPaymentAnswer(execute, claim, { answer, ...found }, now)
  })
}

/** A sale whose capture is still open, or is due and not begun, is not done with its authorization. */
function answerOfLost(result: OperationRow | null, transaction: TransactionRow | null, now: Date): CommandAnswer {
  const isDue =
    transaction?.status === 'authorized' && transaction.autoCaptureAt != null && transaction.autoCaptureAt <= now
  const captureIsOpen = isDue || (transaction?.capturingMinor ?? 0) > 0
  return result?.type === 'authorization' && captureIsOpen ? { kind: 'pending' } : answerOfResult(result ?? {})
}
