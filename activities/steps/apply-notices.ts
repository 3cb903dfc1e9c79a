import { makeIdentifier } from '../../domain/identifiers.ts'
import type { Change } from '../../domain/payment.ts'
import { applyDispute, takeRefundBack } from '../../domain/payment-outcome.ts'
import { GatewayNoticeEntity, type GatewayNoticeRow } from '../../src/persistence/entities/gateway-notice.ts'
import { OperationEntity, type OperationRow } from '../../src/persistence/entities/operation.ts'
import { RefundEntity, type RefundRow } from '../../src/persistence/entities/refund.ts'
import type { TransactionRow } from '../../src/persistence/entities/transaction.ts'
import type { EntityManager } from '../../src/persistence/orm.ts'
import { findCardOf } from '../../src/persistence/queries/customers/find-card.ts'
import { findOperations } from '../../src/persistence/queries/payments/find-operations.ts'
import { lockPayment } from '../../src/persistence/queries/payments/payment-lock.ts'
import { columnsOf, paymentOf } from '../../src/persistence/queries/payments/payment-rows.ts'
import type { PaymentReference } from '../../workflows/inputs.ts'
import type { PaymentActivityDeps } from '../dependencies.ts'
import { failures } from '../failures.ts'
import { settleDetails } from '../rows/claim-details.ts'
import { operationDefaults } from '../rows/operation-rows.ts'
import type { StoredPayment } from '../step.ts'
import { announce } from './announce.ts'
import { recordEvents } from './record-events.ts'

export interface ApplyNoticesInput {
  payment: PaymentReference
  /** Workflow time in epoch ms. */
  at: number
}

/**
 * Books what the gateway has told of a payment unasked, each notice once and in the order of arrival, and reads where the
 * payment stands. Asked where there is none, it only reads.
 */
export async function applyNotices(deps: PaymentActivityDeps, input: ApplyNoticesInput): Promise<StoredPayment> {
  const stored = await deps.orm.em.fork().transactional((em) => applyInTransaction(deps, em, input))
  await announce(deps, input.payment, 'whatever waits')
  return stored
}

async function applyInTransaction(
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
    GatewayNoticeEntity,
    { projectId, sandbox, invoiceId, appliedAt: null },
    { orderBy: { id: 'asc' } },
  )
  const operations = await findOperations(em, transaction.id)
  const card = await findCardOf(em, transaction)
  for (const notice of notices) {
    const refund = await findRefund(em, transaction, notice)
    const { payment, fires } = changeBy(notice, paymentOf(invoice, transaction), refund)
    em.assign(transaction, {
      ...columnsOf(payment),
      ...factsOf(notice, at),
      updatedAt: deps.clock.now(),
    })
    if (fires.length > 0 || notice.what !== 'refund-failed') {
      operations.push(recordNotice(deps, em, transaction, notice, refund))
      if (refund !== null) await failRefund(em, refund, operations, at)
    }
    await recordEvents(deps, em, fires, { invoice, transaction, card, operations, refund })
    notice.appliedAt = deps.clock.now()
  }
  return { payment: paymentOf(invoice, transaction), gatewayName: transaction.gatewayName }
}

async function findRefund(
  em: EntityManager,
  { id }: TransactionRow,
  { what, reference }: GatewayNoticeRow,
): Promise<RefundRow | null> {
  if (what !== 'refund-failed' || reference == null) return null
  return em.findOne(RefundEntity, { transactionId: id, operationId: reference })
}

/** A refund that is not settled yet ends as failed, whatever its look-up says; one that has failed fails no second time. */
function changeBy({ what }: GatewayNoticeRow, payment: ReturnType<typeof paymentOf>, refund: RefundRow | null): Change {
  if (what !== 'refund-failed') return applyDispute(payment, what)
  return refund?.status === 'succeeded' ? takeRefundBack(payment, refund.amountMinor) : { payment, fires: [] }
}

function factsOf({ what }: GatewayNoticeRow, at: number): Partial<TransactionRow> {
  switch (what) {
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

function recordNotice(
  { clock, randomBytes }: PaymentActivityDeps,
  em: EntityManager,
  transaction: TransactionRow,
  notice: GatewayNoticeRow,
  refund: RefundRow | null,
): OperationRow {
  const { what, amountMinor, reason } = notice
  const hasFailed = what === 'refund-failed'
  return em.create(OperationEntity, {
    ...operationDefaults(transaction, { actor: 'gateway_webhook' }, clock.now()),
    id: makeIdentifier('operation', randomBytes),
    type: hasFailed ? 'refund' : 'chargeback',
    isAttempt: false,
    outcome: hasFailed ? 'failed' : 'succeeded',
    hasFailed,
    isAccountable: hasFailed,
    amountMinor,
    refundId: refund?.id ?? null,
    errorCode: hasFailed ? 'gateway.declined' : null,
    chargebackReason: hasFailed ? null : (reason ?? null),
    metadata: hasFailed ? { reason: 'failed_later' } : { step: what },
  })
}

async function failRefund(
  em: EntityManager,
  refund: RefundRow,
  operations: readonly OperationRow[],
  at: number,
): Promise<void> {
  refund.status = 'failed'
  refund.errorCode = 'gateway.declined'
  refund.failedAt = new Date(at)
  const attempt = operations.find(({ id }) => id === refund.operationId)
  if (attempt !== undefined) await settleDetails(em, attempt, 'free')
}
