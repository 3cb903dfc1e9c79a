import { findTransaction } from '../../persistence/queries/find-transaction.ts'
import { presentTransaction } from '../../presenters/transaction.ts'
import { ApiError } from '../api-error.ts'
import { type ApiMiddleware, scopeOf } from '../context.ts'
import type { AppDeps } from '../dependencies.ts'
import { identifierIn } from '../schemas/identifier.ts'
import { refuseExpansion } from '../schemas/query.ts'

export function retrieveTransaction({ orm }: Pick<AppDeps, 'orm'>): ApiMiddleware {
  return async (ctx) => {
    refuseExpansion(ctx)
    const id = identifierIn(ctx, 'transaction', 'resource.transaction.not-found')
    const row = await findTransaction(orm.em.fork(), scopeOf(ctx), id)
    if (row === null) throw new ApiError('resource.transaction.not-found')
    ctx.state.invoiceId = row.invoiceId
    ctx.body = { success: true, transaction: presentTransaction(row) }
  }
}
