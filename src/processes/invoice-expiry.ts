import { setInterval } from 'node:timers'
import { environmentOf } from '../../domain/environment.ts'
import { makeIdentifier } from '../../domain/identifiers.ts'
import { DeliveryEntity } from '../persistence/entities/delivery.ts'
import type { EntityManager } from '../persistence/orm.ts'
import {
  type EndedInvoice,
  findWaitingEvents,
  lockEndedInvoices,
} from '../persistence/queries/invoices/expire-invoices.ts'
import { findInvoiceDetails } from '../persistence/queries/invoices/invoice-details.ts'
import { recordProjectEvent } from '../persistence/queries/projects/project-events.ts'
import { presentInvoice } from '../presenters/invoice.ts'
import { presentTransaction } from '../presenters/transaction.ts'
import type { Shutdown } from '../shutdown.ts'
import { createWebhookStarter, type WebhookStarter } from '../temporal/client.ts'
import { TASK_QUEUES } from '../temporal/task-queues.ts'
import type { Core } from './core.ts'

const SWEEP_INTERVAL_MS = 60_000

/** A command that was given in time may begin for a minute more; whoever is told of the expiry is told for good. */
const BEGINNING_MAX_MS = 60_000

/** Rows that one database transaction holds; few enough that a payment hardly ever waits for them. */
const BATCH_SIZE = 100

const EVENT = 'invoice.expired'

/**
 * Looks, at the start and every minute, for invoices that were not paid before their end, and tells the merchant of
 * each once. Every worker process does it: rows that one holds are passed over by the others.
 */
export function sweepInvoices(core: Core, shutdown: Shutdown): void {
  const { temporal } = core
  const webhookStarter = createWebhookStarter({ temporal: temporal.clients, taskQueues: TASK_QUEUES, eager: true })
  const stopping = new AbortController()
  let isSweeping = false
  const sweep = async (): Promise<void> => {
    if (isSweeping) return
    isSweeping = true
    try {
      await expireInvoices(core, stopping.signal)
      await announceExpiries(core, webhookStarter)
    } catch (error) {
      core.logger.error({ err: error }, 'Expired invoices could not be told of; trying again in a minute')
    }
    isSweeping = false
  }
  void sweep()
  const timer = setInterval(() => void sweep(), SWEEP_INTERVAL_MS)
  shutdown.add({
    name: 'The sweep of invoices',
    stop: async () => {
      clearInterval(timer)
      stopping.abort()
    },
  })
}

type ExpiryDeps = Pick<Core, 'orm' | 'clock' | 'randomBytes'>

/** Marks every invoice that has expired unpaid and writes its event, both in one database transaction a batch. */
export async function expireInvoices(deps: ExpiryDeps, stopping?: AbortSignal): Promise<void> {
  let found = BATCH_SIZE
  while (found === BATCH_SIZE && stopping?.aborted !== true) {
    found = await deps.orm.em.fork().transactional((em) => expireBatch(deps, em))
  }
}

async function expireBatch(deps: ExpiryDeps, em: EntityManager): Promise<number> {
  const before = new Date(deps.clock.now().getTime() - BEGINNING_MAX_MS)
  const ended = await lockEndedInvoices(em, before, BATCH_SIZE)
  for (const each of ended) {
    const status = each.transaction?.status ?? null
    // Its outcome decides; until then the invoice stays awaited.
    if (status === 'waiting' || status === 'pending' || status === 'in-review') continue
    each.invoice.awaitsExpiry = false
    if (status === null || status === 'failed' || status === 'blocked') await expire(deps, em, each)
  }
  return ended.length
}

async function expire(deps: ExpiryDeps, em: EntityManager, { invoice, transaction }: EndedInvoice): Promise<void> {
  const { id: invoiceId, projectId, sandbox, customerId = null, webhookUrl } = invoice
  const now = deps.clock.now()
  invoice.expiredAt = now
  const details = await findInvoiceDetails(em, invoice, invoiceId)
  const data = {
    name: EVENT,
    sandbox,
    invoice: presentInvoice(invoice, transaction, { details, now }),
    transaction: transaction === null ? null : presentTransaction(transaction),
  }
  const scope = { projectId, sandbox }
  const eventId = await recordProjectEvent(em, deps, { scope, name: EVENT, data, invoiceId, customerId })
  if (webhookUrl == null) return
  await em.insert(DeliveryEntity, {
    id: makeIdentifier('delivery', deps.randomBytes),
    projectId,
    sandbox,
    eventId,
    targetUrl: webhookUrl,
    status: 'pending',
    createdAt: now,
  })
}

/**
 * Starts the webhook workflow of every such event whose delivery has not begun. What to start is read from the record,
 * so that a process that dies after the commit leaves nothing untold; a second start changes nothing.
 */
export async function announceExpiries({ orm }: Pick<Core, 'orm'>, webhookStarter: WebhookStarter): Promise<void> {
  for (const { sandbox, projectId, invoiceId, eventId, eventName } of await findWaitingEvents(orm.em.fork(), EVENT)) {
    await webhookStarter.start({ projectId, environment: environmentOf(sandbox), invoiceId, eventId, eventName })
  }
}
