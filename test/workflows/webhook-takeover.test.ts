import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import type { WebhookStarter } from '../../activities/dependencies.ts'
import { DeliveryEntity } from '../../src/persistence/entities/delivery.ts'
import { startWaitingEvents } from '../../src/sweeps/waiting-webhooks.ts'
import type { TemporalConnection } from '../../src/temporal/connection.ts'
import { createWebhookStarter } from '../../src/temporal/webhook-starter.ts'
import { captureLog } from '../support/captured-log.ts'
import { runningClock } from '../support/clock.ts'
import { forFile } from '../support/for-file.ts'
import { makeReceiver, type Receiver } from '../support/receiver.ts'
import { RETRY_WINDOWS } from '../support/retry-windows.ts'
import { connectTemporal, skipAllWaiting } from '../support/temporal.ts'
import { waitFor } from '../support/wait-for.ts'
import { seedEvent } from '../webhooks/seed.ts'
import { type WebhookStage, webhookStageForFile } from '../webhooks/stage.ts'

const MINUTE = 60_000
/** A timer, two tasks and a look into the database, on a machine that does several other things. */
const LATE_MAX_MS = MINUTE

afterAll(() => worker?.stop())
const stage = webhookStageForFile()
const temporal = forFile(connectTemporal, (connection) => connection.close())
let worker: Awaited<ReturnType<WebhookStage['startWorker']>>
let target: Receiver
const receivers: Receiver[] = []

beforeAll(async () => {
  worker = await stage.startWorker()
})
afterEach(async () => {
  stage.beforeAttempt = () => undefined
  await Promise.all([target, ...receivers.splice(0)].map((receiver) => receiver?.stop()))
})

function starterOn({ clients }: Pick<TemporalConnection, 'clients'>): WebhookStarter {
  const taskQueues = { payments: 'none', webhooks: stage.taskQueue }
  return createWebhookStarter({ temporal: clients, taskQueues, eager: false })
}

/** Looks once, as if so much time had passed. */
function sweepLater(milliseconds: number) {
  const clock = runningClock()
  clock.advance(milliseconds)
  return startWaitingEvents({ orm: stage.orm, clock, logger: captureLog().logger }, starterOn(temporal))
}

test('an event whose run was never started is sent once, though several processes look for it at once', async () => {
  target = await makeReceiver()
  const event = await seedEvent(stage.orm, [target.url])
  await Promise.all([sweepLater(10_000), sweepLater(10_000), sweepLater(10_000)])
  await waitFor(async () => (await stage.deliveriesOf(event))[0]?.status === 'delivered')
  expect(target.received).toHaveLength(1)
})

test('a run that was terminated is taken over at its next attempt and at its instant, and nothing is sent twice', async () => {
  target = await makeReceiver()
  const asking = await makeReceiver()
  receivers.push(asking)
  target.answerWith(500)
  asking.answerWith((response) => response.writeHead(503, { 'retry-after': '3600' }).end(), 500)
  const event = await seedEvent(stage.orm, [target.url, asking.url])
  const attempts = async () => Promise.all(event.deliveryIds.map((id) => stage.attemptsOf(id)))
  const haveMade = async (count: number) => (await attempts()).every((made) => made.length === count)
  let isTakenOver = false
  // On a busy machine the retry would come before the run is terminated.
  stage.beforeAttempt = ({ attempt }) => {
    if (attempt > 0 && !isTakenOver) throw new Error('The run is to be terminated first.')
  }
  const handle = await stage.start(event)
  await waitFor(() => haveMade(1))
  await handle.terminate()
  isTakenOver = true
  const planned = (await stage.deliveriesOf(event)).map((delivery) => delivery?.releaseAt?.getTime() ?? Number.NaN)
  const { projectId, eventId, run } = event
  const fired = { projectId, sandbox: true, eventId, eventName: 'transaction.captured', invoiceId: null } as const
  // As the sweep does, which would note by its clock that both are due.
  await starterOn(temporal).start({ ...fired, run }, 'again')
  await waitFor(() => haveMade(2))
  await stage.client.workflow.getHandle(handle.workflowId).terminate()
  const made = await attempts()
  for (const [index, rows] of made.entries()) {
    expect(rows.map(({ attempt }) => attempt)).toEqual([0, 1])
    const lateMs = (rows[1]?.startedAt.getTime() ?? Number.NaN) - (planned[index] ?? Number.NaN)
    expect(lateMs).toBeGreaterThanOrEqual(0)
    expect(lateMs).toBeLessThan(LATE_MAX_MS)
  }
  for (const { received } of [target, asking]) expect(received).toHaveLength(2)
  // As late as it has asked for, within the row.
  const firstAt = made[1]?.[0]?.startedAt.getTime() ?? Number.NaN
  expect(planned[1]).toBe(firstAt + (RETRY_WINDOWS[0]?.maxSeconds ?? Number.NaN) * 1000)
})

/** As the button of the Temporal UI does, and until the run has ended. */
async function cancel(run: Awaited<ReturnType<WebhookStage['start']>>): Promise<void> {
  await run.cancel()
  await expect(run.result()).rejects.toMatchObject({ cause: { name: 'CancelledFailure' } })
}

describe('a run that is cancelled', () => {
  test('while it waits leaves its delivery pending, with the instant of the next attempt, which a sweep has made', async () => {
    target = await makeReceiver()
    target.answerWith(500, 200)
    const event = await seedEvent(stage.orm, [target.url])
    const [deliveryId = ''] = event.deliveryIds
    const run = await stage.start(event)
    await waitFor(async () => (await stage.attemptsOf(deliveryId)).length === 1)
    await cancel(run)
    expect(await stage.deliveriesOf(event)).toMatchObject([{ status: 'pending', releaseAt: expect.any(Date) }])
    // As if the instant had passed long ago.
    const overdueSince = new Date(Date.now() - 6 * MINUTE)
    await stage.orm.em.fork().nativeUpdate(DeliveryEntity, { id: deliveryId }, { releaseAt: overdueSince })
    await sweepLater(0)
    const next = stage.client.workflow.getHandle(run.workflowId)
    expect(await next.result()).toMatchObject([{ status: 'delivered', attempts: 2 }])
    expect((await next.describe()).runId).not.toBe(run.firstExecutionRunId)
    expect((await stage.attemptsOf(deliveryId)).map(({ attempt }) => attempt)).toEqual([0, 1])
    expect(target.received).toHaveLength(2)
  })

  test('in the middle of an attempt has the attempt recorded, and what it delivered is not sent again', async () => {
    target = await makeReceiver()
    const asked = Promise.withResolvers<() => void>()
    target.answerWith((response) => asked.resolve(() => void response.writeHead(200).end()))
    const event = await seedEvent(stage.orm, [target.url])
    const run = await stage.start(event)
    const answer = await asked.promise
    await cancel(run)
    answer()
    await waitFor(async () => (await stage.deliveriesOf(event))[0]?.status === 'delivered')
    await sweepLater(6 * MINUTE)
    const { runId, status } = await stage.client.workflow.getHandle(run.workflowId).describe()
    expect({ runId, status: status.name }).toEqual({ runId: run.firstExecutionRunId, status: 'CANCELLED' })
    expect(target.received).toHaveLength(1)
  })
})

test('a webhook that was delivered is not sent again by another run, as after Temporal has forgotten the first', async () => {
  target = await makeReceiver()
  const event = await seedEvent(stage.orm, [target.url])
  await (await stage.start(event)).result()
  const again = await stage.start(event, `webhook-${event.eventId}-begun-again`)
  expect(await again.result()).toMatchObject([{ status: 'delivered', attempts: 1 }])
  expect(target.received).toHaveLength(1)
})

test('a webhook whose worker stops between two attempts goes on with the next worker', async () => {
  target = await makeReceiver()
  target.answerWith(500, 500, 200)
  const event = await seedEvent(stage.orm, [target.url])
  const run = await stage.start(event)
  await target.waitForCount(1)
  await worker.stop()
  await skipAllWaiting(stage.client, run.workflowId)
  worker = await stage.startWorker()
  expect(await run.result()).toMatchObject([{ status: 'delivered', attempts: 3 }])
  expect(target.received).toHaveLength(3)
})
