import { presentTokenEventData } from '../../objects/event.ts'
import type { CardRow } from '../../persistence/entities/card.ts'
import type { CustomerRow } from '../../persistence/entities/customer.ts'
import type { CustomerTokenRow } from '../../persistence/entities/customer-token.ts'
import type { EntityManager } from '../../persistence/orm.ts'
import { type Changes, fireProjectEvents } from '../../persistence/queries/webhooks/project-event.ts'

type TokenEventName = 'customer.token.created' | 'customer.token.updated' | 'customer.token.deleted'

interface StoredSource {
  token: CustomerTokenRow
  card: CardRow | null
}

export async function recordTokenEvent(
  em: EntityManager,
  changes: Changes,
  name: TokenEventName,
  { customer, ...stored }: StoredSource & { customer: CustomerRow },
): Promise<void> {
  await recordTokenEvents(em, changes, name, { customer, sources: [stored] })
}

/** The same for several tokens of a customer, in one statement for each webhook URL. */
export async function recordTokenEvents(
  em: EntityManager,
  changes: Changes,
  name: TokenEventName,
  { customer, sources }: { customer: CustomerRow; sources: readonly StoredSource[] },
): Promise<void> {
  const { id: customerId, projectId, sandbox } = customer
  const now = changes.clock.now()
  for (const [ownUrl, sharing] of Map.groupBy(sources, ({ token }) => token.webhookUrl ?? null)) {
    const events = sharing.map((source) => {
      const data = presentTokenEventData(name, { ...source, customer }, now)
      return { name, data, customerId }
    })
    await fireProjectEvents(em, changes, { scope: { projectId, sandbox }, targets: { kind: 'all', ownUrl } }, events)
  }
}
