import { invalidState } from '../../http/api-error.ts'
import { type ApiContext, type ApiMiddleware, scopeOf } from '../../http/context.ts'
import type { AppDeps } from '../../http/dependencies.ts'
import { notFound } from '../../http/input/identifier.ts'
import { invalidField } from '../../http/input/input.ts'
import { bodyOf } from '../../http/middleware/body.ts'
import { presentCustomer } from '../../objects/customer.ts'
import type { CustomerRow } from '../../persistence/entities/customer.ts'
import { InvoiceEntity } from '../../persistence/entities/invoice.ts'
import type { EntityManager } from '../../persistence/orm.ts'
import { findCustomer, lockCustomer } from '../../persistence/queries/customers/customers.ts'
import type { Changes } from '../../persistence/queries/webhooks/project-event.ts'
import type { Change } from '../change.ts'
import { invoiceIn, isBeingPaid, lockInvoiceIn } from '../invoices/invoices.ts'
import { readAssignedCustomer } from './customer-input.ts'
import { addCustomer } from './customers.ts'

/** The customer of an invoice. */
export function retrieveInvoiceCustomer({ orm }: Pick<AppDeps, 'orm'>): ApiMiddleware {
  return async (ctx) => {
    const em = orm.em.fork()
    const { customerId } = await invoiceIn(ctx, em)
    const row = customerId == null ? null : await findCustomer(em, scopeOf(ctx), customerId)
    if (row === null) throw notFound('customer')
    ctx.body = { success: true, customer: presentCustomer(row) }
  }
}

/** Assigns an invoice its customer: an existing one by `customer_id`, or a new one with these fields. */
export async function assignInvoiceCustomer({ deps, ctx, em, changes }: Change) {
  const locked = await lockInvoiceIn(ctx, em)
  const { invoice } = locked
  const customer = await customerOf(ctx, em, changes)
  if (invoice.customerId === customer.id) return { customer: presentCustomer(customer) }
  if (isBeingPaid(locked))
    throw invalidState('The invoice is being paid, or was; its customer can no longer be changed.')
  // A token belongs to its customer, so that of another customer is removed.
  const assigned = { customerId: customer.id, tokenId: null, updatedAt: deps.clock.now() }
  await em.nativeUpdate(InvoiceEntity, { id: invoice.id, ...scopeOf(ctx) }, assigned)
  return { customer: presentCustomer(customer) }
}

async function customerOf(ctx: ApiContext, em: EntityManager, changes: Changes): Promise<CustomerRow> {
  const assigned = readAssignedCustomer(bodyOf(ctx))
  if (assigned.customerId === null) return addCustomer(changes, em, scopeOf(ctx), assigned.columns)
  const row = await lockCustomer(em, scopeOf(ctx), assigned.customerId)
  if (row !== null) return row
  throw invalidField('customer_id', 'is not a customer of this project', 'resource.customer.not-found')
}
