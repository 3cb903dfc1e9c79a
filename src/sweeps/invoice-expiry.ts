import { fireEvents } from '../../activities/payment/events.ts'
import { presentInvoiceEventData } from '../objects/event.ts'
import type { InvoiceRow } from '../persistence/entities/invoice.ts'
import type { Orm } from '../persistence/orm.ts'
import { findCardOf } from '../persistence/queries/customers/cards.ts'
import { lockEndedInvoice } from '../persistence/queries/invoices/expire-invoices.ts'
import { findInvoiceDetails } from '../persistence/queries/invoices/invoice-details.ts'
import { findOperations } from '../persistence/queries/payments/operations.ts'
import { type ChangeDeps, newEvent } from '../persistence/queries/webhooks/project-event.ts'
import { transact, type Unit } from '../persistence/transact.ts'

/** A command sent in time may begin up to a minute later; the event of the expiry is final. */
const BEGINNING_MAX_MS = 60_000

const EVENT = 'invoice.expired'

type ExpiryDeps = { orm: Orm } & ChangeDeps

/**
 * Finds invoices that were not paid before their expiry, and announces each to the merchant once. The invoice's mark and
 * its event commit together.
 */
export async function expireInvoices(deps: ExpiryDeps, stopping?: AbortSignal): Promise<void> {
  let isOneFound = true
  while (isOneFound && stopping?.aborted !== true) {
    const { result, announced } = await transact(deps.orm, (unit) => expireOne(deps, unit))
    deps.announce(announced)
    isOneFound = result
  }
}

/** @returns false where no invoice is left to decide. */
async function expireOne(deps: ChangeDeps, unit: Unit): Promise<boolean> {
  const now = deps.clock.now()
  const ended = await lockEndedInvoice(unit, new Date(now.getTime() - BEGINNING_MAX_MS))
  if (ended === null) return false
  const { invoice, transaction } = ended
  const status = transaction?.status ?? null
  // Its outcome decides; until then `awaitsExpiry` stays set.
  if (status === 'waiting' || status === 'pending' || status === 'in-review') return true
  unit.update(invoice, { awaitsExpiry: false })
  if (status !== null && status !== 'failed' && status !== 'blocked') return true
  unit.update(invoice, { expiredAt: now })
  if (transaction === null) {
    await fireUntried(deps, unit, invoice)
  } else {
    const operations = await findOperations(unit, transaction.id)
    const subject = { invoice, transaction, card: await findCardOf(unit, transaction), operations }
    await fireEvents(deps, unit, [EVENT], subject)
  }
  return true
}

/** Without a payment attempt there is no transaction to number the event by. */
async function fireUntried(deps: ChangeDeps, unit: Unit, invoice: InvoiceRow): Promise<void> {
  const { id: invoiceId, customerId = null, webhookUrl = null } = invoice
  const details = await findInvoiceDetails(unit, invoice, invoiceId)
  const data = presentInvoiceEventData(EVENT, { invoice, details, now: deps.clock.now() })
  const event = newEvent(deps, { name: EVENT, data, invoiceId, customerId })
  unit.fire(invoice, [event], { kind: 'all', ownUrl: webhookUrl })
}
