import type { CustomerRow } from '../../persistence/entities/customer.ts'
import type { EntityManager } from '../../persistence/orm.ts'
import { findCustomer, lockCustomer } from '../../persistence/queries/customers/find-customer.ts'
import { lockPayment } from '../../persistence/queries/payments/payment-lock.ts'
import type { Changes } from '../../persistence/queries/webhooks/project-event.ts'
import { presentCustomer } from '../../presenters/customer.ts'
import { ApiError } from '../api-error.ts'
import { type ApiContext, type ApiMiddleware, scopeOf } from '../context.ts'
import type { AppDeps } from '../dependencies.ts'
import { mutation } from '../idempotency.ts'
import { isBeingPaid } from '../invoices/payment-state.ts'
import { bodyOf } from '../middleware/body.ts'
import { readAssignedCustomer } from '../schemas/customer-input.ts'
import { identifierIn } from '../schemas/fields/identifier.ts'
import { invalidInput } from '../schemas/fields/input.ts'
import { addCustomer } from './customers.ts'
import { invoiceIn } from './invoices.ts'

/** The customer of an invoice. */
export function retrieveInvoiceCustomer({ orm }: Pick<AppDeps, 'orm'>): ApiMiddleware {
  return async (ctx) => {
    const em = orm.em.fork()
    const { customerId } = await invoiceIn(ctx, em)
    const row = customerId == null ? null : await findCustomer(em, scopeOf(ctx), customerId)
    if (row === null) throw new ApiError('resource.customer.not-found')
    ctx.body = { success: true, customer: presentCustomer(row) }
  }
}

/** Gives an invoice its customer: one that is there, named by `customer_id`, or a new one with these fields. */
export function assignInvoiceCustomer(deps: AppDeps): ApiMiddleware {
  return mutation(deps, async (ctx, em, changes) => {
    const invoiceId = identifierIn(ctx, 'invoice', 'resource.invoice.not-found')
    const locked = await lockPayment(em, { ...scopeOf(ctx), invoiceId })
    if (locked === null) throw new ApiError('resource.invoice.not-found')
    ctx.state.invoiceId = invoiceId
    const { invoice } = locked
    const customer = await customerOf(ctx, em, changes)
    if (invoice.customerId === customer.id) return { success: true, customer: presentCustomer(customer) }
    if (isBeingPaid(locked)) {
      const message = 'The invoice is being paid, or was; its customer can no longer be changed.'
      throw new ApiError('request.validation.invalid-state', { message })
    }
    // A token is its customer's, so that of another customer goes with it.
    em.assign(invoice, { customerId: customer.id, tokenId: null, updatedAt: deps.clock.now() })
    return { success: true, customer: presentCustomer(customer) }
  })
}

async function customerOf(ctx: ApiContext, em: EntityManager, changes: Changes): Promise<CustomerRow> {
  const assigned = readAssignedCustomer(bodyOf(ctx))
  if (assigned.customerId === null) return addCustomer(changes, em, scopeOf(ctx), assigned.columns)
  const row = await lockCustomer(em, scopeOf(ctx), assigned.customerId)
  if (row !== null) return row
  const problem = { name: 'customer_id', message: 'is not a customer of this project' }
  throw invalidInput([{ ...problem, code: 'resource.customer.not-found' }])
}
