import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import type { WebhookStarter } from '../../activities/dependencies.ts'
import { systemClock } from '../../src/clock.ts'
import { DeliveryEntity } from '../../src/persistence/entities/delivery.ts'
import type { Shutdown, StopStep } from '../../src/shutdown.ts'
import { startSweep } from '../../src/sweeps/sweep.ts'
import { startWaitingEvents } from '../../src/sweeps/waiting-webhooks.ts'
import { connectTemporal as connectTo, type TemporalConnection } from '../../src/temporal/connection.ts'
import { createWebhookStarter } from '../../src/temporal/webhook-starter.ts'
import { type CapturedLog, captureLog } from '../support/captured-log.ts'
import { runningClock } from '../support/clock.ts'
import { makeReceiver, type Receiver } from '../support/receiver.ts'
import { RETRY_WINDOWS } from '../support/retry-windows.ts'
import { server } from '../support/servers.ts'
import { connectTemporal } from '../support/temporal.ts'
import { waitFor } from '../support/wait-for.ts'
import { seedEvent } from '../webhooks/seed.ts'
import { makeWebhookStage, type WebhookStage } from '../webhooks/stage.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
/** What nobody has begun after five seconds is found by a look every five seconds; a busy machine takes its time. */
const FOUND_WITHIN_MS = 25_000
/** A timer, two tasks and a look into the database, on a machine that does several other things. */
const LATE_MAX_MS = 5_000

let stage: WebhookStage
let temporal: TemporalConnection
let target: Receiver
const steps: StopStep[] = []

beforeAll(async () => {
  ;[stage, temporal] = await Promise.all([makeWebhookStage(), connectTemporal()])
})
afterEach(async () => {
  for (const step of steps.splice(0)) await step.stop()
  await target?.stop()
})
afterAll(async () => {
  await temporal?.close()
  await stage?.close()
})

function starterOn({ clients }: Pick<TemporalConnection, 'clients'>): WebhookStarter {
  const taskQueues = { payments: 'none', webhooks: stage.taskQueue }
  return createWebhookStarter({ temporal: clients, taskQueues, eager: false })
}

/** Looks once, as if so much time had passed. */
function sweepLater(milliseconds: number, starter = starterOn(temporal), log: CapturedLog = captureLog()) {
  const clock = runningClock()
  clock.advance(milliseconds)
  return startWaitingEvents({ orm: stage.orm, clock, logger: log.logger }, starter)
}

describe('an event whose run was never started', () => {
  test('is sent within seconds of its commit by the sweep, once, though several processes look', async () => {
    target = await makeReceiver()
    const event = await seedEvent(stage.orm, [target.url])
    const shutdown = { add: (step: StopStep) => void steps.push(step) } as unknown as Shutdown
    await stage.withWorker(async () => {
      for (let process = 0; process < 3; process += 1) {
        const core = { orm: stage.orm, clock: systemClock, logger: captureLog().logger }
        const run = (stopping: AbortSignal) => startWaitingEvents(core, starterOn(temporal), stopping)
        startSweep({ name: 'The sweep of webhooks', intervalMs: 5_000, run }, core.logger, shutdown)
      }
      await waitFor(() => target.received.length > 0, FOUND_WITHIN_MS)
      await waitFor(async () => (await stage.deliveriesOf(event))[0]?.status === 'delivered')
    })
    expect(target.received).toHaveLength(1)
  })
})

describe('a run that was terminated in the middle of its schedule', () => {
  test('is taken over at the attempt that was next and at its instant, and nothing is sent twice', async () => {
    target = await makeReceiver()
    const asking = await makeReceiver()
    steps.push({ name: 'The second receiver', stop: () => asking.stop() })
    target.answerWith(500)
    asking.answerWith(500, (response) => response.writeHead(503, { 'retry-after': '3600' }).end(), 500)
    const event = await seedEvent(stage.orm, [target.url, asking.url])
    const attempts = async () => Promise.all(event.deliveryIds.map((id) => stage.attemptsOf(id)))
    const haveMade = async (count: number) => (await attempts()).every((made) => made.length === count)
    const handle = await stage.start(event)
    const planned = await stage.withWorker(async () => {
      await waitFor(() => haveMade(2))
      await handle.terminate()
      const deliveries = await stage.deliveriesOf(event)
      // As the sweep does, which would note by its clock that both are due.
      const { projectId, eventId, run } = event
      const fired = {
        projectId,
        sandbox: true,
        eventId,
        eventName: 'transaction.captured',
        invoiceId: null,
        run,
      } as const
      await starterOn(temporal).start(fired, 'again')
      await waitFor(() => haveMade(3), FOUND_WITHIN_MS)
      await stage.client.workflow.getHandle(handle.workflowId).terminate()
      return deliveries.map((delivery) => delivery?.releaseAt?.getTime() ?? Number.NaN)
    })
    const made = await attempts()
    for (const [index, rows] of made.entries()) {
      expect(rows.map(({ attempt }) => attempt)).toEqual([0, 1, 2])
      const lateMs = (rows[2]?.startedAt.getTime() ?? Number.NaN) - (planned[index] ?? Number.NaN)
      expect(lateMs).toBeGreaterThanOrEqual(0)
      expect(lateMs).toBeLessThan(LATE_MAX_MS)
    }
    for (const { received } of [target, asking]) expect(received).toHaveLength(3)
    // As late as it has asked for, within the row.
    const firstAt = made[1]?.[0]?.startedAt.getTime() ?? Number.NaN
    expect(planned[1]).toBe(firstAt + (RETRY_WINDOWS[1]?.maxSeconds ?? Number.NaN) * 1000)
  })
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
    await stage.withWorker(async () => {
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
    })
    expect((await stage.attemptsOf(deliveryId)).map(({ attempt }) => attempt)).toEqual([0, 1])
    expect(target.received).toHaveLength(2)
  })

  test('in the middle of an attempt has the attempt recorded, and what it delivered is not sent again', async () => {
    target = await makeReceiver()
    const asked = Promise.withResolvers<() => void>()
    target.answerWith((response) => asked.resolve(() => void response.writeHead(200).end()))
    const event = await seedEvent(stage.orm, [target.url])
    await stage.withWorker(async () => {
      const run = await stage.start(event)
      const answer = await asked.promise
      await cancel(run)
      answer()
      await waitFor(async () => (await stage.deliveriesOf(event))[0]?.status === 'delivered')
      await sweepLater(6 * MINUTE)
      const { runId, status } = await stage.client.workflow.getHandle(run.workflowId).describe()
      expect({ runId, status: status.name }).toEqual({ runId: run.firstExecutionRunId, status: 'CANCELLED' })
    })
    expect(target.received).toHaveLength(1)
  })
})

/** The server deletes when it has nothing else to do. */
const FORGETTING_MAX_MS = 90_000

describe('a webhook that was delivered', () => {
  test(
    'is never sent again though Temporal has forgotten its run, by no sweep and no start',
    async () => {
      target = await makeReceiver()
      const event = await seedEvent(stage.orm, [target.url])
      await stage.withWorker(async () => {
        const handle = await stage.start(event)
        await handle.result()
        const execution = { workflowId: handle.workflowId }
        await stage.client.workflowService.deleteWorkflowExecution({
          namespace: 'sandbox',
          workflowExecution: execution,
        })
        const isForgotten = () =>
          stage.client.workflow
            .getHandle(handle.workflowId)
            .describe()
            .then(
              () => false,
              () => true,
            )
        await waitFor(isForgotten, FORGETTING_MAX_MS)
        await sweepLater(30 * DAY)
        expect(await isForgotten()).toBe(true)
        // Nor where somebody starts it after all.
        expect(await (await stage.start(event)).result()).toMatchObject([{ status: 'delivered', attempts: 1 }])
      })
      expect(target.received).toHaveLength(1)
    },
    2 * FORGETTING_MAX_MS,
  )
})

/** A way to the Temporal server that can be cut. */
async function makeBridge() {
  const { address } = await server('temporal')
  const [host = '', port = ''] = address.split(':')
  const sockets = new Set<Socket>()
  let isCut = false
  const bridge = createServer((socket) => {
    if (isCut) return void socket.destroy()
    const upstream = connect(Number(port), host)
    for (const end of [socket, upstream]) {
      sockets.add(end)
      end.on('error', () => {})
      end.on('close', () => {
        sockets.delete(end)
        socket.destroy()
        upstream.destroy()
      })
    }
    socket.pipe(upstream).pipe(socket)
  })
  bridge.listen(0, '127.0.0.1')
  await once(bridge, 'listening')
  // It keeps its port, which another program could take otherwise, and hangs up.
  const cut = () => {
    isCut = true
    for (const socket of sockets) socket.destroy()
  }
  return {
    address: `127.0.0.1:${(bridge.address() as AddressInfo).port}`,
    cut,
    mend: () => {
      isCut = false
    },
    async remove() {
      bridge.close()
      cut()
      await once(bridge, 'close')
    },
  }
}

describe('while Temporal is away', () => {
  test('the sweep gives up soon, and afterwards everything that was committed is sent', async () => {
    target = await makeReceiver()
    const bridge = await makeBridge()
    const bridged = await connectTo(bridge.address)
    const starter = starterOn(bridged)
    const log = captureLog()
    const event = await seedEvent(stage.orm, [target.url])
    for (let more = 0; more < 30; more += 1) await seedEvent(stage.orm, [target.url], event.projectId)
    bridge.cut()
    await sweepLater(10_000, starter, log)
    // One group of ten was tried, and not all of them.
    expect(log.text().match(/was not started/g)?.length).toBeLessThanOrEqual(10)
    expect(log.text()).toContain(event.eventId)
    bridge.mend()
    await stage.withWorker(async () => {
      await waitFor(async () => {
        await sweepLater(10_000, starter)
        return target.received.length >= 31
      }, 60_000)
      await sleep(100)
    })
    expect(target.received).toHaveLength(31)
    await bridged.close()
    await bridge.remove()
  }, 120_000)
})
