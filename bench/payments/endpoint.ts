import { setTimeout as sleep } from 'node:timers/promises'
import type { Core } from '../../src/processes/core.ts'
import type { Shutdown } from '../../src/shutdown.ts'
import { monotonicMs } from '../measure/clock.ts'
import { startReceiver } from '../stage/receiver.ts'
import type { Shop } from './shop.ts'

/** After a crash the sweep needs some seconds; where nothing goes wrong, all is there within one. */
const ARRIVAL_TIMEOUT_MS = 60_000
const POLL_MS = 100

const PATH = '/webhooks/shop'

export interface DeliveryAudit {
  events: number
  /** Webhooks that came more than once, which is allowed and should be rare. */
  duplicates: number
}

/** A server of the shop that takes every event of it, while it is wanted. */
export interface Endpoint {
  enable(): Promise<void>
  disable(): Promise<void>
  /**
   * Waits until every event that was fired while the endpoint was there has arrived.
   *
   * @returns the instant of the last arrival, by the common clock.
   * @throws Error where one has not arrived after a minute.
   */
  allArrived(): Promise<number>
  /**
   * Every event since the endpoint was there has one delivery, which is delivered, and has arrived.
   *
   * @throws Error where that is not so.
   */
  audit(): Promise<DeliveryAudit>
  /** The events of these invoices. */
  eventsOf(invoiceIds: readonly string[]): Promise<string[]>
}

/** Puts a receiver, in a process of its own, behind a shop. */
export async function openEndpoint({ orm }: Core, shop: Shop, shutdown: Shutdown): Promise<Endpoint> {
  const arrivals = new Map<string, number>()
  let lastAt = 0
  const receiver = await startReceiver({ healthy: 1, silent: 0 }, shutdown, ({ eventId, at }) => {
    arrivals.set(eventId, (arrivals.get(eventId) ?? 0) + 1)
    lastAt = Math.max(lastAt, at)
  })
  const ask = async (method: 'POST' | 'DELETE', path: string, body?: object) => {
    const request = { method, path, keep: { id: 'webhook_endpoint.id' }, ...(body === undefined ? {} : { body }) }
    const { results } = await shop.client.run({ load: { kind: 'all', concurrency: 1 }, operations: [[request]] })
    const [{ statuses, kept } = { statuses: [], kept: {} as Record<string, string> }] = results
    if (statuses[0] !== 200) throw new Error(`${method} ${path} was answered ${statuses}.`)
    return kept.id ?? ''
  }
  const read = <Row>(sql: string, values: unknown[]) => orm.em.fork().execute<Row[]>(sql, values)
  let endpointId = ''

  /** An event that nobody wants has no delivery; those fired before the endpoint was there are such. */
  const deliveries = () =>
    read<{ event_id: string; status: string }>('select event_id, status from delivery where project_id = ?', [
      shop.projectId,
    ])

  /** One row, because it is asked for while the last webhooks are sent. */
  const count = () =>
    orm.em.fork().execute<[{ open: number; all: number }]>(
      `select (count(*) filter (where status <> 'delivered'))::int as open, count(*)::int as all
       from delivery where project_id = ?`,
      [shop.projectId],
    )

  return {
    async enable() {
      endpointId = await ask('POST', '/webhook-endpoints', { url: `${receiver.healthy[0]}${PATH}` })
    },
    async disable() {
      await ask('DELETE', `/webhook-endpoints/${endpointId}`)
    },
    async allArrived() {
      const givesUpAt = monotonicMs() + ARRIVAL_TIMEOUT_MS
      for (;;) {
        const [{ open, all }] = await count()
        if (open === 0 && arrivals.size >= all) return lastAt
        if (monotonicMs() > givesUpAt) throw new Error(`${open} of ${all} events have not arrived.`)
        await sleep(POLL_MS, undefined, { signal: shutdown.signal })
      }
    },
    async audit() {
      const rows = await deliveries()
      const events = new Set(rows.map(({ event_id }) => event_id))
      const isRight =
        rows.length === events.size &&
        events.size === arrivals.size &&
        rows.every(({ status }) => status === 'delivered')
      if (!isRight)
        throw new Error(`${events.size} events have ${rows.length} deliveries, and ${arrivals.size} have arrived.`)
      return { events: events.size, duplicates: [...arrivals.values()].filter((times) => times > 1).length }
    },
    async eventsOf(invoiceIds) {
      const rows = await read<{ id: string; invoice_id: string }>(
        'select id, invoice_id from event where project_id = ? and invoice_id is not null',
        [shop.projectId],
      )
      const wanted = new Set(invoiceIds)
      return rows.filter(({ invoice_id }) => wanted.has(invoice_id)).map(({ id }) => id)
    },
  }
}
