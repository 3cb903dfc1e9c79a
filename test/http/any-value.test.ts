import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
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
import { CARD, INVOICE, SOURCE } from './endpoints.ts'
import { type Interface, startInterface } from './interface.ts'
import { rowWriter } from './listed-rows.ts'
import { apiRoutes, takesFields } from './routes.ts'

type Fields = Record<string, unknown>

/** Every endpoint that takes fields: those it knows, and a body that is right. */
const ENDPOINTS: Readonly<Record<string, readonly [{ names: readonly string[] }, Fields]>> = {
  'POST /cards': [CARD_FIELDS, CARD],
  'PUT /cards/:id': [CARD_CHANGES, {}],
  'POST /customers': [NEW_CUSTOMER, { currency: 'EUR' }],
  'PUT /customers/:id': [CUSTOMER_CHANGES, {}],
  'POST /customers/:id/tokens': [TOKEN, {}],
  'PUT /customers/:id/tokens/:token_id': [TOKEN, {}],
  'POST /invoices': [INVOICE_FIELDS, INVOICE],
  'PUT /invoices/:id': [UPDATE, {}],
  'POST /invoices/:id/customers': [ASSIGNED_CUSTOMER, {}],
  'POST /invoices/:id/authorize': [PAYMENT_OPTIONS, SOURCE],
  'POST /invoices/:id/capture': [PAYMENT_OPTIONS, SOURCE],
  'POST /invoices/:id/three-d-s': [PAYMENT_OPTIONS, SOURCE],
  'POST /invoices/:id/increment_authorization': [INCREMENT, { amount: '1.00' }],
  'POST /invoices/:id/void': [VOID, {}],
  'POST /invoices/:id/clock/advance': [CLOCK_ADVANCE, { seconds: '1' }],
  'POST /invoices/:id/refunds': [REFUND, {}],
  'POST /transactions/:id/refunds': [REFUND, {}],
  'POST /events/:id/resend': [RESEND, {}],
  'POST /gateways/:name/gateway-configurations': [NEW_CONFIGURATION, { name: 'Shop' }],
  'PUT /gateway-configurations/:id': [CONFIGURATION_CHANGES, {}],
  'POST /gateway-configurations/:id/settlement-files': [SETTLEMENT_FILE, { content: 'A report.' }],
  'POST /reconciliation-differences/:id/resolve': [RESOLUTION, { reason: 'A fee.' }],
  'POST /routing-rules': [NEW_RULE_SET, { rules: [{ kind: 'block' }] }],
  'POST /routing-rules/explain': [EXPLANATION, { payment: { amount: '1.00', currency: 'EUR' } }],
  'POST /webhook-endpoints': [NEW_ENDPOINT, { url: 'https://shop.example/webhooks' }],
  'PUT /webhook-endpoints/:id': [ENDPOINT_CHANGES, {}],
  'POST /webhook-endpoints/:id/rotate-secret': [ROTATION, {}],
  'POST /webhook-endpoints/:id/recover': [RECOVERY, { since: '2026-11-21T00:00:00Z' }],
}

/** Of each endpoint, beside the 20,000 requests of `npm run fuzz`. */
const RUNS = 12
/** The same values in every run of the suite. */
const SEED = 2026

/** Requests at once, so that the fields of all endpoints are tried in seconds. */
const AT_ONCE = 20

let api: Interface

beforeAll(async () => {
  api = await startInterface()
  api.payments.play(() => ({ kind: 'refused', code: 'request.source.invalid', message: 'No.' }))
  const rows = await rowWriter(api, api.merchant)
  IDS['gateway-configurations'] = rows.gatewayConfigurationId
  await rows.customer('cust_1')
  await rows.card('card_1')
  await rows.token('tok_1', 'cust_1')
  await rows.invoice('iv_1')
  await rows.invoice('iv_2')
  await rows.transaction('tr_1', 'iv_2', { status: 'completed', capturedMinor: 2900 })
  await rows.event('ev_1')
  await rows.webhookEndpoint('whe_1')
})
afterAll(() => api.stop())

const IDS: Fields = {
  cards: 'card_1',
  customers: 'cust_1',
  invoices: 'iv_1',
  transactions: 'tr_1',
  events: 'ev_1',
  'webhook-endpoints': 'whe_1',
}

async function statusOf(endpoint: string, body: object, form: boolean): Promise<number> {
  const [method, path = ''] = endpoint.split(' ')
  const address = path
    .replace(':id', String(IDS[path.split('/')[1] ?? '']))
    .replace(':name', 'simulator')
    .replace(':token_id', 'tok_1')
  const { client } = api.merchant
  return (await (method === 'PUT' ? client.put : client.post)(address, body, { form })).status
}

/** Every field of an endpoint, and every group of fields. */
function pathsOf(endpoint: string): string[] {
  const paths = (ENDPOINTS[endpoint]?.[0].names ?? []).flatMap((name) => {
    const steps = name.split('.')
    return steps.map((_, index) => steps.slice(0, index + 1).join('.'))
  })
  return [...new Set(paths)]
}

/** A body with a value in the place of a field; where that is one of a line, in a line that is otherwise right. */
function withValue(body: Fields, [step = '', ...rest]: string[], value: unknown): Fields {
  if (rest.length === 0) return { ...body, [step]: value }
  if (step === 'details') return { ...body, details: [withValue({ name: 'A', amount: '1.00' }, rest, value)] }
  const inner = body[step]
  const group = typeof inner === 'object' && inner !== null ? (inner as Fields) : {}
  return { ...body, [step]: withValue(group, rest, value) }
}

const ANY_VALUE = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.string({ unit: 'binary' }),
  fc.constantFrom({}, [], [[]], [{}], { x: 1 }, { toString: 1 }, { valueOf: 1 }, { length: 1e9 }),
  fc.constantFrom('', ' ', '\0', '1', '-1', '1e3', '0x10', '9'.repeat(400), 1e21, -0, 2 ** 53, '__proto__', 'EUR'),
)

describe('no value of a field is a defect of ours', () => {
  const endpoints = Object.keys(ENDPOINTS)

  test('every endpoint that takes fields is tried here', () => {
    const taking = apiRoutes().filter(takesFields)
    expect(endpoints.toSorted()).toEqual(taking.map(({ method, path }) => `${method} ${path}`).toSorted())
  })

  test.each([false, true])('not even an object in the place of any of them, in a form: %s', async (form) => {
    const tried = endpoints.flatMap((endpoint) => pathsOf(endpoint).map((path) => ({ endpoint, path })))
    expect(tried.length).toBeGreaterThan(300)
    const defects: object[] = []
    for (let start = 0; start < tried.length; start += AT_ONCE) {
      const answers = tried.slice(start, start + AT_ONCE).map(async ({ endpoint, path }) => {
        const body = withValue(ENDPOINTS[endpoint]?.[1] ?? {}, path.split('.'), { x: 1 })
        const status = await statusOf(endpoint, body, form)
        if (status >= 500) defects.push({ endpoint, path, status })
      })
      await Promise.all(answers)
    }
    expect(defects).toEqual([])
  })

  test.each(endpoints)('of %s, whatever several of them are', async (endpoint) => {
    const change = fc.tuple(fc.constantFrom(...pathsOf(endpoint)), ANY_VALUE)
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), fc.boolean(), async (changes, form) => {
        const right = ENDPOINTS[endpoint]?.[1] ?? {}
        const body = changes.reduce((made, [path, value]) => withValue(made, path.split('.'), value), right)
        expect(await statusOf(endpoint, body, form)).toBeLessThan(500)
      }),
      { numRuns: RUNS, seed: SEED },
    )
  })
})
