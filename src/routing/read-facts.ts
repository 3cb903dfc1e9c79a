import type { RoutingFacts } from '../../domain/routing/facts.ts'
import type { VelocityNeed } from '../../domain/routing/velocity.ts'
import { findCustomer } from '../persistence/queries/customers/find-customer.ts'
import { countVelocities } from '../persistence/queries/routing/velocity-records.ts'
import type { Reader } from '../persistence/rows.ts'
import { customerIdOf, factsOf, type RoutedPayment, velocityValuesOf } from './facts.ts'

/** What rules look at beside the invoice and the card. */
export interface FactNeeds {
  velocities: readonly VelocityNeed[]
  /** Whether the customer is looked at. */
  customer: boolean
}

/** Reads what rules look at of a payment. */
export async function readFacts(reader: Reader, payment: RoutedPayment, needs: FactNeeds): Promise<RoutingFacts> {
  const { invoice, at } = payment
  const customerId = needs.customer ? customerIdOf(payment) : null
  const customer = customerId === null ? null : await findCustomer(reader, invoice, customerId)
  const velocities = await countVelocities(reader, invoice, needs.velocities, {
    ...velocityValuesOf(payment),
    exceptInvoiceId: invoice.id,
    at: new Date(at),
  })
  return factsOf(payment, { customer, velocities })
}
