import type { ApiMiddleware } from '../context.ts'
import type { AppDeps } from '../dependencies.ts'
import { retrieve } from '../lists/retrieve.ts'

export function retrieveTransaction(deps: Pick<AppDeps, 'orm' | 'clock'>): ApiMiddleware {
  return retrieve(deps, 'transaction')
}

export function retrieveRefund(deps: Pick<AppDeps, 'orm' | 'clock'>): ApiMiddleware {
  return retrieve(deps, 'refund', { owner: 'transaction', parameter: 'refund_id', property: 'transactionId' })
}
