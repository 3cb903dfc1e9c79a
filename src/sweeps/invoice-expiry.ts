import { recordEvents } from '../../activities/payment/events.ts'
import { presentInvoiceEventData } from '../objects/event.ts'
import type { InvoiceRow } from '../persistence/entities/invoice.ts'
import type { EntityManager, Orm } from '../persistence/orm.ts'
import { findCardOf } from '../persistence/queries/customers/cards.ts'
import { type EndedInvoice, lockEndedInvoices } from '../persistence/queries/invoices/expire-invoices.ts'
import { findInvoiceDetails } from '../persistence/queries/invoices/invoice-details.ts'
import { findOperations } from '../persistence/queries/payments/operations.ts'
import {
  type ChangeDeps,
  type Changes,
  makeChanges,
  recordProjectEvent,
} from '../persistence/queries/webhooks/project-event.ts'

/** A command sent in time may begin up to a minute later; the event of the expiry is final. */
const BEGINNING_MAX_MS = 60_000

/** Rows locked by one database transaction; few enough that a payment hardly ever waits. */
const BATCH_SIZE = 100

const EVENT = 'invoice.expired'

type ExpiryDeps = { orm: Orm } & ChangeDeps

/**
 * Finds invoices that were not paid before their expiry, and announces each to the merchant once. The invoice's mark and
 * its event commit together.
 */
export async function expireInvoices(deps: ExpiryDeps, stopping?: AbortSignal): Promise<void> {
  let found = BATCH_SIZE
  while (found === BATCH_SIZE && stopping?.aborted !== true) {
    found = await makeChanges(deps, deps.orm.em.fork(), expireBatch)
  }
}

async function expireBatch(em: EntityManager, changes: Changes): Promise<number> {
  const before = new Date(changes.clock.now().getTime() - BEGINNING_MAX_MS)
  const ended = await lockEndedInvoices(em, before, BATCH_SIZE)
  for (const each of ended) {
    const status = each.transaction?.status ?? null
    // Its outcome decides; until then `awaitsExpiry` stays set.
    if (status === 'waiting' || status === 'pending' || status === 'in-review') continue
    each.invoice.awaitsExpiry = false
    if (status === null || status === 'failed' || status === 'blocked') await expire(changes, em, each)
  }
  return ended.length
}

async function expire(changes: Changes, em: EntityManager, { invoice, transaction }: EndedInvoice): Promise<void> {
  invoice.expiredAt = changes.clock.now()
  if (transaction === null) return recordUntried(changes, em, invoice)
  const operations = await findOperations(em, transaction.id)
  const subject = { invoice, transaction, card: await findCardOf(em, transaction), operations }
  for (const event of await recordEvents(changes, em, [EVENT], subject)) changes.fired(event)
}

/** Without a payment attempt there is no transaction to number the event by. */
async function recordUntried(changes: Changes, em: EntityManager, invoice: InvoiceRow): Promise<void> {
  const { id: invoiceId, projectId, sandbox, customerId = null, webhookUrl = null } = invoice
  const scope = { projectId, sandbox }
  const details = await findInvoiceDetails(em, scope, invoiceId)
  const data = presentInvoiceEventData(EVENT, { invoice, details, now: changes.clock.now() })
  const targets = { kind: 'all', ownUrl: webhookUrl } as const
  await recordProjectEvent(em, changes, { scope, name: EVENT, data, invoiceId, customerId, targets })
}
