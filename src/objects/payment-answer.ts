import { type Command, type CommandAnswer, type DecidedCommand, NEEDS_SALE_MESSAGE } from '../../domain/command.ts'
import { type CustomerAction, isNative, openAction } from '../../domain/customer-action.ts'
import { ERRORS, isErrorCode, PAYMENT_FAILED, retryClassOf, statusOf } from '../../domain/errors.ts'
import type { TransactionStatus } from '../../domain/transaction.ts'
import type { InvoiceRow } from '../persistence/entities/invoice.ts'
import type { InvoiceDetailRow } from '../persistence/entities/invoice-detail.ts'
import type { RefundRow } from '../persistence/entities/refund.ts'
import type { TransactionRow } from '../persistence/entities/transaction.ts'
import { errorBody } from './error-body.ts'
import { presentInvoice } from './invoice.ts'
import { presentRefund } from './refund.ts'
import { presentTransaction } from './transaction.ts'

const PENDING_MESSAGE = 'The outcome is not known yet. The transaction and its events will tell it.'
const ACTION_MESSAGE =
  'The customer has to authenticate. Show the action, then call again with the source that it gives.'
const DECLINED_MESSAGE = 'The payment was declined.'

/** What an answer by state says to the merchant; a status that is not here is a success. */
const OUTCOMES: Partial<Record<TransactionStatus, 'pending' | 'failed'>> = {
  waiting: 'pending',
  pending: 'pending',
  'in-review': 'pending',
  'pending-capture': 'pending',
  failed: 'failed',
  blocked: 'failed',
}

export interface AnsweredPayment {
  answer: CommandAnswer
  /** As it is after the answer; null where nothing was ever asked of a gateway. */
  transaction: TransactionRow | null
  /** Of a refund only. */
  refund?: RefundRow | null
  /** Where the invoice itself is asked for. */
  invoice?: { row: InvoiceRow; details: readonly InvoiceDetailRow[]; now: Date }
  /** Whether the caller shows the customer's actions itself; otherwise it is told the page of ours that does. */
  handlesActions?: boolean
  /** Whether the call is for the customer's authentication, so that an action is no failure. */
  isForAuthentication?: boolean
  /** `X-Request-Id` of the request that is answered. */
  requestId: string
}

/** Of an answered command: whether its caller shows actions itself, and whether it has asked for one. */
export function handling(
  command: Command | DecidedCommand,
): Pick<AnsweredPayment, 'handlesActions' | 'isForAuthentication'> {
  if (command.kind !== 'pay' && command.kind !== 'authorize') return {}
  const isForAuthentication =
    command.kind === 'pay' ? command.call === 'three-d-s' : command.isForAuthentication === true
  return { handlesActions: command.handlesActions === true, isForAuthentication }
}

/** An answer of the interface: the HTTP status, and what `JSON.stringify` makes the body of. */
export interface PresentedAnswer {
  status: number
  body: object
}

/**
 * The answer of the interface to a command on a payment. It is made where the outcome is recorded, to be kept for a
 * repeated request, and where it is sent, so that both have the same bytes.
 */
export function presentPaymentAnswer(answered: AnsweredPayment): PresentedAnswer {
  const { answer } = answered
  switch (answer.kind) {
    case 'done':
      return succeeded(answered, 'success')
    case 'pending':
      return pending(answered)
    case 'unchanged':
      return byState(answered)
    case 'declined':
      return declined(answered, answer.code)
    case 'refused':
      return statusOf(answer.code) === PAYMENT_FAILED ? failed(answered, answer) : refused(answered, answer)
    case 'duplicate':
      return refused(answered, { code: 'request.still-processing', ...ERRORS['request.still-processing'] })
  }
}

/**
 * An object that is not there is left out: client libraries read `null` as an object and end their process, with the
 * money taken. So there is a `transaction` beside every `customer_action`, and no `customer_action` where none is asked.
 */
function succeeded(
  { transaction, refund, invoice }: AnsweredPayment,
  outcome: 'success' | 'pending',
  action: ShownAction | null = null,
): PresentedAnswer {
  const body = {
    success: true,
    outcome,
    ...(outcome === 'pending' ? { message: action === null ? PENDING_MESSAGE : ACTION_MESSAGE } : {}),
    ...(action === null ? {} : { customer_action: action }),
    // Also the token that the source has just become.
    customer_token_id: transaction?.tokenId ?? null,
    ...(refund == null ? {} : { refund: presentRefund(refund) }),
    ...(transaction === null ? {} : { transaction: presentTransaction(transaction) }),
    ...(invoice === undefined ? {} : { invoice: presentInvoice(invoice.row, transaction, invoice) }),
  }
  return { status: 200, body }
}

/** The outcome is open: the customer has to act, or the gateway has not decided yet. */
function pending(answered: AnsweredPayment): PresentedAnswer {
  const action = openAction(answered.transaction)
  if (action === null) return succeeded(answered, 'pending')
  const isSentThere = isShownByPage(action, answered)
  return isSentThere && answered.isForAuthentication !== true
    ? sendingThere(answered, action)
    : succeeded(answered, 'pending', presentAction(action, answered))
}

/**
 * A caller that shows no actions is answered like a decline, with the page on which the customer authenticates: the hosted
 * page in a browser, the step itself in an app, whose address it leads back to.
 */
function sendingThere({ transaction, requestId }: AnsweredPayment, action: CustomerAction): PresentedAnswer {
  const errorType = 'card.needs-authentication'
  const body = {
    ...errorBody({ errorType, message: ERRORS[errorType].message, requestId }),
    outcome: 'pending',
    authorized: false,
    captured: false,
    customer_action: presentPage(action),
    ...(transaction === null ? {} : { transaction: presentTransaction(transaction) }),
  }
  return { status: PAYMENT_FAILED, body }
}

/** An action as its caller sees it. */
export interface ShownAction {
  type: CustomerAction['type']
  value: string
  metadata: Record<string, string> | null
}

type Handling = Pick<AnsweredPayment, 'handlesActions'>

/** The data for a native library are nothing that a customer could be sent to. */
function isShownByPage(action: CustomerAction, { handlesActions }: Handling): boolean {
  return handlesActions === false && !isNative(action)
}

/** The action itself, or the page on which the customer takes it, for a caller that shows no actions. */
export function presentAction(action: CustomerAction, caller: Handling): ShownAction {
  if (isShownByPage(action, caller)) return presentPage(action)
  const { type, value, isFullPage } = action
  return { type, value, metadata: isFullPage ? { no_iframe: 'true' } : null }
}

function presentPage({ channel, value, hostedPage }: CustomerAction): ShownAction {
  return { type: 'redirect', value: channel === 'web' ? hostedPage : value, metadata: null }
}

/** Nothing was done, because the payment is already there: the merchant reads where. */
function byState(answered: AnsweredPayment): PresentedAnswer {
  const { transaction } = answered
  const outcome = transaction === null ? 'pending' : (OUTCOMES[transaction.status] ?? 'success')
  if (outcome === 'pending') return pending(answered)
  if (outcome === 'success') return succeeded(answered, outcome)
  const code = transaction?.errorCode ?? 'gateway.unknown-error'
  return failed(answered, { code, message: messageOf(code, transaction) })
}

/** A gateway that only says what it cannot do has declined nothing: the request was wrong for it. */
function declined(answered: AnsweredPayment, code: string): PresentedAnswer {
  const { transaction } = answered
  // Of an authorization it says that there is no authorization without capture; see the port of the gateways.
  const needsSale = code === 'request.gateway.operation-not-supported' && transaction?.status === 'failed'
  const message = needsSale ? NEEDS_SALE_MESSAGE : messageOf(code, transaction)
  return isErrorCode(code) && retryClassOf(code) === null && ERRORS[code].status !== PAYMENT_FAILED
    ? refused(answered, { code, message })
    : failed(answered, { code, message })
}

/**
 * Gateways have more words than our list: an unknown code is a decline like any other. The transaction tells whether and
 * when another try makes sense: the advice of the scheme, its recommendation and `retry_after`.
 */
function failed(
  { transaction, refund, requestId }: AnsweredPayment,
  { code, message }: { code: string; message: string },
): PresentedAnswer {
  const body = {
    ...errorBody({ errorType: code, message, requestId }),
    outcome: 'failed',
    authorized: transaction !== null && transaction.authorizedMinor > transaction.voidedMinor,
    captured: (transaction?.capturedMinor ?? 0) > 0,
    ...(refund == null ? {} : { refund: presentRefund(refund) }),
    ...(transaction === null ? {} : { transaction: presentTransaction(transaction) }),
  }
  return { status: PAYMENT_FAILED, body }
}

function refused(
  { requestId }: AnsweredPayment,
  { code, message }: { code: keyof typeof ERRORS; message: string },
): PresentedAnswer {
  return { status: statusOf(code), body: errorBody({ errorType: code, message, requestId }) }
}

function messageOf(code: string, transaction: TransactionRow | null): string {
  if (isErrorCode(code)) return ERRORS[code].message
  return transaction?.errorMessage ?? DECLINED_MESSAGE
}
