import { answerOfResult, type CommandAnswer, type IdempotencyClaim } from '../../domain/command.ts'
import { PAYMENT_FAILED } from '../../domain/errors.ts'
import { paymentTime } from '../../domain/test-clock.ts'
import { type AnsweredPayment, presentPaymentAnswer } from '../objects/payment-answer.ts'
import { OperationEntity, type OperationRow } from '../persistence/entities/operation.ts'
import { TransactionEntity, type TransactionRow } from '../persistence/entities/transaction.ts'
import type { EntityManager } from '../persistence/orm.ts'
import { findAnswerRows } from '../persistence/queries/payments/find-payment.ts'
import { openPayment } from '../persistence/queries/payments/open-payment.ts'
import { finalResultOf, findLastAttempt } from '../persistence/queries/payments/operations.ts'
import type { Scope } from '../persistence/queries/scope.ts'
import { type Reader, type Statement, write } from '../persistence/rows.ts'

/** A kept answer: its body is sent again byte for byte. */
export interface KeptAnswer {
  status: number
  body: string
}

/** Twice the 30 s for which the first caller waited: no process will answer it any more. */
const LOST_AFTER_MS = 60_000

/** The state of the key that a request carries. */
export type FoundKey =
  | { kind: 'free' }
  /** The key was used before with another body. */
  | { kind: 'of another body' }
  | { kind: 'under way' }
  /** Under way for so long that the run must have been lost; see `answerLostKey`. */
  | { kind: 'lost' }
  | ({ kind: 'answered'; operationId: string | null } & KeptAnswer)

type FoundRow = { hash: string; operationId: string | null; isLost: boolean } & KeptAnswer

/** Reads the state of the key of a request. */
export async function findKey(reader: Reader, { id, requestHash }: IdempotencyClaim, now: Date): Promise<FoundKey> {
  const [row] = await reader.execute<FoundRow[]>(
    `select request_hash as hash, operation_id as "operationId", status, body, created_at < ? as "isLost"
       from idempotency_key where id = ?`,
    [new Date(now.getTime() - LOST_AFTER_MS), id],
  )
  if (row === undefined) return { kind: 'free' }
  if (row.hash !== requestHash) return { kind: 'of another body' }
  const { operationId, status, body } = row
  if (body !== null) return { kind: 'answered', operationId, status, body }
  return { kind: row.isLost ? 'lost' : 'under way' }
}

/**
 * Claims a key for an operation, or for the caller's own database transaction where the request moves no money (`null`). If
 * another transaction is just claiming the key, this waits until that transaction ends. `taken` means that the key belongs
 * to another request; an operation that claims its own key again gets it.
 */
export async function claimKey(
  reader: Reader,
  { projectId, sandbox }: Scope,
  { id, requestHash }: IdempotencyClaim,
  operationId: string | null,
  now: Date,
): Promise<'claimed' | 'taken'> {
  const claimed = await reader.execute(
    `insert into idempotency_key (id, project_id, sandbox, request_hash, operation_id, created_at)
     values (?, ?, ?, ?, ?, ?) on conflict (id) do nothing returning id`,
    [id, projectId, sandbox, requestHash, operationId, now],
  )
  if (claimed.length > 0) return 'claimed'
  // A separate statement, so that it sees the row that the first one has waited for.
  const own = await reader.execute('select id from idempotency_key where id = ? and operation_id = ?', [
    id,
    operationId,
  ])
  return own.length > 0 ? 'claimed' : 'taken'
}

/** An answer that may be kept. */
interface GivenAnswer extends KeptAnswer {
  /** True where a gateway was called: it must not be called again, so the answer is kept with any status. */
  isOutcome?: boolean
}

/**
 * Keeps the answer of a payment, in the transaction that writes the reported rows and under the lock of the payment. It
 * shows the rows as they are when it is written.
 */
export function keepPaymentAnswer(
  reader: Reader,
  claim: Pick<IdempotencyClaim, 'id' | 'requestId'>,
  answered: Omit<AnsweredPayment, 'requestId'>,
  now: Date,
): Promise<void> {
  return write(reader, () => {
    const { status, body } = presentPaymentAnswer({ ...answered, requestId: claim.requestId })
    const answer = { status, body: JSON.stringify(body), isOutcome: answered.answer.kind === 'declined' }
    return answeredKey(claim, answer, now)
  })
}

/**
 * Keeps the answer of a claimed key, once: a kept answer never changes. Outcomes are kept, declines among them. A refusal
 * frees the key instead, so that a corrected or later request is judged anew.
 */
export function keepAnswer(
  reader: Reader,
  claim: Pick<IdempotencyClaim, 'id'>,
  answer: GivenAnswer,
  now: Date,
): Promise<void> {
  return write(reader, () => answeredKey(claim, answer, now))
}

function answeredKey(
  { id }: Pick<IdempotencyClaim, 'id'>,
  { status, body, isOutcome = false }: GivenAnswer,
  now: Date,
): Statement {
  const isKept = isOutcome || (status >= 200 && status < 300) || status === PAYMENT_FAILED
  if (!isKept) return freedKey(id)
  return {
    sql: 'update idempotency_key set status = ?, body = ?, completed_at = ? where id = ? and completed_at is null',
    values: [status, body, now, id],
  }
}

/** Frees a key that has no answer yet. */
function freedKey(id: string): Statement {
  return { sql: 'delete from idempotency_key where id = ? and completed_at is null', values: [id] }
}

/**
 * Answers a key whose run was lost, from the record and under the lock of the payment. Where the record has no outcome yet,
 * the answer is pending, and the outcome is looked up later like every unknown one.
 */
export function answerLostKey(em: EntityManager, claim: IdempotencyClaim, now: Date): Promise<void> {
  return em.transactional(async (transaction) => {
    const [key] = await transaction.execute<(Scope & { operationId: string | null })[]>(
      'select project_id as "projectId", sandbox, operation_id as "operationId" from idempotency_key where id = ?',
      [claim.id],
    )
    if (key === undefined) return
    const { operationId, ...scope } = key
    const attempt = await transaction.findOne(OperationEntity, { ...scope, id: operationId ?? '' })
    const paid = await transaction.findOne(TransactionEntity, { ...scope, id: attempt?.transactionId ?? '' })
    if (attempt === null || paid === null) {
      // A command that claims its key writes its attempt in the same transaction, so this one did nothing.
      return write(transaction, () => freedKey(claim.id))
    }
    const payment = { ...scope, invoiceId: paid.invoiceId }
    await openPayment(transaction, payment)
    const rows = await findLastAttempt(transaction, scope, attempt.id)
    const found = await findAnswerRows(transaction, payment, attempt.refundId ?? null)
    const answer = answerOfLost(finalResultOf(rows), found.transaction, now)
    await keepPaymentAnswer(transaction, claim, { answer, ...found }, now)
  })
}

/** A sale is not done with its authorization while its capture is open, or is due and not begun. */
function answerOfLost(result: OperationRow | null, transaction: TransactionRow | null, now: Date): CommandAnswer {
  const isDue =
    transaction?.status === 'authorized' &&
    transaction.autoCaptureAt != null &&
    transaction.autoCaptureAt.getTime() <= paymentTime(transaction, now.getTime())
  const captureIsOpen = isDue || (transaction?.capturingMinor ?? 0) > 0
  const isOfSale = result?.type === 'authorization' || result?.type === 'three_d_s_check'
  return isOfSale && captureIsOpen ? { kind: 'pending' } : answerOfResult(result ?? {})
}
