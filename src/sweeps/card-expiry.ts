import { presentStoredCardEventData } from '../objects/event.ts'
import type { EntityManager, Orm } from '../persistence/orm.ts'
import { lockExpiringCards, type Month } from '../persistence/queries/customers/expiring-cards.ts'
import {
  type ChangeDeps,
  type Changes,
  fireProjectEvent,
  makeChanges,
} from '../persistence/queries/webhooks/project-event.ts'

/** Rows locked by one database transaction; few enough that a change of a card hardly ever waits. */
const BATCH_SIZE = 100

const EVENT = 'card.expires_soon'

type CardExpiryDeps = { orm: Orm } & ChangeDeps

/**
 * Finds stored cards that expire this month or the next, and announces each to the merchant once, so that the merchant can
 * request a new card in time. The card's mark and its event commit together.
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
    await fireProjectEvent(em, changes, { scope: { projectId, sandbox }, name: EVENT, data, customerId: customer.id })
  }
  return expiring.length
}

/** In UTC, like the card's own flag for expiring soon. */
function monthOf(instant: Date): Month {
  return { year: instant.getUTCFullYear(), month: instant.getUTCMonth() + 1 }
}

function monthAfter(instant: Date): Month {
  const { year, month } = monthOf(instant)
  return month === 12 ? { year: year + 1, month: 1 } : { year, month: month + 1 }
}
