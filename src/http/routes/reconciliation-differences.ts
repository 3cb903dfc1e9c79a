import { lockDifference, resolveDifference } from '../../persistence/queries/reconciliations/differences.ts'
import { presentReconciliationDifference } from '../../presenters/reconciliation.ts'
import { authorTextOf } from '../acts.ts'
import { invalidState } from '../api-error.ts'
import type { ApiMiddleware } from '../context.ts'
import type { AppDeps } from '../dependencies.ts'
import { mutation } from '../idempotency.ts'
import { bodyOf } from '../middleware/body.ts'
import { foundIn } from '../schemas/fields/identifier.ts'
import { readResolution } from '../schemas/resolution-input.ts'

/** Resolves an open difference, in the name of the caller. */
export function resolveReconciliationDifference(deps: AppDeps): ApiMiddleware {
  return mutation(deps, async (ctx, em) => {
    const found = await foundIn(ctx, 'reconciliationDifference', (scope, id) => lockDifference(em, scope, id))
    const { reason } = readResolution(bodyOf(ctx))
    if (found.status !== 'open') throw invalidState(`The difference was resolved by ${found.resolvedBy}.`)
    const row = await resolveDifference(em, found, { by: authorTextOf(ctx), reason, now: deps.clock.now() })
    return { success: true, reconciliation_difference: presentReconciliationDifference(row) }
  })
}
