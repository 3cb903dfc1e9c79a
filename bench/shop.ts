import { LIMIT_MAX } from '../domain/rate-limits.ts'
import { GatewayConfigurationEntity } from '../src/persistence/entities/gateway-configuration.ts'
import { createProject } from '../src/persistence/queries/projects/projects.ts'
import type { Core } from '../src/processes/core.ts'
import type { Shutdown } from '../src/shutdown.ts'
import { CARD, ORDER, type OrderState } from '../test/support/order-audit.ts'
import { type Client, type Operation, type Outcome, type Result, startClient } from './client.ts'

/** As many requests as keep two cores busy with preparing. */
const PREPARED_AT_ONCE = 8

/** A project with one account at the simulator, whose limits nobody reaches; they are asked all the same. */
export interface Project {
  projectId: string
  gatewayConfigurationId: string
  /** The header of its requests. */
  authorization: string
}

export async function makeProject(core: Core, name: string): Promise<Project> {
  const { orm, vault, randomBytes, clock } = core
  const { projectId, secretKey } = await createProject(orm.em.fork(), {
    name,
    sandbox: true,
    randomBytes,
    hashSecret: vault.hashSecret,
    now: clock.now(),
    limits: { primaryLimit: LIMIT_MAX, secondaryLimit: LIMIT_MAX, sandboxLimit: LIMIT_MAX },
  })
  const { id: gatewayConfigurationId } = await orm.em.fork().findOneOrFail(GatewayConfigurationEntity, { projectId })
  const authorization = `Basic ${Buffer.from(`test-${projectId}:${secretKey}`).toString('base64')}`
  return { projectId, gatewayConfigurationId, authorization }
}

/** What was prepared for a payment: an invoice and a card. */
export type Order = Readonly<Record<'invoiceId' | 'source', string>>

/** What a merchant's server asks for an order, and what it is to be able to tell the customer then. */
export interface Way {
  requestsOf(order: Order): Operation
  wanted: 'approved' | 'captured'
}

const call = (path: string, body: object) =>
  ({ method: 'POST', path, body, keep: { status: 'transaction.status', error: 'error_type' } }) as const
const CREATE_INVOICE = { method: 'POST', path: '/invoices', body: ORDER, keep: { invoiceId: 'invoice.id' } } as const
const CREATE_CARD = { method: 'POST', path: '/cards', body: CARD, keep: { source: 'card.id' } } as const
const authorize = ({ invoiceId, source }: Order) => call(`/invoices/${invoiceId}/authorize`, { source })
const capture = ({ invoiceId }: Order) => call(`/invoices/${invoiceId}/capture`, {})

/** The money is reserved. */
export const AUTHORIZE: Way = { requestsOf: (order) => [authorize(order)], wanted: 'approved' }

/** Of an order that is authorized. */
export const CAPTURE: Way = { requestsOf: (order) => [capture(order)], wanted: 'captured' }

/** The money is reserved, and taken as soon as that is answered. */
export const PAIR: Way = { requestsOf: (order) => [authorize(order), capture(order)], wanted: 'captured' }

/** One call that does both. */
export const SALE: Way = {
  requestsOf: ({ invoiceId, source }) => [call(`/invoices/${invoiceId}/authorize`, { source, authorize_only: false })],
  wanted: 'captured',
}

/** What the customer is told by the answers: `unknown` unless all say what is wanted. */
export function toldOf({ wanted }: Way, { statuses, kept }: Pick<Result, 'statuses' | 'kept'>): OrderState {
  const status = wanted === 'approved' ? 'authorized' : 'completed'
  return statuses.every((one) => one === 200) && kept.status === status ? wanted : 'unknown'
}

/** A merchant whose server asks from a process of its own. */
export interface Shop extends Project {
  client: Client
  /** Whatever its customers were told, by invoice. */
  told: Map<string, OrderState>
  /** Prepares orders. */
  orders(count: number): Promise<Order[]>
  /** @throws Error where an order ended otherwise than it was to: what fails at once is no throughput. */
  pay(way: Way, orders: readonly Order[], callers: number, client?: Client): Promise<Outcome>
}

export async function openShop(core: Core, baseUrls: readonly string[], shutdown: Shutdown): Promise<Shop> {
  const project = await makeProject(core, 'Shop')
  const client = await startClient({ baseUrls, authorization: project.authorization }, shutdown)
  const told = new Map<string, OrderState>()
  return {
    ...project,
    client,
    told,
    async orders(count) {
      const operations = Array.from({ length: count }, () => [CREATE_INVOICE, CREATE_CARD])
      const { results } = await client.run({ pace: { callers: PREPARED_AT_ONCE }, operations })
      return results.map(({ kept, statuses }) => {
        const { invoiceId, source } = kept
        if (invoiceId === undefined || source === undefined) throw new Error(`An order was answered ${statuses}.`)
        return { invoiceId, source }
      })
    },
    async pay(way, orders, callers, by = client) {
      const outcome = await by.run({ pace: { callers }, operations: orders.map(way.requestsOf) })
      for (const result of outcome.results) {
        const state = toldOf(way, result)
        told.set((orders[result.index] as Order).invoiceId, state)
        if (state !== way.wanted) throw new Error(`A payment was to be ${way.wanted}, and answered ${result.statuses}.`)
      }
      return outcome
    },
  }
}
