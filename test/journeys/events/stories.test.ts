import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { EVENT_NAMES } from '../../../domain/webhook-event.ts'
import { EVENT_STORIES } from '../../../scripts/docs/event-stories.ts'
import { makeReceiver } from '../../support/receiver.ts'
import { stackForFile } from '../../support/stack-for-file.ts'
import { createStory } from '../../support/story.ts'
import { createScenarios, type Subject } from './scenarios.ts'
import { expectSnapshot } from './snapshot.ts'

// biome-ignore lint/suspicious/noExplicitAny: as in Answer.
type Body = any

const stack = stackForFile()
let scenarios: ReturnType<typeof createScenarios>
const subjects = new Map<string, Subject>()

beforeAll(async () => {
  scenarios = createScenarios(stack)
})

/** Every event of a payment or a customer as it is read by its id, in the order in which they were written. */
async function eventsOf({ invoiceId = '', customerId = '' }: Subject): Promise<Body[]> {
  const rows = await stack.database.orm.em
    .fork()
    .execute<{ id: string; name: string }[]>(
      `select id, name from event where invoice_id = ? or customer_id = ? order by written_by, position`,
      [invoiceId, customerId],
    )
  const events = await Promise.all(rows.map(({ id }) => stack.get(`/events/${id}`)))
  return events.map(({ body }) => body.event)
}

/** What a story has fired: a customer is there before it begins, where the story is not about the customer. */
async function firedBy(subject: Subject, fires: readonly string[]): Promise<Body[]> {
  const events = await eventsOf(subject)
  return fires.includes('customer.created') ? events : events.filter(({ name }) => name !== 'customer.created')
}

const namesOf = (events: Body[]): string[] => events.map(({ name }) => name)

test('every event has its story, but those about webhook endpoints and about books', () => {
  const covered = new Set<string>(EVENT_STORIES.flatMap(({ fires }) => [...fires]))
  const missing = Object.keys(EVENT_NAMES).filter((name) => !covered.has(name))
  expect(missing.filter((name) => !/^(?:webhook-endpoint|reconciliation)\./.test(name))).toEqual([])
})

describe('the events of a change', () => {
  test.each(EVENT_STORIES)('are these and no others, each once and in order, when $when', async ({ when, fires }) => {
    const subject = await scenarios[when]()
    subjects.set(when, subject)
    await stack.waitFor(async () => (await firedBy(subject, fires)).length >= fires.length)
    const events = await firedBy(subject, fires)
    expect(namesOf(events)).toEqual(fires)
    const ofTransaction = events.filter(({ transaction_id }) => transaction_id !== null)
    expect(ofTransaction.map(({ sequence }) => sequence)).toEqual(ofTransaction.map((_, index) => index + 1))
    for (const event of events) expectSnapshot(event, stack.project.id)
  })
})

describe('the snapshot of a payment', () => {
  const EXPAND = 'expand=invoice,card,customer,token,gateway_configuration,operations,refunds'

  test.each([
    'an authorization is captured in two parts',
    'a payment is refunded in two parts',
    'a refund is declined',
    'an authorization is declined',
    'a chargeback is won',
    'a source is stored and verified',
    'a source is stored with its first payment',
  ] as const)('shows everything as the interface shows it at that instant, when %s', async (when) => {
    const events = (await eventsOf(subjects.get(when) ?? {})).filter(({ transaction_id }) => transaction_id !== null)
    const { data, transaction_id, invoice_id } = events.at(-1)
    const { body } = await stack.get(`/transactions/${transaction_id}?${EXPAND}`)
    // Of the account an event tells what names it, and not how it is set up.
    const { gateway_configuration: account, ...transaction } = body.transaction
    expect(data.transaction).toEqual({ ...transaction, gateway_configuration: expect.any(Object) })
    expect(account).toMatchObject(data.transaction.gateway_configuration)
    expect(data.invoice).toEqual((await stack.get(`/invoices/${invoice_id}`)).body.invoice)
  })
})

test('the events of a stored source go to its own address as well, and no others do', async () => {
  const receiver = await makeReceiver()
  const { customer } = (await stack.post('/customers')).body
  const { id: source } = await stack.createCard()
  const fields = { source, webhook_url: receiver.url, verify: true }
  const { token } = (await stack.post(`/customers/${customer.id}/tokens`, fields)).body
  await stack.waitFor(async () => {
    const { body } = await stack.get(`/customers/${customer.id}/tokens/${token.id}`)
    return body.token.verification_status === 'success'
  })
  await stack.delete(`/customers/${customer.id}/tokens/${token.id}`)
  const received = await receiver.waitForCount(3)
  await receiver.stop()
  expect(received.map(({ body }) => JSON.parse(body).event_type).toSorted()).toEqual([
    'customer.token.created',
    'customer.token.deleted',
    'customer.token.updated',
  ])
})

test('a customer that is deleted while payments are under way is in none of their snapshots', async () => {
  const story = createStory(stack)
  const customers = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const { customer } = (await stack.post('/customers', { email: 'gone@shop.example' })).body
      const { id: source } = await stack.createCard()
      const { token } = (await stack.post(`/customers/${customer.id}/tokens`, { source })).body
      // The invoice names no customer: it is the token that does.
      const invoice = await stack.createInvoice()
      return { customerId: String(customer.id), tokenId: String(token.id), invoiceId: String(invoice.id) }
    }),
  )
  await Promise.all(
    customers.map(async ({ customerId, tokenId, invoiceId }, index) => {
      const paying = story.post(invoiceId, 'capture', { source: tokenId })
      // From long before anything is written to after the last word.
      await (index === customers.length - 1 ? paying : sleep(index * 20))
      expect((await stack.delete(`/customers/${customerId}`)).status).toBe(200)
      await paying
    }),
  )
  const events = await Promise.all(customers.map(eventsOf))
  expect(events.flat().some(({ name }) => name === 'transaction.captured')).toBe(true)
  expect(JSON.stringify(events)).not.toContain('gone@shop.example')
})
