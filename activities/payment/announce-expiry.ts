import { nextDue, type Payment } from '../../domain/payment.ts'
import type { EntityManager } from '../../src/persistence/orm.ts'
import { findCardOf } from '../../src/persistence/queries/customers/find-card.ts'
import { findOperations } from '../../src/persistence/queries/payments/find-operations.ts'
import { lockPayment } from '../../src/persistence/queries/payments/payment-lock.ts'
import { columnsOf, paymentOf } from '../../src/persistence/queries/payments/payment-rows.ts'
import type { PaymentReference } from '../../workflows/inputs.ts'
import { requireDue } from '../authenticity.ts'
import type { PaymentActivityDeps } from '../dependencies.ts'
import { failures } from '../failures.ts'
import { announce } from './announce.ts'
import type { StoredPayment } from './attempt.ts'
import { recordEvents } from './events.ts'

export interface TellExpiryInput {
  payment: PaymentReference
  /** Workflow time in epoch ms. */
  at: number
}

/** Tells the merchant, once, that reserved money which nobody captures is about to be released. */
export async function tellExpiry(deps: PaymentActivityDeps, input: TellExpiryInput): Promise<StoredPayment> {
  const stored = await deps.orm.em.fork().transactional((em) => tellInTransaction(deps, em, input))
  await announce(deps, input.payment, 'whatever waits')
  return stored
}

async function tellInTransaction(
  deps: PaymentActivityDeps,
  em: EntityManager,
  { payment: reference, at }: TellExpiryInput,
): Promise<StoredPayment> {
  const { projectId, environment, invoiceId } = reference
  const locked = await lockPayment(em, { projectId, sandbox: environment === 'sandbox', invoiceId })
  if (locked?.transaction == null) throw failures.paymentNotFound(invoiceId)
  const { invoice, transaction } = locked
  const payment = paymentOf(invoice, transaction)
  const due = nextDue(payment)
  if (payment.expiryTold || due?.kind !== 'expiry-notice')
    return { payment, gatewayName: transaction.gatewayName ?? null }
  requireDue(deps, reference, due.at)
  const told: Payment = { ...payment, expiryTold: true }
  em.assign(transaction, { ...columnsOf(told), updatedAt: deps.clock.now() })
  if (isStillToExpire(told, at)) {
    const operations = await findOperations(em, transaction.id)
    const card = await findCardOf(em, transaction)
    await recordEvents(deps, em, ['transaction.authorization.expiring'], { invoice, transaction, card, operations })
  }
  return { payment: told, gatewayName: transaction.gatewayName ?? null }
}

/** A notice that comes when the authorization has ended already, or when its money is being taken, would mislead. */
function isStillToExpire(payment: Payment, at: number): boolean {
  const { authorizationExpiresAt } = payment
  return authorizationExpiresAt !== null && at < authorizationExpiresAt && nextDue(payment)?.kind === 'expiry'
}
