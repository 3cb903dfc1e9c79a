import type { FiredEvent } from '../../../../domain/webhook-event.ts'
import type { EntityManager } from '../../orm.ts'
import type { Changes } from './project-event.ts'

export interface ChangeDeps extends Omit<Changes, 'fired'> {
  /** Has events sent to whom they are for; waits for nothing and never throws. */
  announce(events: readonly FiredEvent[]): void
}

/**
 * Carries out changes in one database transaction and, once they are committed, has the events announced that they
 * fired. Nobody waits for that: what cannot be announced now is found by a sweep.
 */
export async function makeChanges<Result>(
  { clock, randomBytes, announce }: ChangeDeps,
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
