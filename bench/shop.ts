import type { Shutdown } from '../src/shutdown.ts'
import { CARD, ORDER, type OrderState } from '../test/support/order-audit.ts'
import { type Client, type Load, type Operation, type Outcome, type Result, startClient } from './client.ts'
import { makeProject, type Project } from './project.ts'
import type { Stage } from './stage.ts'

/** As many requests as keep two cores busy with preparing. */
const PREPARED_AT_ONCE = 8

/** Where no place is left at the gateway, or its circuit is open, a payment fails for certain. */
const GATEWAY_CLOSED = 410

const CREATE_INVOICE = { method: 'POST', path: '/invoices', body: ORDER, keep: { invoiceId: 'invoice.id' } } as const
const CREATE_CARD = { method: 'POST', path: '/cards', body: CARD, keep: { source: 'card.id' } } as const

/** What was prepared for an operation: an invoice that is to be paid, a card, both or neither. */
export type Order = Readonly<Record<string, string>>

/** What a merchant's server asks for an order, and what it tells the customer by the answers, as wanted or otherwise. */
export interface Way {
  operation: string
  /** What is done ahead for each order. */
  prepare: Operation
  requestsOf(order: Order): Operation
  toldOf(result: Pick<Result, 'statuses' | 'kept'>): OrderState
  wanted: OrderState
}

/** A card is charged when the order is sent: the money is reserved. */
export const AUTHORIZE: Way = {
  operation: 'authorization',
  prepare: [CREATE_INVOICE, CREATE_CARD],
  requestsOf: ({ invoiceId, source }) => [
    {
      method: 'POST',
      path: `/invoices/${invoiceId}/authorize`,
      body: { source },
      keep: { status: 'transaction.status' },
    },
  ],
  toldOf: ({ statuses: [status], kept }) => {
    if (status === GATEWAY_CLOSED) return 'failed'
    return status === 200 && kept.status === 'authorized' ? 'approved' : 'unknown'
  },
  wanted: 'approved',
}

/** The money is reserved, and taken as soon as that is answered. */
export const AUTHORIZE_AND_CAPTURE: Way = {
  operation: 'authorization and capture',
  prepare: AUTHORIZE.prepare,
  requestsOf: (order) => [
    ...AUTHORIZE.requestsOf(order),
    {
      method: 'POST',
      path: `/invoices/${order.invoiceId}/capture`,
      body: {},
      keep: { captured: 'transaction.status' },
    },
  ],
  toldOf: (result) =>
    result.statuses[1] === 200 && result.kept.captured === 'completed' ? 'captured' : AUTHORIZE.toldOf(result),
  wanted: 'captured',
}

/** An order and its payment in one go, the money taken at once. */
export const FULL_PATH: Way = {
  operation: 'full path',
  prepare: [CREATE_CARD],
  requestsOf: ({ source }) => [
    CREATE_INVOICE,
    {
      method: 'POST',
      path: '/invoices/<invoiceId>/authorize',
      body: { source, authorize_only: false },
      keep: { captured: 'transaction.status' },
    },
  ],
  toldOf: ({ statuses, kept }) => (statuses[1] === 200 && kept.captured === 'completed' ? 'captured' : 'unknown'),
  wanted: 'captured',
}

export const INVOICE: Way = {
  operation: 'invoice',
  prepare: [],
  requestsOf: () => [CREATE_INVOICE],
  toldOf: ({ statuses: [status] }) => (status === 200 ? 'created' : 'unknown'),
  wanted: 'created',
}

/** Makes so many orders. */
async function makeOrders(client: Client, count: number, prepare = AUTHORIZE.prepare): Promise<Order[]> {
  if (prepare.length === 0) return Array.from({ length: count }, () => ({}))
  const { results } = await client.run({
    load: { kind: 'all', concurrency: PREPARED_AT_ONCE },
    operations: Array.from({ length: count }, () => prepare),
  })
  return results.map(({ kept, statuses }) => {
    if (Object.keys(kept).length !== prepare.length) throw new Error(`An order was answered ${statuses}.`)
    return kept
  })
}

/** Adds a webhook endpoint, which has a secret that everything is signed with. The answer removes it. */
export async function addEndpoint(client: Client, url: string): Promise<() => Promise<unknown>> {
  const keep = { id: 'webhook_endpoint.id' }
  const { id } = await client.ask({ method: 'POST', path: '/webhook-endpoints', body: { url }, keep })
  return () => client.ask({ method: 'DELETE', path: `/webhook-endpoints/${id}` })
}

/** How a run went: the orders it was about, and their invoices, in the order of the results. */
export interface Run extends Outcome {
  orders: Order[]
  invoiceIds: string[]
}

/** A merchant whose server asks from a process of its own. */
export interface Shop extends Project {
  client: Client
  /** Whatever its customers were told, by invoice. */
  told: Map<string, OrderState>
  /** Prepares orders ahead, up to so many. */
  stock(count: number): Promise<void>
  /** @throws Error where an order ended otherwise than it was to: what fails at once is no throughput. */
  pay(way: Way, load: Load, count: number): Promise<Run>
  /** The same at a gateway that fails now and then. */
  tryToPay(way: Way, load: Load, count: number): Promise<Run>
}

/** @param prepare that of the ways by which the shop will have its orders paid. */
export async function openShop(
  { core, baseUrls }: Pick<Stage, 'core' | 'baseUrls'>,
  shutdown: Shutdown,
  prepare = AUTHORIZE.prepare,
): Promise<Shop> {
  const project = await makeProject(core, 'Shop')
  const client = await startClient({ baseUrls, authorization: project.authorization }, shutdown)
  const told = new Map<string, OrderState>()
  const ready: Order[] = []

  async function stock(count: number): Promise<void> {
    const missing = count - ready.length
    if (missing > 0) ready.push(...(await makeOrders(client, missing, prepare)))
  }

  async function tryToPay(way: Way, load: Load, count: number): Promise<Run> {
    await stock(count)
    const offered = ready.splice(0, count)
    const outcome = await client.run({ load, operations: offered.map(way.requestsOf) })
    const orders = outcome.results.map(({ index }) => offered[index] as Order)
    const invoiceIds = outcome.results.map((result, place) => {
      const invoiceId = orders[place]?.invoiceId ?? result.kept.invoiceId
      if (invoiceId === undefined) throw new Error(`An invoice was answered ${result.statuses}.`)
      told.set(invoiceId, way.toldOf(result))
      return invoiceId
    })
    // Nobody was told anything of what was left over, so it may be ordered next time.
    ready.push(...offered.slice(outcome.results.length))
    return { ...outcome, orders, invoiceIds }
  }

  return {
    ...project,
    client,
    told,
    stock,
    tryToPay,
    async pay(way, load, count) {
      const run = await tryToPay(way, load, count)
      const failed = run.results.find((result) => way.toldOf(result) !== way.wanted)
      if (failed !== undefined) throw new Error(`A payment was to be ${way.wanted}, and answered ${failed.statuses}.`)
      return run
    },
  }
}
