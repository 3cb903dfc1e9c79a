import { makeIdentifier, type RandomBytes } from '../../../../domain/identifiers.ts'
import type { EventName, FiredEvent } from '../../../../domain/webhook-event.ts'
import type { Clock } from '../../../clock.ts'
import type { EntityManager } from '../../orm.ts'
import type { Scope } from '../scope.ts'
import { fireEvents, type Targets } from './fire-events.ts'

/** What a change works with that fires events. */
export interface Changes {
  clock: Clock
  randomBytes: RandomBytes
  /** Takes an event that somebody waits for, to be announced after the commit. */
  fired(event: FiredEvent): void
}

export interface ProjectEvent {
  scope: Scope
  name: EventName
  /** The snapshot that is stored, in the shape of the answers. */
  data: Record<string, unknown>
  invoiceId?: string | null
  /** Whose personal data the snapshot holds. */
  customerId?: string | null
  /** Every target, where nothing else is said. */
  targets?: Targets
}

/**
 * Writes an event that is about no transaction, in the database transaction of the change that it tells of.
 *
 * @returns the id of the event.
 */
export async function recordProjectEvent(
  em: EntityManager,
  { clock, randomBytes, fired }: Changes,
  { scope, name, data, invoiceId = null, customerId = null, targets = { kind: 'all', ownUrl: null } }: ProjectEvent,
): Promise<string> {
  const id = makeIdentifier('event', randomBytes)
  const about = { invoiceId, transactionId: null, sequence: null, customerId }
  const events = await fireEvents(em, scope, [{ id, name, ...about, data, firedAt: clock.now() }], targets)
  for (const event of events) fired(event)
  return id
}
