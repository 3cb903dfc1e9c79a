import { beforeAll, describe, expect, test } from '@jest/globals'
import { RESOURCES } from '../../src/http/expansion/resources.ts'
import { CARD_CHANGES, CARD as CARD_FIELDS } from '../../src/http/schemas/card-input.ts'
import { CLOCK_ADVANCE } from '../../src/http/schemas/clock-input.ts'
import { INCREMENT, REFUND, VOID } from '../../src/http/schemas/command-input.ts'
import { ASSIGNED_CUSTOMER, CUSTOMER_CHANGES, NEW_CUSTOMER } from '../../src/http/schemas/customer-input.ts'
import { CONFIGURATION_CHANGES, NEW_CONFIGURATION } from '../../src/http/schemas/gateway-configuration-input.ts'
import { INVOICE as INVOICE_FIELDS } from '../../src/http/schemas/invoices/invoice-input.ts'
import { UPDATE } from '../../src/http/schemas/invoices/invoice-update.ts'
import { PAYMENT_OPTIONS } from '../../src/http/schemas/payment-options.ts'
import { RESOLUTION } from '../../src/http/schemas/resolution-input.ts'
import { EXPLANATION } from '../../src/http/schemas/rules/explanation-input.ts'
import { NEW_RULE_SET } from '../../src/http/schemas/rules/rule-input.ts'
import { SETTLEMENT_FILE } from '../../src/http/schemas/settlement-file-input.ts'
import { TOKEN } from '../../src/http/schemas/token-input.ts'
import { RECOVERY, RESEND, ROTATION } from '../../src/http/schemas/webhook-command-input.ts'
import { ENDPOINT_CHANGES, NEW_ENDPOINT } from '../../src/http/schemas/webhook-endpoint-input.ts'
import { createHttpClient, type HttpClient } from '../support/http-client.ts'
import { INVOICE } from './endpoints.ts'
import { interfaceForFile } from './interface.ts'
import { addressOf, OPERATIONS } from './operations.ts'
import { apiRoutes, takesFields } from './routes.ts'
import { type Kind, makeWorlds, unknownId, type World, type Worlds } from './worlds.ts'

const api = interfaceForFile()
let worlds: Worlds
let client: HttpClient

beforeAll(async () => {
  api.payments.play(() => ({ kind: 'refused', code: 'request.source.invalid', message: 'No.' }))
  worlds = await makeWorlds(api.database)
  client = clientOf(worlds.mine)
})

const clientOf = ({ projectId, secretKey }: World): HttpClient =>
  createHttpClient(api.url, { username: projectId, password: secretKey })

const STRANGERS = {
  'another project': () => worlds.other,
  'the live environment': () => worlds.mineLive,
  'another project, live': () => worlds.otherLive,
} as const

const WHOSE = Object.keys(STRANGERS) as (keyof typeof STRANGERS)[]

/** What an answer tells, with the id that was asked for taken out of its words. */
async function toldOf(answer: ReturnType<HttpClient['get']>, id: string): Promise<string> {
  const { status, headers, body } = await answer
  const { request_id: _, ...told } = body
  const kept = ['retry-after', 'idempotent-replayed', 'content-type', 'allow'].map((name) => headers.get(name))
  return JSON.stringify([status, kept, told]).replaceAll(id, '<the id>')
}

const newInvoice = async (fields: object = {}): Promise<string> => {
  const { body } = await client.post('/invoices', { ...INVOICE, ...fields })
  return `/invoices/${body.invoice.id}`
}
const ofCustomer = () => ({ customer_id: worlds.mine.id('customer') })
const tokens = () => `/customers/${worlds.mine.id('customer')}/tokens`

/** Where the object is to be a new one, so that it can be changed. */
const NEW_OBJECTS: Readonly<Record<string, () => Promise<string>>> = {
  'PUT /invoices/:id': () => newInvoice(ofCustomer()),
  'POST /invoices/:id/customers': async () => `${await newInvoice()}/customers`,
  'PUT /customers/:id/tokens/:token_id': async () => `${tokens()}/${(await client.post(tokens(), {})).body.token.id}`,
}

/** What else the body needs, so that a request with an own id would be carried out. */
const NEEDED: Readonly<Record<string, () => object>> = {
  'POST /invoices': () => ({ ...INVOICE, ...ofCustomer() }),
  'POST /invoices/:id/authorize': () => ({ source: 'card_1' }),
  'POST /invoices/:id/three-d-s': () => ({ source: 'card_1' }),
  'POST /invoices/:id/capture': () => ({ source: 'card_1' }),
}
const VERIFICATION = { verify: true }
const PAYMENT = { amount: '29.00', currency: 'EUR' }

/** Every field of a body that takes the id of an object. */
const FIELDS: readonly [operation: string, field: string, kind: Kind, beside?: object][] = [
  ['POST /invoices', 'customer_id', 'customer'],
  ['POST /invoices', 'token_id', 'token'],
  ['PUT /invoices/:id', 'customer_id', 'customer'],
  ['PUT /invoices/:id', 'token_id', 'token'],
  ['POST /invoices/:id/customers', 'customer_id', 'customer'],
  ['PUT /customers/:id', 'default_token_id', 'token'],
  ['POST /customers/:id/tokens', 'source', 'card'],
  ['POST /customers/:id/tokens', 'gateway_configuration_id', 'gatewayConfiguration'],
  ['POST /customers/:id/tokens', 'invoice_id', 'invoice', VERIFICATION],
  ['PUT /customers/:id/tokens/:token_id', 'source', 'card'],
  ['PUT /customers/:id/tokens/:token_id', 'gateway_configuration_id', 'gatewayConfiguration'],
  ['PUT /customers/:id/tokens/:token_id', 'invoice_id', 'invoice', VERIFICATION],
  ['POST /invoices/:id/authorize', 'invoice_detail_ids', 'invoiceDetail'],
  ['POST /invoices/:id/three-d-s', 'invoice_detail_ids', 'invoiceDetail'],
  ['POST /invoices/:id/capture', 'invoice_detail_ids', 'invoiceDetail'],
  ['POST /invoices/:id/refunds', 'invoice_detail_ids', 'invoiceDetail'],
  ['POST /transactions/:id/refunds', 'invoice_detail_ids', 'invoiceDetail'],
  ['POST /events/:id/resend', 'endpoint_id', 'webhookEndpoint'],
  ['POST /routing-rules/explain', 'invoice_id', 'invoice'],
  ['POST /routing-rules/explain', 'source', 'card', { payment: PAYMENT }],
  ['POST /routing-rules/explain', 'payment.customer_id', 'customer', { payment: PAYMENT }],
]

/** Sends a request with an id in some place of it, on objects of its own. */
async function ask([operation, field, kind, beside = {}]: (typeof FIELDS)[number], id: string): Promise<string> {
  const [method = ''] = operation.split(' ')
  const isPayment = /\/invoices\/:id\/(authorize|three-d-s|capture)$/.test(operation)
  let address = (await NEW_OBJECTS[operation]?.()) ?? addressOf(operation, worlds.mine)
  let wanted = id
  if (isPayment) {
    // A new invoice with one line, whose id stands for that of the world's own line.
    const { body } = await client.post('/invoices', { ...INVOICE, details: [{ name: 'Shoes', amount: '29.00' }] })
    address = address.replace(worlds.mine.id('invoice'), body.invoice.id)
    if (id === worlds.mine.id(kind)) wanted = body.invoice.details[0].id
  }
  const value = field.endsWith('_ids') ? [wanted] : wanted
  const body = { ...NEEDED[operation]?.(), ...beside, [field]: value }
  return toldOf(client[method === 'PUT' ? 'put' : 'post'](address, body), wanted)
}

/** Fields that look as if, and the reason why nothing is looked up by them. */
const NO_REFERENCES: Readonly<Record<string, string>> = {
  order_id: 'the merchant’s own number',
  reference_id: 'the merchant’s own number',
  'device.id': 'of a device of the customer',
  submerchant_id: 'known and without effect',
  provision_network_token: 'a flag',
  subscription_id: 'kept as it is; there are no subscriptions',
  initial_scheme_transaction_id: 'a number of the card network',
  save_source: 'a flag',
  id: 'of the object itself, sent back by client libraries and without effect',
  'details.id': 'of the line itself, sent back by client libraries and without effect',
  transaction_link_id: 'refused',
  'external_three_d_s.xid': 'of an authentication made elsewhere',
  'external_three_d_s.ds_trans_id': 'of an authentication made elsewhere',
  payment_token: 'of a wallet, refused',
}

/** Resolved where the payment is carried out, not by the interface; test/journeys/foreign-sources.test.ts asks for them. */
const BY_THE_PAYMENT = ['authorize', 'capture', 'three-d-s'].map((verb) => `POST /invoices/:id/${verb} source`)

const KNOWN_FIELDS: Readonly<Record<string, { names: readonly string[] }>> = {
  'POST /cards': CARD_FIELDS,
  'PUT /cards/:id': CARD_CHANGES,
  'POST /customers': NEW_CUSTOMER,
  'PUT /customers/:id': CUSTOMER_CHANGES,
  'POST /customers/:id/tokens': TOKEN,
  'PUT /customers/:id/tokens/:token_id': TOKEN,
  'POST /invoices': INVOICE_FIELDS,
  'PUT /invoices/:id': UPDATE,
  'POST /invoices/:id/customers': ASSIGNED_CUSTOMER,
  'POST /invoices/:id/authorize': PAYMENT_OPTIONS,
  'POST /invoices/:id/capture': PAYMENT_OPTIONS,
  'POST /invoices/:id/three-d-s': PAYMENT_OPTIONS,
  'POST /invoices/:id/increment_authorization': INCREMENT,
  'POST /invoices/:id/void': VOID,
  'POST /invoices/:id/clock/advance': CLOCK_ADVANCE,
  'POST /invoices/:id/refunds': REFUND,
  'POST /transactions/:id/refunds': REFUND,
  'POST /events/:id/resend': RESEND,
  'POST /gateways/:name/gateway-configurations': NEW_CONFIGURATION,
  'PUT /gateway-configurations/:id': CONFIGURATION_CHANGES,
  'POST /routing-rules': NEW_RULE_SET,
  'POST /routing-rules/explain': EXPLANATION,
  'POST /gateway-configurations/:id/settlement-files': SETTLEMENT_FILE,
  'POST /reconciliation-differences/:id/resolve': RESOLUTION,
  'POST /webhook-endpoints': NEW_ENDPOINT,
  'PUT /webhook-endpoints/:id': ENDPOINT_CHANGES,
  'POST /webhook-endpoints/:id/rotate-secret': ROTATION,
  'POST /webhook-endpoints/:id/recover': RECOVERY,
}

describe('a field that takes an id', () => {
  test('is in the table, of whatever operation', () => {
    const taking = apiRoutes().filter(takesFields)
    expect(Object.keys(KNOWN_FIELDS).toSorted()).toEqual(
      taking.map(({ method, path }) => `${method} ${path}`).toSorted(),
    )
    const found = Object.entries(KNOWN_FIELDS).flatMap(([operation, { names }]) =>
      names
        .filter((name) => /(?:^|[_.])(?:ids?|source|token|key)$/.test(name) && !Object.hasOwn(NO_REFERENCES, name))
        .map((name) => `${operation} ${name}`),
    )
    const tried = [...FIELDS.map(([operation, field]) => `${operation} ${field}`), ...BY_THE_PAYMENT]
    expect(found.toSorted()).toEqual(tried.toSorted())
  })

  test.each(FIELDS)('%s %s: one of somebody else is as unknown as one that nobody has', async (...row) => {
    const [, field, kind] = row
    const nobodys = await ask(row, unknownId(kind))
    expect(nobodys).toMatch(/^\[40[04],/)
    expect(nobodys).toContain(field)
    for (const whose of WHOSE) expect([whose, await ask(row, STRANGERS[whose]().id(kind))]).toEqual([whose, nobodys])
    // Or the field would refuse everything.
    const own = await ask(row, worlds.mine.id(kind))
    expect(own).not.toBe(nobodys)
  })
})

const LISTS = Object.keys(OPERATIONS).filter(
  (name) =>
    /^GET \/([a-z-]+)(\/:id\/[a-z-]+)?$/.test(name) &&
    !['GET /invoices/:id/customers', 'GET /routing-rules'].includes(name),
)

/** What a list is of. */
const LISTED: Readonly<Record<string, Kind>> = {
  cards: 'card',
  customers: 'customer',
  tokens: 'token',
  invoices: 'invoice',
  transactions: 'transaction',
  refunds: 'refund',
  disputes: 'operation',
  events: 'event',
  webhooks: 'delivery',
  'webhook-endpoints': 'webhookEndpoint',
  'gateway-configurations': 'gatewayConfiguration',
  reconciliations: 'reconciliation',
  'reconciliation-differences': 'reconciliationDifference',
  'rule-sets': 'ruleSet',
  'api-requests': 'apiRequest',
}

describe('a cursor', () => {
  test.each(LISTS)('of somebody else is no cursor of %s', async (name) => {
    const kind = LISTED[name.split('/').at(-1) ?? ''] as Kind
    const address = addressOf(name, worlds.mine)
    for (const side of ['start_after', 'end_before']) {
      const ask = (id: string) => toldOf(client.get(`${address}?${side}=${id}`), id)
      const nobodys = await ask(unknownId(kind))
      expect(nobodys).toMatch(/^\[400,.*request\.pagination\.invalid/)
      for (const whose of WHOSE) expect([whose, await ask(STRANGERS[whose]().id(kind))]).toEqual([whose, nobodys])
      expect((await client.get(`${address}?${side}=${worlds.mine.id(kind)}`)).status).toBe(200)
    }
  })
})

describe('a filter', () => {
  const FILTERS: [list: string, field: string, kind: Kind][] = [
    ['/invoices', 'customer_id', 'customer'],
    ['/invoices', 'token_id', 'token'],
    ['/transactions', 'invoice_id', 'invoice'],
    ['/transactions', 'customer_id', 'customer'],
    ['/transactions', 'token_id', 'token'],
    ['/transactions', 'card_id', 'card'],
    ['/transactions', 'gateway_configuration_id', 'gatewayConfiguration'],
    ['/reconciliations', 'gateway_configuration_id', 'gatewayConfiguration'],
    ['/reconciliation-differences', 'reconciliation_id', 'reconciliation'],
    ['/reconciliation-differences', 'transaction_id', 'transaction'],
    ['/events', 'invoice_id', 'invoice'],
    ['/events', 'transaction_id', 'transaction'],
  ]

  test.each(FILTERS)(
    '%s by a %s of somebody else finds nothing, as by one that nobody has',
    async (list, field, kind) => {
      const ask = (id: string) => toldOf(client.get(`${list}?filter=${field}:${id}`), id)
      const nobodys = await ask(unknownId(kind))
      expect(nobodys).toContain('"total_count":0')
      for (const whose of WHOSE) expect([whose, await ask(STRANGERS[whose]().id(kind))]).toEqual([whose, nobodys])
      const { body } = await client.get(`${list}?filter=${field}:${worlds.mine.id(kind)}`)
      expect(body.total_count).toBeGreaterThan(0)
    },
  )
})

describe('an expansion', () => {
  /** Where an object of each kind that has relations is read. */
  const ADDRESSES: Readonly<Record<string, () => string>> = {
    invoice: () => `/invoices/${worlds.mine.id('invoice')}`,
    transaction: () => `/transactions/${worlds.mine.id('transaction')}`,
    refund: () => `/transactions/${worlds.mine.id('transaction')}/refunds/${worlds.mine.id('refund')}`,
    customer: () => `/customers/${worlds.mine.id('customer')}`,
    token: () => `${tokens()}/${worlds.mine.id('token')}`,
    card: () => `/cards/${worlds.mine.id('card')}`,
    reconciliation: () => `/reconciliations/${worlds.mine.id('reconciliation')}`,
    reconciliation_difference: () => `/reconciliation-differences/${worlds.mine.id('reconciliationDifference')}`,
    event: () => `/events/${worlds.mine.id('event')}`,
    webhook: () => `/events/${worlds.mine.id('event')}/webhooks`,
  }
  /** Reached from the objects above only. */
  const INNER = ['operation', 'webhook_attempt', 'dispute']

  const relationsOf = (name: string): string[] => Object.keys(RESOURCES[name as keyof typeof RESOURCES].relations)
  const expandable = Object.keys(RESOURCES).filter((name) => relationsOf(name).length > 0 && !INNER.includes(name))

  test('is tried of every kind of object', () => {
    expect(Object.keys(ADDRESSES).toSorted()).toEqual(expandable.toSorted())
  })

  test.each(expandable)('of %s shows what is of its own project and environment', async (name) => {
    for (const relation of relationsOf(name)) {
      const { status, body } = await client.get(`${ADDRESSES[name]?.()}?expand=${relation}`)
      const text = JSON.stringify(body)
      expect([relation, status]).toEqual([relation, 200])
      for (const whose of WHOSE) expect(text).not.toContain(`_${STRANGERS[whose]().name}"`)
    }
  })
})
