import { type Api, type PaymentAnswer, Unanswered } from './api.ts'
import {
  type CustomerAction,
  challengeSource,
  deviceDataSource,
  fingerprintTimedOutSource,
} from './customer-actions.ts'
import { CustomerCanceled, invoiceIsOver, PaymentError, paymentError } from './errors.ts'
import type * as wire from './generated/objects.ts'
import { sleep, uniqueKey, within } from './platform.ts'
import type { AuthorizationRequest } from './request.ts'
import type { AuthorizedInvoice, Invoice, Transaction } from './resources.ts'
import { isToken, returnUrlProblem } from './return-url.ts'
import type { ThreeDSService } from './three-d-s-service.ts'
import type { Timing } from './timing.ts'

/** The service asks for five actions at most. */
const ROUNDS_MAX = 6

const PAID: ReadonlySet<string> = new Set<wire.Invoice['status']>(['authorized', 'completed'])
const FAILED: ReadonlySet<string> = new Set<wire.Invoice['status']>(['failed'])

/** No card can pay the invoice any more. */
const OVER: ReadonlySet<string> = new Set<wire.Invoice['status']>(['canceled', 'expired', 'refunded'])

/** The customer has nothing to do, and the gateway has not decided. */
const OPEN: ReadonlySet<string> = new Set<wire.Transaction['status']>(['pending', 'in-review', 'pending-capture'])

/** The customer goes no further, for this reason. */
class StepEnded extends Error {
  override readonly name = 'StepEnded'
  readonly reason: PaymentError

  constructor(reason: PaymentError) {
    super(reason.message)
    this.reason = reason
  }
}

export interface Payment {
  api: Api
  timing: Timing
  request: AuthorizationRequest
  service: ThreeDSService
}

/**
 * One payment from the request to its end: it asks the service, lets the customer act, and asks again with what came
 * of it, until no action is left.
 *
 * @throws PaymentError if the invoice is not authorized afterwards, or nobody knows yet.
 */
export async function authorize(payment: Payment): Promise<AuthorizedInvoice> {
  const { request } = payment
  const invoice = await readInvoice(payment)
  const problem = returnUrlProblem(invoice, request.webAuthenticationCallback)
  if (problem !== null) throw new PaymentError('invalid-request', problem)

  // Each round is a request of its own: repeated with its key, it is the same one.
  const paymentKey = uniqueKey()
  let round = 0
  const nextRound = (source: string) => {
    round += 1
    return ask(payment, { source, key: `${paymentKey}-${round}` })
  }
  let source = request.source
  for (;;) {
    const answer = await nextRound(source)
    if (answer.kind !== 'asks') return conclude(payment, answer)
    try {
      if (round === ROUNDS_MAX) throw ended('The bank asked for more steps than an authentication has.')
      source = await nextSource(payment, answer.action, invoice)
    } catch (error) {
      if (!(error instanceof StepEnded)) throw error
      return abandon(payment, error.reason, () => nextRound(answer.action.canceledSource))
    }
  }
}

/** Nothing has begun yet, so that a lost connection leaves nothing open. */
async function readInvoice({ api, request }: Payment): Promise<Invoice> {
  try {
    return await api.invoice(request.invoiceId)
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error
    throw new PaymentError('connection-lost', 'The invoice could not be read; no payment was begun.')
  }
}

/** One round. If its answer is lost for good, the invoice tells what became of it. */
async function ask(payment: Payment, round: { source: string; key: string }): Promise<PaymentAnswer> {
  const { api, request } = payment
  try {
    return await api.authorize(request, round)
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error
  }
  const answer = await whatBecame(payment)
  if (answer !== null) return answer
  try {
    // The connection is back, and nothing is decided: the same request once more.
    return await api.authorize(request, { ...round, attempts: 1 })
  } catch (error) {
    const isLost = error instanceof Unanswered || (error instanceof PaymentError && error.kind === 'try-later')
    throw isLost ? connectionLost() : error
  }
}

/**
 * Null if the invoice tells nothing about this round. A failure may be that of an earlier card.
 *
 * @throws PaymentError `connection-lost` if it cannot be read either.
 */
async function whatBecame({ api, request }: Payment): Promise<PaymentAnswer | null> {
  const invoice = await api.invoice(request.invoiceId).catch(() => {
    throw connectionLost()
  })
  const { status, transaction } = invoice
  if (transaction === null) return null
  if (PAID.has(status)) return { kind: 'paid', transaction, customerTokenId: null }
  return OPEN.has(transaction.status) ? { kind: 'open', transaction } : null
}

function connectionLost(): PaymentError {
  return new PaymentError(
    'connection-lost',
    'The service did not answer. Another try of the same invoice charges nothing twice.',
  )
}

/** The customer acts; what comes of it is the source of the next round. */
async function nextSource(payment: Payment, action: CustomerAction, invoice: Invoice): Promise<string> {
  const { service } = payment
  switch (action.kind) {
    case 'native fingerprint': {
      const collected = await step(() => service.authenticationRequest(action.configuration))
      const source = deviceDataSource(collected)
      if (source === null) throw ended('The native library gave no complete public key.')
      return source
    }
    case 'native challenge':
      return challengeSource(await step(() => service.handleChallenge(action.challenge)))
    case 'page':
      return sourceAfter(payment, action, invoice)
    case 'unreadable':
      throw ended(action.problem)
  }
}

/** Without a token the service has kept what the bank's page told it, and takes the first source again. */
async function sourceAfter(
  { service, timing, request }: Payment,
  { url, isFingerprint }: CustomerAction & { kind: 'page' },
  { id, returnUrl }: Invoice,
): Promise<string> {
  const timeoutMs = timing.fingerprintTimeoutMs
  const timeoutSeconds = isFingerprint ? Math.max(1, Math.floor(timeoutMs / 1000)) : null
  const redirect = {
    ...{ url, timeoutSeconds, returnUrl: returnUrl ?? '', invoiceId: id },
    webAuthenticationCallback: request.webAuthenticationCallback ?? null,
  }
  const handling = step(() => service.handleRedirect(redirect))
  const token = isFingerprint ? await within(timeoutMs, handling) : await handling
  if (token !== undefined) return isToken(token) ? token : request.source
  quietly(() => service.closeRedirect?.())
  return fingerprintTimedOutSource(url)
}

/**
 * A step of the app's service.
 *
 * @throws StepEnded if it fails, or the customer cancels.
 */
async function step<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof CustomerCanceled) {
      const details = { errorType: 'customer.canceled' }
      throw new StepEnded(new PaymentError('canceled', 'The customer has canceled.', details))
    }
    throw ended('The app could not carry out a step of the authentication.', error)
  }
}

function ended(message: string, cause?: unknown): StepEnded {
  return new StepEnded(new PaymentError('authentication-failed', message, { cause }))
}

/**
 * Tells the service that the customer goes no further, so that another card can be tried at once. If the payment was
 * made all the same, it is a success.
 *
 * @throws PaymentError the reason, or what the service says instead.
 */
async function abandon(
  payment: Payment,
  reason: PaymentError,
  tell: () => Promise<PaymentAnswer>,
): Promise<AuthorizedInvoice> {
  let answer: PaymentAnswer
  try {
    answer = await tell()
  } catch (error) {
    // It is told, or waits for nothing any more, or ends the payment by itself when the customer's time is up.
    const isTold = error instanceof PaymentError && ['canceled', 'source-refused', 'try-later'].includes(error.kind)
    throw isTold ? reason : error
  }
  if (answer.kind === 'asks') throw reason
  return conclude(payment, answer)
}

function conclude(payment: Payment, answer: Exclude<PaymentAnswer, { kind: 'asks' }>): Promise<AuthorizedInvoice> {
  if (answer.kind === 'open') return awaitOutcome(payment, answer.transaction)
  const { transaction, customerTokenId } = answer
  return Promise.resolve({ invoiceId: payment.request.invoiceId, transaction, customerTokenId })
}

/** @throws PaymentError `pending` when the time is up. */
async function awaitOutcome({ api, timing, request }: Payment, known: Transaction | null): Promise<AuthorizedInvoice> {
  const { invoiceId } = request
  const endsAt = Date.now() + timing.pollForMs
  let latest = known
  let pauseMs = timing.firstPauseMs
  while (Date.now() + pauseMs < endsAt) {
    await sleep(pauseMs)
    pauseMs = Math.min(pauseMs * 2, timing.longestPauseMs)
    const invoice = await within(
      endsAt - Date.now(),
      api.invoice(invoiceId, 1).catch(() => undefined),
    )
    if (invoice === undefined) continue
    const { status, transaction } = invoice
    latest = transaction ?? latest
    if (PAID.has(status) && transaction !== null) return { invoiceId, transaction, customerTokenId: null }
    if (OVER.has(status)) throw invoiceIsOver(status)
    if (FAILED.has(status)) throw paymentError(transaction?.errorCode ?? null, 'The payment has failed.')
  }
  throw new PaymentError('pending', 'The outcome of the payment is not known yet.', { transaction: latest })
}

/** What goes wrong there changes nothing about the payment. */
export function quietly(run: () => unknown): void {
  try {
    Promise.resolve(run()).catch(() => {})
  } catch {}
}
