import { beforeAll, describe, expect, test } from '@jest/globals'
import { INVOICE_STATUSES } from '../../domain/invoice-status.ts'
import { GatewayConfigurationEntity } from '../../src/persistence/entities/gateway-configuration.ts'
import { ReconciliationEntity } from '../../src/persistence/entities/reconciliation.ts'
import { ReconciliationDifferenceEntity } from '../../src/persistence/entities/reconciliation-difference.ts'
import { RuleSetEntity } from '../../src/persistence/entities/rule-set.ts'
import type { FilterField } from '../../src/persistence/queries/lists/list-conditions.ts'
import { EVENT_FILTERS, LISTS } from '../../src/persistence/queries/lists/list-definitions.ts'
import { waitFor } from '../support/wait-for.ts'
import { interfaceForFile } from './interface.ts'
import { DIFFERENCE, RECONCILIATION, rowWriter } from './listed-rows.ts'

const api = interfaceForFile()
const get = (path: string) => api.merchant.client.get(path)
const filtered = (path: string, ...filters: string[]) =>
  get(`${path}?${filters.map((filter) => `filter=${encodeURIComponent(filter)}`).join('&')}`)

type Filters = Readonly<Record<string, FilterField>>

/** Each list by its address, with the beginning of the ids of two objects of it that differ in every field. */
const LISTED: [path: string, plural: keyof typeof LISTS | 'events', prefix: string][] = [
  ['/invoices', 'invoices', 'iv_'],
  ['/transactions', 'transactions', 'tr_'],
  ['/refunds', 'refunds', 'refd_'],
  ['/transactions/tr_1/refunds', 'refunds', 'refd_'],
  ['/invoices/iv_1/refunds', 'refunds', 'refd_'],
  ['/disputes', 'disputes', 'tr_op_'],
  ['/cards', 'cards', 'card_'],
  ['/customers', 'customers', 'cust_'],
  ['/customers/cust_1/tokens', 'tokens', 'tok_'],
  ['/gateway-configurations', 'gateway_configurations', 'gway_conf_'],
  ['/events/ev_1/webhooks', 'webhooks', 'whd_'],
  ['/webhook-endpoints/whe_1/webhooks', 'webhooks', 'whd_'],
  ['/webhook-endpoints', 'webhook_endpoints', 'whe_'],
  ['/rule-sets', 'rule_sets', 'rs_'],
  ['/reconciliations', 'reconciliations', 'rec_'],
  ['/reconciliation-differences', 'reconciliation_differences', 'rec_diff_'],
  ['/events', 'events', 'ev_'],
]
const CASES = LISTED.map(([path, plural, prefix]) => {
  const filters: Filters = plural === 'events' ? EVENT_FILTERS : LISTS[plural].filters
  return { path, plural, filters, ids: [`${prefix}1`, plural === 'tokens' ? 'tok_1b' : `${prefix}2`] }
})

const EARLY = new Date('2026-11-01T00:00:00.001Z')
const LATE = new Date('2026-11-02T00:00:00.001Z')
/** What the second object that is about money has otherwise. */
const OTHER = { createdAt: LATE, currency: 'JPY', amountMinor: 3000 }

beforeAll(async () => {
  const rows = await rowWriter(api, api.merchant)
  const first = { createdAt: EARLY }
  await rows.insert(GatewayConfigurationEntity, {
    ...first,
    id: 'gway_conf_1',
    gatewayName: 'first',
    name: 'First',
    enabled: true,
  })
  await rows.insert(GatewayConfigurationEntity, {
    createdAt: LATE,
    id: 'gway_conf_2',
    gatewayName: 'second',
    name: 'Second',
    enabled: false,
  })
  for (const [n, common] of [
    [1, first],
    [2, OTHER],
  ] as const) {
    const isFirst = n === 1
    const { createdAt } = common
    await rows.card(`card_${n}`, {
      createdAt,
      name: `Holder ${n}`,
      scheme: isFirst ? 'visa' : 'mastercard',
      coScheme: isFirst ? 'carte bancaire' : 'dankort',
      type: isFirst ? 'credit' : 'debit',
      countryCode: isFirst ? 'FR' : 'DK',
      iin: `4242424${n}`,
      last4Digits: `424${n}`,
      fingerprint: `f${n}`,
    })
    await rows.customer(`cust_${n}`, {
      createdAt,
      email: `${n}@shop.example`,
      firstName: `O'Brien ${n}`,
      lastName: `Ünal ${n}`,
      referenceId: `ref${n}`,
      countryCode: isFirst ? 'FR' : 'DK',
      currency: isFirst ? 'EUR' : 'JPY',
      isBusiness: isFirst,
      registeredAt: createdAt,
    })
    await rows.token(`tok_${n}`, `cust_${n}`, {
      createdAt,
      type: 'card',
      cardId: `card_${n}`,
      isChargeable: true,
      verificationStatus: 'success',
    })
    await rows.invoice(`iv_${n}`, {
      ...common,
      name: `Order ${n}`,
      orderId: `order: ${n}`,
      referenceId: `ref${n}`,
      customerId: `cust_${n}`,
      tokenId: `tok_${n}`,
      incremental: isFirst,
      verification: isFirst,
      merchantInitiatorType: isFirst ? 'recurring' : 'one-off',
      paymentIntent: isFirst ? 'recurring' : 'installment',
      expiresAt: createdAt,
    })
    await rows.transaction(`tr_${n}`, `iv_${n}`, {
      ...common,
      name: `Order ${n}`,
      status: isFirst ? 'completed' : 'failed',
      customerId: `cust_${n}`,
      tokenId: `tok_${n}`,
      cardId: `card_${n}`,
      gatewayConfigurationId: `gway_conf_${n}`,
      gatewayName: isFirst ? 'first' : 'second',
      authorizedMinor: 2900 + n,
      capturedMinor: 100 * n,
      refundedMinor: 10 * n,
      incremental: isFirst,
      errorCode: isFirst ? 'card.declined' : 'card.no-money',
      schemeId: `scheme ${n}`,
      authorizedAt: createdAt,
      capturedAt: createdAt,
      authorizationExpiresAt: createdAt,
    })
    await rows.refund(`refd_${n}`, 'tr_1', {
      ...common,
      status: isFirst ? 'succeeded' : 'failed',
      reason: isFirst ? 'duplicate' : 'fraud',
      errorCode: isFirst ? 'card.declined' : 'card.no-money',
    })
    await rows.operation(`tr_op_${n}`, `tr_${n}`, {
      ...common,
      type: 'chargeback',
      outcome: 'succeeded',
      gatewayConfigurationId: `gway_conf_${n}`,
      chargebackReason: `reason ${n}`,
      disputeStep: isFirst ? 'chargeback-created' : 'fraud-notification',
    })
    await rows.event(`ev_${n}`, {
      name: isFirst ? 'transaction.captured' : 'transaction.failed',
      invoiceId: `iv_${n}`,
      transactionId: `tr_${n}`,
      sequence: 1,
      firedAt: createdAt,
    })
    await rows.webhookEndpoint(`whe_${n}`, {
      createdAt,
      url: `https://shop.example/webhooks?n=${n}&a:b`,
      ...(isFirst ? {} : { enabled: false, disabledReason: 'merchant', disabledAt: createdAt }),
    })
    await rows.insert(RuleSetEntity, {
      id: `rs_${n}`,
      version: n,
      text: 'block {}',
      rules: [],
      defaultCurrency: 'EUR',
      createdBy: `key_${n}`,
      createdAt,
    })
    const account = { gatewayConfigurationId: `gway_conf_${n}`, createdAt }
    await rows.insert(ReconciliationEntity, {
      ...RECONCILIATION,
      ...account,
      id: `rec_${n}`,
      ...(isFirst ? {} : { status: 'waiting', completedAt: null, nextTryAt: LATE }),
      ...(isFirst ? {} : { source: 'file', day: null, fileHash: 'f'.repeat(64) }),
    })
    await rows.insert(ReconciliationDifferenceEntity, {
      ...DIFFERENCE,
      ...account,
      id: `rec_diff_${n}`,
      reconciliationId: `rec_${n}`,
      transactionId: `tr_${n}`,
      gatewayReference: `cap_${n}`,
      ...(isFirst ? {} : { kind: 'missing-in-books', type: 'refund', status: 'resolved' }),
      ...(isFirst ? {} : { resolvedAt: LATE, resolvedBy: 'person:1', resolution: 'A fee.' }),
    })
    await rows.delivery(`whd_${n}`, 'ev_1', {
      createdAt,
      endpointId: 'whe_1',
      status: isFirst ? 'delivered' : 'failed',
      targetUrl: `https://shop.example/hooks?n=${n}&a:b`,
    })
  }
  await rows.token('tok_1b', 'cust_1', { createdAt: LATE })
  // The one that a sandbox project begins with would be a third.
  await api.database.orm.em.fork().nativeDelete(GatewayConfigurationEntity, { gatewayName: 'simulator' })
  // Transactions of other tests on the same server may hold the list of events back for a moment.
  await waitFor(async () => (await get('/events')).body.total_count === 2)
})

/** Tried below: what an object does not show under the name of the filter, and what its list has one value of. */
const APART = ['transactions.order_id', 'refunds.transaction_id']

/** Every filter of every list. */
const FILTERS = CASES.flatMap(({ filters, ...list }) =>
  Object.entries(filters)
    .map(([name, field]) => ({ ...list, name, ...field }))
    .filter(({ plural, name, kind }) => kind !== 'metadata' && !APART.includes(`${plural}.${name}`)),
)

describe('a filter', () => {
  test('of every list is tried here, but for those of the request log, which grows while it is looked at', () => {
    const tried = new Set(CASES.map(({ plural }) => plural))
    expect([...tried, 'api_requests'].toSorted()).toEqual([...Object.keys(LISTS), 'events'].toSorted())
  })

  test.each(FILTERS)('of $path by $name finds what has the value, and nothing else', async (filter) => {
    const { path, plural, name, kind, ids } = filter
    const { body } = await get(path)
    const objects = ids.map((id) => body[plural].find((object: { id: string }) => object.id === id))
    for (const [index, object] of objects.entries()) {
      const value = object[name]
      // An object without a value is found by none.
      if (value == null) continue
      const conditions =
        kind === 'instant'
          ? [`${name}>=${value}`, `${name}:<${new Date(Date.parse(value) + 1).toISOString()}`]
          : [`${name}:${value}`, ...(kind === 'amount' ? [`currency:${object.currency}`] : [])]
      const answer = await filtered(path, ...conditions)
      expect(answer).toMatchObject({ status: 200, body: { count: 1, total_count: 1, has_more: false } })
      expect(answer.body[plural]).toEqual([objects[index]])
    }
    expect(objects[0][name] ?? null).not.toBe(null)
    expect(objects[0][name]).not.toBe(objects[1][name] ?? null)
  })

  test('may be repeated, and then all must hold', async () => {
    const ids = async (...filters: string[]) =>
      (await filtered('/transactions', ...filters)).body.transactions.map(({ id }: { id: string }) => id)
    expect(await ids('status:completed', 'card_id:card_1')).toEqual(['tr_1'])
    expect(await ids('status:completed', 'card_id:card_2')).toEqual([])
    expect(await ids('created_at>=2026-11-01T00:00:00.001Z', 'created_at<2026-11-02T00:00:00.001Z')).toEqual(['tr_1'])
    expect(await ids('created_at>=2026-11-02T01:00:00.001+01:00')).toEqual(['tr_2'])
    expect(await ids('currency:eur', 'amount>=29', 'amount:<29.01')).toEqual(['tr_1'])
    expect(await ids('currency:EUR', 'currency:JPY')).toEqual([])
  })

  test.each([
    ['1', 'tr_1'],
    ['0', 'tr_2'],
  ])('by what is true or false takes %s, too', async (value, id) => {
    const { body } = await filtered('/transactions', `incremental:${value}`)
    expect(body.transactions).toEqual([expect.objectContaining({ id })])
  })

  test.each([
    ['order:1', /order_id, reference_id/],
    ['order_id', /order_id, reference_id/],
    ['order_id=1', /must be field:value/],
    ['order_id:', /must compare order_id with a text/],
    ['order_id:\0', /must compare order_id with a text/],
    ['order_id>=1', /by a colon only/],
    ['amount_minor:1', /must be field:value/],
    ['__proto__:1', /must be field:value/],
    ['constructor:1', /must be field:value/],
    ['order_id) or (true:1', /must be field:value/],
    ['amount:29.00', /add filter=currency/],
    ['created_at:2026-11-01T00:00:00Z', />= and < only/],
    ['created_at>2026-11-01T00:00:00Z', /must be field:value/],
    ['created_at>=yesterday', /date and time/],
    ['created_at>=2026-11-01', /date and time/],
    ['created_at>=2026-11-01T00:00:00', /date and time/],
    ['incremental:maybe', /true or false/],
    ['currency:XXL', /ISO 4217/],
  ])('"%s" is refused with the reason', async (filter, message) => {
    const answer = await filtered('/invoices', filter)
    expect(answer).toMatchObject({
      status: 400,
      body: {
        success: false,
        error_type: 'request.filter.invalid',
        invalid_fields: [{ name: 'filter', message: expect.stringMatching(message) }],
      },
    })
  })

  test('may come fifty times, and not once more', async () => {
    const times = (count: number) => filtered('/invoices', ...Array<string>(count).fill('currency:EUR'))
    expect(await times(50)).toMatchObject({ status: 200 })
    expect(await times(51)).toMatchObject({
      status: 400,
      body: { error_type: 'request.filter.invalid', message: expect.stringContaining('50 conditions') },
    })
  })
})

describe('a filter by what an object does not show as a field', () => {
  const INVOICES_BY_STATUS: [string, string | null, { expiresAt?: Date; expiredAt?: Date }, string][] = [
    ['untried', null, {}, 'pending'],
    ['over', null, { expiresAt: new Date('2026-11-21T08:59:59.999Z') }, 'expired'],
    ['intime', null, { expiresAt: new Date('2026-11-21T09:00:00.000Z') }, 'pending'],
    ['swept', null, { expiresAt: LATE, expiredAt: LATE }, 'expired'],
    ['failed', 'failed', {}, 'failed'],
    ['blocked', 'blocked', {}, 'failed'],
    ['failedover', 'failed', { expiresAt: EARLY }, 'expired'],
    ['waiting', 'waiting', { expiresAt: EARLY }, 'processing'],
    ['authorized', 'authorized', { expiresAt: EARLY }, 'authorized'],
    ['voided', 'voided', {}, 'canceled'],
    ['refunded', 'refunded', {}, 'refunded'],
    ['disputed', 'chargeback-initiated', {}, 'completed'],
  ]

  test('finds invoices by the status that they show', async () => {
    const shop = await api.makeMerchant({ sandbox: true })
    const rows = await rowWriter(api, shop)
    for (const [name, status, end] of INVOICES_BY_STATUS) {
      await rows.invoice(`iv_${name}`, end)
      if (status !== null) await rows.transaction(`tr_${name}`, `iv_${name}`, { status, capturedMinor: 0 })
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
  })

  test('finds transactions by the order of their invoice', async () => {
    expect((await filtered('/transactions', 'order_id:order: 1')).body).toMatchObject({
      total_count: 1,
      transactions: [{ id: 'tr_1' }],
    })
    expect((await filtered('/transactions', 'order_id:order: 1', 'status:failed')).body.transactions).toEqual([])
    expect((await filtered('/customers/cust_2/transactions', 'order_id:order: 1')).body.transactions).toEqual([])
    const stranger = await api.makeMerchant({ sandbox: true })
    const rows = await rowWriter(api, stranger)
    await rows.invoice('iv_of_stranger', { orderId: 'order: 1' })
    await rows.transaction('tr_of_stranger', 'iv_of_stranger')
    expect((await filtered('/transactions', 'order_id:order: 1')).body.total_count).toBe(1)
  })

  test('finds what has this text under a key of its metadata', async () => {
    const rows = await rowWriter(api, api.merchant)
    const metadata = { size: 'XL', 'a.b c': 'it\'s: "new"' }
    await rows.invoice('iv_tagged', { metadata })
    await rows.transaction('tr_tagged', 'iv_tagged', { metadata })
    await rows.refund('refd_tagged', 'tr_tagged', { metadata })
    for (const [path, id] of [
      ['/invoices', 'iv_tagged'],
      ['/transactions', 'tr_tagged'],
      ['/refunds', 'refd_tagged'],
    ] as const) {
      const ids = async (...filters: string[]) => {
        const { body } = await filtered(path, ...filters)
        return body[path.slice(1)].map((object: { id: string }) => object.id)
      }
      expect(await ids('metadata.size:XL')).toEqual([id])
      expect(await ids('metadata.a.b c:it\'s: "new"', 'metadata.size:XL')).toEqual([id])
      expect(await ids('metadata.size:xl')).toEqual([])
      expect(await ids('metadata.colour:XL')).toEqual([])
    }
    expect((await filtered('/refunds', 'transaction_id:tr_tagged')).body.refunds).toMatchObject([{ id: 'refd_tagged' }])
    for (const written of [
      'metadata:XL',
      'metadata.:XL',
      'metadata.size',
      'metadata.size:',
      'order_id.size:XL',
      'metadata.size>=1',
    ])
      expect(await filtered('/invoices', written)).toMatchObject({
        status: 400,
        body: { error_type: 'request.filter.invalid' },
      })
  })

  test('of disputes finds no other operation', async () => {
    const { body } = await get('/disputes?expand=transaction')
    expect(body).toMatchObject({ total_count: 2 })
    expect(body.disputes).toMatchObject([
      { id: 'tr_op_2', type: 'chargeback', step: 'fraud-notification', transaction: { id: 'tr_2' } },
      { id: 'tr_op_1', type: 'chargeback', step: 'chargeback-created', transaction: { id: 'tr_1' } },
    ])
    expect((await get('/disputes?start_after=tr_op_2')).body.disputes).toMatchObject([{ id: 'tr_op_1' }])
    const [{ operation_id: refund }] = (await get('/refunds')).body.refunds
    expect(await get(`/disputes?start_after=${refund}`)).toMatchObject({
      status: 400,
      body: { error_type: 'request.pagination.invalid' },
    })
  })
})

describe('a deleted object', () => {
  test('is in no list', async () => {
    const rows = await rowWriter(api, api.merchant)
    await rows.customer('cust_gone', { deletedAt: EARLY })
    await rows.token('tok_gone', 'cust_1', { deletedAt: EARLY })
    await rows.card('card_gone', { deletedAt: EARLY, numberCiphertext: null, numberKeyId: null })
    await rows.webhookEndpoint('whe_gone', { deletedAt: EARLY })
    for (const [path, plural] of [
      ['/customers', 'customers'],
      ['/customers/cust_1/tokens', 'tokens'],
      ['/cards', 'cards'],
      ['/webhook-endpoints', 'webhook_endpoints'],
    ] as const) {
      const { body } = await get(path)
      expect(body).toMatchObject({ count: 2, total_count: 2 })
      expect(JSON.stringify(body[plural])).not.toContain('_gone')
    }
    expect(await get('/customers/cust_gone/tokens')).toMatchObject({
      status: 404,
      body: { error_type: 'resource.customer.not-found' },
    })
  })
})
