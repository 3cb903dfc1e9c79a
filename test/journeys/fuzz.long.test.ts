import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { ENDPOINTS } from '../../src/api/endpoints.ts'
import { saySkipped } from '../gateways/skipped.ts'
import { fuzzedDocument, type KnownIds } from '../support/schemathesis/fuzzed-document.ts'
import { fuzz, provideSchemathesis } from '../support/schemathesis/schemathesis.ts'
import { makeStack, type Stack } from '../support/stack.ts'

/** `npm run fuzz` asks for 20,000 requests; the suite for as many as a quarter of a minute allows. */
const CASES = Number(process.env.HOLDFAST_FUZZ_CASES ?? 60)
const IS_LONG = CASES > 5_000
const TIMEOUT_MS = IS_LONG ? 3 * 60 * 60_000 : 300_000

/** Some objects of each kind, in the states that payments come to. */
async function makeObjects(stack: Stack): Promise<KnownIds> {
  const made: Record<string, string[]> = {}
  const keep = (kind: string, id: unknown) => {
    made[kind] ??= []
    made[kind].push(String(id))
  }
  for (let n = 0; n < 5; n += 1) {
    const customer = (await stack.post('/customers', { email: `ann${n}@shop.example` })).body.customer.id
    const card = await stack.createCard()
    const token = (await stack.post(`/customers/${customer}/tokens`, { source: card.id })).body.token.id
    keep('customer', customer)
    keep('token', token)
    keep('card', (await stack.createCard()).id)
    keep('invoice', (await stack.createInvoice({ customer_id: customer, details: [LINE] })).id)
    const authorized = await stack.payInvoice({ invoice: { customer_id: customer, incremental: true } })
    const captured = await stack.payInvoice({ authorize: { authorize_only: false } })
    const refunded = await stack.post(`/invoices/${captured.invoiceId}/refunds`, { amount: '1.00' })
    for (const { invoiceId, transaction } of [authorized, captured]) {
      keep('invoice', invoiceId)
      keep('transaction', transaction.id)
    }
    keep('refund', refunded.body.refund.id)
  }
  keep('webhookEndpoint', (await stack.post('/webhook-endpoints', ENDPOINT)).body.webhook_endpoint.id)
  keep('ruleSet', (await stack.post('/routing-rules', { rules: RULES, activate: false })).body.rule_set.id)
  for (const { id } of (await stack.get('/gateway-configurations')).body.gateway_configurations)
    keep('gatewayConfiguration', id)
  for (const { id } of (await stack.get('/events?limit=5')).body.events) keep('event', id)
  await stack.waitFor(async () => (await stack.get('/api-requests')).body.count > 0)
  for (const { id } of (await stack.get('/api-requests?limit=5')).body.api_requests) keep('apiRequest', id)
  return made as KnownIds
}

const RULES = 'block { condition: card_country == FR; }'
const LINE = { name: 'Socks', amount: '10.00' }
const ENDPOINT = { url: 'http://127.0.0.1:1/webhooks', events_whitelist: ['customer.created'] }

describe('the interface under requests that Schemathesis makes of its document', () => {
  let python: string | null = null
  let stack: Stack

  beforeAll(async () => {
    python = await provideSchemathesis()
    if (python !== null) stack = await makeStack({ mode: 'together' })
  }, TIMEOUT_MS)

  afterAll(() => stack?.stop().catch(unlessNumbersWereMadeUp), TIMEOUT_MS)

  test(
    'has no error of its own, and no answer that the document does not describe',
    async () => {
      if (python === null) {
        saySkipped('what Schemathesis makes of the document', 'there is no Python 3.11 or later with venv and pip')
        return
      }
      const folder = await mkdtemp(join(tmpdir(), 'holdfast-fuzz-'))
      const document = join(folder, 'openapi.json')
      await writeFile(document, fuzzedDocument(await makeObjects(stack)))
      const { passed, output, cases } = await fuzz(python, {
        document,
        url: stack.baseUrl,
        credentials: `test-${stack.project.id}:${stack.project.secretKey}`,
        casesPerOperation: Math.ceil(CASES / ENDPOINTS.length),
        phases: IS_LONG ? ['examples', 'coverage', 'fuzzing'] : ['examples', 'fuzzing'],
        timeoutMs: TIMEOUT_MS,
      })
      await rm(folder, { recursive: true })
      process.stderr.write(`Schemathesis sent ${cases} requests.\n`)
      if (!passed) throw new Error(output)
      expect(cases).toBeGreaterThan(CASES / 2)
    },
    TIMEOUT_MS,
  )
})

/** Schemathesis makes integers of 18 digits, of which every tenth has the check digit of a card number. */
function unlessNumbersWereMadeUp(left: Error): void {
  const findings = left.message.split('\n').slice(1)
  if (findings.length === 0 || !findings.every((finding) => finding.includes('what may be a number'))) throw left
}
