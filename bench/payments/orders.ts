import type { Client } from '../client/client.ts'
import type { Operation } from '../client/messages.ts'
import { CARD, ORDER } from './project.ts'

/** As many requests as keep two cores busy with preparing. */
const PREPARED_AT_ONCE = 8

/** A card, and an invoice it is to pay. */
export interface Order {
  invoiceId: string
  source: string
}

/** Makes so many orders. */
export async function makeOrders(client: Client, count: number): Promise<Order[]> {
  const operation: Operation = [
    { method: 'POST', path: '/invoices', body: ORDER, keep: { invoiceId: 'invoice.id' } },
    { method: 'POST', path: '/cards', body: CARD, keep: { source: 'card.id' } },
  ]
  const { results } = await client.run({
    load: { kind: 'all', concurrency: PREPARED_AT_ONCE },
    operations: Array.from({ length: count }, () => operation),
  })
  return results.map(({ kept: { invoiceId, source }, statuses }) => {
    if (invoiceId === undefined || source === undefined) throw new Error(`An order was answered ${statuses}.`)
    return { invoiceId, source }
  })
}
