import { randomBytes } from 'node:crypto'
import { beforeAll, expect, test } from '@jest/globals'
import type { StepResult } from '../../activities/payment/attempt.ts'
import { beginAttempt } from '../../activities/payment/begin-attempt.ts'
import { createWebhookActivities } from '../../activities/webhooks.ts'
import type { PayCommand } from '../../domain/command.ts'
import { answerLostKey } from '../../src/idempotency/record.ts'
import { DeliveryEntity } from '../../src/persistence/entities/delivery.ts'
import { GatewayConfigurationEntity } from '../../src/persistence/entities/gateway-configuration.ts'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import type { WebhookEndpointRow } from '../../src/persistence/entities/webhook-endpoint.ts'
import type { EntityManager } from '../../src/persistence/orm.ts'
import { makeWithdrawal, withdrawCommand } from '../../src/persistence/queries/payments/commands.ts'
import { storeNotifications } from '../../src/persistence/queries/payments/gateway-notifications.ts'
import { setSuspended } from '../../src/persistence/queries/projects/projects.ts'
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

/** Does something in a database transaction, and tells in a word how that ended. */
type Work = () => Promise<string>

interface Pair {
  /** Locks that both take, by name. */
  locks: Record<string, LockStatement>
  one: Work
  other: Work
}

/** One that the database has refused is run again by Temporal; a deadlock is never an end. */
const orRefused = (error: Error) => `refused by the database ${/\((\w{5})/.exec(error.message)?.[1] ?? error.message}`
const answered = (request: () => Promise<Answer>) => async () => String((await request()).status)
const stepped = (step: () => Promise<StepResult>) => async () => step().then(({ answer }) => answer.kind, orRefused)
const ran = (work: () => Promise<unknown>) => async () => work().then(() => 'done', orRefused)

// Payments.

const makeCustomer = async () => String((await client.post('/customers', {})).body.customer.id)
/** An invoice of a customer with a stored card, and the locks that its payment takes. */
const makeStored = async () => {
  const customerId = await makeCustomer()
  const cardId = await actor.makeCard()
  const customerPath = `/customers/${customerId}`
  const { status, body } = await client.post(`${customerPath}/tokens`, { source: cardId })
  if (status !== 200) throw new Error(JSON.stringify(body))
  const invoiceId = await actor.makeInvoice({ customerId })
  const locks = {
    invoice: rowLock('invoice', invoiceId),
    customer: rowLock('customer', customerId),
    card: rowLock('card', cardId),
  }
  return { locks, invoiceId, cardId, customerPath, tokenPath: `${customerPath}/tokens/${body.token.id}` }
}
type Stored = Awaited<ReturnType<typeof makeStored>>
const authorize = (invoiceId: string, source: string, values: Partial<PayCommand> = {}) => {
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
const setSuspension = (suspendedAt: Date | null, inner: EntityManager) =>
  setSuspended(inner, { projectId: actor.projectId, suspendedAt, actor: 'test' })
const suspend = () => em().transactional((inner) => setSuspension(clock.now(), inner))
const resume = () => em().transactional((inner) => setSuspension(null, inner))

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

/** A delivery that waits for a retry, the locks of it, its next attempt, and what changes it or its endpoint. */
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
  const attempt: Work = () =>
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

interface Case {
  /** How each of the two may end, whichever is first. */
  one: string[]
  other: string[]
  /** The locks for which both wait, by name. */
  at: string[]
  arrange: () => Promise<Pair>
  tidy?: () => Promise<unknown>
}

type Delivering = Awaited<ReturnType<typeof delivering>>
type LockName = 'endpoint' | 'delivery' | 'event'
type WorkName = Exclude<keyof Delivering, LockName>

/** What its receiver answers next, and the state of the endpoint before. */
type EndpointState = [receives: Receives, columns: () => Partial<WebhookEndpointRow>]
const failing = () => ({ failingSince: new Date(Date.now() - 60_000), lastFailureAt: new Date(Date.now() - 1_000) })
const ACCEPTS: EndpointState = ['accepts', () => ({})]
const RECOVERS: EndpointState = ['accepts', failing]
const FAILS: EndpointState = ['refuses', () => ({})]
const FAILS_AGAIN: EndpointState = ['refuses', failing]
const GOES: EndpointState = ['is gone', () => ({ goneCount: 2, failingSince: new Date(), lastFailureAt: new Date() })]

const BOTH: LockName[] = ['endpoint', 'delivery']

/** Two on one delivery, the locks for which both wait, and how the first may end other than with success. */
const ON_DELIVERIES: [
  pair: string,
  EndpointState,
  one: WorkName,
  other: WorkName,
  at: LockName[],
  oneMayEnd?: string,
][] = [
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

const onDelivery = (...[, [receives, columns], one, other, at, oneMayEnd]: (typeof ON_DELIVERIES)[number]): Case => ({
  one: [one !== 'attempt' ? '200' : receives === 'accepts' ? 'delivered' : 'failed', oneMayEnd ?? []].flat(),
  other: ['200'],
  at,
  async arrange() {
    const { endpoint, delivery, event, ...works } = await delivering(receives, columns())
    return { locks: { endpoint, delivery, event }, one: works[one], other: works[other] }
  },
})

/** A payment by a stored card, and the deletion of what `pathOf` names. */
const byStoredCard = (at: string[], pathOf: (stored: Stored) => string): Case => ({
  ...{ one: ['done', 'refused'], other: ['200'], at },
  async arrange() {
    const stored = await makeStored()
    return {
      locks: stored.locks,
      one: stepped(authorize(stored.invoiceId, stored.cardId)),
      other: answered(() => client.delete(pathOf(stored))),
    }
  },
})

const CASES: Record<string, Case> = {
  ...Object.fromEntries(ON_DELIVERIES.map((row) => [row[0], onDelivery(...row)])),
  'an authorization and a change of its account': {
    // Written for an account that was exchanged since it was read; run again, it goes to the new one.
    ...{ one: ['done', 'refused by the database 55000'], other: ['200', '409'], at: ['account'] },
    async arrange() {
      const id = await accountOf()
      const invoiceId = await actor.makeInvoice()
      count += 1
      const elsewhere = { settings: { account: `acct_${count}` } }
      return {
        locks: { account: rowLock('gateway_configuration', id) },
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
        locks: { account: rowLock('gateway_configuration', id) },
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
        locks: { card: rowLock('card', cardId) },
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
        locks: { customer: rowLock('customer', customerId), card: rowLock('card', cardId) },
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
        locks: {
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
      const { locks, invoiceId, cardId, tokenPath } = await makeStored()
      const command = actor.build.authorize(cardId)
      await beginAttempt(actor.deps, actor.stepOf(invoiceId, command, {}))
      return {
        locks,
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
        locks: { invoice: rowLock('invoice', invoiceId) },
        one: stepped(captureOf(invoiceId)),
        other: answered(() => client.delete(customerPath)),
      }
    },
  },
  'a new webhook endpoint and the suspension of its project': {
    ...{ one: ['200'], other: ['done'], at: ['project'] },
    async arrange() {
      return {
        locks: { project: rowLock('project', actor.projectId) },
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
        locks: { invoice: rowLock('invoice', invoiceId), transaction: rowLock('transaction', id) },
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
        locks: { invoice: rowLock('invoice', invoiceId), key: rowLock('idempotency_key', claim.id) },
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
      const withdrawal = makeWithdrawal(ownerOf(invoiceId), command, clock.now())
      return {
        locks: { command: { sql: 'select hold_commands(array[?])', values: [command.operationId] } },
        one: stepped(() => actor.step(invoiceId, command)),
        other: async () => (await withdrawCommand(em(), withdrawal)).kind,
      }
    },
  },
  'the end of a command and its withdrawal, which keeps what it has come to': {
    ...{ one: ['done'], other: ['begun'], at: ['invoice'] },
    async arrange() {
      const { invoiceId, command } = await begunWithKey()
      const withdrawal = makeWithdrawal(ownerOf(invoiceId), command, clock.now())
      return {
        locks: { invoice: rowLock('invoice', invoiceId) },
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
        locks: { invoice: rowLock('invoice', invoiceId) },
        one: stepped(authorize(invoiceId, await actor.makeSource())),
        other: answered(() => client.put(`/invoices/${invoiceId}`, { name: 'Other' })),
      }
    },
  },
}

let count = 0

const ORDERS = Object.entries(CASES).flatMap(([pair, { at }]) =>
  at.flatMap((lock) => [
    { pair, lock, order: 'in this order' },
    { pair, lock, order: 'in the other order' },
  ]),
)

test('a payment does not wait for a suspension that is not committed yet', async () => {
  const [invoiceId, source] = [await actor.makeInvoice(), await actor.makeSource()]
  const suspending = em()
  await suspending.begin()
  await setSuspension(clock.now(), suspending)
  try {
    expect((await authorize(invoiceId, source)()).answer).toEqual({ kind: 'done' })
    expect((await captureOf(invoiceId)()).answer).toEqual({ kind: 'done' })
  } finally {
    await suspending.rollback()
  }
})

test.each(ORDERS)(
  '$pair end without a deadlock where both wait for the $lock, $order',
  async ({ pair, lock, order }) => {
    const { arrange, tidy = async () => {}, ...may } = CASES[pair] as Case
    const { locks, one, other } = await arrange()
    try {
      const isReversed = order === 'in the other order'
      const ends = await interleave(
        api.database,
        locks[lock] as LockStatement,
        isReversed ? [other, one] : [one, other],
      )
      const [ofOne, ofOther] = isReversed ? ends.toReversed() : ends
      expect(may.one).toContain(ofOne)
      expect(may.other).toContain(ofOther)
    } finally {
      await tidy()
    }
  },
)
