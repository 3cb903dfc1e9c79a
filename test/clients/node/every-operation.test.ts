import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { CustomerActionRequiredError, DeclinedError, type Holdfast, webhooks } from '../../../clients/node/src/index.ts'
import { METHODS } from '../../../scripts/node-client/methods.ts'
import { TEST_CARD } from '../../support/card-data.ts'
import { makeReceiver, type ReceivedWebhook, type Receiver } from '../../support/receiver.ts'
import { makeStack, type Stack } from '../../support/stack.ts'
import { ADYEN_ACCOUNT, ADYEN_REPORT, putDifference } from '../books.ts'
import { createCheckedClient } from './checked-client.ts'

/** Every method of the client against a service that runs; each answer is held to the document of the interface. */

let stack: Stack
let receiver: Receiver
let client: Holdfast
let called: Set<string>

beforeAll(async () => {
  stack = await makeStack({ mode: 'together' })
  receiver = await makeReceiver()
  const checked = createCheckedClient(stack)
  client = checked.client
  called = checked.called
})
afterAll(async () => {
  await receiver.stop()
  await stack.stop()
})

const CARD = { number: TEST_CARD.number, exp_month: 12, exp_year: 2035, cvc2: TEST_CARD.cvc }
const INVOICE = { name: 'Order 1', amount: '29.00', currency: 'EUR' }
const DO_NOT_HONOR = '4000000000002180'
const CHALLENGE = '4000000000000101'
const CAPTURE_PENDING = 'SANDBOX:capture-pending-approved'

/** A new invoice and a new card to pay it with. */
async function order(invoice: object = {}, card: object = {}): Promise<[invoiceId: string, source: string]> {
  const created = await Promise.all([
    client.invoices.create({ ...INVOICE, ...invoice }),
    client.cards.create({ ...CARD, ...card }),
  ])
  return [created[0].id, created[1].id]
}

async function captured(): Promise<string> {
  const [id, source] = await order()
  const { transaction } = await client.invoices.capture(id, { source })
  expect(transaction).toMatchObject({ status: 'completed', captured_amount: '29.00' })
  return id
}

test('an invoice is created, read, changed, listed and deleted', async () => {
  const invoice = await client.invoices.create({ ...INVOICE, metadata: { shop: '7' } })
  expect(invoice).toMatchObject({ name: 'Order 1', amount: '29.00', status: 'pending' })
  expect(invoice.lastResponse.clientSecret()).toMatch(/^ivs_/)
  expect(invoice.lastResponse.rateLimit).toMatchObject({ name: 'sandbox', remaining: expect.any(Number) })
  expect(await client.invoices.retrieve(invoice.id)).toEqual(invoice)
  expect(await client.invoices.update(invoice.id, { name: 'Order 2' })).toMatchObject({ name: 'Order 2' })
  const page = await client.invoices.list({ filter: ['metadata.shop:7', 'status:pending'], limit: 5 })
  expect(page).toMatchObject({ data: [{ id: invoice.id, name: 'Order 2' }], has_more: false, total_count: 1 })
  expect(await client.invoices.delete(invoice.id)).toEqual({ success: true })
})

test('a card is created, read, changed, listed and deleted, and its first digits are explained', async () => {
  const card = await client.cards.create(CARD)
  expect(await client.cards.retrieve(card.id, { expand: ['token'] })).toMatchObject({ last_4_digits: '4242' })
  expect(await client.cards.update(card.id, { name: 'Ann Example' })).toMatchObject({ name: 'Ann Example' })
  expect((await client.cards.list({ limit: 1 })).data).toMatchObject([{ id: card.id }])
  expect(await client.iins.retrieve('424242')).toMatchObject({ scheme: 'visa' })
  await client.cards.delete(card.id)
})

test('a customer keeps a source that pays', async () => {
  const customer = await client.customers.create({ email: 'ann@shop.example' })
  const { id: source } = await client.cards.create(CARD)
  const token = await client.customers.tokens.create(customer.id, { source, set_default: true })
  const { tokens } = client.customers
  expect(await tokens.retrieve(customer.id, token.id, { expand: ['card'] })).toMatchObject({
    card: { last_4_digits: '4242' },
  })
  expect(await tokens.update(customer.id, token.id, { description: 'The blue one' })).toMatchObject({
    description: 'The blue one',
  })
  expect((await tokens.list(customer.id)).data).toMatchObject([{ id: token.id }])
  const saved = await client.customers.update(customer.id, { last_name: 'Example', expand: ['default_token'] })
  expect(saved).toMatchObject({ last_name: 'Example', default_token: { id: token.id } })
  expect(await client.customers.retrieve(customer.id)).toMatchObject({ last_name: 'Example' })
  expect((await client.customers.list()).data).toMatchObject([{ id: customer.id }])

  const { id } = await client.invoices.create(INVOICE)
  expect(await client.invoices.assignCustomer(id, { customer_id: customer.id })).toMatchObject({ id: customer.id })
  expect(await client.invoices.retrieveCustomer(id)).toMatchObject({ id: customer.id })
  await client.invoices.capture(id, { source: customer.id })
  expect((await client.customers.listTransactions(customer.id)).data).toMatchObject([{ invoice_id: id }])
  await tokens.delete(customer.id, token.id)
  await client.customers.delete(customer.id)
})

test('a payment is authorized, raised, captured in part, refunded, and read from every side', async () => {
  const [id, source] = await order({ incremental: true })
  const authorized = await client.invoices.authorize(id, { source, expand: ['operations'] })
  expect(authorized).toMatchObject({ outcome: 'success', transaction: { status: 'authorized' } })
  const raised = await client.invoices.incrementAuthorization(id, { amount: '5.00' })
  expect(raised.transaction?.authorized_amount).toBe('34.00')
  const taken = await client.invoices.capture(id, { capture_amount: '20.00' })
  const transaction = there(taken.transaction)
  expect(transaction).toMatchObject({ status: 'completed', captured_amount: '20.00' })
  const given = await client.invoices.refund(id, { amount: '5.00', reason: 'customer_request' })
  const refund = there(given.refund)
  expect(refund).toMatchObject({ amount: '5.00', status: 'succeeded' })
  await client.transactions.refund(transaction.id, { amount: '1.00' })
  expect(await client.invoices.synchronize(id, { expand: ['transaction'] })).toMatchObject({ invoice: { id } })

  expect(await client.transactions.retrieve(transaction.id)).toMatchObject({ refunded_amount: '6.00' })
  expect(await client.transactions.retrieveRefund(transaction.id, refund.id)).toMatchObject({ id: refund.id })
  const refunds = [
    client.invoices.listRefunds(id),
    client.transactions.listRefunds(transaction.id),
    client.refunds.list({ filter: `transaction_id:${transaction.id}` }),
  ]
  for (const list of refunds) expect((await list).total_count).toBe(2)
  expect((await client.invoices.listTransactions(id)).data).toMatchObject([{ id: transaction.id }])
  expect((await client.transactions.list({ filter: `invoice_id:${id}` })).data).toMatchObject([{ id: transaction.id }])
  expect(await client.disputes.list()).toMatchObject({ data: [] })
})

test('an authorization ends after its seven days, by the test clock', async () => {
  const [id, source] = await order()
  await client.invoices.authorize(id, { source })
  const { outcome, transaction } = await client.invoices.advanceClock(id, { seconds: 7 * 24 * 3600 + 60 })
  expect([outcome, transaction.status]).toEqual(['success', 'voided'])
})

test('an authorization is voided', async () => {
  const [id, source] = await order()
  await client.invoices.authorize(id, { source })
  expect(await client.invoices.void(id)).toMatchObject({ transaction: { status: 'voided' } })
})

test('a decline, a customer who has to act and an outcome that is not known are told apart', async () => {
  const [declinedId, declined] = await order({}, { number: DO_NOT_HONOR })
  const error = await client.invoices.authorize(declinedId, { source: declined }).catch((reason) => reason)
  expect(error).toBeInstanceOf(DeclinedError)
  expect(error).toMatchObject({ code: 'card.do-not-honor', status: 410, transaction: { status: 'failed' } })

  const [askedId, asked] = await order({}, { number: CHALLENGE })
  const acting = await client.invoices.authorize(askedId, { source: asked }).catch((reason) => reason)
  expect(acting).toBeInstanceOf(CustomerActionRequiredError)
  expect(acting).toMatchObject({ action: { type: 'redirect', value: expect.stringMatching(/^http/) } })

  const [shownId, shown] = await order({}, { number: CHALLENGE })
  const authenticated = await client.invoices.authenticate(shownId, { source: shown, enable_three_d_s_2: true })
  expect(authenticated).toMatchObject({ outcome: 'pending', customer_action: { type: expect.any(String) } })

  const [pendingId, pending] = await order({}, { name: CAPTURE_PENDING })
  const waiting = await client.invoices.capture(pendingId, { source: pending })
  expect(waiting).toMatchObject({ outcome: 'pending', transaction: { status: 'pending-capture' } })
})

test('an event reaches an endpoint, is verified, fetched, sent again and recovered', async () => {
  const endpoint = await client.webhookEndpoints.create({
    url: receiver.url,
    events_whitelist: ['transaction.captured'],
  })
  const { secret } = await client.webhookEndpoints.rotateSecret(endpoint.id, { previous_expires_in: 3600 })
  const invoiceId = await captured()
  const [webhook] = await receiver.waitForCount(1)
  for (const one of [secret, endpoint.secret]) expect(verified(webhook, one).event_type).toBe('transaction.captured')
  const { event_id: eventId } = verified(webhook, secret)

  const event = await client.events.retrieve(eventId, { expand: ['webhooks'] })
  if (event.data.name !== 'transaction.captured') throw new Error(`The event is ${event.data.name}.`)
  expect(event.data.transaction).toMatchObject({ captured_amount: '29.00', invoice_id: invoiceId })
  // A list shows an event only once no older transaction of the server, also of another test, can still commit one.
  const ofInvoice = { filter: `invoice_id:${invoiceId}`, order: 'asc', limit: 1 } as const
  await stack.waitFor(async () => (await client.events.list(ofInvoice)).total_count === 4)
  const names: string[] = []
  for await (const { name } of client.events.list(ofInvoice)) names.push(name)
  expect(names).toEqual([
    'transaction.requested',
    'transaction.authorized',
    'transaction.captured',
    'invoice.completed',
  ])

  expect(await client.events.resend(eventId, { endpoint_id: endpoint.id })).toMatchObject({ webhooks: [{ run: 1 }] })
  await receiver.waitForCount(2)
  expect((await client.events.listWebhooks(eventId)).data).toHaveLength(1)
  expect((await client.webhookEndpoints.listWebhooks(endpoint.id, { expand: ['attempts'] })).data).toHaveLength(1)
  expect(await client.webhookEndpoints.test(endpoint.id)).toMatchObject({ name: 'webhook-endpoint.test' })
  const since = new Date(Date.now() - 60_000).toISOString()
  expect(await client.webhookEndpoints.recover(endpoint.id, { since })).toMatchObject({ has_more: false })

  const changed = await client.webhookEndpoints.update(endpoint.id, { description: 'The books' })
  expect(await client.webhookEndpoints.retrieve(endpoint.id)).toEqual(changed)
  expect((await client.webhookEndpoints.list()).data).toEqual([changed])
  await client.webhookEndpoints.delete(endpoint.id)
})

test('gateways are configured, and routing rules decide and explain', async () => {
  const { gatewayConfigurations, routingRules, ruleSets } = client
  const account = await gatewayConfigurations.create('simulator', { name: 'Second account', enabled: false })
  expect(await gatewayConfigurations.update(account.id, { name: 'Third account' })).toMatchObject({
    name: 'Third account',
  })
  expect(await gatewayConfigurations.retrieve(account.id)).toMatchObject({ gateway_name: 'simulator' })
  expect((await gatewayConfigurations.list()).data).toHaveLength(2)
  await gatewayConfigurations.delete(account.id)

  const rules = 'block { condition: card_country == FR; }'
  const created = await routingRules.create({ rules })
  expect(await routingRules.retrieve()).toMatchObject({ rule_set: { id: created.id } })
  const payment = { amount: '29.00', currency: 'EUR' }
  expect(await routingRules.explain({ payment })).toMatchObject({ outcome: 'routed' })
  expect(await routingRules.deactivate()).toMatchObject({ rule_set: null })
  expect(await ruleSets.activate(created.id)).toMatchObject({ id: created.id })
  expect(await ruleSets.retrieve(created.id)).toMatchObject({ version: 1 })
  expect((await ruleSets.list()).data).toMatchObject([{ id: created.id }])
  await routingRules.deactivate()
})

test('reconciliations and their differences are read, and one is resolved', async () => {
  const { reconciliations, reconciliationDifferences } = client
  await putDifference(stack)
  const run = await reconciliations.retrieve('rec_1')
  expect((await reconciliations.list({ filter: ['status:completed'] })).data).toEqual([run])
  const { data: open } = await reconciliationDifferences.list({ filter: ['status:open'] })
  expect(open).toEqual([await reconciliationDifferences.retrieve('rec_diff_1')])
  expect(await reconciliationDifferences.resolve('rec_diff_1', { reason: 'A fee.' })).toMatchObject({
    status: 'resolved',
    resolution: 'A fee.',
  })
})

test('a report of a gateway is handed in', async () => {
  const { gatewayConfigurations } = client
  const account = await gatewayConfigurations.create('adyen', ADYEN_ACCOUNT)
  expect(await gatewayConfigurations.handInSettlementFile(account.id, { content: ADYEN_REPORT })).toMatchObject({
    source: 'file',
    lines_count: 1,
  })
  await gatewayConfigurations.delete(account.id)
})

test('the service and its request log are asked', async () => {
  expect(await client.service.versions()).toMatchObject({ current_version: expect.any(String) })
  expect((await client.service.errorCodes()).error_codes.length).toBeGreaterThan(100)
  expect(await client.service.checkLiveness()).toEqual({ success: true })
  expect(await client.service.checkReadiness()).toMatchObject({ database: true, temporal: true })
  const { lastResponse } = await client.cards.list()
  const requestId = String(lastResponse.requestId)
  await stack.waitFor(async () => (await client.apiRequests.list({ filter: `request_id:${requestId}` })).count === 1)
  const logged = await client.apiRequests.retrieve(requestId)
  expect(logged).toMatchObject({ path: '/cards', user_agent: expect.stringMatching(/^holdfast-node\//) })
})

test('every operation that has a method was called', () => {
  expect([...called].toSorted()).toEqual(Object.keys(METHODS).toSorted())
})

/** What only a step that has just begun does not have. */
function there<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('It is missing.')
  return value
}

function verified(webhook: ReceivedWebhook | undefined, secret: string) {
  const { body, headers } = there(webhook)
  return webhooks.verify(body, headers, secret)
}
