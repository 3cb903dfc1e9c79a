import type { FiredEvent } from '../../../domain/webhook-event.ts'
import type { EntityManager } from '../../persistence/orm.ts'
import type { Changes } from '../../persistence/queries/webhooks/project-event.ts'
import type { AppDeps } from '../dependencies.ts'

/**
 * Carries out changes in one database transaction and, once they are committed, has the events announced that they
 * fired. Nobody waits for that: what cannot be announced now is found by a sweep.
 */
export async function makeChanges<Result>(
  { clock, randomBytes, announce }: Pick<AppDeps, 'clock' | 'randomBytes' | 'announce'>,
  em: EntityManager,
  make: (em: EntityManager, changes: Changes) => Promise<Result>,
): Promise<Result> {
  const events: FiredEvent[] = []
  const result = await em.transactional((transaction) =>
    make(transaction, { clock, randomBytes, fired: (event) => events.push(event) }),
  )
  announce(events)
  return result
}
