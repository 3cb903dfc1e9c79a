import { AUTHORIZATION_VALIDITY_MS } from './authorization-validity.ts'
import { ACTIONS_MAX, type RequestedAction } from './customer-action.ts'
import { withAdvice } from './merchant-advice.ts'
import type { Decline, GatewayOperationType, OperationOutcome, OperationType, Outcome } from './operation.ts'
import { type AttemptInFlight, activeAttempts, type Orphan, type Payment, unrefundedMinor } from './payment.ts'
import { isFreedBy } from './payment-outcome.ts'
import { canReverseCapture } from './reversal.ts'

/**
 * Decides what to do when a gateway reports the outcome of an attempt. The report may agree with the record or contradict it,
 * and may come at once, late, twice or out of order. The decision depends only on the arguments.
 */

/** How long the look-ups of a closed attempt go on. After that the issuer releases a remaining authorization by itself. */
const CLOSED_WATCH_MS = AUTHORIZATION_VALIDITY_MS

export interface RecordedAttempt {
  type: GatewayOperationType
  amountMinor: number
  currency: string
  /** Our own void of an expired authorization. */
  isExpiryVoid: boolean
  /** The void or refund of an orphan. */
  isOrphanReversal: boolean
  /** The account takes the money with this authorization, whether or not the report says so. */
  isSale: boolean
  /** The attempt as the payment keeps it; null if it is not in flight. */
  inFlight: AttemptInFlight | null
  /** The oldest first. */
  results: readonly RecordedResult[]
}

export interface RecordedResult {
  outcome: OperationOutcome
  amountMinor: number
  /** The call was certainly not sent. */
  isNotSent: boolean
  /** The result changed the amounts of the payment. */
  isAccountable: boolean
  /** The authorization captured its money at once. */
  isSale: boolean
  /** The gateway refused, which leaves open whether the money is still reserved. */
  isRefusal: boolean
}

export interface Report {
  /** The type of the reported call. A gateway reports the capture of a sale under its authorization. */
  type: OperationType
  outcome: Outcome
  /** The answer to a call or look-up, a notification of the gateway, or a finding of support staff. */
  source: 'answer' | 'notification' | 'staff'
  /** Support staff, or the merchant by a void, close the attempt without an outcome of the gateway. */
  isClosing: boolean
  /** The same notification was applied before, as far as that was possible. */
  isRepeated: boolean
  /** Replaces a report that could not be recorded. The attempt must stay open. */
  isUnrecordable: boolean
  /** The authorization may fall back to another gateway: its caller still waits, and there is time. */
  mayTryNext: boolean
  /** Workflow time in epoch ms. */
  at: number
}

export interface Circumstances {
  payment: Payment
  acceptsPartialApprovals: boolean
  /** The failure of this capture or refund, if that is the gateway's last report of it. */
  failureReported: Decline | null
  /** The authorizations of the attempt's account that the payment uses or has reversed. */
  knownAuthorizationIds: ReadonlySet<string>
  /** Status of the attempt's refund; null for attempts of other types. */
  refundStatus: 'pending' | 'succeeded' | 'failed' | null
  customer: CustomerCircumstances
  /** The sum of all requested refunds, in minor units. */
  refundsAskedMinor: number
  /** The wall clock in epoch ms, for the scheme's advice. */
  now: number
}

/** The customer's part in an authorization. */
export interface CustomerCircumstances {
  /** False if nobody can act, as in a payment that the merchant initiates. */
  canAct: boolean
  /** How many actions this attempt has asked for. */
  actionsAsked: number
  /** The end of the time for them, in epoch ms; null before the first. */
  until: number | null
}

export type FinalOutcome = Extract<Outcome, { kind: 'approved' | 'declined' }>

/** A partial approval that the project does not accept. */
export type UnwantedAuthorization = Pick<Orphan, 'gatewayAuthorizationId' | 'amountMinor' | 'isSale'>

export type Reconciliation =
  /**
   * Record the outcome. `isLate`: the attempt was closed before. `unwanted`: reverse this authorization. `isOurs`: the
   * decline is our own, so that the attempt is watched like a closed one, and ended at the gateway.
   */
  | {
      kind: 'record'
      outcome: Outcome
      isLate: boolean
      unwanted: UnwantedAuthorization | null
      isOurs: boolean
    }
  /** Nothing new. `isRefused`: the gateway refused to void the expired authorization; staff must check it. */
  | { kind: 'already recorded'; isRefused: boolean }
  /** Record the failure, and the attempt at the next gateway if there is one. */
  | { kind: 'try the next gateway'; outcome: Outcome }
  /** The authorization waits until the customer has acted. */
  | { kind: 'ask the customer'; action: RequestedAction }
  /** End the look-ups of a closed attempt. */
  | { kind: 'stop watching' }
  /** Put the failed attempt back in flight as a closed one, then reconcile the report again. */
  | { kind: 'reopen' }
  /** Reverse a late failure: take the result out of the amounts. `isDoubtful`: staff must check it as well. */
  | { kind: 'reverse'; outcome: Decline; result: RecordedResult; isDoubtful: boolean }
  /** The record cannot represent the report. */
  | { kind: 'ask staff' }
  /** The decision depends on a step under way. */
  | { kind: 'wait' }

const NOTHING_NEW: Reconciliation = { kind: 'already recorded', isRefused: false }

export function reconcile(attempt: RecordedAttempt, report: Report, circumstances: Circumstances): Reconciliation {
  return attempt.inFlight === null
    ? reconcileEnded(attempt, report, circumstances)
    : reconcileInFlight(attempt, attempt.inFlight, report, circumstances)
}

function reconcileInFlight(
  attempt: RecordedAttempt,
  inFlight: AttemptInFlight,
  report: Report,
  circumstances: Circumstances,
): Reconciliation {
  const { isAbandoned: isLate, begunAt } = inFlight
  // The capture of a sale is reported before the outcome of its authorization is recorded.
  if (report.type !== attempt.type) return { kind: 'wait' }
  const { outcome: said } = report
  if (said.kind === 'action-required') return judgeAction(said.action, inFlight, report.at, circumstances.customer)
  // The customer is asked, and not the gateway: that it cannot be reached meanwhile means nothing.
  if (said.kind === 'unknown' && mayCustomerAct(inFlight, report.at)) return NOTHING_NEW
  const judged = judgeOutcome(said, attempt, circumstances.acceptsPartialApprovals)
  // The reported failure may be the very outcome that could not be recorded.
  const failure = report.isUnrecordable ? null : circumstances.failureReported
  const outcome = withAdvice(failure === null ? judged.outcome : failed(failure), circumstances.now)
  if (isLate && !isFinal(outcome) && report.at > begunAt + CLOSED_WATCH_MS) return { kind: 'stop watching' }
  // A gateway reports it again at the next look-up. Support staff say it once.
  const isReportedAgain = report.source !== 'staff'
  if (isLate && isReportedAgain && outcome.kind === 'approved' && !hasRoom(attempt, circumstances.payment))
    return { kind: 'wait' }
  const isNewOfClosed = isLate && isFinal(outcome) && !report.isClosing
  if (!isNewOfClosed && holdsResult(attempt, outcome))
    return { kind: 'already recorded', isRefused: !isLate && isReleaseRefused(attempt, outcome) }
  const isFirst = attempt.results.length === 0 && !isLate && circumstances.payment.status === 'waiting'
  // A customer who has authenticated once is not asked to do it again elsewhere.
  const mayTryNext = report.mayTryNext && circumstances.customer.actionsAsked === 0
  if (isFirst && mayTryNext && outcome.kind === 'declined' && judged.unwanted === null)
    return { kind: 'try the next gateway', outcome }
  return { kind: 'record', outcome, isLate, unwanted: judged.unwanted, isOurs: false }
}

/**
 * Whether the late approval of a refund can be counted. It cannot while another refund has reserved the money: the gateway has
 * the money for one of the two only, and refuses the other one. Example: of 29.00 captured, staff close a refund of 5.80, the
 * merchant refunds 29.00, and the gateway then reports the 5.80 as refunded.
 */
function hasRoom({ type, amountMinor, isOrphanReversal }: RecordedAttempt, payment: Payment): boolean {
  const isOtherOpen = activeAttempts(payment).some((other) => other.type === 'refund')
  return type !== 'refund' || isOrphanReversal || !isOtherOpen || amountMinor <= unrefundedMinor(payment)
}

/** Whether the attempt has a final result already, or an open one of the same kind. */
function holdsResult({ results }: RecordedAttempt, outcome: Outcome): boolean {
  const same = outcomeColumn(outcome)
  return results.some((result) => isFinalResult(result) || result.outcome === same)
}

/** Whether the gateway has refused, now or before, to void an expired authorization, and the void is still open. */
function isReleaseRefused({ isExpiryVoid, results }: RecordedAttempt, outcome: Outcome): boolean {
  if (!isExpiryVoid || isFinal(outcome)) return false
  const isRefusal = outcome.kind === 'unknown' && outcome.refusal !== undefined
  return isRefusal || results.some((result) => result.outcome === 'unknown' && result.isRefusal)
}

function reconcileEnded(attempt: RecordedAttempt, report: Report, circumstances: Circumstances): Reconciliation {
  const last = attempt.results.findLast(isFinalResult)
  const isAboutCapture = last?.isSale === true && report.type === 'capture'
  if (last === undefined || !(report.type === attempt.type || isAboutCapture)) return NOTHING_NEW
  // Staff can close open attempts only. Only the gateway corrects a final result, and a success only by a notification.
  if (report.source === 'staff' || (last.outcome === 'succeeded' && report.source === 'answer')) return NOTHING_NEW
  // Another run of the same step did send the call, so its outcome is still to come.
  const hasArrived = (last.isNotSent || report.isUnrecordable) && circumstances.failureReported === null
  // The customer cannot act here, so the call matters only once the gateway reports an approval.
  if (report.outcome.kind === 'action-required') return NOTHING_NEW
  if (!isFinal(report.outcome)) return hasArrived && last.outcome === 'failed' ? { kind: 'reopen' } : NOTHING_NEW
  const { outcome } = judgeOutcome(report.outcome, attempt, true)
  if (!isFinal(outcome)) return askStaff(report)
  if (last.outcome === 'succeeded')
    return outcome.kind === 'declined' ? reverse(attempt, last, report, outcome, circumstances) : NOTHING_NEW
  return outcome.kind === 'approved' && isNewApproval(attempt, outcome, circumstances)
    ? { kind: 'reopen' }
    : NOTHING_NEW
}

function askStaff({ isRepeated }: Report): Reconciliation {
  return isRepeated ? NOTHING_NEW : { kind: 'ask staff' }
}

/** A late failure: the recorded success is reported as failed. */
function reverse(
  attempt: RecordedAttempt,
  result: RecordedResult,
  report: Report,
  outcome: Decline,
  { payment, refundStatus, refundsAskedMinor }: Circumstances,
): Reconciliation {
  // The money of an unwanted sale seemed to be given back, and is not.
  if (attempt.isOrphanReversal && attempt.type === 'refund') return askStaff(report)
  // The void of an expired authorization is recorded as done even if the gateway refuses it as expired or released.
  if (attempt.isExpiryVoid || !result.isAccountable) return NOTHING_NEW
  if (report.type !== 'capture' && report.type !== 'refund') return askStaff(report)
  if (refundStatus !== null && refundStatus !== 'succeeded') return NOTHING_NEW
  if (report.type === 'refund') return { kind: 'reverse', outcome, result, isDoubtful: false }
  const canBe = canReverseCapture(payment, result.amountMinor)
  // The merchant may have promised its customer refunds that the rest no longer covers. A sale cannot be captured again.
  const isDoubtful = attempt.type !== 'capture' || refundsAskedMinor > payment.capturedMinor - result.amountMinor
  // Another capture may cover the refunds, or a refund may fail.
  const isOpen = activeAttempts(payment).some(({ type }) => type === 'capture' || type === 'refund')
  if ((!canBe || isDoubtful) && isOpen) return { kind: 'wait' }
  return canBe ? { kind: 'reverse', outcome, result, isDoubtful } : askStaff(report)
}

/**
 * Whether an approval of a failed attempt is news. It is not if the gateway itself reported the failure of this capture or
 * refund, if the void no longer matters, or if the payment uses that authorization or has reversed it.
 */
function isNewApproval(
  { type, amountMinor, isExpiryVoid, isOrphanReversal }: RecordedAttempt,
  outcome: Extract<Outcome, { kind: 'approved' }>,
  { acceptsPartialApprovals, failureReported, knownAuthorizationIds }: Circumstances,
): boolean {
  switch (type) {
    case 'capture':
    case 'refund':
      return failureReported === null && !isOrphanReversal
    case 'void':
      return !isOrphanReversal && !isExpiryVoid
    case 'increment_authorization':
      return true
    case 'authorization':
      // A partial approval that the project does not take was recorded as a decline, and reversed.
      if (outcome.amountMinor !== amountMinor && !acceptsPartialApprovals) return false
      return !knownAuthorizationIds.has(outcome.gatewayOperationId)
  }
}

/** The outcome to record, and a partial approval to reverse. */
interface JudgedOutcome {
  outcome: Outcome
  /** An authorization for less than was asked. */
  unwanted: UnwantedAuthorization | null
}

/** Whether the authorization waits for its customer, whose time is not over. */
function mayCustomerAct({ isAbandoned, awaitsCustomerUntil }: AttemptInFlight, at: number): boolean {
  return !isAbandoned && awaitsCustomerUntil !== undefined && at < awaitsCustomerUntil
}

/**
 * What an action means that the gateway asks of the customer. An attempt that waits already is not asked for another one; at
 * the end of its time the customer has not authenticated. If nobody can act, waiting would only block the invoice. A gateway
 * that asks for an action could still approve, so that the attempt is watched until the gateway has given it up.
 */
function judgeAction(
  action: RequestedAction,
  inFlight: AttemptInFlight,
  at: number,
  { canAct, actionsAsked, until }: CustomerCircumstances,
): Reconciliation {
  if (inFlight.isAbandoned || mayCustomerAct(inFlight, at)) return NOTHING_NEW
  if (!canAct) return declinedByUs(NOBODY_TO_ACT)
  if (until !== null && at >= until) return declinedByUs(CUSTOMER_TIMED_OUT)
  return actionsAsked < ACTIONS_MAX ? { kind: 'ask the customer', action } : declinedByUs(TOO_MANY_ACTIONS)
}

function declinedByUs(outcome: FinalOutcome): Reconciliation {
  return { kind: 'record', outcome, isLate: false, unwanted: null, isOurs: true }
}

const NOBODY_TO_ACT: FinalOutcome = {
  kind: 'declined',
  code: 'card.needs-authentication',
  gatewayCode: 'ACTION_REQUIRED',
}

/** The customer did not finish the authentication in time. */
export const CUSTOMER_TIMED_OUT: FinalOutcome = {
  kind: 'declined',
  code: 'card.expired-3ds',
  gatewayCode: 'CUSTOMER_TIMED_OUT',
}

/** An authorization that was closed without an outcome of its gateway. */
export const GIVEN_UP: FinalOutcome = { kind: 'declined', code: 'gateway.unknown-error', gatewayCode: 'GIVEN_UP' }

const TOO_MANY_ACTIONS: FinalOutcome = {
  kind: 'declined',
  code: 'card.failed-3ds-technical',
  gatewayCode: 'TOO_MANY_ACTIONS',
}

/**
 * Compares a reported outcome with the request. An approval of another amount or currency gives an unknown outcome. Only a
 * smaller authorization is a partial approval: it stands if the project accepts those; otherwise it is recorded as a decline
 * and reversed. Example: 80 of 100 EUR is partial; 120 EUR, or 80 USD, is unknown.
 *
 * If the gateway refuses the void of an expired authorization without saying that the money is free, it may have captured
 * the money. The void then stays open for look-ups.
 */
function judgeOutcome(
  said: Outcome,
  attempt: Pick<RecordedAttempt, 'type' | 'amountMinor' | 'currency' | 'isExpiryVoid' | 'isSale'>,
  acceptsPartialApprovals: boolean,
): JudgedOutcome {
  // Staff say that it was approved, and the account says what an approval is.
  const outcome = said.kind === 'approved' && attempt.isSale ? { ...said, isSale: true } : said
  if (outcome.kind === 'declined' && attempt.isExpiryVoid && !isFreedBy(outcome))
    return { outcome: notReleased(outcome), unwanted: null }
  if (outcome.kind !== 'approved') return { outcome, unwanted: null }
  const { amountMinor, currency, gatewayOperationId, isSale = false, authentication, cardChecks } = outcome
  if (currency === attempt.currency && amountMinor === attempt.amountMinor) return { outcome, unwanted: null }
  const isPartial =
    attempt.type === 'authorization' &&
    currency === attempt.currency &&
    0 < amountMinor &&
    amountMinor < attempt.amountMinor
  if (!isPartial) {
    const reason = `approved ${amountMinor} ${currency}, asked ${attempt.amountMinor} ${attempt.currency}`
    return { outcome: { kind: 'unknown', reason }, unwanted: null }
  }
  if (acceptsPartialApprovals) return { outcome, unwanted: null }
  return {
    outcome: {
      kind: 'declined',
      code: 'card.no-money',
      gatewayCode: 'PARTIAL_APPROVAL',
      // The issuer has answered these, whatever becomes of the money.
      ...(authentication && { authentication }),
      ...(cardChecks && { cardChecks }),
    },
    unwanted: { gatewayAuthorizationId: gatewayOperationId, amountMinor, isSale },
  }
}

function notReleased({ code, gatewayCode }: Decline): Outcome {
  const reason = `The gateway did not release the authorization at its end: ${code} (${gatewayCode}).`
  return { kind: 'unknown', reason, refusal: { code, gatewayCode } }
}

const OUTCOME_COLUMN: Record<Outcome['kind'], OperationOutcome> = {
  approved: 'succeeded',
  declined: 'failed',
  pending: 'pending',
  'action-required': 'pending',
  unknown: 'unknown',
}

export function outcomeColumn(outcome: Outcome): OperationOutcome {
  return OUTCOME_COLUMN[outcome.kind]
}

export function isFinal(outcome: Outcome): outcome is FinalOutcome {
  return outcome.kind === 'approved' || outcome.kind === 'declined'
}

export function isFinalResult({ outcome }: { outcome?: OperationOutcome | null | undefined }): boolean {
  return outcome === 'succeeded' || outcome === 'failed'
}

function failed(decline: Decline): Outcome {
  return { kind: 'declined', ...decline }
}
