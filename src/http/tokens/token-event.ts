import type { CardRow } from '../../persistence/entities/card.ts'
import type { CustomerRow } from '../../persistence/entities/customer.ts'
import type { CustomerTokenRow } from '../../persistence/entities/customer-token.ts'
import type { EntityManager } from '../../persistence/orm.ts'
import { type Changes, recordProjectEvent } from '../../persistence/queries/webhooks/project-event.ts'
import { presentTokenEventData } from '../../presenters/event.ts'

type TokenEventName = 'customer.token.created' | 'customer.token.updated' | 'customer.token.deleted'

/** Tells what happened to a token, in the database transaction in which it happens. */
export async function recordTokenEvent(
  em: EntityManager,
  changes: Changes,
  name: TokenEventName,
  subject: { token: CustomerTokenRow; customer: CustomerRow; card: CardRow | null },
): Promise<void> {
  const { projectId, sandbox, customerId } = subject.token
  const data = presentTokenEventData(name, subject, changes.clock.now())
  await recordProjectEvent(em, changes, {
    scope: { projectId, sandbox },
    name,
    data,
    customerId,
    targets: { kind: 'all', ownUrl: subject.token.webhookUrl ?? null },
  })
}
