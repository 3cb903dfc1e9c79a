import { DISPUTE_STEPS, type DisputeStep } from '../../domain/dispute.ts'
import { type EndedAuthorization, endAuthorization } from '../../domain/ended-authorization.ts'
import { makeIdentifier } from '../../domain/identifiers.ts'
import type { Change } from '../../domain/payment.ts'
import { applyDispute } from '../../domain/payment-outcome.ts'
import { comesEarly } from '../../domain/taken-back.ts'
import {
  GatewayNotificationEntity,
  type GatewayNotificationRow,
} from '../../src/persistence/entities/gateway-notification.ts'
import { OperationEntity, type OperationRow } from '../../src/persistence/entities/operation.ts'
import type { TransactionRow } from '../../src/persistence/entities/transaction.ts'
import type { EntityManager } from '../../src/persistence/orm.ts'
import { findCardOf } from '../../src/persistence/queries/customers/find-card.ts'
import { findOperations } from '../../src/persistence/queries/payments/find-operations.ts'
import { lockPayment } from '../../src/persistence/queries/payments/payment-lock.ts'
import { columnsOf, paymentOf } from '../../src/persistence/queries/payments/payment-rows.ts'
import type { PaymentReference } from '../../workflows/inputs.ts'
import type { PaymentActivityDeps } from '../dependencies.ts'
import { failures } from '../failures.ts'
import { orWhenItAlwaysFails } from './always-failing.ts'
import { announce } from './announce.ts'
import { applySettlements } from './apply-settlements.ts'
import type { StoredPayment } from './attempt.ts'
import { recordEvents } from './events.ts'
import { loadPayment } from './load-payment.ts'
import { markForStaff } from './mark-for-staff.ts'
import { operationDefaults } from './records/operations.ts'

export interface ApplyNoticesInput {
  payment: PaymentReference
  /** Workflow time in epoch ms. */
  at: number
}

/**
 * Books what the gateway has told of a payment unasked, each word once, and reads where the payment stands: first what has
 * become of calls, then the disputes about the money that they moved and the ends of authorizations, in the order of arrival.
 * Asked where there is no word, it only reads.
 */
export async function applyNotices(deps: PaymentActivityDeps, input: ApplyNoticesInput): Promise<StoredPayment> {
  await applySettlements(deps, input.payment, input.at)
  // What cannot be recorded is tried again at the next look, and holds up nothing of its payment.
  const stored = await orWhenItAlwaysFails(
    () => deps.orm.em.fork().transactional((em) => applyInOrder(deps, em, input)),
    async (error) => {
      await markForStaff(deps, input.payment, error)
      return loadPayment(deps, input.payment)
    },
  )
  await announce(deps, input.payment, 'whatever waits')
  return stored
}

async function applyInOrder(
  deps: PaymentActivityDeps,
  em: EntityManager,
  { payment: reference, at }: ApplyNoticesInput,
): Promise<StoredPayment> {
  const { projectId, invoiceId } = reference
  const sandbox = reference.environment === 'sandbox'
  const locked = await lockPayment(em, { projectId, sandbox, invoiceId })
  if (locked === null) throw failures.paymentNotFound(invoiceId)
  const { invoice, transaction } = locked
  // A notice of a payment that was never begun waits for it: gateways tell things in any order.
  if (transaction === null) return { payment: paymentOf(invoice, null), gatewayName: null }
  const notices = await em.find(
    GatewayNotificationEntity,
    { projectId, sandbox, invoiceId, appliedAt: null, kind: { $in: [...DISPUTE_STEPS, 'authorization-ended'] } },
    { orderBy: { id: 'asc' } },
  )
  const operations = await findOperations(em, transaction.id)
  const card = await findCardOf(em, transaction)
  for (const notice of notices) {
    const before = paymentOf(invoice, transaction)
    if (notice.kind === 'authorization-ended') {
      const ended = endAuthorization(before, endOf(transaction, notice), at)
      if (ended === 'waiting') continue
      if (ended !== before) em.assign(transaction, { ...columnsOf(ended), updatedAt: deps.clock.now() })
      notice.appliedAt = deps.clock.now()
      continue
    }
    const step = notice.kind as DisputeStep
    if (comesEarly(before, step)) continue
    const { payment, fires } = isAboutAnother(transaction, notice)
      ? ({ payment: { ...before, needsAttention: true }, fires: [] } satisfies Change)
      : applyDispute(before, step)
    em.assign(transaction, { ...columnsOf(payment), ...factsOf(step, at), updatedAt: deps.clock.now() })
    operations.push(recordStep(deps, em, transaction, notice))
    await recordEvents(deps, em, fires, { invoice, transaction, card, operations, refund: null })
    notice.appliedAt = deps.clock.now()
  }
  return { payment: paymentOf(invoice, transaction), gatewayName: transaction.gatewayName ?? null }
}

function endOf(transaction: TransactionRow, notice: GatewayNotificationRow): EndedAuthorization {
  const { gatewayAuthorizationId: id, gatewayConfigurationId: account } = transaction
  return {
    capturedMinor: notice.amountMinor ?? 0,
    currency: notice.currency ?? '',
    isOfPayment: id === notice.gatewayAuthorizationId && account === notice.gatewayConfigurationId,
  }
}

/** A dispute about an authorization that the payment does not stand on, such as one that was approved too late. */
function isAboutAnother(
  { gatewayConfigurationId, gatewayAuthorizationId }: TransactionRow,
  notice: GatewayNotificationRow,
): boolean {
  if (notice.gatewayAuthorizationId == null || gatewayAuthorizationId == null) return false
  return (
    notice.gatewayAuthorizationId !== gatewayAuthorizationId || notice.gatewayConfigurationId !== gatewayConfigurationId
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

/** A gateway that names no sum means all that was captured. */
function recordStep(
  { clock, randomBytes }: PaymentActivityDeps,
  em: EntityManager,
  transaction: TransactionRow,
  { kind, amountMinor, currency, reason }: GatewayNotificationRow,
): OperationRow {
  return em.create(OperationEntity, {
    ...operationDefaults(transaction, { actor: 'gateway_webhook' }, clock.now()),
    id: makeIdentifier('operation', randomBytes),
    type: 'chargeback',
    isAttempt: false,
    outcome: 'succeeded',
    amountMinor: amountMinor ?? transaction.capturedMinor,
    currency: currency ?? transaction.currency,
    chargebackReason: reason ?? null,
    metadata: { step: kind },
  })
}
