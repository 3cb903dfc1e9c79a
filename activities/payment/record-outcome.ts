import { answerOfResult, type CommandAnswer } from '../../domain/command.ts'
import { attemptInFlight, lookedUp } from '../../domain/look-up.ts'
import type { GatewayOperationType, Outcome } from '../../domain/operation.ts'
import { type Change, type Orphan, type Payment, withoutCapturedLines } from '../../domain/payment.ts'
import {
  type AttemptFacts,
  abandonAttempt,
  applyOutcome,
  giveUpAuthorization,
  reportedResult,
} from '../../domain/payment-outcome.ts'
import { isFinal, isFinalResult, type Reconciliation, type Report, reconcile } from '../../domain/reconcile.ts'
import type { FiredEvent } from '../../domain/webhook-event.ts'
import type { OperationRow } from '../../src/persistence/entities/operation.ts'
import type { RefundRow } from '../../src/persistence/entities/refund.ts'
import { findCardOf } from '../../src/persistence/queries/customers/cards.ts'
import type { OpenedPayment } from '../../src/persistence/queries/payments/open-payment.ts'
import { finalResultOf, lastAttemptOf } from '../../src/persistence/queries/payments/operations.ts'
import { paymentOf } from '../../src/persistence/queries/payments/payment-rows.ts'
import type { Changes } from '../../src/persistence/queries/webhooks/project-event.ts'
import { transact, type Unit } from '../../src/persistence/transact.ts'
import type { PaymentReference } from '../../workflows/inputs.ts'
import type { PaymentActivityDeps } from '../dependencies.ts'
import { failures } from '../failures.ts'
import { orWhenItAlwaysFails } from './always-failing.ts'
import { askCustomer, withoutEndedAction } from './ask-customer.ts'
import { onPaymentClock } from './attempt.ts'
import { canCustomerAct } from './authentication.ts'
import { fireEvents } from './events.ts'
import { type FailedAuthorization, findNext, goOnAt } from './fall-back.ts'
import { keepAnswer } from './idempotency.ts'
import { openForChange } from './open-for-change.ts'
import type { Case, OutcomeReport, Recorded } from './outcome-report.ts'
import { recordAdvice } from './records/advice.ts'
import { recordClientOutcome } from './records/client-failures.ts'
import { linesOfCapture, updateDetails } from './records/details.ts'
import { recordToken } from './records/record-token.ts'
import { circumstancesOf, isExpiryVoid, recordedAttemptOf, resultsOf } from './records/recorded-attempt.ts'
import { findRefundOf, updateRefund } from './records/refunds.ts'
import { endCustomerAnswers, recordResults } from './records/results.ts'
import { forgetExternalAuthentication, forgetSecurityCode } from './records/sources.ts'
import { factsOf } from './records/transaction-facts.ts'
import { writeOutcome } from './records/write-payment.ts'
import { reverseResult } from './reverse-result.ts'

const UNCHANGED: CommandAnswer = { kind: 'unchanged' }

const NOT_RECORDED: Outcome = { kind: 'unknown', reason: 'The answer of the gateway could not be recorded.' }

/**
 * Records the outcome of an attempt in one database transaction: result row, amounts, status and events. `reconcile` decides
 * what to do when the report differs from the record. A repeated or late report changes no result that is recorded.
 * If recording fails repeatedly, the attempt stays open for look-ups and the payment is marked for staff.
 */
export function recordOutcome(
  deps: PaymentActivityDeps,
  reference: PaymentReference,
  report: OutcomeReport,
): Promise<Recorded> {
  return orWhenItAlwaysFails(
    () => record(deps, reference, report),
    (err) => {
      const { attemptId: operation_id } = report
      deps.logger.error(
        { err, operation_id },
        'The outcome of an attempt cannot be recorded; its payment needs attention',
      )
      const { mayTryNext: _, closedBy: __, ...open } = report
      return record(deps, reference, { ...open, outcome: NOT_RECORDED, isUnrecordable: true })
    },
  )
}

async function record(
  deps: PaymentActivityDeps,
  reference: PaymentReference,
  report: OutcomeReport,
): Promise<Recorded> {
  const { attemptId, step } = report
  const operationIds = step === null ? [] : [step.command.operationId, step.answersTo]
  const { result, announced } = await transact(deps.orm, async (unit): Promise<Recorded> => {
    const opened = await openForChange(unit, reference, { operationIds, attemptId })
    return recordOpened(deps, unit, opened, onPaymentClock(report, opened.transaction))
  })
  return { ...result, events: [...announced, ...result.events] }
}

/** `recordOutcome` for a payment that the caller's database transaction has locked and read. */
export async function recordOpened(
  deps: PaymentActivityDeps,
  unit: Unit,
  opened: OpenedPayment,
  report: OutcomeReport,
): Promise<Recorded> {
  const { invoice, transaction, operations, acceptsPartialApprovals } = opened
  if (transaction === null) throw failures.paymentNotFound(invoice.id)
  const attempt = operations.find(({ id }) => id === report.attemptId)
  if (attempt === undefined) throw failures.attemptNotFound(report.attemptId)
  const found = paymentOf(invoice, transaction)
  const payment = report.actor === 'reconciler' ? lookedUp(found, attempt.id, report.at) : found
  const refund = await findRefundOf(unit, attempt)
  const about: Case = { opened, transaction, attempt, refund, found, payment, report }
  const now = deps.clock.now().getTime()
  const canAct = canCustomerAct(deps, attempt)
  const circumstances = { payment, transaction, operations, refund, acceptsPartialApprovals, canAct, now }
  const reconciliation = reconcile(
    recordedAttemptOf(attempt, operations, payment),
    reportOf(about),
    await circumstancesOf(unit, attempt, circumstances),
  )
  const recorded = await act(deps, unit, about, reconciliation)
  const { answer, rows, next } = recorded
  // After a fallback the attempt at the next gateway is the answer.
  if (report.step !== null && next === undefined)
    await keepAnswer(deps, unit, report.step, { answer, payment: recorded.payment, ...rows })
  return recorded
}

function reportOf({ attempt, report }: Case): Report {
  const { actor, outcome, type, isRepeated = false, closedBy = null, step, mayTryNext = false, at } = report
  return {
    type: type ?? attempt.type,
    outcome,
    source: actor === 'gateway_webhook' ? 'notification' : actor === 'staff' && step === null ? 'staff' : 'answer',
    isClosing: closedBy !== null,
    isRepeated,
    isUnrecordable: report.isUnrecordable === true,
    mayTryNext: mayTryNext && step?.command.kind === 'authorize',
    at,
  }
}

async function act(deps: PaymentActivityDeps, unit: Unit, about: Case, todo: Reconciliation): Promise<Recorded> {
  const { attempt, report, payment } = about
  switch (todo.kind) {
    case 'record':
      return recordResult(deps, unit, about, todo)
    case 'try the next gateway':
      return (
        (await tryNext(deps, unit, about, todo.outcome)) ??
        recordResult(deps, unit, about, { outcome: todo.outcome, isLate: false, unwanted: null, isOurs: false })
      )
    case 'already recorded':
      return adopt(deps, unit, about, todo.isRefused ? forStaff(payment) : payment)
    case 'ask the customer':
      return askCustomer(deps, unit, about, todo.action)
    case 'stop watching':
      return adopt(deps, unit, { ...about, report: { ...report, step: null } }, withoutAttempt(payment, attempt.id))
    case 'ask staff':
      return adopt(deps, unit, about, forStaff(payment))
    case 'wait':
      return { ...adopt(deps, unit, about, payment), isWaiting: true }
    case 'reverse': {
      const answered = adopt(deps, unit, about, payment)
      return { ...answered, payment: await reverseResult(deps, unit, about, todo) }
    }
    case 'reopen': {
      // The first run has answered the caller.
      const answered = adopt(deps, unit, about, withReopened(about))
      const recorded = await recordOpened(deps, unit, about.opened, { ...report, step: null })
      return { ...recorded, answer: answered.answer, rows: answered.rows }
    }
  }
}

function forStaff(payment: Payment): Payment {
  return payment.needsAttention ? payment : { ...payment, needsAttention: true }
}

function withoutAttempt(payment: Payment, attemptId: string): Payment {
  const attemptsInFlight = payment.attemptsInFlight.filter(({ operationId }) => operationId !== attemptId)
  return { ...payment, attemptsInFlight }
}

/** Puts the attempt back in flight as a closed attempt: it reserves nothing, and an approval counts as late. */
function withReopened({ payment, attempt, report: { at } }: Case): Payment {
  const { id: operationId, type, amountMinor, isFinal: isFinalCapture, isSale, begunAt } = attempt
  const facts = {
    operationId,
    type: type as GatewayOperationType,
    amountMinor,
    isFinal: isFinalCapture !== false,
    isSale,
  }
  const reopened = attemptInFlight({ ...facts, begunAt: begunAt?.getTime() ?? at, isAbandoned: true }, at)
  return { ...payment, attemptsInFlight: [...payment.attemptsInFlight, reopened] }
}

/** Leaves the results unchanged and answers the caller with the recorded one. */
function adopt(deps: PaymentActivityDeps, unit: Unit, about: Case, wanted: Payment): Recorded {
  const { opened, transaction, attempt, refund, report, found } = about
  const { operations } = opened
  const payment = report.isUnrecordable === true ? forStaff(wanted) : wanted
  if (payment !== found) writeOutcome(deps, unit, transaction, payment)
  const results = resultsOf(attempt, operations)
  const known = results.find(isFinalResult) ?? results.at(-1)
  const answer = known === undefined ? UNCHANGED : answerOfCommand(operations, attempt, known)
  const rows = { transaction, refund: report.step === null ? null : refund }
  return { answer, payment, gatewayName: transaction.gatewayName ?? null, events: [], rows }
}

/** The answer to a repeated command. After a fallback it is the result at the last gateway, or pending. */
function answerOfCommand(
  operations: readonly OperationRow[],
  attempt: OperationRow,
  known: OperationRow,
): CommandAnswer {
  const last = lastAttemptOf(operations, attempt.fallbackOf ?? attempt.id)
  if (last === null || last.id === attempt.id) return answerOfResult(known)
  return answerOfResult(finalResultOf(operations.filter((row) => row.attemptOperationId === last.id)) ?? {})
}

/** Records the failure and the attempt at the next gateway; null, and nothing recorded, without a next gateway. */
async function tryNext(
  deps: PaymentActivityDeps,
  unit: Unit,
  { opened, transaction, attempt, report: { step, at } }: Case,
  outcome: Outcome,
): Promise<Recorded | null> {
  if (step?.command.kind !== 'authorize') return null
  const { invoice, operations, blocks } = opened
  const command = step.command
  const failed: FailedAuthorization = {
    invoice,
    transaction,
    operations,
    attempt,
    outcome,
    blocks: blocks,
    step: { ...step, command },
  }
  const next = await findNext(deps, unit, failed)
  if (next === null) return null
  await recordAdvice(deps, unit, { invoice, attempt, outcome })
  await recordClientOutcome(unit, attempt, outcome)
  const going = goOnAt(deps, unit, failed, next, at)
  return {
    answer: { kind: 'pending' },
    payment: paymentOf(invoice, transaction),
    gatewayName: going.configuration.gatewayName,
    events: [],
    rows: { transaction, refund: null },
    next: going,
  }
}

/** Writes the result of an attempt in flight, with amounts, status, related rows and events. */
async function recordResult(
  deps: PaymentActivityDeps,
  unit: Unit,
  about: Case,
  { outcome, isLate, unwanted, isOurs }: Omit<Extract<Reconciliation, { kind: 'record' }>, 'kind'>,
): Promise<Recorded> {
  const { opened, transaction, attempt, payment: before, report } = about
  const { invoice, operations, gatewayConfigurations } = opened
  const { at, actor, closedBy } = report
  await recordAdvice(deps, unit, { invoice, attempt, outcome })
  await recordClientOutcome(unit, attempt, outcome)
  const { payment: afterwards, fires } = makeChange(about, outcome, isOurs)
  const isCaptured = outcome.kind === 'approved' && afterwards.autoCaptureDetailIds !== null
  const changed = isCaptured ? withoutCapturedLines(afterwards, await linesOfCapture(unit, attempt)) : afterwards
  const orphans: Orphan[] =
    unwanted === null ? [] : [{ operationId: attempt.id, ...unwanted, reason: 'partial_approval', foundAt: at }]
  const payment: Payment = {
    ...changed,
    orphans: [...changed.orphans, ...orphans],
    needsAttention: changed.needsAttention || report.isUnrecordable === true,
  }
  const wasInFlight = before.attemptsInFlight.find(({ operationId }) => operationId === attempt.id)
  // A closed attempt, or the reversal of an orphan, does not describe the payment as a whole.
  const isAboutPayment = !isLate && wasInFlight?.reverses == null
  // An open outcome is announced once per command, even if it goes from unknown to pending or to another attempt.
  const announced = !isFinal(outcome) && wasAnnouncedOpen(operations, attempt) ? [] : fires
  const results = recordResults(deps, unit, { transaction, attempt, outcome, actor, before, after: payment, isLate })
  operations.push(...results)
  // Those of a closed attempt ended with it.
  if (isFinal(outcome) && !isLate)
    operations.push(...endCustomerAnswers(deps, unit, { transaction, operations, outcome, actor }))
  writeOutcome(deps, unit, transaction, payment, {
    ...(isAboutPayment && closedBy !== 'merchant' ? factsOf(attempt, outcome, at, payment) : {}),
    ...(closedBy === 'merchant' ? { voidedAt: new Date(at) } : {}),
    ...withoutEndedAction(transaction, attempt, payment),
  })
  const tokenEvents: FiredEvent[] = []
  const changes: Changes = { ...deps, fired: (event) => tokenEvents.push(event) }
  const { card, refund, tokenId } = await updateRelated(changes, unit, about, { outcome, isLate })
  if (tokenId !== null) unit.update(transaction, { tokenId })
  await fireEvents(deps, unit, announced, { invoice, transaction, card, operations, gatewayConfigurations, refund })
  const [result] = results
  const answer: CommandAnswer = result === undefined ? { kind: 'pending' } : answerOfResult(result)
  const rows = { transaction, refund }
  return { answer, payment, gatewayName: transaction.gatewayName ?? null, events: tokenEvents, rows }
}

/** @param isOurs the gateway has not declined by itself */
function makeChange({ payment, attempt, report: { closedBy, at } }: Case, outcome: Outcome, isOurs: boolean): Change {
  const inFlight = payment.attemptsInFlight.find(({ operationId }) => operationId === attempt.id)
  if (inFlight === undefined) throw new Error(`${attempt.id} is not in flight.`)
  const facts: AttemptFacts = {
    ...inFlight,
    isExpiry: isExpiryVoid(attempt),
    isScheduled: attempt.actor === 'scheduler',
    targetTotalMinor: attempt.targetTotalMinor,
  }
  if (closedBy === 'merchant') return giveUpAuthorization(payment, facts.operationId, at)
  return closedBy === 'staff' || isOurs
    ? abandonAttempt(payment, facts, at)
    : applyOutcome(payment, facts, reportedResult(outcome, facts), at)
}

/** Whether an attempt of the same command already has an open outcome. */
function wasAnnouncedOpen(operations: readonly OperationRow[], { id, fallbackOf }: OperationRow): boolean {
  const command = fallbackOf ?? id
  const attempts = operations.filter((row) => row.id === command || row.fallbackOf === command).map((row) => row.id)
  return operations.some((row) => attempts.includes(row.attemptOperationId ?? '') && !isFinalResult(row))
}

/** Updates the related rows of an outcome: card, token, refund, lines of the invoice. */
async function updateRelated(
  changes: Changes,
  unit: Unit,
  { opened: { invoice }, transaction, attempt, refund, report: { at } }: Case,
  { outcome, isLate }: { outcome: Outcome; isLate: boolean },
): Promise<{ card: Awaited<ReturnType<typeof findCardOf>>; refund: RefundRow | null; tokenId: string | null }> {
  const isAuthorization = attempt.type === 'authorization'
  const card = await findCardOf(unit, isAuthorization ? attempt : transaction)
  if (!isFinal(outcome)) return { card, refund, tokenId: null }
  if (refund !== null) updateRefund(unit, refund, outcome, { at, now: changes.clock.now() })
  await updateDetails(unit, attempt, outcome.kind === 'approved' ? 'done' : 'free')
  if (!isAuthorization) return { card, refund, tokenId: null }
  if (card !== null)
    unit.update(card, {
      ...(outcome.cardChecks !== undefined && { checks: outcome.cardChecks }),
      ...(outcome.kind === 'approved' && { hasBeenAuthorized: true }),
    })
  // Every write locks in this order: customer, token, card.
  const tokenId = isLate ? null : await recordToken(changes, unit, { invoice, attempt, card, outcome })
  if (card !== null) forgetSecurityCode(unit, card)
  if (attempt.wantedAuthentication?.isExternal === true) forgetExternalAuthentication(unit, attempt)
  return { card, refund, tokenId }
}
