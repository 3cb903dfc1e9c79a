import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { PREFIXES } from '../../domain/identifiers.ts'
import { ENDPOINTS } from '../../src/api/endpoints.ts'
import { RESOURCES, type ResourceName } from '../../src/http/expansion/resources.ts'
import { createHttpClient, type HttpClient } from '../support/http-client.ts'
import { clientOf } from './clients/client-fixture.ts'
import {
  type FilledProject,
  type FilledProjects,
  makeFilledProjects,
  OBJECT_KINDS,
  type ObjectKind,
  unknownId,
} from './filled-projects.ts'
import { interfaceForFile } from './interface.ts'
import { addressOf, INVOICE, isList, NOBODY, namesObject, namesObjectBelow, OPERATIONS } from './operations.ts'
import { sortedRows } from './sorted-rows.ts'
import { recordStatements } from './statements.ts'

const api = interfaceForFile()
let projects: FilledProjects
let client: HttpClient

beforeAll(async () => {
  api.payments.answerWith(() => ({ kind: 'refused', code: 'request.source.invalid', message: 'No.' }))
  projects = await makeFilledProjects(api.database)
  client = ofMerchant(projects.mine)
})

const ofMerchant = ({ projectId, secretKey }: FilledProject): HttpClient =>
  createHttpClient(api.url, { username: projectId, password: secretKey })

const NAMES = Object.keys(OPERATIONS)
/** Whose objects the merchant of `mine` must not find: another project's, and those of its own live environment. */
const STRANGERS = ['other', 'mineLive'] as const

const send = (operation: string, address: string, by = client) => {
  const method = operation.split(' ')[0]?.toLowerCase() as keyof HttpClient
  return method === 'get' ? by.get(address) : by[method](address, OPERATIONS[operation]?.body)
}

/** All that an answer tells, with the id that was sent taken out of its words. */
async function answerWithout(answer: ReturnType<HttpClient['get']>, id: string): Promise<string> {
  const { status, headers, body } = await answer
  const { request_id: _, request_log_url: __, ...shown } = body
  const kept = ['retry-after', 'idempotent-replayed', 'content-type', 'allow'].map((name) => headers.get(name))
  return JSON.stringify([status, kept, shown]).replaceAll(id, '<the id>')
}

/** The error of an object that is not there: `cards` are refused with `resource.card.not-found`. */
const notFound = (collection: string) => ({
  status: 404,
  body: { error_type: `resource.${collection.slice(0, -1)}.not-found` },
})

describe('an operation on an object of another project or environment', () => {
  let before: string
  beforeAll(async () => {
    before = await sortedRows(api.database)
  })
  afterAll(async () => {
    expect(await sortedRows(api.database)).toBe(before)
    expect(api.payments.sent).toEqual([])
    expect(api.announced).toEqual([])
  })

  test.each(NAMES.filter(namesObject))('%s: is answered, and looked for, as if nobody had the object', async (name) => {
    const collection = name.split('/')[1] ?? ''
    const ask = async (owner: Pick<FilledProject, 'id'>) => {
      const shown: unknown[] = []
      const statements = await recordStatements(api.database, async () => {
        const { status, headers, body } = await send(name, addressOf(name, owner, projects.mine))
        expect({ status, body }).toMatchObject(notFound(collection))
        const { request_id: _, request_log_url: __, ...rest } = body
        shown.push(rest, headers.get('content-type'))
      })
      return { shown, statements }
    }
    const nobodys = await ask(NOBODY)
    expect(nobodys.statements.length).toBeGreaterThan(0)
    for (const stranger of STRANGERS) expect([stranger, await ask(projects[stranger])]).toEqual([stranger, nobodys])
    const unreadable = addressOf(name, { id: (kind) => `${PREFIXES[kind]}%00` }, projects.mine)
    expect(await send(name, unreadable)).toMatchObject(notFound(collection))
  })

  test.each(NAMES.filter(namesObjectBelow))('%s: finds nothing of it below an object of its own', async (name) => {
    const collection = name.split('/')[3] ?? ''
    for (const below of [projects.other, projects.mineLive, NOBODY, { id: () => '%00' }])
      expect(await send(name, addressOf(name, projects.mine, below))).toMatchObject(notFound(collection))
  })

  test('with a client key of the other project is as with any id that nobody has', async () => {
    const stranger = clientOf(api, projects.other)
    for (const name of ['GET /invoices/:id', 'POST /invoices/:id/authorize', 'PUT /cards/:id'])
      expect(await send(name, addressOf(name, projects.mine), stranger)).toMatchObject({ status: 404 })
    const increment = 'POST /invoices/:id/increment_authorization'
    expect(await send(increment, addressOf(increment, projects.mine), stranger)).toMatchObject({ status: 401 })
  })

  test('with a client key of the other environment is as with any id that nobody has', async () => {
    const name = 'GET /invoices/:id'
    expect(await send(name, addressOf(name, projects.mine), clientOf(api, projects.mine, ''))).toMatchObject({
      status: 404,
    })
  })
})

describe('a list', () => {
  test.each(NAMES.filter(isList))(
    '%s has the objects of its own project and environment, and no others',
    async (name) => {
      for (const own of ['mine', 'mineLive'] as const) {
        const { status, body } = await ofMerchant(projects[own]).get(`${addressOf(name, projects[own])}?limit=100`)
        expect([own, status]).toEqual([own, 200])
        const foreign = (['mine', 'mineLive', 'other', 'otherLive'] as const).filter((one) => one !== own)
        const text = JSON.stringify(body)
        expect(
          foreign.flatMap((one) => OBJECT_KINDS.map(projects[one].id)).filter((id) => text.includes(`"${id}"`)),
        ).toEqual([])
        // The request log has what this test has asked, too.
        if (name !== 'GET /api-requests') expect(body.total_count).toBe(1)
      }
    },
  )

  /** What a list is of, where that is no object of the name. */
  const LISTED: Readonly<Record<string, ObjectKind>> = {
    disputes: 'operation',
    webhooks: 'delivery',
    undelivered: 'delivery',
    'webhook-endpoints': 'webhookEndpoint',
    'gateway-configurations': 'gatewayConfiguration',
    'reconciliation-differences': 'reconciliationDifference',
    'rule-sets': 'ruleSet',
    'api-requests': 'apiRequest',
  }

  test.each(NAMES.filter(isList))('%s takes no object of another project for a cursor', async (name) => {
    const plural = name.split('/').at(-1) ?? ''
    const kind = LISTED[plural] ?? (plural.slice(0, -1) as ObjectKind)
    const answered = (id: string) =>
      answerWithout(client.get(`${addressOf(name, projects.mine)}?start_after=${id}`), id)
    const nobodys = await answered(unknownId(kind))
    expect(nobodys).toMatch(/^\[400,.*request\.pagination\.invalid/)
    for (const stranger of STRANGERS) expect(await answered(projects[stranger].id(kind))).toBe(nobodys)
    expect(await answered(projects.mine.id(kind))).toMatch(/^\[200,/)
  })

  test.each([
    ['/transactions', 'invoice_id', 'invoice'],
    ['/reconciliation-differences', 'transaction_id', 'transaction'],
  ] as const)('%s filtered by %s finds nothing of another project', async (list, field, kind) => {
    const answered = (id: string) => answerWithout(client.get(`${list}?filter=${field}:${id}`), id)
    const nobodys = await answered(unknownId(kind))
    expect(nobodys).toContain('"total_count":0')
    for (const stranger of STRANGERS) expect(await answered(projects[stranger].id(kind))).toBe(nobodys)
    expect(await answered(projects.mine.id(kind))).toContain('"total_count":1')
  })
})

describe('a field that takes an id', () => {
  const newInvoice = async (fields: object = {}): Promise<string> => {
    const { body } = await client.post('/invoices', { ...INVOICE, ...fields })
    return `/invoices/${body.invoice.id}`
  }
  const ofCustomer = () => ({ customer_id: projects.mine.id('customer') })
  const tokens = () => `/customers/${projects.mine.id('customer')}/tokens`

  /** Where the object has to be a new one, so that it can be changed. */
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
  const PAYMENT = { payment: { amount: '29.00', currency: 'EUR' } }

  const FIELDS: readonly [operation: string, field: string, kind: ObjectKind, beside?: object][] = [
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
    ['POST /routing-rules/explain', 'source', 'card', PAYMENT],
    ['POST /routing-rules/explain', 'payment.customer_id', 'customer', PAYMENT],
  ]

  /** Sends a request with an id in a field of it, on objects of its own. */
  async function ask([operation, field, kind, beside = {}]: (typeof FIELDS)[number], id: string): Promise<string> {
    let address = (await NEW_OBJECTS[operation]?.()) ?? addressOf(operation, projects.mine)
    let sent = id
    if (/\/invoices\/:id\/(authorize|three-d-s|capture)$/.test(operation)) {
      // A new invoice with one line, whose id stands for that of the project's own line.
      const { body } = await client.post('/invoices', { ...INVOICE, details: [{ name: 'Shoes', amount: '29.00' }] })
      address = address.replace(projects.mine.id('invoice'), body.invoice.id)
      if (id === projects.mine.id(kind)) sent = body.invoice.details[0].id
    }
    const body = { ...NEEDED[operation]?.(), ...beside, [field]: field.endsWith('_ids') ? [sent] : sent }
    return answerWithout(client[operation.startsWith('PUT') ? 'put' : 'post'](address, body), sent)
  }

  /** Fields with the name of a reference, and the reason why nothing is looked up by them. */
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

  test('is in the table, of whatever operation', () => {
    const found = ENDPOINTS.flatMap(({ place, body }) =>
      (body?.input.names ?? [])
        .filter((name) => /(?:^|[_.])(?:ids?|source|token|key)$/.test(name) && !Object.hasOwn(NO_REFERENCES, name))
        .map((name) => `${place} ${name}`),
    )
    // Resolved by the payment, not by the interface: test/journeys/foreign-sources.test.ts.
    const byThePayment = ['authorize', 'capture', 'three-d-s'].map((verb) => `POST /invoices/:id/${verb} source`)
    const tried = [...FIELDS.map(([operation, field]) => `${operation} ${field}`), ...byThePayment]
    expect(found.toSorted()).toEqual(tried.toSorted())
  })

  test.each(FIELDS)('%s %s: is refused with a foreign one as with one that nobody has', async (...row) => {
    const [, field, kind] = row
    const nobodys = await ask(row, unknownId(kind))
    expect(nobodys).toMatch(/^\[40[04],/)
    expect(nobodys).toContain(field)
    for (const stranger of STRANGERS) expect(await ask(row, projects[stranger].id(kind))).toBe(nobodys)
    // Or the field would refuse everything.
    expect(await ask(row, projects.mine.id(kind))).not.toBe(nobodys)
  })
})

describe('an expansion', () => {
  /** Where an object of each kind that has relations is read. */
  const ADDRESSES: Readonly<Record<string, () => string>> = {
    invoice: () => addressOf('GET /invoices/:id', projects.mine),
    transaction: () => addressOf('GET /transactions/:id', projects.mine),
    refund: () => addressOf('GET /transactions/:id/refunds/:refund_id', projects.mine),
    customer: () => addressOf('GET /customers/:id', projects.mine),
    token: () => addressOf('GET /customers/:id/tokens/:token_id', projects.mine),
    card: () => addressOf('GET /cards/:id', projects.mine),
    reconciliation: () => addressOf('GET /reconciliations/:id', projects.mine),
    reconciliation_difference: () => addressOf('GET /reconciliation-differences/:id', projects.mine),
    event: () => addressOf('GET /events/:id', projects.mine),
    webhook: () => addressOf('GET /events/:id/webhooks', projects.mine),
  }
  /** Reached from the objects above only. */
  const INNER = ['operation', 'webhook_attempt', 'dispute']
  const relationsOf = (name: string): string[] => Object.keys(RESOURCES[name as ResourceName].relations)
  const expandable = Object.keys(RESOURCES).filter((name) => relationsOf(name).length > 0 && !INNER.includes(name))

  test('is tried of every kind of object', () => {
    expect(Object.keys(ADDRESSES).toSorted()).toEqual(expandable.toSorted())
  })

  test.each(expandable)('of %s shows what is of its own project and environment', async (name) => {
    const { status, body } = await client.get(`${ADDRESSES[name]?.()}?expand=${relationsOf(name).join(',')}`)
    expect(status).toBe(200)
    const text = JSON.stringify(body)
    for (const stranger of STRANGERS) expect(text).not.toContain(`_${projects[stranger].name}"`)
  })
})
