import { ERRORS, type ErrorCode, isErrorCode } from '../../../domain/errors.ts'
import type { TransactionStatus } from '../../../domain/transaction.ts'
import type { TransactionRow } from '../../persistence/entities/transaction.ts'
import { presentTransaction } from '../../presenters/transaction.ts'
import { ApiError } from '../api-error.ts'
import type { ApiContext } from '../context.ts'
import { errorBody } from '../error-body.ts'
import type { CarriedOut } from './carry-out.ts'

/** The status of every failure of a payment in `domain/errors.ts`: the request was right, and the money did not move. */
const PAYMENT_FAILED = 410

const PENDING_MESSAGE = 'The outcome is not known yet. The transaction and its events will tell it.'
const DECLINED_MESSAGE = 'The payment was declined.'

/** Which field of the request a refusal is about. */
export type FieldOf = Partial<Record<ErrorCode, string>>

/** What an answer by state says to the merchant; a status that is not here is a success. */
const OUTCOMES: Partial<Record<TransactionStatus, 'pending' | 'failed'>> = {
  waiting: 'pending',
  pending: 'pending',
  'in-review': 'pending',
  'pending-capture': 'pending',
  failed: 'failed',
  blocked: 'failed',
}

/**
 * Turns the answer of a payment into the answer of the interface.
 *
 * @throws ApiError for a refusal, naming the field where the refusal is about one.
 */
export function respond(ctx: ApiContext, { answer, transaction }: CarriedOut, fieldOf: FieldOf): void {
  switch (answer.kind) {
    case 'done':
      succeed(ctx, transaction, 'success')
      break
    case 'pending':
      succeed(ctx, transaction, 'pending')
      break
    case 'unchanged':
      tellState(ctx, transaction)
      break
    case 'declined':
      fail(ctx, transaction, { code: answer.code, message: messageOf(answer.code, transaction) })
      break
    case 'refused':
      refuse(ctx, transaction, answer, fieldOf)
      break
  }
}

function succeed(ctx: ApiContext, transaction: TransactionRow | null, outcome: 'success' | 'pending'): void {
  ctx.body = {
    success: true,
    outcome,
    ...(outcome === 'pending' ? { message: PENDING_MESSAGE } : {}),
    customer_action: null,
    transaction: transaction === null ? null : presentTransaction(transaction),
  }
}

/** Nothing was done, because the payment is already there: the merchant reads where. */
function tellState(ctx: ApiContext, transaction: TransactionRow | null): void {
  const outcome = transaction === null ? 'pending' : (OUTCOMES[transaction.status] ?? 'success')
  if (outcome === 'failed') {
    const code = transaction?.errorCode ?? 'gateway.unknown-error'
    fail(ctx, transaction, { code, message: messageOf(code, transaction) })
  } else {
    succeed(ctx, transaction, outcome)
  }
}

function refuse(
  ctx: ApiContext,
  transaction: TransactionRow | null,
  { code, message }: { code: ErrorCode; message: string },
  fieldOf: FieldOf,
): void {
  if (ERRORS[code].status !== PAYMENT_FAILED) {
    const name = fieldOf[code]
    throw new ApiError(code, { message, ...(name === undefined ? {} : { invalidFields: [{ name, message }] }) })
  }
  fail(ctx, transaction, { code, message })
}

/** Gateways have more words than our list: an unknown code is a decline like any other. */
function fail(ctx: ApiContext, transaction: TransactionRow | null, error: { code: string; message: string }): void {
  ctx.status = PAYMENT_FAILED
  ctx.state.errorType = error.code
  ctx.body = {
    ...errorBody({ errorType: error.code, message: error.message, requestId: ctx.state.requestId }),
    outcome: 'failed',
    authorized: transaction !== null && transaction.authorizedMinor > transaction.voidedMinor,
    captured: (transaction?.capturedMinor ?? 0) > 0,
  }
}

function messageOf(code: string, transaction: TransactionRow | null): string {
  if (isErrorCode(code)) return ERRORS[code].message
  return transaction?.errorMessage ?? DECLINED_MESSAGE
}
