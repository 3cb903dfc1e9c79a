import { makeIdentifier } from '../../domain/identifiers.ts'
import { firstLookUp } from '../../domain/look-up.ts'
import type { OperationType, Outcome } from '../../domain/operation.ts'
import { heldAttempts, type Payment } from '../../domain/payment.ts'
import { takeRefundBack } from '../../domain/payment-outcome.ts'
import { canTakeBack, takeCaptureBack, withInquiry } from '../../domain/taken-back.ts'
import { OperationEntity, type OperationRow } from '../../src/persistence/entities/operation.ts'
import { ProjectEntity } from '../../src/persistence/entities/project.ts'
import type { EntityManager } from '../../src/persistence/orm.ts'
import { findCardOf } from '../../src/persistence/queries/customers/find-card.ts'
import { findOperations } from '../../src/persistence/queries/payments/find-operations.ts'
import { findReportedFailure } from '../../src/persistence/queries/payments/gateway-notifications.ts'
import { type LockedPayment, lockPayment } from '../../src/persistence/queries/payments/payment-lock.ts'
import { columnsOf, paymentOf } from '../../src/persistence/queries/payments/payment-rows.ts'
import type { PaymentReference } from '../../workflows/inputs.ts'
import type { PaymentActivityDeps } from '../dependencies.ts'
import { orWhenItAlwaysFails } from './always-failing.ts'
import { recordEvents } from './events.ts'
import { isExpiryVoid, judgeOutcome } from './judge-outcome.ts'
import { markForStaff } from './mark-for-staff.ts'
import { declineMessage } from './records/decline-message.ts'
import { settleDetails } from './records/details.ts'
import { operationDefaults } from './records/operations.ts'
import { findRefundOf, settleRefund } from './records/refunds.ts'
import { unknownSince } from './records/transaction-facts.ts'

type Final = Extract<Outcome, { kind: 'approved' | 'declined' }>
type Declined = Extract<Outcome, { kind: 'declined' }>
type Transaction = NonNullable<LockedPayment['transaction']>

/** What the gateway says now of an attempt that has its result. */
interface Contradiction {
  attemptId: string
  /** Of which kind of call the gateway says it: the capture of a sale is one with its authorization. */
  type: OperationType
  outcome: Outcome
  /** True where it was said before, and staff were shown it. */
  isKnown: boolean
  /** Workflow time in epoch ms. */
  at: number
}

/**
 * `settled`: nothing is left to be done. `reopened`: the attempt is in flight again, for its approval to be booked.
 * `in flight`: it has no result that this could contradict. `waiting`: what is under way decides whether it can be done.
 */
export type Revision = 'settled' | 'reopened' | 'in flight' | 'waiting'

interface Case {
  locked: LockedPayment & { transaction: Transaction }
  operations: OperationRow[]
  attempt: OperationRow
  said: Contradiction
}

/**
 * What is to be done where the gateway says something else of an attempt than is booked. What had succeeded and has failed
 * is taken back, and what cannot be is shown to staff. What had failed and is approved is put back in flight as a case that
 * was closed, so that the approval is booked like any that comes late: where there is room for it, or given back. What cannot
 * be recorded, however often that is tried, is left to staff.
 */
export function reviseEnding(
  deps: PaymentActivityDeps,
  reference: PaymentReference,
  said: Contradiction,
): Promise<Revision> {
  return orWhenItAlwaysFails<Revision>(
    () => revise(deps, reference, said),
    async (error) => {
      await markForStaff(deps, reference, error)
      return 'settled'
    },
  )
}

function revise(deps: PaymentActivityDeps, reference: PaymentReference, said: Contradiction): Promise<Revision> {
  return deps.orm.em.fork().transactional(async (em) => {
    const { projectId, invoiceId } = reference
    const locked = await lockPayment(em, { projectId, sandbox: reference.environment === 'sandbox', invoiceId })
    if (locked?.transaction == null) return 'settled'
    const { invoice, transaction } = locked
    const operations = await findOperations(em, transaction.id)
    const attempt = operations.find(({ id }) => id === said.attemptId)
    if (attempt === undefined) return 'settled'
    if (transaction.attemptsInFlight.some(({ operationId }) => operationId === attempt.id)) return 'in flight'
    const booked = bookedOf(attempt, said.type, operations)
    if (booked === null) return 'settled'
    const about: Case = { locked: { invoice, transaction }, operations, attempt, said }
    // It did arrive, by another run of the same step: somebody has to hear how it ends.
    if (!isFinalOutcome(said.outcome)) return booked.isNotSent ? reopen(deps, about) : 'settled'
    const { outcome } = judgeOutcome(said.outcome, attempt, true)
    if (!isFinalOutcome(outcome)) return askStaff(deps, about)
    const isApproved = booked.outcome === 'succeeded'
    if (isApproved && outcome.kind === 'declined') return takeBack(deps, em, about, booked, outcome)
    const isLate = !isApproved && outcome.kind === 'approved' && (await isNews(em, about, outcome))
    return isLate ? reopen(deps, about) : 'settled'
  })
}

function isFinalOutcome(outcome: Outcome): outcome is Final {
  return outcome.kind === 'approved' || outcome.kind === 'declined'
}

/** The last row that says how the call ended; null where what is said now is about something else. */
function bookedOf(
  { id, type }: OperationRow,
  saidType: OperationType,
  operations: readonly OperationRow[],
): OperationRow | null {
  const isFinal = ({ outcome }: OperationRow) => outcome === 'succeeded' || outcome === 'failed'
  const last = operations
    .filter((row) => isFinal(row) && (row.attemptOperationId === id || row.metadata.attempt_operation_id === id))
    .at(-1)
  if (last === undefined) return null
  const isCaptureOfSale = last.metadata.is_sale === 'true' && saidType === 'capture'
  return type === saidType || isCaptureOfSale ? last : null
}

/** The money columns and the status as they are after a change. */
function adopt({ clock }: PaymentActivityDeps, { locked }: Case, payment: Payment): void {
  Object.assign(locked.transaction, {
    ...columnsOf(payment),
    outcomeUnknownSince: unknownSince(payment),
    updatedAt: clock.now(),
  })
}

function askStaff(deps: PaymentActivityDeps, about: Case): 'settled' {
  const { invoice, transaction } = about.locked
  if (!about.said.isKnown) adopt(deps, about, { ...paymentOf(invoice, transaction), needsAttention: true })
  return 'settled'
}

/** What was booked as done has failed after all. */
async function takeBack(
  deps: PaymentActivityDeps,
  em: EntityManager,
  about: Case,
  booked: OperationRow,
  outcome: Declined,
): Promise<'settled' | 'waiting'> {
  const { attempt, operations, locked, said } = about
  const { invoice, transaction } = locked
  // That an authorization has expired, or was released before, is what is booked of the void at its end.
  if (isExpiryVoid(attempt) || !booked.isAccountable) return 'settled'
  if (said.type !== 'capture' && said.type !== 'refund') return askStaff(deps, about)
  const refund = await findRefundOf(em, attempt)
  if (refund !== null && refund.status !== 'succeeded') return 'settled'
  const payment = paymentOf(invoice, transaction)
  const isDoubtful = said.type === 'capture' && isCaptureDoubtful(about, payment.capturedMinor - booked.amountMinor)
  if (said.type === 'capture') {
    const canBe = canTakeBack(payment, booked.amountMinor)
    // Another capture may make room, and a refund that fails may.
    const isOpen = heldAttempts(payment).some(({ type }) => type === 'capture' || type === 'refund')
    if ((!canBe || isDoubtful) && isOpen) return 'waiting'
    if (!canBe) return askStaff(deps, about)
  }
  const released = said.type === 'capture' ? releasedWith(booked, operations) : null
  const { payment: back, fires } =
    said.type === 'refund'
      ? takeRefundBack(payment, booked.amountMinor)
      : takeCaptureBack(payment, { amountMinor: booked.amountMinor, releasedMinor: released?.amountMinor ?? 0 })
  adopt(deps, about, withInquiry({ ...back, needsAttention: back.needsAttention || isDoubtful }, transaction))
  if (refund !== null) settleRefund(refund, outcome, { at: said.at, now: deps.clock.now() })
  if (said.type === 'capture') {
    transaction.errorCode = outcome.code
    transaction.errorMessage = declineMessage(outcome.code)
    if (back.capturedMinor === 0) transaction.capturedAt = null
  }
  await settleDetails(em, attempt, 'free')
  const undone = [booked, ...(released === null ? [] : [released])]
  const rows = undone.map((row) => recordTakenBack(deps, em, about, row, outcome))
  const card = await findCardOf(em, transaction)
  await recordEvents(deps, em, fires, { invoice, transaction, card, operations: [...operations, ...rows], refund })
  return 'settled'
}

/**
 * Whether staff have to look at a capture that is taken back: where more refunds were asked for than what is left of the
 * captures, whoever asked may have told a customer something; and the capture of a sale cannot be made again.
 */
function isCaptureDoubtful({ attempt, operations }: Case, leftMinor: number): boolean {
  const refunds = operations.filter(({ isAttempt, type }) => isAttempt && type === 'refund')
  return attempt.type !== 'capture' || refunds.reduce((sum, row) => sum + row.amountMinor, 0) > leftMinor
}

/** The release that came with a final capture: it was written right behind it. */
function releasedWith(booked: OperationRow, operations: readonly OperationRow[]): OperationRow | null {
  const next = operations[operations.indexOf(booked) + 1]
  return next?.type === 'void' && next.metadata.reason === 'final_capture' ? next : null
}

function recordTakenBack(
  { clock, randomBytes }: PaymentActivityDeps,
  em: EntityManager,
  { attempt, locked, said }: Case,
  undone: OperationRow,
  outcome: Declined,
): OperationRow {
  const isRelease = undone.type === 'void'
  return em.create(OperationEntity, {
    ...operationDefaults(locked.transaction, { actor: 'gateway_webhook' }, clock.now()),
    id: makeIdentifier('operation', randomBytes),
    // Of a sale the capture fails; its authorization stands.
    type: isRelease ? undone.type : said.type,
    isAttempt: false,
    outcome: 'failed',
    hasFailed: true,
    isAccountable: true,
    amountMinor: undone.amountMinor,
    refundId: undone.refundId ?? null,
    detailIds: undone.detailIds ?? null,
    ...(isRelease
      ? {}
      : { errorCode: outcome.code, errorMessage: declineMessage(outcome.code), gatewayCode: outcome.gatewayCode }),
    metadata: { reason: 'failed_later', ...(isRelease ? {} : { attempt_operation_id: attempt.id }) },
  })
}

/**
 * Whether an approval of what is booked as failed is something new. It is none where the gateway has told of the failure
 * itself, nor where nothing depends on the call any more, nor where the payment stands on that very authorization, or has
 * given it back.
 */
async function isNews(
  em: EntityManager,
  { attempt, operations, locked: { transaction } }: Case,
  { gatewayOperationId, amountMinor }: Extract<Outcome, { kind: 'approved' }>,
): Promise<boolean> {
  const { id: reference, type } = attempt
  const gatewayConfigurationId = attempt.gatewayConfigurationId ?? transaction.gatewayConfigurationId ?? null
  if (type === 'capture' || type === 'refund')
    return (await findReportedFailure(em, { gatewayConfigurationId, reference, type })) === null
  if (type === 'void') return attempt.gatewayAuthorizationId == null && !isExpiryVoid(attempt)
  if (type !== 'authorization') return true
  // A partial approval that the project does not take was booked as a decline, and given back.
  const { acceptsPartialApprovals } = await em.findOneOrFail(ProjectEntity, { id: transaction.projectId })
  if (amountMinor !== attempt.amountMinor && !acceptsPartialApprovals) return false
  const isOfAccount = (row: OperationRow) =>
    (row.gatewayConfigurationId ?? gatewayConfigurationId) === gatewayConfigurationId
  return !(
    (transaction.gatewayAuthorizationId === gatewayOperationId &&
      transaction.gatewayConfigurationId === gatewayConfigurationId) ||
    transaction.orphans.some((orphan) => orphan.gatewayAuthorizationId === gatewayOperationId) ||
    operations.some(
      (row) =>
        isOfAccount(row) &&
        (row.gatewayAuthorizationId === gatewayOperationId ||
          (row.gatewayRequest === gatewayOperationId && row.id !== attempt.id) ||
          (row.type === 'authorization' &&
            row.outcome === 'succeeded' &&
            row.gatewayOperationId === gatewayOperationId)),
    )
  )
}

/** The attempt as a case that was closed: it reserves nothing, and its approval is booked as one that comes late. */
function reopen(deps: PaymentActivityDeps, about: Case): 'reopened' {
  const { attempt, locked } = about
  const { invoice, transaction } = locked
  const payment = paymentOf(invoice, transaction)
  const { id: operationId, type, amountMinor, isFinal, begunAt } = attempt
  if (type === 'request' || type === 'chargeback') throw new Error(`${operationId} is no call.`)
  const reopened = {
    operationId,
    type,
    amountMinor,
    isFinal: isFinal !== false,
    begunAt: begunAt?.getTime() ?? about.said.at,
    isAbandoned: true,
    releases: null,
    ...firstLookUp(about.said.at),
  }
  adopt(deps, about, { ...payment, attemptsInFlight: [...payment.attemptsInFlight, reopened] })
  return 'reopened'
}
