import { authorTextOf } from '../../http/acts.ts'
import { invalidState } from '../../http/api-error.ts'
import { foundIn } from '../../http/input/identifier.ts'
import { readInput } from '../../http/input/input.ts'
import { bodyOf } from '../../http/middleware/body.ts'
import { presentReconciliationDifference } from '../../objects/reconciliation.ts'
import { lockDifference, resolveDifference } from '../../persistence/queries/reconciliations/differences.ts'
import type { Change } from '../change.ts'
import { RESOLUTION } from './resolution-input.ts'

/** Resolves an open difference, in the name of the caller. */
export async function resolveReconciliationDifference({ deps, ctx, em }: Change) {
  const found = await foundIn(ctx, 'reconciliationDifference', (scope, id) => lockDifference(em, scope, id))
  const { reason } = readInput(RESOLUTION, bodyOf(ctx))
  if (found.status !== 'open') throw invalidState(`The difference was resolved by ${found.resolvedBy}.`)
  const row = await resolveDifference(em, found, { by: authorTextOf(ctx), reason, now: deps.clock.now() })
  return { reconciliation_difference: presentReconciliationDifference(row) }
}
