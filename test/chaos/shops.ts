import { setTimeout as sleep } from 'node:timers/promises'
import type { EventName } from '../../domain/webhook-event.ts'
import { openDatabase } from '../../src/database/open-database.ts'
import { credentialsIn } from '../journeys/launched.ts'
import { createHttpClient, type HttpClient } from '../support/http-client.ts'
import type { Service } from '../support/processes/service.ts'
import type { CommittedEvent } from './books.ts'
import type { Receivers } from './receivers.ts'
import type { StandIn } from './stand-in.ts'

/** A URL that a shop has registered, and what it may be sent. */
export interface Endpoint {
  id: string
  projectId: string
  url: string
  /** Null takes all. */
  whitelist: readonly EventName[] | null
  /** False for one that must receive nothing: disabled, deleted, or of the live environment. */
  receives: boolean
}

/** A project with its endpoints, which stay as they are for the whole run. */
export interface Shop {
  projectId: string
  gateway: 'simulator' | StandIn['gateway']
  /** The gateway itself; null for the simulator. */
  standIn: StandIn | null
  /** One for each API. */
  clients: readonly HttpClient[]
  endpoints: Endpoint[]
}

interface PlannedEndpoint {
  /** Which receiver it is at. */
  at: number
  whitelist: readonly EventName[] | null
  fate?: 'disabled' | 'deleted' | 'live'
}

/** What each shop registers. Several take the same events, so that what goes to a wrong one is seen. */
const PLANS: readonly { gateway: Shop['gateway']; endpoints: readonly PlannedEndpoint[] }[] = [
  {
    gateway: 'simulator',
    endpoints: [
      { at: 0, whitelist: null },
      { at: 1, whitelist: ['transaction.authorized', 'transaction.captured', 'transaction.failed'] },
      { at: 2, whitelist: null, fate: 'disabled' },
      { at: 0, whitelist: null, fate: 'live' },
    ],
  },
  {
    gateway: 'stripe',
    endpoints: [
      { at: 1, whitelist: ['customer.created', 'customer.updated', 'card.updated'] },
      { at: 2, whitelist: null },
      { at: 1, whitelist: ['invoice.completed', 'transaction.refunded', 'transaction.voided'] },
      { at: 0, whitelist: null, fate: 'deleted' },
    ],
  },
  {
    gateway: 'adyen',
    endpoints: [
      { at: 2, whitelist: ['transaction.captured', 'transaction.refunded', 'transaction.voided'] },
      { at: 0, whitelist: null },
    ],
  },
  // Receives only through the URLs of its invoices.
  { gateway: 'simulator', endpoints: [] },
]

/** Makes the projects of the shops, as an operator does, and registers their endpoints, as merchants do. */
export function openShops(
  service: Pick<Service, 'command' | 'databaseUrl'>,
  urls: readonly string[],
  receivers: Receivers,
  standIns: readonly StandIn[],
): Promise<Shop[]> {
  return Promise.all(
    PLANS.map(async ({ gateway, endpoints }, index) => {
      const printed = await service.command('src/admin.ts', 'projects', 'create', `Shop ${index + 1}`)
      const { username, password } = credentialsIn(printed)
      const clients = urls.map((url) => createHttpClient(url, { username, password }))
      const standIn = standIns.find((one) => one.gateway === gateway) ?? null
      const shop: Shop = {
        projectId: username.replace(/^test-/, ''),
        gateway,
        standIn,
        clients,
        endpoints: [],
      }
      if (standIn !== null) await moveTo(standIn, shop, String(urls[0]))
      for (const [number, planned] of endpoints.entries()) {
        const url = `${receivers.urls[planned.at]}/shops/${index + 1}/endpoints/${number + 1}`
        const { id, secret } = await register(service, shop, url, planned)
        receivers.secrets.set(url, secret)
        const { whitelist, fate } = planned
        shop.endpoints.push({ id, projectId: shop.projectId, url, whitelist, receives: fate === undefined })
      }
      return shop
    }),
  )
}

/** Has the shop's payments taken at a stand-in, which notifies it. */
async function moveTo(
  { gateway, title, model, controlUrl }: StandIn,
  { clients: [client] }: Shop,
  baseUrl: string,
): Promise<void> {
  if (client === undefined) throw new Error('There is no API.')
  const [simulator] = (await client.get('/gateway-configurations')).body.gateway_configurations
  await client.put(`/gateway-configurations/${simulator.id}`, { enabled: false })
  const made = await client.post(`/gateways/${gateway}/gateway-configurations`, { name: title, ...model.account })
  if (made.status !== 200) throw new Error(`The account at ${title} was refused: ${JSON.stringify(made.body)}`)
  const path = `/gateways/${gateway}/notifications/${made.body.gateway_configuration.id}`
  const urls = [new URL(path, baseUrl).href]
  const told = await fetch(new URL('/notify', controlUrl), { method: 'PUT', body: JSON.stringify({ urls }) })
  if (!told.ok) throw new Error(`The stand-in of ${title} does not notify: ${await told.text()}`)
}

async function register(
  service: Pick<Service, 'databaseUrl'>,
  { projectId, clients: [client] }: Shop,
  url: string,
  { whitelist, fate }: PlannedEndpoint,
): Promise<{ id: string; secret: string }> {
  if (client === undefined) throw new Error('There is no API.')
  const fields = { url, enabled: fate !== 'disabled', ...(whitelist !== null && { events_whitelist: whitelist }) }
  const { status, body } = await client.post('/webhook-endpoints', fields)
  if (status !== 200) throw new Error(`The endpoint ${url} was refused: ${JSON.stringify(body)}`)
  const { id, secret } = body.webhook_endpoint
  if (fate === 'deleted') await client.delete(`/webhook-endpoints/${id}`)
  if (fate === 'live') await moveToLive(service, projectId, id)
  return { id, secret }
}

/** The sandbox's keys register endpoints of the sandbox only, and live ones must be https, which no receiver here is. */
async function moveToLive(service: Pick<Service, 'databaseUrl'>, projectId: string, id: string): Promise<void> {
  const orm = await openDatabase(service.databaseUrl())
  try {
    await orm.em.transactional(async (em) => {
      await em.execute('delete from webhook_secret where endpoint_id = ?', [id])
      await em.execute('update webhook_endpoint set sandbox = false where id = ? and project_id = ?', [id, projectId])
    })
  } finally {
    await orm.close(true)
  }
}

/** As many as a merchant's server might fetch at once. */
const AT_ONCE = 8

/** Fetches every event as its merchant does who has got its id, and tells of those that cannot be had. */
export async function findUnfetchable(
  shops: readonly Shop[],
  events: readonly CommittedEvent[],
  signal: AbortSignal,
): Promise<string[]> {
  const queue = [...events]
  const faults: string[] = []
  const fetchAll = async () => {
    for (let event = queue.pop(); event !== undefined; event = queue.pop()) {
      signal.throwIfAborted()
      const { id, projectId, name } = event
      const { clients = [] } = shops.find((one) => one.projectId === projectId) ?? {}
      const answer = await fetchPatiently(clients[queue.length % clients.length], `/events/${id}`, signal)
      const isThere = answer?.status === 200 && answer.body.event.id === id && answer.body.event.name === name
      if (!isThere) faults.push(`The event ${id} cannot be fetched: ${JSON.stringify(answer?.body)}`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, fetchAll))
  return faults
}

/** After a long run a shop has more events than its limit lets pass at once. */
async function fetchPatiently(client: HttpClient | undefined, path: string, signal: AbortSignal) {
  for (;;) {
    const answer = await client?.get(path)
    if (answer?.status !== 429) return answer
    await sleep(1_000 * Number(answer.headers.get('retry-after')), undefined, { signal })
  }
}
