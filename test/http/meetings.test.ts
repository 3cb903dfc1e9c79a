import { randomBytes } from 'node:crypto'
import { beforeAll, expect, test } from '@jest/globals'
import type { StepResult } from '../../activities/payment/attempt.ts'
import { beginAttempt } from '../../activities/payment/begin-attempt.ts'
import { createWebhookActivities } from '../../activities/webhooks.ts'
import type { AuthorizeCommand } from '../../domain/command.ts'
import { answerLostKey } from '../../src/idempotency/record.ts'
import { DeliveryEntity } from '../../src/persistence/entities/delivery.ts'
import { GatewayConfigurationEntity } from '../../src/persistence/entities/gateway-configuration.ts'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import type { WebhookEndpointRow } from '../../src/persistence/entities/webhook-endpoint.ts'
import { withdrawalOf, withdrawCommand } from '../../src/persistence/queries/payments/commands.ts'
import { storeNotifications } from '../../src/persistence/queries/payments/gateway-notifications.ts'
import { resumeProject, suspendProject } from '../../src/persistence/queries/projects/projects.ts'
import { createVault } from '../../src/vault/vault.ts'
import { createWebhookLimits } from '../../src/webhooks/concurrency-limit.ts'
import { runningClock } from '../support/clock.ts'
import { disputeNotification } from '../support/gateway-notifications.ts'
import { type Answer, createHttpClient, type HttpClient } from '../support/http-client.ts'
import { interleave, type LockStatement, rowLock } from '../support/interleave.ts'
import { TEST_KEYS } from '../support/keys.ts'
import { makePaymentActor, type PaymentActor } from '../support/payment-actor.ts'
import { seedEndpoint, seedEventFor } from '../webhooks/endpoint-seed.ts'
import { interfaceForFile } from './interface.ts'

const clock = runningClock()
const api = interfaceForFile({ allowPrivateWebhookTargets: true, clock })
let actor: PaymentActor
/** The merchant whose payments they are. */
let client: HttpClient
const em = () => api.database.orm.em.fork()

beforeAll(async () => {
  actor = await makePaymentActor(api.database)
  client = createHttpClient(api.url, { username: actor.projectId, password: actor.secretKey })
})

/** How one of the two has ended, in a word. */
type Comer = () => Promise<string>

interface Meeting {
  /** What both ask for, each gate to be met at by itself. */
  gates: Record<string, LockStatement>
  one: Comer
  other: Comer
}

/** One that the database has refused is run again by Temporal; a deadlock is never an end. */
const orRefused = (error: Error) => `refused by the database ${/\((\w{5})/.exec(error.message)?.[1] ?? error.message}`
const answered = (request: () => Promise<Answer>) => async () => String((await request()).status)
const stepped = (step: () => Promise<StepResult>) => async () => step().then(({ answer }) => answer.kind, orRefused)
const ran = (work: () => Promise<unknown>) => async () => work().then(() => 'done', orRefused)

// Payments.

const makeCustomer = async () => String((await client.post('/customers', {})).body.customer.id)
/** An invoice of a customer with a stored card, and the gates at which its payment can be met. */
const makeStored = async () => {
  const customerId = await makeCustomer()
  const cardId = await actor.makeCard()
  const customerPath = `/customers/${customerId}`
  const { status, body } = await client.post(`${customerPath}/tokens`, { source: cardId })
  if (status !== 200) throw new Error(JSON.stringify(body))
  const invoiceId = await actor.makeInvoice({ customerId })
  const gates = {
    invoice: rowLock('invoice', invoiceId),
    customer: rowLock('customer', customerId),
    card: rowLock('card', cardId),
  }
  return { gates, invoiceId, cardId, customerPath, tokenPath: `${customerPath}/tokens/${body.token.id}` }
}
type Stored = Awaited<ReturnType<typeof makeStored>>
const authorize = (invoiceId: string, source: string, values: Partial<AuthorizeCommand> = {}) => {
  const command = actor.build.authorize(source, values)
  return () => actor.step(invoiceId, command)
}
const authorized = async (values: Parameters<PaymentActor['makeInvoice']>[0] = {}) => {
  const invoiceId = await actor.makeInvoice(values)
  await actor.step(invoiceId, actor.build.authorize(await actor.makeSource()))
  return invoiceId
}
const captureOf = (invoiceId: string) => {
  const command = actor.build.capture()
  return () => actor.step(invoiceId, command)
}
const accountOf = async () => {
  const { id } = await em().findOneOrFail(GatewayConfigurationEntity, { projectId: actor.projectId, deletedAt: null })
  return id
}
const ownerOf = (invoiceId: string) => ({ projectId: actor.projectId, sandbox: true, invoiceId })
const suspend = () => {
  const asked = { projectId: actor.projectId, actor: 'test' }
  return em().transactional((inner) => suspendProject(inner, { ...asked, now: clock.now() }))
}
const resume = () => em().transactional((inner) => resumeProject(inner, { projectId: actor.projectId, actor: 'test' }))

/** An attempt that is written under an idempotency key, by a process that has died then. */
const begunWithKey = async () => {
  const invoiceId = await authorized()
  const id = randomBytes(32).toString('hex')
  const claim = { id, requestHash: 'f'.repeat(64), requestId: 'req_1' }
  const command = actor.build.capture(null, { idempotency: claim })
  await beginAttempt(actor.deps, actor.stepOf(invoiceId, command, {}))
  return { invoiceId, command, claim }
}

// Webhooks.

/** What the receiver of an endpoint answers. */
type Receives = 'accepts' | 'refuses' | 'is gone'
const STATUS = { accepts: 200, refuses: 500, 'is gone': 410 } as const

/** A delivery that waits for a retry, to an endpoint that fares like this, with an attempt of it and what changes it. */
const delivering = async (receives: Receives, given: Partial<WebhookEndpointRow> = {}) => {
  const { projectId, client: merchant } = api.merchant
  const endpoint = await seedEndpoint(api.database.orm, { projectId, url: 'https://shop.example/', ...given })
  const event = await seedEventFor(api.database.orm, [endpoint])
  const [deliveryId = ''] = event.deliveryIds
  await em().nativeUpdate(DeliveryEntity, { id: deliveryId }, { firstAttemptAt: new Date(), releaseAt: new Date() })
  const status = STATUS[receives]
  const isAccepted = status === 200
  const reason = isAccepted ? null : 'http_status'
  const sent = { delivered: isAccepted, status, reason, responseTimeMs: 1, excerpt: null, retryAt: null }
  const activities = createWebhookActivities(
    {
      orm: api.database.orm,
      clock,
      randomBytes,
      // biome-ignore lint/suspicious/noExplicitAny: of the two ends that a sending has, one at a time.
      webhookSender: { send: async () => sent as any },
      webhookStarter: { start: async () => {} },
      limits: createWebhookLimits(),
      vault: createVault(TEST_KEYS),
    },
    () => ({ number: 1, dueAt: 0 }),
  )
  const { environment } = event
  const input = { projectId, environment, deliveryId, run: 0, attempt: 1, nextOffsetMs: 9_000 }
  const attempt: Comer = () =>
    activities
      .deliverWebhook({ ...input, at: clock.now().getTime(), health: 'good' })
      .then(({ delivered }) => (delivered ? 'delivered' : 'failed'), orRefused)
  const path = `/webhook-endpoints/${endpoint.id}`
  const since = new Date(Date.now() - 3_600_000).toISOString()
  return {
    endpoint: rowLock('webhook_endpoint', endpoint.id),
    delivery: rowLock('delivery', deliveryId),
    event: rowLock('event', event.eventId),
    attempt,
    remove: answered(() => merchant.delete(path)),
    move: answered(() => merchant.put(path, { url: 'https://moved.example/', enabled: false })),
    recover: answered(() => merchant.post(`${path}/recover`, { since })),
    resendToAll: answered(() => merchant.post(`/events/${event.eventId}/resend`)),
    resend: answered(() => merchant.post(`/events/${event.eventId}/resend`, { endpoint_id: endpoint.id })),
  }
}

interface Pair {
  /** How each of the two may end, whichever comes first. */
  one: string[]
  other: string[]
  /** The gates of the meeting, by name. */
  at: string[]
  arrange: () => Promise<Meeting>
  tidy?: () => Promise<unknown>
}

type Delivering = Awaited<ReturnType<typeof delivering>>
type Place = 'endpoint' | 'delivery' | 'event'
type ComerName = Exclude<keyof Delivering, Place>

/** How an endpoint has fared, and what its receiver answers next. */
type Fares = [receives: Receives, columns: () => Partial<WebhookEndpointRow>]
const failing = () => ({ failingSince: new Date(Date.now() - 60_000), lastFailureAt: new Date(Date.now() - 1_000) })
const ACCEPTS: Fares = ['accepts', () => ({})]
const RECOVERS: Fares = ['accepts', failing]
const FAILS: Fares = ['refuses', () => ({})]
const FAILS_AGAIN: Fares = ['refuses', failing]
const GOES: Fares = ['is gone', () => ({ goneCount: 2, failingSince: new Date(), lastFailureAt: new Date() })]

const BOTH: Place[] = ['endpoint', 'delivery']

/** Two that meet over a delivery, and how the first may end where that is not with success. */
const OVER_DELIVERIES: [pair: string, Fares, one: ComerName, other: ComerName, at: Place[], oneMayEnd?: string][] = [
  ['the first failure of an endpoint and its deletion', FAILS, 'attempt', 'remove', BOTH],
  ['a further failure of an endpoint and its deletion', FAILS_AGAIN, 'attempt', 'remove', BOTH],
  ['the success of an endpoint that was failing and its deletion', RECOVERS, 'attempt', 'remove', BOTH],
  ['the success of a sound endpoint and its deletion', ACCEPTS, 'attempt', 'remove', ['delivery']],
  ['the failure that switches an endpoint off and its deletion', GOES, 'attempt', 'remove', BOTH],
  ['the failure that switches an endpoint off and a change of its address', GOES, 'attempt', 'move', ['endpoint']],
  ['a further failure of an endpoint and the recovery of what it missed', FAILS_AGAIN, 'attempt', 'recover', BOTH],
  ['the first failure of an endpoint and another sending of the event', FAILS, 'attempt', 'resend', ['delivery']],
  ['another sending of an event and the recovery of its endpoint', FAILS, 'resend', 'recover', ['event', 'delivery']],
  ['another sending of an event and the deletion of its endpoint', FAILS, 'resend', 'remove', BOTH, '404'],
  ['another sending of an event to all and the deletion of one', FAILS, 'resendToAll', 'remove', ['delivery'], '400'],
]

const overDelivery = (
  ...[, [receives, columns], one, other, at, oneMayEnd]: (typeof OVER_DELIVERIES)[number]
): Pair => ({
  one: [one !== 'attempt' ? '200' : receives === 'accepts' ? 'delivered' : 'failed', oneMayEnd ?? []].flat(),
  other: ['200'],
  at,
  async arrange() {
    const { endpoint, delivery, event, ...comers } = await delivering(receives, columns())
    return { gates: { endpoint, delivery, event }, one: comers[one], other: comers[other] }
  },
})

/** A payment by a stored card, and the deletion of what `pathOf` names. */
const byStoredCard = (at: string[], pathOf: (stored: Stored) => string): Pair => ({
  ...{ one: ['done', 'refused'], other: ['200'], at },
  async arrange() {
    const stored = await makeStored()
    return {
      gates: stored.gates,
      one: stepped(authorize(stored.invoiceId, stored.cardId)),
      other: answered(() => client.delete(pathOf(stored))),
    }
  },
})

const PAIRS: Record<string, Pair> = {
  ...Object.fromEntries(OVER_DELIVERIES.map((row) => [row[0], overDelivery(...row)])),
  'an authorization and a change of its account': {
    // Written for an account that was exchanged since it was read; run again, it goes to the new one.
    ...{ one: ['done', 'refused by the database 55000'], other: ['200', '409'], at: ['account'] },
    async arrange() {
      const id = await accountOf()
      const invoiceId = await actor.makeInvoice()
      count += 1
      const elsewhere = { settings: { account: `acct_${count}` } }
      return {
        gates: { account: rowLock('gateway_configuration', id) },
        one: stepped(authorize(invoiceId, await actor.makeSource())),
        other: answered(() => client.put(`/gateway-configurations/${id}`, elsewhere)),
      }
    },
  },
  'a capture and a change of the name of its account': {
    ...{ one: ['done'], other: ['200'], at: ['account'] },
    async arrange() {
      const id = await accountOf()
      const invoiceId = await authorized()
      return {
        gates: { account: rowLock('gateway_configuration', id) },
        one: stepped(captureOf(invoiceId)),
        other: answered(() => client.put(`/gateway-configurations/${id}`, { name: 'Renamed' })),
      }
    },
  },
  'an authorization by a card and its deletion': {
    ...{ one: ['done', 'refused'], other: ['200'], at: ['card'] },
    async arrange() {
      const [invoiceId, cardId] = [await actor.makeInvoice(), await actor.makeCard()]
      return {
        gates: { card: rowLock('card', cardId) },
        one: stepped(authorize(invoiceId, cardId)),
        other: answered(() => client.delete(`/cards/${cardId}`)),
      }
    },
  },
  'an authorization by a card and its storing for the customer of the invoice': {
    ...{ one: ['done', 'refused'], other: ['200', '400'], at: ['customer', 'card'] },
    async arrange() {
      const customerId = await makeCustomer()
      const [invoiceId, cardId] = [await actor.makeInvoice({ customerId }), await actor.makeCard()]
      return {
        gates: { customer: rowLock('customer', customerId), card: rowLock('card', cardId) },
        one: stepped(authorize(invoiceId, cardId, { saveSource: true })),
        other: answered(() => client.post(`/customers/${customerId}/tokens`, { source: cardId })),
      }
    },
  },
  'an authorization by a stored card and the deletion of its token': byStoredCard(
    ['customer', 'card'],
    ({ tokenPath }) => tokenPath,
  ),
  'an authorization by a stored card and the deletion of the card': byStoredCard(
    ['customer', 'card'],
    ({ cardId }) => `/cards/${cardId}`,
  ),
  'an authorization by a stored card and the deletion of its customer': byStoredCard(
    ['invoice', 'customer', 'card'],
    ({ customerPath }) => customerPath,
  ),
  'the end of an authorization that stores its card and the deletion of its customer': {
    // A call that was never made cannot be made any more without the number of the card.
    ...{ one: ['done', 'pending'], other: ['200'], at: ['invoice', 'customer', 'card'] },
    async arrange() {
      const customerId = await makeCustomer()
      const [invoiceId, cardId] = [await actor.makeInvoice({ customerId }), await actor.makeCard()]
      const command = actor.build.authorize(cardId, { saveSource: true })
      await beginAttempt(actor.deps, actor.stepOf(invoiceId, command, {}))
      return {
        gates: {
          invoice: rowLock('invoice', invoiceId),
          customer: rowLock('customer', customerId),
          card: rowLock('card', cardId),
        },
        one: stepped(() => actor.step(invoiceId, command)),
        other: answered(() => client.delete(`/customers/${customerId}`)),
      }
    },
  },
  'the end of an authorization that its token learns from and the deletion of the token': {
    // A call that was never made cannot be made any more without the number of the card.
    ...{ one: ['done', 'pending'], other: ['200'], at: ['customer'] },
    async arrange() {
      const { gates, invoiceId, cardId, tokenPath } = await makeStored()
      const command = actor.build.authorize(cardId)
      await beginAttempt(actor.deps, actor.stepOf(invoiceId, command, {}))
      return {
        gates,
        one: stepped(() => actor.step(invoiceId, command)),
        other: answered(() => client.delete(tokenPath)),
      }
    },
  },
  'a capture and the deletion of the customer who pays': {
    ...{ one: ['done'], other: ['200'], at: ['invoice'] },
    async arrange() {
      const { cardId, customerPath } = await makeStored()
      const invoiceId = await actor.makeInvoice()
      await authorize(invoiceId, cardId)()
      return {
        gates: { invoice: rowLock('invoice', invoiceId) },
        one: stepped(captureOf(invoiceId)),
        other: answered(() => client.delete(customerPath)),
      }
    },
  },
  'a new webhook endpoint and the suspension of its project': {
    ...{ one: ['200'], other: ['done'], at: ['project'] },
    async arrange() {
      return {
        gates: { project: rowLock('project', actor.projectId) },
        one: answered(() => client.post('/webhook-endpoints', { url: 'https://shop.example/' })),
        other: ran(suspend),
      }
    },
    tidy: resume,
  },
  'a capture and what its gateway has told of the payment': {
    ...{ one: ['done', 'refused'], other: ['done'], at: ['invoice', 'transaction'] },
    async arrange() {
      const invoiceId = await authorized()
      const { id, gatewayConfigurationId } = await em().findOneOrFail(TransactionEntity, { invoiceId })
      const { projectId } = actor
      const account = { gatewayConfigurationId: gatewayConfigurationId ?? '', projectId, sandbox: true }
      await storeNotifications(em(), account, [disputeNotification('fraud-notification', { invoiceId })], clock.now())
      const at = clock.now().getTime()
      return {
        gates: { invoice: rowLock('invoice', invoiceId), transaction: rowLock('transaction', id) },
        one: stepped(captureOf(invoiceId)),
        other: ran(() => actor.activities.applyNotifications({ payment: actor.referenceOf(invoiceId), at })),
      }
    },
  },
  'the end of an attempt and a repetition of its request that takes it for lost': {
    ...{ one: ['done'], other: ['done'], at: ['invoice', 'key'] },
    async arrange() {
      const { invoiceId, command, claim } = await begunWithKey()
      return {
        gates: { invoice: rowLock('invoice', invoiceId), key: rowLock('idempotency_key', claim.id) },
        one: stepped(() => actor.step(invoiceId, command)),
        other: ran(() => answerLostKey(em(), claim, clock.now())),
      }
    },
  },
  'the beginning of a command and its withdrawal': {
    ...{ one: ['done', 'refused'], other: ['withdrawn', 'begun'], at: ['command'] },
    async arrange() {
      const invoiceId = await authorized()
      const command = actor.build.capture()
      const withdrawal = withdrawalOf(ownerOf(invoiceId), command, clock.now())
      return {
        gates: { command: { sql: 'select hold_commands(array[?])', values: [[command.operationId]] } },
        one: stepped(() => actor.step(invoiceId, command)),
        other: async () => (await withdrawCommand(em(), withdrawal)).kind,
      }
    },
  },
  'the end of a command and its withdrawal, which keeps what it has come to': {
    ...{ one: ['done'], other: ['begun'], at: ['invoice'] },
    async arrange() {
      const { invoiceId, command } = await begunWithKey()
      const withdrawal = withdrawalOf(ownerOf(invoiceId), command, clock.now())
      return {
        gates: { invoice: rowLock('invoice', invoiceId) },
        one: stepped(() => actor.step(invoiceId, command)),
        other: async () => (await withdrawCommand(em(), withdrawal, async () => {})).kind,
      }
    },
  },
  'an authorization and a change of its invoice': {
    ...{ one: ['done', 'refused'], other: ['200', '400', '409'], at: ['invoice'] },
    async arrange() {
      const invoiceId = await actor.makeInvoice()
      return {
        gates: { invoice: rowLock('invoice', invoiceId) },
        one: stepped(authorize(invoiceId, await actor.makeSource())),
        other: answered(() => client.put(`/invoices/${invoiceId}`, { name: 'Other' })),
      }
    },
  },
}

let count = 0

const CASES = Object.entries(PAIRS).flatMap(([pair, { at }]) =>
  at.flatMap((gate) => [
    { pair, gate, order: 'as named' },
    { pair, gate, order: 'the other way round' },
  ]),
)

test('a suspension that is not committed yet keeps no payment waiting', async () => {
  const [invoiceId, source] = [await actor.makeInvoice(), await actor.makeSource()]
  const suspending = em()
  await suspending.begin()
  await suspendProject(suspending, { projectId: actor.projectId, actor: 'test', now: clock.now() })
  try {
    expect((await authorize(invoiceId, source)()).answer).toEqual({ kind: 'done' })
    expect((await captureOf(invoiceId)()).answer).toEqual({ kind: 'done' })
  } finally {
    await suspending.rollback()
  }
})

test.each(CASES)('$pair meet at the $gate, $order, and both come to an end', async ({ pair, gate, order }) => {
  const { arrange, tidy = async () => {}, ...may } = PAIRS[pair] as Pair
  const { gates, one, other } = await arrange()
  try {
    const isReversed = order !== 'as named'
    const ends = await interleave(api.database, gates[gate] as LockStatement, isReversed ? [other, one] : [one, other])
    const [ofOne, ofOther] = isReversed ? ends.toReversed() : ends
    expect(may.one).toContain(ofOne)
    expect(may.other).toContain(ofOther)
  } finally {
    await tidy()
  }
})
