import type { EventName } from '../../domain/webhook-event.ts'
import { openDatabase } from '../../src/persistence/open-database.ts'
import { createHttpClient, type HttpClient } from '../../test/support/http-client.ts'
import type { Machine } from './machine.ts'

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
const PLANS: readonly (readonly PlannedEndpoint[])[] = [
  [
    { at: 0, whitelist: null },
    { at: 1, whitelist: ['transaction.authorized', 'transaction.captured', 'transaction.failed'] },
    { at: 2, whitelist: null, fate: 'disabled' },
    { at: 0, whitelist: null, fate: 'live' },
  ],
  [
    { at: 1, whitelist: ['customer.created', 'customer.updated', 'card.updated'] },
    { at: 2, whitelist: null },
    { at: 1, whitelist: ['invoice.completed', 'transaction.refunded', 'transaction.voided'] },
    { at: 0, whitelist: null, fate: 'deleted' },
  ],
  // Receives only through the URLs of its invoices.
  [],
]

type Account = Omit<Shop, 'endpoints'>

/** Makes the projects of the shops, as an operator does. */
export function openAccounts(machine: Machine): Promise<Account[]> {
  return Promise.all(PLANS.map((_, index) => openAccount(machine, `Shop ${index + 1}`)))
}

async function openAccount(machine: Machine, name: string): Promise<Account> {
  const printed = await machine.command('scripts/admin.ts', 'projects', 'create', name)
  const [, username = '', password = ''] = /^project id {2}(\S+)\nsecret key {2}(\S+)$/m.exec(printed) ?? []
  const clients = machine.apis.map((url) => createHttpClient(url, { username, password }))
  return { projectId: username.replace(/^test-/, ''), clients }
}

/** Registers the endpoints of the shops, as merchants do; gives the secret of each path. */
export async function registerEndpoints(
  machine: Machine,
  accounts: readonly Account[],
): Promise<{ shops: Shop[]; secrets: Record<string, string> }> {
  const secrets: Record<string, string> = {}
  const shops: Shop[] = accounts.map((account) => ({ ...account, endpoints: [] }))
  for (const [index, shop] of shops.entries()) {
    for (const [number, planned] of (PLANS[index] ?? []).entries()) {
      const path = `/shops/${index + 1}/endpoints/${number + 1}`
      const url = `${machine.receivers[planned.at]?.url}${path}`
      const { id, secret } = await register(machine, shop, url, planned)
      secrets[path] = secret
      const { whitelist, fate } = planned
      shop.endpoints.push({ id, projectId: shop.projectId, url, whitelist, receives: fate === undefined })
    }
  }
  return { shops, secrets }
}

async function register(
  machine: Machine,
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
  if (fate === 'live') await moveToLive(machine, projectId, id)
  return { id, secret }
}

/** The sandbox's keys register endpoints of the sandbox only, and live ones must be https, which no receiver here is. */
async function moveToLive(machine: Machine, projectId: string, id: string): Promise<void> {
  const orm = await openDatabase(machine.databaseUrl())
  try {
    await orm.em.transactional(async (em) => {
      await em.execute('delete from webhook_secret where endpoint_id = ?', [id])
      await em.execute('update webhook_endpoint set sandbox = false where id = ? and project_id = ?', [id, projectId])
    })
  } finally {
    await orm.close(true)
  }
}
