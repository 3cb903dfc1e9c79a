import { beforeAll, describe, expect, test } from '@jest/globals'
import { makeIdentifier } from '../../domain/identifiers.ts'
import { createTestClock, type TestClock } from '../../src/temporal/test-clock.ts'
import { refundCommand } from '../domain/payment-builders.ts'
import { runningForFile } from '../support/for-file.ts'
import { paymentStageForFile } from '../support/payment-stage-for-file.ts'
import { receiverForFile } from '../support/receiver-for-file.ts'
import { createSignedActivities } from '../support/signed-activities.ts'
import { seedEvent } from '../webhooks/seed.ts'
import { webhookStageForFile } from '../webhooks/stage.ts'

const MINUTE_MS = 60 * 1000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/**
 * A server suggests a new run after 4 MiB of history, as it does after 1,800 of the 2,000 updates that it takes in one.
 * Commands of this size get there sooner.
 */
const LONG_TEXT = 'x'.repeat(200_000)
const COMMANDS_MAX = 60

describe('the clock of a payment', () => {
  const stage = paymentStageForFile({ eager: false })
  runningForFile(() => stage.startWorker())
  let clock: TestClock
  let asked = 0

  beforeAll(async () => {
    clock = createTestClock({ temporal: stage.clients, taskQueues: stage.taskQueues })
  })

  const settle = (invoiceId: string) => {
    asked += 1
    return clock.settlePayment(stage.describe(invoiceId), `asked-${asked}`)
  }
  const aheadOf = async (invoiceId: string) => (await settle(invoiceId)).now - Date.now()
  const putForward = (invoiceId: string, milliseconds: number) =>
    stage.database.orm.em
      .fork()
      .execute('update transaction set clock_offset_ms = clock_offset_ms + ? where invoice_id = ?', [
        milliseconds,
        invoiceId,
      ])

  test('is kept by a run that continues another one: the time before that run, and the time skipped in it', async () => {
    const invoiceId = await stage.makeInvoice()
    const source = await stage.makeCard()
    expect(await stage.send(invoiceId, stage.authorizeCommand(source))).toEqual({ kind: 'done' })
    // As another run left it behind, that was lost.
    await putForward(invoiceId, 2 * DAY_MS)
    await stage.runOf(invoiceId).terminate('lost')
    const before = await settle(invoiceId)
    expect(Math.abs(before.now - Date.now() - 2 * DAY_MS)).toBeLessThan(HOUR_MS)
    await putForward(invoiceId, DAY_MS)
    await clock.movePayment(before, { to: before.now + DAY_MS, milliseconds: DAY_MS })

    const long = { initialSchemeTransactionId: LONG_TEXT }
    let { runId } = before
    for (let sent = 0; sent < COMMANDS_MAX && runId === before.runId; sent += 1) {
      expect(await stage.send(invoiceId, stage.authorizeCommand(source, long))).toEqual({ kind: 'unchanged' })
      runId = (await stage.runOf(invoiceId).describe()).runId
    }
    expect(runId).not.toBe(before.runId)
    expect(Math.abs((await aheadOf(invoiceId)) - 3 * DAY_MS)).toBeLessThan(HOUR_MS)
    // A payment that is asked very often goes on in a new run before the old one takes no more, and can be captured there.
    expect(await stage.send(invoiceId, stage.captureCommand())).toEqual({ kind: 'done' })
    expect(await stage.runOf(invoiceId).result()).toMatchObject({ status: 'completed' })
    expect((await stage.gatewayRequests(invoiceId)).map(({ type }) => type)).toEqual(['authorization', 'capture'])
  })

  test('decides also the first command of a run that has not read it yet', async () => {
    const invoiceId = await stage.makeInvoice()
    expect(await stage.send(invoiceId, stage.authorizeCommand(await stage.makeCard()))).toEqual({ kind: 'done' })
    await stage.runOf(invoiceId).terminate('lost')
    await putForward(invoiceId, 8 * DAY_MS)
    expect(await stage.send(invoiceId, stage.captureCommand())).toMatchObject({
      kind: 'refused',
      code: 'gateway.expired',
    })
    expect((await stage.gatewayRequests(invoiceId)).map(({ type }) => type)).not.toContain('capture')
  })

  test('says when a run does not trust its copy of the record any more: what was booked without it can be refunded', async () => {
    const invoiceId = await stage.makeInvoice()
    expect(await stage.send(invoiceId, stage.authorizeCommand(await stage.makeCard()))).toEqual({ kind: 'done' })
    await createSignedActivities(stage.deps).capture(stage.step(invoiceId, stage.captureCommand()))
    const before = await settle(invoiceId)
    await putForward(invoiceId, 2 * MINUTE_MS)
    await clock.movePayment(before, { to: before.now + 2 * MINUTE_MS, milliseconds: 2 * MINUTE_MS })
    const refundId = makeIdentifier('refund', stage.deps.randomBytes)
    expect(await stage.send(invoiceId, refundCommand(null, { ...stage.base(), refundId }))).toEqual({ kind: 'done' })
    expect((await stage.gatewayRequests(invoiceId)).map(({ type }) => type)).toEqual([
      'authorization',
      'capture',
      'refund',
    ])
  })

  test('of a live payment is not asked for', async () => {
    const live = { ...stage.describe('iv_live'), environment: 'live' as const }
    await expect(clock.settlePayment(live, 'asked-live')).rejects.toThrow('A live payment has no test clock.')
  })
})

describe('the clock of a webhook', () => {
  const stage = webhookStageForFile()
  const target = receiverForFile()
  let clock: TestClock

  beforeAll(async () => {
    target.answerWith(500)
    const temporal = { live: stage.client, sandbox: stage.client }
    clock = createTestClock({ temporal, taskQueues: { payments: stage.taskQueue, webhooks: stage.taskQueue } })
  })

  test('brings all retries to as many targets as an event can have', async () => {
    const urls = Array.from({ length: 17 }, (_, index) => `${target.url}/${index}`)
    const event = await seedEvent(stage.orm, urls)
    const result = await stage.withWorker(async () => {
      const handle = await stage.start(event)
      const run = await clock.webhookRun(event)
      if (run === null) throw new Error('The webhook has no run.')
      expect(run).toMatchObject({ movedTo: null, restMs: 0 })
      const move = { to: run.now + 73 * HOUR_MS, milliseconds: 73 * HOUR_MS }
      await clock.moveWebhook(run, move)
      expect(await clock.webhookRun(event)).toMatchObject({ movedTo: move.to })
      return handle.result()
    })
    expect(result.map(({ status, attempts }) => [status, attempts])).toEqual(urls.map(() => ['failed', 13]))
    expect(await clock.webhookRun(event)).toBeNull()
  })

  test('adds what is left of one move to the next', async () => {
    const event = await seedEvent(stage.orm, [target.url])
    // Without a worker nothing is skipped.
    await stage.start(event)
    const move = async (to: number) => {
      const run = await clock.webhookRun(event)
      if (run === null) throw new Error('The webhook has no run.')
      await clock.moveWebhook(run, { to, milliseconds: HOUR_MS })
      return clock.webhookRun(event)
    }
    await move(1)
    const twice = await move(2)
    expect(twice?.movedTo).toBe(2)
    expect(Math.abs((twice?.restMs ?? 0) - 2 * HOUR_MS)).toBeLessThan(HOUR_MS / 2)
    await stage.client.workflow.getHandle(`webhook-${event.eventId}`).terminate()
  })
})
