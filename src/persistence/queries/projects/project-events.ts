import { makeIdentifier, type RandomBytes } from '../../../../domain/identifiers.ts'
import type { EventName } from '../../../../domain/webhook-event.ts'
import type { Clock } from '../../../clock.ts'
import { EventEntity } from '../../entities/event.ts'
import type { EntityManager } from '../../orm.ts'
import type { Scope } from '../scope.ts'

export interface ProjectEvent {
  scope: Scope
  name: EventName
  /** The snapshot that is stored, in the shape of the answers. */
  data: Record<string, unknown>
  invoiceId?: string | null
  /** Whose personal data the snapshot holds. */
  customerId?: string | null
}

/**
 * Writes an event that is about no transaction, in the database transaction of the change that it tells of.
 *
 * @returns the id of the event.
 */
export async function recordProjectEvent(
  em: EntityManager,
  { clock, randomBytes }: { clock: Clock; randomBytes: RandomBytes },
  { scope, name, data, invoiceId = null, customerId = null }: ProjectEvent,
): Promise<string> {
  const id = makeIdentifier('event', randomBytes)
  await em.insert(EventEntity, {
    id,
    projectId: scope.projectId,
    sandbox: scope.sandbox,
    name,
    invoiceId,
    transactionId: null,
    sequence: null,
    customerId,
    data,
    firedAt: clock.now(),
  })
  return id
}
