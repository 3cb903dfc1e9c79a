import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { createWebhookActivities, type PaymentActivities, type WebhookActivities } from '../../activities/index.ts'
import type { Environment } from '../../domain/environment.ts'
import type { FiredEvent } from '../../domain/webhook-event.ts'
import { EventEntity } from '../../src/persistence/entities/event.ts'
import { onlyOf } from '../../src/temporal/own-environment.ts'
import { createVault } from '../../src/vault/vault.ts'
import { createWebhookLimits } from '../../src/webhooks/concurrency-limit.ts'
import { disputeNotification } from '../support/gateway-notifications.ts'
import { TEST_KEYS } from '../support/keys.ts'
import { seedEndpoint, seedEventFor } from '../webhooks/endpoint-seed.ts'
import { DAY_MS, lostAnswer, paymentsForFile } from './payments.ts'
import { FIRST_TRY } from './webhooks/delivery-stage.ts'

type Activities = PaymentActivities & WebhookActivities

/** Makes ready for an activity, and gives what runs it, with the same input every time. */
type Row = () => Promise<(activities: Activities) => Promise<unknown>>

const payments = paymentsForFile()
/** Webhooks that were sent. */
const webhooks: string[] = []
/** What receivers of webhooks answer. */
let status = 200
const em = () => payments.em()
const now = () => payments.now()

beforeAll(async () => {
  // Somebody is to receive every event of the payments.
  await seedEndpoint(payments.database.orm, { projectId: payments.projectId, url: 'https://shop.example/all' })
})

/** The activities, with a starter of webhook workflows. */
function activitiesWith(start: (event: FiredEvent) => Promise<void>): Activities {
  const webhookActivities = createWebhookActivities(
    {
      ...{ orm: payments.database.orm, clock: payments.deps.clock, randomBytes },
      webhookSender: {
        async send({ url }) {
          webhooks.push(url)
          const answer = { status, responseTimeMs: 1, excerpt: null, retryAt: null }
          return status === 200
            ? { ...answer, delivered: true, reason: null }
            : { ...answer, delivered: false, reason: 'http_status' }
        },
      },
      webhookStarter: { start },
      limits: createWebhookLimits(),
      vault: createVault(TEST_KEYS),
    },
    () => FIRST_TRY,
  )
  return { ...payments.activitiesWith({ webhookStarter: { start } }), ...webhookActivities }
}

/** Everything that has been sent: calls that may move money, and webhooks. A gateway may be asked as often as one likes. */
const sent = () => [
  ...payments.gateway.asked
    .filter(({ call }) => call !== 'lookUp')
    .map(({ call, request }) => `${call} ${request.reference}`),
  ...webhooks,
]
const withKey = () => ({ idempotency: payments.newKey() })
const authorized = async () => (await payments.authorized({ incremental: true })).invoiceId
/** An authorized payment with a capture that the gateway has made, and whose answer got lost. */
const withLostCapture = async () => {
  const invoiceId = await authorized()
  const command = payments.build.capture(null, withKey())
  await payments.gateway.answersDuring({ capture: lostAnswer }, () => payments.step(invoiceId, command))
  return { invoiceId, payment: payments.referenceOf(invoiceId), operationId: command.operationId, at: now() }
}
/** Every row but those of the gateway, which may be asked what has become of a call as often as one likes. */
const ourRows = async () => (await payments.database.dump()).split('\n').filter((row) => !row.startsWith('simulator.'))
/** The start of a workflow that was started before is no start; here those of what was fired before do not count. */
const eventIds = async () => new Set((await em().find(EventEntity, {}, { fields: ['id'] })).map(({ id }) => id))

/** A delivery to an endpoint of its own, whose merchant has another one that is told what becomes of it. */
const delivery = async (goneCount = 0) => {
  const { orm } = payments.database
  const given = goneCount === 0 ? {} : { goneCount, failingSince: new Date(), lastFailureAt: new Date() }
  const endpoint = await seedEndpoint(orm, { projectId: payments.projectId, url: 'https://shop.example/one', ...given })
  await seedEndpoint(orm, { projectId: payments.projectId, url: 'https://shop.example/other' })
  return seedEventFor(orm, [endpoint])
}

/** Every activity; one without a row does not compile. */
const ROWS: Record<keyof Activities, Row> = {
  async authorize() {
    const command = payments.build.authorize(await payments.makeSource(), withKey())
    const input = payments.stepOf(await payments.makeInvoice(), command)
    return ({ authorize }) => authorize(input)
  },
  async capture() {
    const input = payments.stepOf(await authorized(), payments.build.capture(null, withKey()))
    return ({ capture }) => capture(input)
  },
  async incrementAuthorization() {
    const input = payments.stepOf(await authorized(), payments.build.increment(500, withKey()))
    return ({ incrementAuthorization }) => incrementAuthorization(input)
  },
  async voidAuthorization() {
    const input = payments.stepOf(await authorized(), payments.build.void(null, withKey()))
    return ({ voidAuthorization }) => voidAuthorization(input)
  },
  async refund() {
    const { invoiceId } = await payments.captured()
    const input = payments.stepOf(invoiceId, payments.build.refund(1_000, withKey()))
    return ({ refund }) => refund(input)
  },
  async reverseOrphan() {
    const { invoiceId, operationId } = await payments.gateway.answersDuring({ authorize: lostAnswer }, () =>
      payments.authorize(),
    )
    await payments.closeAttempt(invoiceId, operationId)
    await payments.step(invoiceId, payments.build.authorize(await payments.makeSource()))
    await payments.lookUp(invoiceId, operationId)
    const input = payments.stepOf(invoiceId, payments.build.reverseOrphan(operationId))
    return ({ reverseOrphan }) => reverseOrphan(input)
  },
  async scheduleCapture() {
    const input = payments.stepOf(await authorized(), payments.build.schedule(now() + DAY_MS, withKey()))
    return ({ scheduleCapture }) => scheduleCapture(input)
  },
  async lookUp() {
    const input = await withLostCapture()
    return ({ lookUp }) => lookUp(input)
  },
  async applyNotifications() {
    const { invoiceId } = await payments.captured()
    await payments.notify(
      invoiceId,
      disputeNotification('fraud-notification', { invoiceId }),
      disputeNotification('chargeback-created', { invoiceId }),
    )
    const input = { payment: payments.referenceOf(invoiceId), at: now() }
    return ({ applyNotifications }) => applyNotifications(input)
  },
  async resolveAttempt() {
    const { payment, operationId, at } = await withLostCapture()
    const resolution = { operationId, outcome: 'declined', gatewayOperationId: null, reason: 'a test' } as const
    return ({ resolveAttempt }) => resolveAttempt({ payment, at, resolution })
  },
  async announceExpiry() {
    const input = { payment: payments.referenceOf(await authorized()), at: now() + 6 * DAY_MS }
    return ({ announceExpiry }) => announceExpiry(input)
  },
  async loadPayment() {
    const payment = payments.referenceOf(await authorized())
    return ({ loadPayment }) => loadPayment(payment)
  },
  async beginDeliveries() {
    const { orm } = payments.database
    // Its host has accepted something before, so that the first attempt is made at once.
    const endpoint = await seedEndpoint(orm, { projectId: payments.projectId, url: 'https://quick.example/' })
    const attemptOf = async (of: Awaited<ReturnType<typeof seedEventFor>>) => {
      const { projectId, environment, deliveryIds } = of
      const at = { projectId, environment, deliveryId: deliveryIds[0] ?? '', run: 0, attempt: 0, at: now() }
      return { ...at, nextOffsetMs: 2_500, health: 'good' as const }
    }
    const first = await attemptOf(await seedEventFor(orm, [endpoint]))
    await activitiesWith(async () => {}).deliverWebhook(first)
    const { deliveryIds: _, ...event } = await seedEventFor(orm, [endpoint])
    const input = { ...event, at: now(), nextOffsetMs: 2_500 }
    // Only the run that has made the first attempt tells how it ended.
    return async ({ beginDeliveries }) => (await beginDeliveries(input)).map(({ first: _, ...found }) => found)
  },
  async deliverWebhook() {
    const { projectId, environment, deliveryIds } = await delivery(2)
    const of = { projectId, environment, deliveryId: deliveryIds[0] ?? '', run: 0, attempt: 0, at: now() }
    const input = { ...of, nextOffsetMs: 2_500, health: 'good' as const }
    return async ({ deliverWebhook }) => {
      status = 410
      return deliverWebhook(input).finally(() => {
        status = 200
      })
    }
  },
}

const NAMES = Object.keys(ROWS) as (keyof Activities)[]

test('every activity has a row', () => {
  expect(Object.keys(activitiesWith(async () => {})).sort()).toEqual([...NAMES].sort())
})

describe('in a worker of the other environment', () => {
  /** The activities as such a worker runs them, given what is said of the payment. */
  const foreign = (environment: Environment, inOther: (input: object) => object) => {
    const { execute } = onlyOf(environment)({} as never).inbound ?? {}
    const bound = Object.entries(activitiesWith(async () => {})).map(([name, activity]) => [
      name,
      (input: object) =>
        execute?.({ args: [inOther(input)], headers: {} }, ({ args }) => activity(...(args as [never]))),
    ])
    return Object.fromEntries(bound) as Activities
  }
  const asLive = (input: object) => JSON.parse(JSON.stringify(input).replace('"sandbox"', '"live"'))
  const WORKERS: [Environment, string, (input: object) => object][] = [
    ['live', 'of the sandbox', (input) => input],
    ['sandbox', 'in live', asLive],
    ['sandbox', 'in no environment', (input) => JSON.parse(JSON.stringify(input).replace('"sandbox"', 'null'))],
  ]

  test.each(NAMES.flatMap((name) => WORKERS.map((worker) => [name, ...worker] as const)))(
    '%s is refused by the worker of %s for what is %s, before it begins',
    async (name, environment, _, inOther) => {
      const run = await ROWS[name]()
      const before = { rows: await ourRows(), sent: sent() }
      await expect(run(foreign(environment, inOther))).rejects.toMatchObject({
        type: 'other-environment',
        nonRetryable: true,
      })
      expect({ rows: await ourRows(), sent: sent() }).toEqual(before)
    },
  )
})

describe('run again with the same input', () => {
  test.each(NAMES)(
    '%s changes nothing, sends nothing, starts nothing that it had not, and tells the same',
    async (name) => {
      const run = await ROWS[name]()
      const known = await eventIds()
      const started = new Set<string>()
      const activities = activitiesWith(async ({ eventId }) => {
        if (!known.has(eventId)) started.add(eventId)
      })
      const first = await run(activities)
      const before = { rows: await ourRows(), sent: sent(), started: [...started] }
      const second = await run(activities)
      const after = { rows: await ourRows(), sent: sent(), started: [...started] }
      // Only what differs, of some hundred rows.
      expect(after.rows.filter((row) => !before.rows.includes(row))).toEqual([])
      expect(after).toEqual(before)
      expect(second).toEqual(first)
    },
  )
})

/** Those that fire nothing: what they do is told by nobody's event. */
const SILENT: readonly (keyof Activities)[] = ['reverseOrphan', 'scheduleCapture', 'loadPayment', 'beginDeliveries']
const TELLING = NAMES.filter((name) => !SILENT.includes(name))

describe('where the commit fails', () => {
  /** Refuses at the commit what fires an event, but the one that an attempt fires before its gateway is asked. */
  const REFUSE = `
    create function refuse_commit() returns trigger language plpgsql as $$ begin raise exception 'not now'; end $$;
    create constraint trigger refused after insert on event deferrable initially deferred
      for each row when (new.name <> 'transaction.requested') execute function refuse_commit()`

  test.each(TELLING)('%s announces nothing, and what it has fired once it is committed', async (name) => {
    const run = await ROWS[name]()
    const known = await eventIds()
    const started: string[] = []
    const early: string[] = []
    const activities = activitiesWith(async ({ eventId, eventName }) => {
      // By another connection, which sees what is committed.
      if ((await em().count(EventEntity, { id: eventId })) === 0) early.push(eventName)
      if (!known.has(eventId)) started.push(eventId)
    })
    await em().execute(REFUSE)
    const refused = run(activities).finally(() => em().execute('drop function refuse_commit cascade'))
    await expect(refused).rejects.toThrow(/refused or did not answer|not now/)
    expect(started).toEqual([])
    expect(early).toEqual([])

    await run(activities)
    const fired = (await em().find(EventEntity, {})).filter(({ id }) => !known.has(id))
    expect(fired.length).toBeGreaterThan(0)
    expect([...new Set(started)].sort()).toEqual(fired.map(({ id }) => id).sort())
    expect(early).toEqual([])
  })
})
