import { DISPUTE_STEPS, type DisputeFacts, type DisputeStep, disputedMinor } from '../../domain/dispute.ts'
import { makeIdentifier } from '../../domain/identifiers.ts'
import type { GatewayOperationType, Outcome } from '../../domain/operation.ts'
import { type Change, type Payment, scheduledMinor } from '../../domain/payment.ts'
import { applyDispute, type EndedAuthorization, endAuthorization } from '../../domain/payment-outcome.ts'
import { comesEarly } from '../../domain/reversal.ts'
import {
  GatewayNotificationEntity,
  type GatewayNotificationRow,
} from '../../src/persistence/entities/gateway-notification.ts'
import { OperationEntity, type OperationRow } from '../../src/persistence/entities/operation.ts'
import type { TransactionRow } from '../../src/persistence/entities/transaction.ts'
import { findCardOf } from '../../src/persistence/queries/customers/cards.ts'
import { claimNotifications, REFUND_FAILED } from '../../src/persistence/queries/payments/gateway-notifications.ts'
import type { OpenedPayment } from '../../src/persistence/queries/payments/open-payment.ts'
import { paymentOf } from '../../src/persistence/queries/payments/payment-rows.ts'
import { findRows } from '../../src/persistence/rows.ts'
import { transact, type Unit } from '../../src/persistence/transact.ts'
import type { PaymentReference } from '../../workflows/inputs.ts'
import type { PaymentActivityDeps } from '../dependencies.ts'
import { orWhenItAlwaysFails } from './always-failing.ts'
import { earlierRunOf, onPaymentClock, type StepTime, type StoredPayment } from './attempt.ts'
import { announce, fireEvents } from './events.ts'
import { loadPayment } from './load-payment.ts'
import { type LookedUp, lookUpReported } from './look-up-reported.ts'
import { markForStaff } from './mark-for-staff.ts'
import { openForChange } from './open-for-change.ts'
import { recordOpened, recordOutcome } from './record-outcome.ts'
import { operationDefaults, recordEndedSchedule } from './records/operations.ts'
import { writePayment } from './records/write-payment.ts'

export interface ApplyNotificationsInput extends StepTime {
  payment: PaymentReference
}

/** A payment that this database transaction has locked. */
interface LockedPayment {
  opened: OpenedPayment
  transaction: TransactionRow
  at: number
}

/**
 * Applies each gateway notification of a payment once and returns the payment's state. One database transaction applies
 * them all: first the outcomes of calls, then disputes and ended authorizations, each group in the order of arrival.
 * If a notification carries no outcome, the gateway is asked, and a second transaction records its answer.
 */
export async function applyNotifications(
  deps: PaymentActivityDeps,
  input: ApplyNotificationsInput,
): Promise<StoredPayment> {
  const first = await applyAll(deps, input, null)
  const stored =
    first.toLookUp.length === 0
      ? first.stored
      : (await applyAll(deps, input, await lookUpReported(deps, input.payment, first.toLookUp))).stored
  await announce(deps, input.payment, 'all')
  return stored
}

interface Applied {
  stored: StoredPayment
  /** Notifications without an outcome, for which the gateway must be asked. */
  toLookUp: GatewayNotificationRow[]
}

/** If applying them together fails repeatedly, they are applied one by one. */
function applyAll(
  deps: PaymentActivityDeps,
  input: ApplyNotificationsInput,
  lookedUp: LookedUp | null,
): Promise<Applied> {
  return orWhenItAlwaysFails(
    () => applyInTransaction(deps, input, lookedUp, null),
    (error) => applyOneByOne(deps, input, lookedUp, error),
  )
}

/** A notification that cannot be recorded is left to staff and does not block the others. */
async function applyOneByOne(
  deps: PaymentActivityDeps,
  input: ApplyNotificationsInput,
  lookedUp: LookedUp | null,
  err: Error,
): Promise<Applied> {
  const { payment, ...time } = input
  const about = { err, invoice_id: payment.invoiceId }
  deps.logger.error(about, 'The notifications of a payment cannot be applied together; they are applied one by one')
  for (const { attemptId, outcome } of lookedUp?.found ?? [])
    await recordOutcome(deps, payment, { attemptId, outcome, ...time, actor: 'gateway_webhook', step: null })
  const { result: waiting } = await transact(deps.orm, async (unit) => {
    const { transaction } = await openForChange(unit, payment)
    if (transaction !== null) await claimNotifications(unit, payment.invoiceId, transaction.id)
    return inOrder(await findWaiting(unit, payment))
  })
  const asked = lookedUp === null ? null : { ...lookedUp, found: [] }
  for (const notification of waiting)
    await orWhenItAlwaysFails(
      async () => void (await applyInTransaction(deps, input, asked, notification.id)),
      (error) => leaveToStaff(deps, input, notification, error),
    )
  return { stored: await loadPayment(deps, payment), toLookUp: stillToLookUp(waiting, lookedUp) }
}

/** A dispute is tried again with the next notifications. The outcome of a call stays open, and look-ups go on. */
async function leaveToStaff(
  deps: PaymentActivityDeps,
  { payment, ...time }: ApplyNotificationsInput,
  notification: GatewayNotificationRow,
  error: Error,
): Promise<void> {
  await markForStaff(deps, payment, error)
  const reported = reportedBy(notification)
  const attemptId = notification.reference
  if (!isAboutCall(notification) || reported === null || attemptId == null) return
  await recordOutcome(deps, payment, { ...reported, attemptId, ...time, actor: 'gateway_webhook', step: null })
  const unapplied = { id: notification.id, appliedAt: null }
  await deps.orm.em.fork().nativeUpdate(GatewayNotificationEntity, unapplied, { appliedAt: deps.clock.now() })
}

/** @param only the notification to apply; null for all. */
async function applyInTransaction(
  deps: PaymentActivityDeps,
  { payment: reference, ...time }: ApplyNotificationsInput,
  lookedUp: LookedUp | null,
  only: GatewayNotificationRow['id'] | null,
): Promise<Applied> {
  const { result } = await transact(deps.orm, async (unit): Promise<Applied> => {
    const opened = await openForChange(unit, reference)
    const { invoice, transaction } = opened
    // Gateways report in any order: a notification waits for a payment that has not begun.
    if (transaction === null) return { stored: { payment: paymentOf(invoice, null), gatewayName: null }, toLookUp: [] }
    const { at } = onPaymentClock(time, transaction)
    const held: LockedPayment = { opened, transaction, at }
    await claimNotifications(unit, invoice.id, transaction.id)
    for (const { attemptId, outcome } of lookedUp?.found ?? [])
      await recordOpened(deps, unit, opened, { attemptId, outcome, at, actor: 'gateway_webhook', step: null })
    const found = await findWaiting(unit, reference)
    const toLookUp = stillToLookUp(found, lookedUp)
    for (const notification of inOrder(found)) {
      if ((only !== null && notification.id !== only) || toLookUp.includes(notification)) continue
      // Disputes and ended authorizations wait for the outcomes of the look-ups.
      if (!isAboutCall(notification) && toLookUp.length > 0) continue
      if ((await apply(deps, unit, held, notification, lookedUp)) && notification.appliedAt == null)
        unit.update(notification, { appliedAt: deps.clock.now() })
    }
    return {
      stored: {
        payment: paymentOf(invoice, transaction),
        gatewayName: transaction.gatewayName ?? null,
        ...earlierRunOf(transaction, null),
      },
      toLookUp,
    }
  })
  return result
}

/**
 * Notifications that are not applied yet, and every failed capture. A capture whose money was refunded cannot be reversed;
 * it can be once the refund has failed as well.
 */
async function findWaiting(unit: Unit, reference: PaymentReference): Promise<GatewayNotificationRow[]> {
  const { projectId, environment, invoiceId } = reference
  const ofPayment = { projectId, sandbox: environment === 'sandbox', invoiceId }
  const unapplied = await findRows(unit, GatewayNotificationEntity, { ...ofPayment, appliedAt: null })
  const ofCaptures = { ...ofPayment, kind: 'outcome', operationType: 'capture' } as const
  const captures = await findRows(unit, GatewayNotificationEntity, ofCaptures)
  const failures = captures.filter(({ outcome }) => outcome?.kind === 'declined')
  return [...new Set([...unapplied, ...failures])].toSorted((one, other) => one.id - other.id)
}

/**
 * Outcomes first, failed captures last of them: one can be reversed once it is recorded and its refunds have failed. Answers
 * follow their disputes.
 */
function inOrder(notifications: readonly GatewayNotificationRow[]): GatewayNotificationRow[] {
  const rankOf = (notification: GatewayNotificationRow) => {
    if (notification.kind === 'dispute-answered') return 3
    if (!isAboutCall(notification)) return 2
    const { kind, operationType, outcome } = notification
    return kind === 'outcome' && operationType === 'capture' && outcome?.kind === 'declined' ? 1 : 0
  }
  return notifications.toSorted((one, other) => rankOf(one) - rankOf(other))
}

function isAboutCall({ kind }: Pick<GatewayNotificationRow, 'kind'>): boolean {
  return kind === 'outcome' || kind === 'refund-failed'
}

/** The notifications for which no gateway was asked yet. */
function stillToLookUp(
  notifications: readonly GatewayNotificationRow[],
  lookedUp: LookedUp | null,
): GatewayNotificationRow[] {
  return notifications.filter((each) => needsLookUp(each) && lookedUp?.asked.has(each.id) !== true)
}

function needsLookUp({ kind, outcome, appliedAt }: GatewayNotificationRow): boolean {
  return appliedAt == null && kind === 'outcome' && (outcome == null || outcome.kind === 'unknown')
}

/** @returns false if the notification waits for a step under way, or for a gateway that could not be reached. */
async function apply(
  deps: PaymentActivityDeps,
  unit: Unit,
  held: LockedPayment,
  notification: GatewayNotificationRow,
  lookedUp: LookedUp | null,
): Promise<boolean> {
  if (needsLookUp(notification)) return lookedUp?.isToBeAskedAgain(notification) !== true
  if (isAboutCall(notification)) return applyToCall(deps, unit, held, notification)
  if (notification.kind === 'authorization-ended') return applyEnd(deps, unit, held, notification)
  return applyDisputeStep(deps, unit, held, notification)
}

/** A report from another account than the attempt's is ignored. */
async function applyToCall(
  deps: PaymentActivityDeps,
  unit: Unit,
  { opened, transaction, at }: LockedPayment,
  notification: GatewayNotificationRow,
): Promise<boolean> {
  const attempt = opened.operations.find(({ id, isAttempt }) => isAttempt && id === notification.reference)
  const account = attempt?.gatewayConfigurationId ?? transaction.gatewayConfigurationId
  const reported = reportedBy(notification)
  if (attempt === undefined || account !== notification.gatewayConfigurationId || reported === null) return true
  const { isWaiting } = await recordOpened(deps, unit, opened, {
    ...reported,
    attemptId: attempt.id,
    at,
    actor: 'gateway_webhook',
    isRepeated: notification.appliedAt != null,
    step: null,
  })
  return isWaiting !== true
}

type Reported = { type: GatewayOperationType; outcome: Outcome }

function reportedBy({ kind, outcome, operationType }: GatewayNotificationRow): Reported | null {
  if (kind === 'refund-failed') return { type: 'refund', outcome: REFUND_FAILED }
  return outcome == null || operationType == null ? null : { type: operationType, outcome }
}

async function applyEnd(
  { clock }: PaymentActivityDeps,
  unit: Unit,
  { opened, transaction, at }: LockedPayment,
  notification: GatewayNotificationRow,
): Promise<boolean> {
  const before = paymentOf(opened.invoice, transaction)
  const ended = endAuthorization(before, endOf(transaction, notification), at)
  if (ended === 'waiting') return false
  if (ended !== before) writePayment({ clock }, unit, transaction, ended)
  return true
}

function endOf(transaction: TransactionRow, notification: GatewayNotificationRow): EndedAuthorization {
  const { gatewayAuthorizationId: id, gatewayConfigurationId: account } = transaction
  return {
    capturedMinor: notification.amountMinor ?? 0,
    currency: notification.currency ?? '',
    isOfPayment: id === notification.gatewayAuthorizationId && account === notification.gatewayConfigurationId,
  }
}

async function applyDisputeStep(
  deps: PaymentActivityDeps,
  unit: Unit,
  { opened, transaction, at }: LockedPayment,
  notification: GatewayNotificationRow,
): Promise<boolean> {
  const { invoice, operations, gatewayConfigurations } = opened
  const step = DISPUTE_STEPS.find((known) => known === notification.kind)
  // A kind that only another version of this service knows waits for that version.
  if (step === undefined) return false
  const before = paymentOf(invoice, transaction)
  const isOther = isAboutAnother(transaction, notification)
  if (!isOther && comesEarly(before, { step, id: notification.disputeId ?? null })) return false
  const { payment, fires }: Change = isOther
    ? { payment: { ...before, needsAttention: true }, fires: [] }
    : applyDispute(before, { step, ...disputeOf(notification, before), reportedAt: at })
  writePayment(deps, unit, transaction, payment, factsOf(step, at))
  const taken = disputedMinor(payment) - disputedMinor(before)
  operations.push(recordStep(deps, unit, transaction, notification, { disputeStep: step, disputedMinor: taken }))
  if (fires.includes('transaction.operation.capture.failed'))
    operations.push(recordEndedSchedule(deps, unit, transaction, scheduledMinor(before)))
  const card = await findCardOf(unit, transaction)
  const subject = { invoice, transaction, card, operations, gatewayConfigurations, refund: null }
  await fireEvents(deps, unit, fires, subject)
  return true
}

/** Whether a dispute is about another authorization than the payment's, such as a late approval. */
function isAboutAnother(
  { gatewayConfigurationId, gatewayAuthorizationId }: TransactionRow,
  notification: GatewayNotificationRow,
): boolean {
  if (notification.gatewayAuthorizationId == null || gatewayAuthorizationId == null) return false
  return (
    notification.gatewayAuthorizationId !== gatewayAuthorizationId ||
    notification.gatewayConfigurationId !== gatewayConfigurationId
  )
}

function factsOf(step: DisputeStep, at: number): Partial<TransactionRow> {
  switch (step) {
    case 'retrieval-request':
      return { receivedRetrievalRequest: true }
    case 'fraud-notification':
      return { receivedFraudNotification: true }
    case 'chargeback-created':
    case 'chargeback-lost':
      return { chargedbackAt: new Date(at) }
    default:
      return {}
  }
}

/** A dispute without an amount, or in another currency, counts as one about everything captured. */
function disputeOf(
  { disputeId, amountMinor, currency, reason, evidenceDueAt }: GatewayNotificationRow,
  payment: Payment,
): DisputeFacts {
  return {
    id: disputeId ?? null,
    amountMinor: amountMinor == null || currency !== payment.currency ? payment.capturedMinor : amountMinor,
    reason: reason ?? null,
    evidenceDueAt: evidenceDueAt?.getTime() ?? null,
  }
}

/** A dispute without an amount is about everything captured. */
function recordStep(
  { clock, randomBytes }: PaymentActivityDeps,
  unit: Unit,
  transaction: TransactionRow,
  { amountMinor, currency, reason, disputeId, evidenceDueAt }: GatewayNotificationRow,
  step: Pick<OperationRow, 'disputeStep' | 'disputedMinor'>,
): OperationRow {
  return unit.insert(OperationEntity, {
    ...operationDefaults(transaction, { actor: 'gateway_webhook' }, clock.now()),
    id: makeIdentifier('operation', randomBytes),
    type: 'chargeback',
    isAttempt: false,
    outcome: 'succeeded',
    amountMinor: amountMinor ?? transaction.capturedMinor,
    currency: currency ?? transaction.currency,
    chargebackReason: reason ?? null,
    disputeId: disputeId ?? null,
    evidenceDueAt: evidenceDueAt ?? null,
    ...step,
  })
}
