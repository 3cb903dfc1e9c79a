import { authorTextOf } from '../../http/acts.ts'
import { invalidState } from '../../http/api-error.ts'
import type { ApiMiddleware } from '../../http/context.ts'
import type { AppDeps } from '../../http/dependencies.ts'
import { mutation } from '../../http/idempotency.ts'
import { foundIn } from '../../http/input/identifier.ts'
import { bodyOf } from '../../http/middleware/body.ts'
import { presentReconciliationDifference } from '../../objects/reconciliation.ts'
import { lockDifference, resolveDifference } from '../../persistence/queries/reconciliations/differences.ts'
import { readResolution } from './resolution-input.ts'

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
