import { paymentWorkflowId, webhookWorkflowId } from '../../src/temporal/workflow-ids.ts'
import type { Load, Operation, Outcome } from '../client/messages.ts'
import type { Costs } from '../measure/costs.ts'
import { auditPayments } from './audit.ts'
import { type Endpoint, openEndpoint } from './endpoint.ts'
import type { StagedContext } from './measure-way.ts'
import { CARD, ORDER } from './project.ts'
import { openShop, type Shop } from './shop.ts'

const PREPARED_AT_ONCE = 8

/** The events of a path: asked for, authorized, captured, and the invoice completed; more may come. */
const EVENTS_LEAST = 3

/** What a path came to: the invoices it has made and had paid. */
export interface Paths extends Outcome {
  invoiceIds: string[]
}

/** A shop whose customers order and pay in one go, and which hears of everything by webhooks. */
export interface FullPath {
  shop: Shop
  endpoint: Endpoint
  /** Makes cards ahead, where there are not so many yet. */
  stock(count: number): Promise<void>
  /** Creates invoices and has each authorized and captured at once. */
  run(load: Load, count: number): Promise<Paths>
  audit(): Promise<Record<string, number>>
  /** Reads the histories of payments and of the webhooks of their events. */
  histories(invoiceIds: readonly string[]): Promise<Costs['counts']>
}

export async function openFullPath({ stage, shutdown }: StagedContext): Promise<FullPath> {
  const shop = await openShop(stage, shutdown)
  const endpoint = await openEndpoint(stage.core, shop, shutdown)
  const cards: string[] = []

  async function stock(count: number): Promise<void> {
    const missing = Math.max(0, count - cards.length)
    const operation: Operation = [{ method: 'POST', path: '/cards', body: CARD, keep: { source: 'card.id' } }]
    const { results } = await shop.client.run({
      load: { kind: 'all', concurrency: PREPARED_AT_ONCE },
      operations: Array.from({ length: missing }, () => operation),
    })
    for (const { kept, statuses } of results) {
      if (kept.source === undefined) throw new Error(`A card was answered ${statuses}.`)
      cards.push(kept.source)
    }
  }

  return {
    shop,
    endpoint,
    stock,
    async run(load, count) {
      await stock(count)
      const offered = cards.splice(0, count)
      const outcome = await shop.client.run({ load, operations: offered.map(pathWith) })
      const invoiceIds: string[] = []
      for (const { kept, statuses } of outcome.results) {
        const { invoiceId, status } = kept
        if (invoiceId === undefined) throw new Error(`An invoice was answered ${statuses}.`)
        if (statuses[1] !== 200 || status !== 'completed')
          throw new Error(`A payment was to be captured, and answered ${statuses} ${status}.`)
        shop.told.set(invoiceId, 'captured')
        invoiceIds.push(invoiceId)
      }
      cards.push(...offered.slice(outcome.results.length))
      return { ...outcome, invoiceIds }
    },
    async audit() {
      const payments = await auditPayments(stage.core, shop, shop.told)
      const deliveries = await endpoint.audit()
      if (deliveries.events < EVENTS_LEAST * payments.captured)
        throw new Error(`${payments.captured} payments have fired ${deliveries.events} events.`)
      return { ...payments, ...deliveries }
    },
    async histories(invoiceIds) {
      const eventIds = await endpoint.eventsOf(invoiceIds)
      const workflowIds = [...invoiceIds.map(paymentWorkflowId), ...eventIds.map((id) => webhookWorkflowId(id))]
      return stage.costs.histories(workflowIds, invoiceIds.length)
    },
  }
}

function pathWith(source: string): Operation {
  return [
    { method: 'POST', path: '/invoices', body: ORDER, keep: { invoiceId: 'invoice.id' } },
    {
      method: 'POST',
      path: '/invoices/<invoiceId>/authorize',
      body: { source, authorize_only: false },
      keep: { status: 'transaction.status' },
    },
  ]
}
