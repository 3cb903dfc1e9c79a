import { nextDue, type Payment } from '../../domain/payment.ts'
import { findCardOf } from '../../src/persistence/queries/customers/cards.ts'
import { paymentOf } from '../../src/persistence/queries/payments/payment-rows.ts'
import { transact, type Unit } from '../../src/persistence/transact.ts'
import type { PaymentReference } from '../../workflows/inputs.ts'
import { requireDue } from '../authenticity.ts'
import type { PaymentActivityDeps } from '../dependencies.ts'
import { failures } from '../failures.ts'
import type { StoredPayment } from './attempt.ts'
import { announce, fireEvents } from './events.ts'
import { openForChange } from './open-for-change.ts'
import { writePayment } from './records/write-payment.ts'

export interface AnnounceExpiryInput {
  payment: PaymentReference
  /** Workflow time in epoch ms. */
  at: number
}

/** Notifies the merchant, once, that an uncaptured authorization is about to expire. */
export async function announceExpiry(deps: PaymentActivityDeps, input: AnnounceExpiryInput): Promise<StoredPayment> {
  const { result } = await transact(deps.orm, (unit) => announceInTransaction(deps, unit, input))
  await announce(deps, input.payment, 'all')
  return result
}

async function announceInTransaction(
  deps: PaymentActivityDeps,
  unit: Unit,
  { payment: reference, at }: AnnounceExpiryInput,
): Promise<StoredPayment> {
  const opened = await openForChange(unit, reference)
  const { invoice, transaction, operations, gatewayConfigurations } = opened
  if (transaction === null) throw failures.paymentNotFound(invoice.id)
  const gatewayName = transaction.gatewayName ?? null
  const payment = paymentOf(invoice, transaction)
  const due = nextDue(payment)
  if (payment.expiryAnnounced || due?.kind !== 'expiry-announcement') return { payment, gatewayName }
  requireDue(deps, reference, due.at)
  const announced: Payment = { ...payment, expiryAnnounced: true }
  writePayment(deps, unit, transaction, announced)
  if (isStillToExpire(announced, at)) {
    const card = await findCardOf(unit, transaction)
    const subject = { invoice, transaction, card, operations, gatewayConfigurations }
    await fireEvents(deps, unit, ['transaction.authorization.expiring'], subject)
  }
  return { payment: announced, gatewayName }
}

/** False if the authorization has ended already, or a capture is due or under way: the announcement would mislead. */
function isStillToExpire(payment: Payment, at: number): boolean {
  const { authorizationExpiresAt } = payment
  return authorizationExpiresAt !== null && at < authorizationExpiresAt && nextDue(payment)?.kind === 'expiry'
}
