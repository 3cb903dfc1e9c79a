import type { EntityManager, Orm } from '../persistence/orm.ts'
import { lockExpiringCards, type Month } from '../persistence/queries/customers/expiring-cards.ts'
import {
  type ChangeDeps,
  type Changes,
  makeChanges,
  recordProjectEvent,
} from '../persistence/queries/webhooks/project-event.ts'
import { presentStoredCardEventData } from '../presenters/event.ts'

/** Rows that one database transaction holds; few enough that a change of a card hardly ever waits for them. */
const BATCH_SIZE = 100

const EVENT = 'card.expires_soon'

type CardExpiryDeps = { orm: Orm } & ChangeDeps

/**
 * Looks for stored cards whose last month is this one or the next, and tells the merchant of each once, so that a new card
 * can be asked for in time. The mark of a card and its event are one database transaction.
 */
export async function announceExpiringCards(deps: CardExpiryDeps, stopping?: AbortSignal): Promise<void> {
  let found = BATCH_SIZE
  while (found === BATCH_SIZE && stopping?.aborted !== true) {
    found = await makeChanges(deps, deps.orm.em.fork(), announceBatch)
  }
}

async function announceBatch(em: EntityManager, changes: Changes): Promise<number> {
  const now = changes.clock.now()
  const expiring = await lockExpiringCards(em, { first: monthOf(now), last: monthAfter(now) }, BATCH_SIZE)
  for (const { card, token, customer } of expiring) {
    card.expiryAnnounced = card.expYear * 100 + card.expMonth
    const { projectId, sandbox } = card
    const data = presentStoredCardEventData(EVENT, { card, token, customer }, now)
    await recordProjectEvent(em, changes, { scope: { projectId, sandbox }, name: EVENT, data, customerId: customer.id })
  }
  return expiring.length
}

/** In UTC, as a card says of itself whether it expires soon. */
function monthOf(instant: Date): Month {
  return { year: instant.getUTCFullYear(), month: instant.getUTCMonth() + 1 }
}

function monthAfter(instant: Date): Month {
  const { year, month } = monthOf(instant)
  return month === 12 ? { year: year + 1, month: 1 } : { year, month: month + 1 }
}
