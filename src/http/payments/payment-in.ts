import type { Orm } from '../../persistence/orm.ts'
import { type FoundPayment, findPayment, paymentOfFound } from '../../persistence/queries/payments/find-payment.ts'
import { ApiError } from '../api-error.ts'
import { type ApiContext, scopeOf } from '../context.ts'
import { identifierIn } from '../schemas/fields/identifier.ts'
import type { Order } from './carry-out.ts'

/**
 * The payment of the invoice in the address, where that is one of the caller's: as it was read when the caller was admitted,
 * or is now. Whoever changes it decides again under its lock.
 */
export async function paymentIn(ctx: ApiContext, orm: Orm): Promise<Omit<Order, 'command'>> {
  const id = identifierIn(ctx, 'invoice', 'resource.invoice.not-found')
  const payment = await readPayment(ctx, orm, id)
  if (payment === null) throw new ApiError('resource.invoice.not-found')
  ctx.state.invoiceId = id
  return payment
}

async function readPayment(ctx: ApiContext, orm: Orm, invoiceId: string): Promise<FoundPayment | null> {
  const { found } = ctx.state
  if (found === undefined) return findPayment(orm, scopeOf(ctx), invoiceId)
  return found === null ? null : paymentOfFound(orm, found)
}
