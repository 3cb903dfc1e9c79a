import type { Orm } from '../../persistence/orm.ts'
import { findPayment } from '../../persistence/queries/payments/find-payment.ts'
import { ApiError } from '../api-error.ts'
import { type ApiContext, scopeOf } from '../context.ts'
import { identifierIn } from '../schemas/fields/identifier.ts'
import type { Order } from './carry-out.ts'

/** The payment of the invoice in the address, where that is one of the caller's. */
export async function paymentIn(ctx: ApiContext, orm: Orm): Promise<Omit<Order, 'command'>> {
  const id = identifierIn(ctx, 'invoice', 'resource.invoice.not-found')
  const payment = await findPayment(orm, scopeOf(ctx), id)
  if (payment === null) throw new ApiError('resource.invoice.not-found')
  ctx.state.invoiceId = id
  return payment
}
