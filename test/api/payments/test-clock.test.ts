import { beforeEach, describe, expect, test } from '@jest/globals'
import { ServiceError } from '@temporalio/client'
import { ADVANCE_MAX_MS } from '../../../domain/test-clock.ts'
import { TransactionEntity } from '../../../src/persistence/entities/transaction.ts'
import { type TestClock, TimeSkippingNotAllowed } from '../../../src/temporal/test-clock.ts'
import { interfaceForFile } from '../../http/interface.ts'
import { AUTHORIZED, COMPLETED, createStubbedPayment } from '../../http/stubbed-payment.ts'
import { TEST_WAITS } from '../../support/waits.ts'

const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS
const PATH = 'clock/advance'
/** Of a card that is authorized and waits for its end. */
const WAITING = { ...AUTHORIZED, authorizationExpiresAt: new Date('2026-11-28T09:00:00.000Z') }

/** The run of a payment that has nothing due for a year. */
const RUNNING: TestClock = {
  within: (_, work) => work(),
  settlePayment: async () => {
    const { clockOffsetMs } = await row()
    const now = api.clock.now().getTime() + clockOffsetMs
    return { now, nextAt: now + 365 * DAY_MS, workflowId: 'payment', runId: 'run' }
  },
  requireAllowed: async () => {},
  movePayment: async () => {},
  webhookRun: async () => null,
  moveWebhook: async () => {},
}

const testClock = { ...RUNNING }
const change = (changes: Partial<TestClock>) => Object.assign(testClock, changes)
const api = interfaceForFile({ testClock, waits: TEST_WAITS })
const payment = createStubbedPayment(api)

beforeEach(async () => {
  change(RUNNING)
  await payment.begin()
})

const row = () => api.database.orm.em.fork().findOneOrFail(TransactionEntity, { invoiceId: payment.invoiceId })
const at = (milliseconds: number) => new Date(api.clock.now().getTime() + milliseconds).toISOString()
const advance = (body: object | string, headers: Record<string, string> = {}) =>
  api.merchant.client.post(`/invoices/${payment.invoiceId}/${PATH}`, body, { headers })
const keyed = (key: string, body: object) => advance(body, { 'Idempotency-Key': key })

describe('the clock of a payment', () => {
  test.each<[string, object, string, string]>([
    ['nothing', {}, 'request.validation.error', 'seconds'],
    ['both', { seconds: 60, to: '2026-11-22T00:00:00Z' }, 'request.validation.error', 'seconds'],
    ['no time', { seconds: 0 }, 'request.validation.error', 'seconds'],
    ['a negative time', { seconds: -60 }, 'request.validation.error', 'seconds'],
    ['a part of a second', { seconds: 1.5 }, 'request.validation.error', 'seconds'],
    ['more than 90 days', { seconds: ADVANCE_MAX_MS / 1000 + 1 }, 'request.validation.error', 'seconds'],
    ['an instant of the past', { to: '2026-11-21T08:59:59Z' }, 'request.validation.invalid-date', 'to'],
    ['the instant that it is', { to: '2026-11-21T09:00:00Z' }, 'request.validation.invalid-date', 'to'],
    ['an instant later than in 90 days', { to: '2027-02-19T09:00:01Z' }, 'request.validation.invalid-date', 'to'],
    ['an instant without an offset', { to: '2026-11-22T09:00:00' }, 'request.validation.invalid-date', 'to'],
    ['a field that it does not have', { days: 3 }, 'request.validation.error', 'days'],
  ])('moved by %s is refused, and nothing is moved', async (_, body, errorType, name) => {
    await payment.record(WAITING)
    const answer = await advance(body)
    expect(answer).toMatchObject({ status: 400, body: { error_type: errorType } })
    expect(answer.body.invalid_fields.map((field: { name: string }) => field.name)).toContain(name)
    expect(await row()).toMatchObject({ clockOffsetMs: 0, clockMove: null })
  })

  test('moves to an instant, by seconds, and by a form, and never further back', async () => {
    await payment.record(WAITING)
    expect(await advance({ to: at(DAY_MS) })).toMatchObject({
      status: 200,
      body: { success: true, outcome: 'success', clock: { now: at(DAY_MS), target: at(DAY_MS) } },
    })
    const past = await advance({ to: at(DAY_MS - HOUR_MS) })
    expect(past).toMatchObject({ status: 400, body: { error_type: 'request.validation.invalid-date' } })
    expect(past.body.message).toContain(at(DAY_MS))
    const form = await api.merchant.client.post(
      `/invoices/${payment.invoiceId}/${PATH}`,
      { seconds: '3600' },
      { form: true },
    )
    expect(form.body.clock).toEqual({ now: at(DAY_MS + HOUR_MS), target: at(DAY_MS + HOUR_MS) })
    expect(await row()).toMatchObject({ clockOffsetMs: DAY_MS + HOUR_MS, clockMove: null })
  })

  test('is not there before something is paid, and stays where nothing waits', async () => {
    const refused = { status: 400, body: { error_type: 'request.validation.invalid-state' } }
    expect(await advance({ seconds: 60 })).toMatchObject(refused)
    await payment.record(COMPLETED)
    expect(await advance({ seconds: 60 })).toMatchObject(refused)
    expect(await row()).toMatchObject({ clockOffsetMs: 0, clockMove: null })
  })

  test('of a live payment is never moved', async () => {
    const { client } = await api.makeMerchant({ sandbox: false })
    const { body } = await client.post('/invoices', { name: 'Order 1', amount: '29.00', currency: 'EUR' })
    const answer = await client.post(`/invoices/${body.invoice.id}/${PATH}`, { seconds: 60 })
    expect(answer).toMatchObject({ status: 403, body: { error_type: 'request.clock.sandbox-only' } })
  })

  test('shows when the next step is due by the wall clock, for the sweep', async () => {
    await payment.record(WAITING)
    await advance({ seconds: 2 * 86_400 })
    // The authorization ends on the 28th; its merchant is told of that a day before.
    expect(await row()).toMatchObject({ nextDueAt: new Date('2026-11-25T09:00:00.000Z') })
  })

  test('is not moved while another advance is under way: 409 after a wait', async () => {
    await payment.record({
      ...WAITING,
      clockMove: { target: Date.parse(at(DAY_MS)), heldUntil: Date.parse(at(1_000)), key: null },
    })
    expect(await advance({ seconds: 60 })).toMatchObject({
      status: 409,
      body: { error_type: 'request.still-processing' },
    })
    expect(await row()).toMatchObject({ clockOffsetMs: 0 })
    api.clock.advance(1_000)
    const { status } = await advance({ seconds: 60 })
    api.clock.advance(-1_000)
    expect(status).toBe(200)
    expect(await row()).toMatchObject({ clockOffsetMs: 60_000 })
  })
})

test('a clock that Temporal cannot move is not moved, and says so', async () => {
  change({
    requireAllowed: async () => {
      throw new TimeSkippingNotAllowed()
    },
  })
  await payment.record(WAITING)
  const refused = { status: 400, body: { error_type: 'request.clock.not-available' } }
  expect(await advance({ seconds: 60 })).toMatchObject(refused)
  expect(await row()).toMatchObject({ clockOffsetMs: 0 })
})

test('a webhook that was just fired is moved as well, once its run has begun', async () => {
  const begun = Date.now()
  let moved = 0
  let looks = 0
  const webhooks: number[] = []
  change({
    settlePayment: async () => {
      const now = Date.parse('2026-11-21T09:00:00.000Z') + moved + (Date.now() - begun)
      return { now, nextAt: now + 365 * DAY_MS, workflowId: 'payment', runId: 'run' }
    },
    movePayment: async (_, { milliseconds }) => {
      moved += milliseconds
    },
    webhookRun: async () => {
      looks += 1
      return looks === 1 ? null : { workflowId: 'webhook', runId: 'run', now: 0, movedTo: null, restMs: 0 }
    },
    moveWebhook: async (_, { milliseconds }) => {
      webhooks.push(milliseconds)
    },
  })
  await payment.record(WAITING)
  await pendingWebhook()
  expect((await advance({ seconds: 86_400 })).status).toBe(200)
  expect(webhooks[0]).toBe(DAY_MS)
})

describe('an idempotency key', () => {
  test('gives the same answer again, and moves nothing again', async () => {
    await payment.record(WAITING)
    const first = await keyed('one', { seconds: 3600 })
    const again = await keyed('one', { seconds: 3600 })
    expect([again.status, again.body]).toEqual([200, first.body])
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(await keyed('one', { seconds: 7200 })).toMatchObject({
      status: 400,
      body: { error_type: 'request.idempotency-key.invalid' },
    })
    expect(await row()).toMatchObject({ clockOffsetMs: HOUR_MS })
  })

  test.each(['before', 'after'] as const)(
    'goes on to the first target where a process died %s it had moved the payment, and moves each webhook once',
    async (when) => {
      let isDying = true
      let movedTo: number | null = null
      const moved = { payment: 0, webhook: 0 }
      const begun = Date.now()
      change({
        settlePayment: async () => {
          // Its last second before the target passes by itself.
          const now = Date.parse('2026-11-21T09:00:00.000Z') + moved.payment + (Date.now() - begun)
          return { now, nextAt: now + 365 * DAY_MS, workflowId: 'payment', runId: 'run' }
        },
        movePayment: async (_, { milliseconds }) => {
          if (when === 'after') moved.payment += milliseconds
          if (isDying) throw new Error('The process dies.')
          if (when === 'before') moved.payment += milliseconds
        },
        webhookRun: async () => ({ workflowId: 'webhook', runId: 'run', now: 0, movedTo, restMs: 0 }),
        moveWebhook: async (_, { to, milliseconds }) => {
          movedTo = to
          moved.webhook += milliseconds
        },
      })
      await payment.record(WAITING)
      await pendingWebhook()
      const target = at(DAY_MS)
      expect((await keyed('one', { seconds: 86_400 })).status).toBe(500)
      isDying = false
      expect(await keyed('one', { seconds: 86_400 })).toMatchObject({ status: 200, body: { clock: { target } } })
      expect(moved.webhook).toBe(DAY_MS)
      expect(moved.payment).toBeLessThanOrEqual(DAY_MS - 1000)
      expect(moved.payment).toBeGreaterThan(DAY_MS - HOUR_MS)
      expect(await row()).toMatchObject({ clockOffsetMs: DAY_MS, clockMove: null })
    },
  )

  test('is free where Temporal did not answer: 503, and nothing was moved', async () => {
    change({
      settlePayment: async () => {
        throw new ServiceError('Failed', { cause: Object.assign(new Error('14'), { code: 14 }) })
      },
    })
    await payment.record(WAITING)
    expect(await keyed('one', { seconds: 60 })).toMatchObject({
      status: 503,
      body: { error_type: 'request.not-started' },
    })
    expect(await row()).toMatchObject({ clockOffsetMs: 0 })
  })
})

/** An event whose webhook was tried once, and waits. */
async function pendingWebhook(): Promise<void> {
  const { id } = await row()
  const em = api.database.orm.em.fork()
  await em.execute(
    `insert into event (id, project_id, sandbox, name, invoice_id, transaction_id, sequence, data, fired_at)
     select 'ev_' || id, project_id, sandbox, 'transaction.authorized', invoice_id, id, 1, '{}', ? from transaction where id = ?`,
    [api.clock.now(), id],
  )
  await em.execute(
    `insert into delivery (id, project_id, sandbox, event_id, target_url, status, first_attempt_at, release_at, queued_at,
                           created_at)
     select 'whd_' || id, project_id, sandbox, id, 'https://shop.example/', 'pending', fired_at, fired_at + interval '1 hour', fired_at, fired_at
       from event where id = 'ev_' || ?`,
    [id],
  )
}
