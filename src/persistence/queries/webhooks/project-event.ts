import { makeIdentifier, type RandomBytes } from '../../../../domain/identifiers.ts'
import type { EventName, FiredEvent } from '../../../../domain/webhook-event.ts'
import type { Clock } from '../../../clock.ts'
import type { EntityManager } from '../../orm.ts'
import type { Reader } from '../../rows.ts'
import type { Scope } from '../scope.ts'
import { type NewEvent, type Targets, writeEvents } from './fire-events.ts'

/** The tools of a change that fires events. */
export interface Changes {
  clock: Clock
  randomBytes: RandomBytes
  /** Takes an event that has a target, to be announced after the commit. */
  fired(event: FiredEvent): void
}

/** The fields of an event that belongs to no transaction. */
export interface ProjectEventFields {
  name: EventName
  /** The stored snapshot, in the shape of the API's answers. */
  data: Record<string, unknown>
  invoiceId?: string | null
  /** The customer whose personal data the snapshot holds. */
  customerId?: string | null
}

export interface Addressed {
  scope: Scope
  /** All targets by default. */
  targets?: Targets
}

export type ProjectEvent = ProjectEventFields & Addressed

/**
 * Writes an event that belongs to no transaction, in the database transaction of the change that it reports.
 *
 * @returns the id of the event.
 */
export async function fireProjectEvent(reader: Reader, changes: Changes, event: ProjectEvent): Promise<string> {
  const written = newEvent(changes, event)
  await fire(reader, changes, event, [written])
  return written.id
}

/** The same for several events with the same targets, in one statement and in this order. */
export async function fireProjectEvents(
  reader: Reader,
  changes: Changes,
  addressed: Addressed,
  wanted: readonly ProjectEventFields[],
): Promise<void> {
  const events = wanted.map((one) => newEvent(changes, one))
  await fire(reader, changes, addressed, events)
}

/** Makes such an event, which is not written yet. */
export function newEvent(
  { clock, randomBytes }: Omit<Changes, 'fired'>,
  { name, data, invoiceId = null, customerId = null }: ProjectEventFields,
): NewEvent {
  const id = makeIdentifier('event', randomBytes)
  return { id, name, invoiceId, transactionId: null, sequence: null, customerId, data, firedAt: clock.now() }
}

async function fire(
  reader: Reader,
  { fired }: Changes,
  { scope, targets = { kind: 'all', ownUrl: null } }: Addressed,
  events: readonly NewEvent[],
): Promise<void> {
  for (const event of await writeEvents(reader, scope, events, targets)) fired(event)
}

export interface ChangeDeps extends Omit<Changes, 'fired'> {
  /** Starts the deliveries of events; waits for nothing and never throws. */
  announce(events: readonly FiredEvent[]): void
}

/**
 * Makes changes in one database transaction and announces their events after the commit, without waiting for it. A sweep
 * finds the events that could not be announced.
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
