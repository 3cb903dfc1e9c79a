import { AUTHORIZATION_VALIDITY_MS } from './authorization-validity.ts'
import { withAdvice } from './merchant-advice.ts'
import type { Decline, GatewayOperationType, OperationOutcome, OperationType, Outcome } from './operation.ts'
import { type AttemptInFlight, activeAttempts, type Payment } from './payment.ts'
import { isFreedBy } from './payment-outcome.ts'
import { canReverseCapture } from './reversal.ts'

/**
 * What is done when a gateway reports what became of an attempt: the record holds one thing, the gateway says another or the
 * same, at once, late, twice or in the wrong order. Everything that decides it is in this file, and it reads nothing but its
 * arguments.
 */

/** For how long the look-ups of a closed attempt go on: what an issuer then still holds, it releases by itself. */
const CLOSED_WATCH_MS = AUTHORIZATION_VALIDITY_MS

export interface RecordedAttempt {
  type: GatewayOperationType
  amountMinor: number
  currency: string
  /** It is our own void at the end of the authorization. */
  isExpiryVoid: boolean
  /** It voids an authorization on which the payment does not stand. */
  isOrphanVoid: boolean
  /** As the payment holds it; null where it is not in flight. */
  inFlight: AttemptInFlight | null
  /** Its results, the oldest first. */
  results: readonly RecordedResult[]
}

export interface RecordedResult {
  outcome: OperationOutcome
  amountMinor: number
  /** The gateway was not asked, for certain. */
  isNotSent: boolean
  /** It has changed the amounts of the payment. */
  isAccountable: boolean
  /** It is an authorization that took its money at once. */
  isSale: boolean
  /** The gateway refused, and that does not tell what became of the money. */
  isRefusal: boolean
}

export interface Report {
  /** Of which kind of call: a gateway reports the capture of a sale under the authorization. */
  type: OperationType
  outcome: Outcome
  /** The answer to the call or to a look-up of ours; what the gateway says unasked; or what support staff found out. */
  source: 'answer' | 'notification' | 'staff'
  /** Support staff, or the merchant by a void, close the attempt: its outcome is not the gateway's. */
  isClosing: boolean
  /** It was reported before, and acted upon as far as that was possible. */
  isRepeated: boolean
  /** It stands for a report that could not be recorded: the attempt has to stay in sight. */
  isUnrecordable: boolean
  /** The authorization may go on at another gateway, if there is one left: its caller is waiting, and there is time. */
  mayTryNext: boolean
  /** Workflow time in epoch ms. */
  at: number
}

export interface Circumstances {
  payment: Payment
  acceptsPartialApprovals: boolean
  /** The gateway has reported before that this capture or refund failed, which is the last report of it. */
  failureReported: Decline | null
  /** The authorizations of the attempt's account that the payment stands on, or has reversed. */
  knownAuthorizationIds: ReadonlySet<string>
  /** Of the refund that the attempt is for. */
  refundStatus: 'pending' | 'succeeded' | 'failed' | null
  /** The sum of all refunds that were asked for, in minor units. */
  refundsAskedMinor: number
  /** The wall clock in epoch ms, by which a scheme's advice counts. */
  now: number
}

export type FinalOutcome = Extract<Outcome, { kind: 'approved' | 'declined' }>

/** An authorization that was approved and is not wanted. */
export interface UnwantedAuthorization {
  gatewayAuthorizationId: string
  amountMinor: number
}

export type Reconciliation =
  /** Record the outcome. `isLate`: its attempt was closed before. `unwanted`: reverse this authorization. */
  | { kind: 'record'; outcome: Outcome; isLate: boolean; unwanted: UnwantedAuthorization | null }
  /** Nothing is new. `isRefused`: the gateway refuses to release an authorization at its end, and staff have to look. */
  | { kind: 'already recorded'; isRefused: boolean }
  /** Record the failure, and the attempt at the next gateway that can take it; where there is none, only the failure. */
  | { kind: 'try the next gateway'; outcome: Outcome }
  /** The closed attempt is not looked up any more. */
  | { kind: 'stop watching' }
  /** Put the attempt, which had failed, back in flight as a closed one; then the report is of an attempt in flight. */
  | { kind: 'reopen' }
  /** What had succeeded has failed after all: take it out of the amounts. `isDoubtful`: staff have to look as well. */
  | { kind: 'reverse'; outcome: Decline; result: RecordedResult; isDoubtful: boolean }
  /** The record cannot hold what is reported. */
  | { kind: 'ask staff' }
  /** Something under way decides what is to be done. */
  | { kind: 'wait' }

const NOTHING_NEW: Reconciliation = { kind: 'already recorded', isRefused: false }

export function reconcile(attempt: RecordedAttempt, report: Report, circumstances: Circumstances): Reconciliation {
  return attempt.inFlight === null
    ? reconcileEnded(attempt, report, circumstances)
    : reconcileInFlight(attempt, attempt.inFlight, report, circumstances)
}

function reconcileInFlight(
  attempt: RecordedAttempt,
  { isAbandoned: isLate, begunAt }: AttemptInFlight,
  report: Report,
  circumstances: Circumstances,
): Reconciliation {
  // The capture of a sale is reported before its authorization has ended here.
  if (report.type !== attempt.type) return { kind: 'wait' }
  const judged = judgeOutcome(report.outcome, attempt, circumstances.acceptsPartialApprovals)
  // A report stands for an outcome that cannot be recorded; that may be the very failure that was reported before.
  const failure = report.isUnrecordable ? null : circumstances.failureReported
  const outcome = withAdvice(failure === null ? judged.outcome : failed(failure), circumstances.now)
  if (isLate && !isFinal(outcome) && report.at > begunAt + CLOSED_WATCH_MS) return { kind: 'stop watching' }
  const isNewOfClosed = isLate && isFinal(outcome) && !report.isClosing
  if (!isNewOfClosed && holdsResult(attempt, outcome))
    return { kind: 'already recorded', isRefused: !isLate && isReleaseRefused(attempt, outcome) }
  const isFirst = attempt.results.length === 0 && !isLate && circumstances.payment.status === 'waiting'
  if (isFirst && report.mayTryNext && outcome.kind === 'declined' && judged.unwanted === null)
    return { kind: 'try the next gateway', outcome }
  return { kind: 'record', outcome, isLate, unwanted: judged.unwanted }
}

/** A final result, or an open one of the same kind. */
function holdsResult({ results }: RecordedAttempt, outcome: Outcome): boolean {
  const same = outcomeColumn(outcome)
  return results.some((result) => isFinalResult(result) || result.outcome === same)
}

/** Whether the gateway has refused to release an authorization at its end, now or before, and the void is still open. */
function isReleaseRefused({ isExpiryVoid, results }: RecordedAttempt, outcome: Outcome): boolean {
  if (!isExpiryVoid || isFinal(outcome)) return false
  const isRefusal = outcome.kind === 'unknown' && outcome.refusal !== undefined
  return isRefusal || results.some((result) => result.outcome === 'unknown' && result.isRefusal)
}

function reconcileEnded(attempt: RecordedAttempt, report: Report, circumstances: Circumstances): Reconciliation {
  const last = attempt.results.findLast(isFinalResult)
  const isAboutCapture = last?.isSale === true && report.type === 'capture'
  if (last === undefined || !(report.type === attempt.type || isAboutCapture)) return NOTHING_NEW
  // Staff end what is open. What has ended only the gateway itself corrects, and what succeeded only unasked.
  if (report.source === 'staff' || (last.outcome === 'succeeded' && report.source === 'answer')) return NOTHING_NEW
  // It did arrive, sent by another run of the same step: somebody has to hear how it ends.
  const hasArrived = (last.isNotSent || report.isUnrecordable) && circumstances.failureReported === null
  // Nobody can act for it, so that nothing depends on it before the gateway reports an approval.
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

/** What had succeeded has failed after all. */
function reverse(
  attempt: RecordedAttempt,
  result: RecordedResult,
  report: Report,
  outcome: Decline,
  { payment, refundStatus, refundsAskedMinor }: Circumstances,
): Reconciliation {
  // That an authorization has expired, or was released before, is what is recorded of the void at its end.
  if (attempt.isExpiryVoid || !result.isAccountable) return NOTHING_NEW
  if (report.type !== 'capture' && report.type !== 'refund') return askStaff(report)
  if (refundStatus !== null && refundStatus !== 'succeeded') return NOTHING_NEW
  if (report.type === 'refund') return { kind: 'reverse', outcome, result, isDoubtful: false }
  const canBe = canReverseCapture(payment, result.amountMinor)
  // Whoever asked for more refunds than is left may have promised something to a customer; a sale cannot be captured again.
  const isDoubtful = attempt.type !== 'capture' || refundsAskedMinor > payment.capturedMinor - result.amountMinor
  // Another capture may make room, and a refund that fails may.
  const isOpen = activeAttempts(payment).some(({ type }) => type === 'capture' || type === 'refund')
  if ((!canBe || isDoubtful) && isOpen) return { kind: 'wait' }
  return canBe ? { kind: 'reverse', outcome, result, isDoubtful } : askStaff(report)
}

/**
 * Whether an approval of what is recorded as failed is something new. It is not where the gateway itself has reported the
 * failure, where nothing depends on the call any more, or where the payment stands on that authorization or has reversed it.
 */
function isNewApproval(
  { type, amountMinor, isExpiryVoid, isOrphanVoid }: RecordedAttempt,
  outcome: Extract<Outcome, { kind: 'approved' }>,
  { acceptsPartialApprovals, failureReported, knownAuthorizationIds }: Circumstances,
): boolean {
  switch (type) {
    case 'capture':
    case 'refund':
      return failureReported === null
    case 'void':
      return !isOrphanVoid && !isExpiryVoid
    case 'increment_authorization':
      return true
    case 'authorization':
      // A partial approval that the project does not take was recorded as a decline, and reversed.
      if (outcome.amountMinor !== amountMinor && !acceptsPartialApprovals) return false
      return !knownAuthorizationIds.has(outcome.gatewayOperationId)
  }
}

/** What a gateway says, as it is recorded, and what it approved beside that and nobody wants to keep. */
interface JudgedOutcome {
  outcome: Outcome
  /** An authorization over less than was asked. */
  unwanted: UnwantedAuthorization | null
}

/**
 * Nothing here can send a customer to authenticate yet: nobody learns the address, so that the call can never come to
 * anything, and waiting for it would keep the invoice from being paid at all. Should it be approved after all, it comes late.
 */
const NOBODY_TO_ACT: Outcome = {
  kind: 'declined',
  code: 'card.needs-authentication',
  gatewayCode: 'ACTION_REQUIRED',
}

/**
 * Compares what a gateway says with what it was asked. An approval of another amount or currency is not the approval we
 * asked for: what really happened is unknown until somebody looks. Only an authorization over less is a known thing, a
 * partial approval: a project that takes those gets it, any other gets a decline, and the part is reversed.
 *
 * A refusal of the void at the end of an authorization is no outcome unless it says that the money is free: the gateway may
 * have taken it. The void stays open, and is looked up.
 */
function judgeOutcome(
  outcome: Outcome,
  attempt: Pick<RecordedAttempt, 'type' | 'amountMinor' | 'currency' | 'isExpiryVoid'>,
  acceptsPartialApprovals: boolean,
): JudgedOutcome {
  if (outcome.kind === 'action-required') return { outcome: NOBODY_TO_ACT, unwanted: null }
  if (outcome.kind === 'declined' && attempt.isExpiryVoid && !isFreedBy(outcome))
    return { outcome: notReleased(outcome), unwanted: null }
  if (outcome.kind !== 'approved') return { outcome, unwanted: null }
  const { amountMinor, currency, gatewayOperationId } = outcome
  if (currency === attempt.currency && amountMinor === attempt.amountMinor) return { outcome, unwanted: null }
  const isPartial =
    attempt.type === 'authorization' &&
    currency === attempt.currency &&
    0 < amountMinor &&
    amountMinor < attempt.amountMinor &&
    outcome.isSale !== true
  if (!isPartial) {
    const reason = `approved ${amountMinor} ${currency}, asked ${attempt.amountMinor} ${attempt.currency}`
    return { outcome: { kind: 'unknown', reason }, unwanted: null }
  }
  if (acceptsPartialApprovals) return { outcome, unwanted: null }
  return {
    outcome: { kind: 'declined', code: 'card.no-money', gatewayCode: 'PARTIAL_APPROVAL' },
    unwanted: { gatewayAuthorizationId: gatewayOperationId, amountMinor },
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
