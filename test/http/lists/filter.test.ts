import { beforeAll, describe, expect, test } from '@jest/globals'
import { INVOICE_STATUSES } from '../../../domain/invoice-status.ts'
import type { TransactionStatus } from '../../../domain/transaction.ts'
import { ENDPOINTS } from '../../../src/api/endpoints.ts'
import { readFilters } from '../../../src/http/lists/filter.ts'
import { EVENT_FILTERS, LISTS } from '../../../src/http/lists/list-definitions.ts'
import { ApiKeyEntity } from '../../../src/persistence/entities/api-key.ts'
import { TransactionEntity } from '../../../src/persistence/entities/transaction.ts'
import type { FilterField } from '../../../src/persistence/queries/lists/list-conditions.ts'
import { createVault } from '../../../src/vault/vault.ts'
import { expectRefused, NOW, NUL, queried, refusalOf } from '../../api/refusals.ts'
import { insertRows } from '../../persistence/insert-rows.ts'
import { makeRows } from '../../persistence/rows.ts'
import { createHttpClient, type HttpClient } from '../../support/http-client.ts'
import { TEST_KEYS } from '../../support/keys.ts'
import { waitFor } from '../../support/wait-for.ts'
import { interfaceForFile } from '../interface.ts'
import { rowWriter } from '../row-writer.ts'

type Filters = Readonly<Record<string, FilterField>>

const query = (...filters: string[]) => filters.map((filter) => `filter=${encodeURIComponent(filter)}`).join('&')

describe('a filter is refused', () => {
  const read = (...filters: string[]) => readFilters(queried(query(...filters)), LISTS.invoices.filters, NOW)

  test.each([
    ['order:1', /order_id, reference_id/],
    ['order_id', /order_id, reference_id/],
    ['order_id=1', /must be field:value/],
    ['order_id:', /must compare order_id with a text/],
    [`order_id:${NUL}`, /must compare order_id with a text/],
    ['order_id>=1', /by a colon only/],
    ['amount_minor:1', /must be field:value/],
    ['__proto__:1', /must be field:value/],
    ['constructor:1', /must be field:value/],
    ['order_id) or (true:1', /must be field:value/],
    ['amount:29.00', /add filter=currency/],
    ['created_at:2026-11-01T00:00:00Z', />= and < only/],
    ['created_at>2026-11-01T00:00:00Z', /must be field:value/],
    [
      'created_at>=yesterday',
      /must compare created_at with a date or an instant, such as [^;]*; it came as "yesterday"\.$/,
    ],
    ['created_at>=2026-02-30', /a date or an instant/],
    ['created_at>=0000-01-01', /a date or an instant/],
    ['created_at>=2026-11-01T00:00:00', /a date or an instant/],
    ['created_at>=2026-11-01T00:00:00 01:00', /a \+ is written %2B/],
    ['incremental:maybe', /true or false/],
    ['currency:XXL', /ISO 4217/],
    ['metadata:XL', /must be field:value/],
    ['metadata.:XL', /must be field:value/],
    ['metadata.size', /must be field:value/],
    ['metadata.size:', /must compare metadata.size with a text/],
    ['order_id.size:XL', /must be field:value/],
    ['metadata.size>=1', /by a colon only/],
  ])('as "%s", with the reason', (filter, message) => {
    expectRefused(() => read(filter), 'filter', 'request.filter.invalid')
    expect(refusalOf(() => read(filter)).message).toMatch(message)
  })

  test('where it comes more than fifty times', () => {
    const times = (count: number) => () => read(...Array<string>(count).fill('currency:EUR'))
    expect(times(50)()).toHaveLength(50)
    expect(refusalOf(times(51)).message).toContain('50 conditions')
  })
})

const api = interfaceForFile()
const SECRET_KEY = `key_sandbox_${'f'.repeat(32)}`
const at = (seconds: number) => new Date(Date.parse('2026-11-01T00:00:00.001Z') + seconds * 1_000)

/** One object of each list, whose columns have different values, so that no filter compares another column. */
const rows = makeRows('filters')
Object.assign(rows.invoice, { amountMinor: 6_000, orderId: 'order: 1', createdAt: at(1), expiresAt: at(2) })
Object.assign(rows.transaction, { amountMinor: 5_000, authorizedMinor: 4_500, capturedMinor: 2_900, refundedMinor: 50 })
Object.assign(rows.transaction, {
  createdAt: at(3),
  authorizedAt: at(4),
  capturedAt: at(5),
  authorizationExpiresAt: at(6),
})
Object.assign(rows.customer, { firstName: "O'Brien", lastName: 'Ünal', createdAt: at(7), registeredAt: at(8) })
for (const row of [rows.token, rows.webhookEndpoint]) row.deletedAt = null
// Another value than that of the environment.
rows.apiRequest.hasIdempotencyKey = false
Object.assign(rows.result, { type: 'chargeback', outcome: 'succeeded', hasFailed: false })

const ADDRESSES: Readonly<Record<string, string>> = {
  tokens: `/customers/${rows.customer.id}/tokens`,
  webhooks: `/events/${rows.event.id}/webhooks`,
}
let client: HttpClient
const get = (path: string) => client.get(path)
const filtered = (path: string, ...filters: string[]) => get(`${path}?${query(...filters)}`)

beforeAll(async () => {
  const em = api.database.orm.em.fork()
  await insertRows(em, rows)
  const secretHash = createVault(TEST_KEYS).hashSecret(SECRET_KEY)
  const key = { id: 'key_filters2', projectId: rows.project.id, sandbox: true, createdAt: NOW, secretHash }
  await em.insert(ApiKeyEntity, { ...key, permissions: ['read'] })
  client = createHttpClient(api.url, { username: rows.project.id, password: SECRET_KEY })
  // Transactions of other tests on the same server may hold the list of events back for a moment.
  await waitFor(async () => (await get('/events')).body.total_count === 1)
})

/** Every filter of every list, but for metadata, and for what its object shows under another name. */
const FILTERS = [...Object.entries({ ...LISTS, events: { filters: EVENT_FILTERS } })].flatMap(
  ([plural, { filters }]) => {
    const path = ADDRESSES[plural] ?? `/${plural.replaceAll('_', '-')}`
    return Object.entries(filters as Filters)
      .map(([name, field]) => ({ path, plural, name, ...field }))
      .filter(({ kind, name }) => kind !== 'metadata' && `${plural}.${name}` !== 'transactions.order_id')
  },
)

const first = new Map<string, Record<string, unknown>>()
async function firstOf(path: string, plural: string): Promise<Record<string, unknown>> {
  const object = first.get(path) ?? (await get(`${path}?order=asc&limit=1`)).body[plural][0]
  first.set(path, object)
  return object
}

/** Conditions that hold for an object with this value, and those that do not. */
function conditions({ name, kind, words = [] }: (typeof FILTERS)[number], object: Record<string, unknown>) {
  const { [name]: value, currency } = object
  const equals = (other: unknown) => [`${name}:${other}`]
  switch (kind) {
    case 'instant': {
      const next = new Date(Date.parse(String(value)) + 1).toISOString()
      return { holding: [`${name}>=${value}`, `${name}:<${next}`], others: [`${name}>=${next}`] }
    }
    case 'amount':
      return {
        holding: [`${name}:${value}`, `currency:${currency}`],
        others: [`${name}:77.77`, `currency:${currency}`],
      }
    case 'boolean':
      return { holding: equals(value), others: equals(!value) }
    case 'word':
      return { holding: equals(value), others: equals(words.find((word) => word !== value)) }
    case 'currency':
      return { holding: equals(value), others: equals('JPY') }
    case 'integer':
      return { holding: equals(value), others: equals(Number(value) + 1) }
    default:
      return { holding: equals(value), others: equals(`${value}x`) }
  }
}

describe('a filter', () => {
  test.each(FILTERS)('of $path by $name finds what has the value, and nothing that has another', async (filter) => {
    const { path, plural, name } = filter
    const object = await firstOf(path, plural)
    expect(object[name] ?? null).not.toBeNull()
    const { holding, others } = conditions(filter, object)
    expect((await filtered(path, ...holding)).body[plural]).toContainEqual(object)
    expect((await filtered(path, ...others)).body[plural]).not.toContainEqual(object)
  })

  test('of every list of one object is that of the list', () => {
    const filters = ENDPOINTS.map((endpoint) => endpoint.filters)
    expect(Object.entries(LISTS).filter(([, list]) => !filters.includes(list.filters))).toEqual([])
  })

  test('may be repeated, and then all must hold', async () => {
    const count = async (...filters: string[]) => (await filtered('/transactions', ...filters)).body.total_count
    expect(await count('status:completed', `card_id:${rows.card.id}`)).toBe(1)
    expect(await count('status:completed', 'card_id:card_2')).toBe(0)
    expect(await count('created_at>=2026-11-01')).toBe(await count('created_at>=2026-11-01T00:00:00Z'))
    expect(await count('created_at<2026-11-01')).toBe(0)
    expect(await count('created_at>=2026-11-01T01:00:03.001+01:00', 'created_at<2026-11-01T00:00:03.002Z')).toBe(1)
    expect(await count('currency:eur', 'amount>=50', 'amount:<50.01')).toBe(1)
    expect(await count('currency:EUR', 'currency:JPY')).toBe(0)
    expect([await count('incremental:1'), await count('incremental:0')]).toEqual([1, 0])
  })
})

describe('a filter by what an object does not show as a field', () => {
  const INVOICES_BY_STATUS: [string, TransactionStatus | null, { expiresAt?: Date; expiredAt?: Date }, string][] = [
    ['untried', null, {}, 'pending'],
    ['over', null, { expiresAt: new Date('2026-11-21T08:59:59.999Z') }, 'expired'],
    ['intime', null, { expiresAt: new Date('2026-11-21T09:00:00.000Z') }, 'pending'],
    ['swept', null, { expiresAt: at(0), expiredAt: at(0) }, 'expired'],
    ['failed', 'failed', {}, 'failed'],
    ['blocked', 'blocked', {}, 'failed'],
    ['failedover', 'failed', { expiresAt: at(0) }, 'expired'],
    ['waiting', 'waiting', { expiresAt: at(0) }, 'processing'],
    ['authorized', 'authorized', { expiresAt: at(0) }, 'authorized'],
    ['voided', 'voided', {}, 'canceled'],
    ['refunded', 'refunded', {}, 'refunded'],
    ['disputed', 'chargeback-initiated', {}, 'completed'],
  ]

  test('finds invoices by the status that they show', async () => {
    const shop = await api.makeMerchant({ sandbox: true })
    const writer = await rowWriter(api, shop)
    for (const [name, status, end] of INVOICES_BY_STATUS) {
      await writer.invoice(`iv_${name}`, end)
      if (status === null) continue
      await writer.transaction(`tr_${name}`, `iv_${name}`, { status: 'waiting', capturedMinor: 0 })
      if (status !== 'waiting')
        await api.database.orm.em.fork().nativeUpdate(TransactionEntity, { id: `tr_${name}` }, { status })
    }
    const all = (await shop.client.get('/invoices?limit=100')).body.invoices as { id: string; status: string }[]
    expect(Object.fromEntries(all.map(({ id, status }) => [id, status]))).toEqual(
      Object.fromEntries(INVOICES_BY_STATUS.map(([name, , , status]) => [`iv_${name}`, status])),
    )
    for (const status of INVOICE_STATUSES) {
      const { body } = await shop.client.get(`/invoices?limit=100&filter=status:${status}`)
      const expected = all.filter((invoice) => invoice.status === status)
      expect([status, body.invoices, body.total_count]).toEqual([status, expected, expected.length])
      expect(expected.length).toBeGreaterThan(0)
    }
    for (const both of ['status:completed&filter=status:canceled', 'status:expired&filter=status:failed'])
      expect((await shop.client.get(`/invoices?filter=${both}`)).body.invoices).toEqual([])
  })

  test('finds transactions by the order of their invoice', async () => {
    const count = async (path: string, ...more: string[]) =>
      (await filtered(path, 'order_id:order: 1', ...more)).body.total_count
    const stranger = await api.makeMerchant({ sandbox: true })
    const strangers = await rowWriter(api, stranger)
    await strangers.invoice('iv_of_stranger', { orderId: 'order: 1' })
    await strangers.transaction('tr_of_stranger', 'iv_of_stranger')
    expect(await count('/transactions')).toBe(1)
    expect(await count('/transactions', 'status:failed')).toBe(0)
    expect((await filtered('/transactions', 'order_id:order: 2')).body.total_count).toBe(0)
  })

  test('finds what has this text under a key of its metadata', async () => {
    const shop = await api.makeMerchant({ sandbox: true })
    const tagged = await rowWriter(api, shop)
    const metadata = { size: 'XL', 'a.b c': 'it\'s: "new"' }
    await tagged.invoice('iv_tagged', { metadata })
    await tagged.transaction('tr_tagged', 'iv_tagged', { metadata })
    await tagged.refund('refd_tagged', 'tr_tagged', { metadata })
    for (const path of ['/invoices', '/transactions', '/refunds']) {
      const count = async (...filters: string[]) =>
        (await shop.client.get(`${path}?${query(...filters)}`)).body.total_count
      expect([path, await count('metadata.size:XL')]).toEqual([path, 1])
      expect(await count('metadata.a.b c:it\'s: "new"', 'metadata.size:XL')).toBe(1)
      expect([await count('metadata.size:xl'), await count('metadata.colour:XL')]).toEqual([0, 0])
    }
  })

  test('of disputes finds no other operation', async () => {
    const { body } = await get('/disputes?expand=transaction')
    expect(body).toMatchObject({ total_count: 1 })
    const { id, step } = { id: rows.result.id, step: 'fraud-notification' }
    expect(body.disputes).toMatchObject([{ id, type: 'chargeback', step, transaction: { id: rows.transaction.id } }])
    expect((await get(`/disputes?start_after=${id}`)).body.disputes).toEqual([])
    expect(await get(`/disputes?start_after=${rows.attempt.id}`)).toMatchObject({
      status: 400,
      body: { error_type: 'request.pagination.invalid' },
    })
  })
})

test('a deleted object is in no list', async () => {
  const shop = await api.makeMerchant({ sandbox: true })
  const writer = await rowWriter(api, shop)
  const gone = { deletedAt: at(0) }
  await writer.customer('cust_here')
  await writer.customer('cust_gone', gone)
  await writer.token('tok_gone', 'cust_here', gone)
  await writer.card('card_gone', { ...gone, numberCiphertext: null, numberKeyId: null })
  await writer.webhookEndpoint('whe_gone', gone)
  for (const path of ['/customers', '/customers/cust_here/tokens', '/cards', '/webhook-endpoints'])
    expect(JSON.stringify((await shop.client.get(path)).body)).not.toContain('_gone')
  expect(await shop.client.get('/customers/cust_gone/tokens')).toMatchObject({
    status: 404,
    body: { error_type: 'resource.customer.not-found' },
  })
})
