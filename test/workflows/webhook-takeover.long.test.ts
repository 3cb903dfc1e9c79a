import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { startWaitingEvents } from '../../src/sweeps/waiting-webhooks.ts'
import { connectTemporal } from '../../src/temporal/connection.ts'
import { createWebhookStarter } from '../../src/temporal/webhook-starter.ts'
import { captureLog } from '../support/captured-log.ts'
import { runningClock } from '../support/clock.ts'
import { makeReceiver, type Receiver } from '../support/receiver.ts'
import { server } from '../support/servers.ts'
import { waitFor } from '../support/wait-for.ts'
import { seedEvent } from '../webhooks/seed.ts'
import { makeWebhookStage, type WebhookStage } from '../webhooks/stage.ts'

let stage: WebhookStage
let target: Receiver

beforeAll(async () => {
  ;[stage, target] = await Promise.all([makeWebhookStage(), makeReceiver()])
})
afterAll(async () => {
  await target?.stop()
  await stage?.close()
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

test('the sweep gives up soon while Temporal is away, and afterwards every committed event is sent once', async () => {
  const bridge = await makeBridge()
  const bridged = await connectTemporal(bridge.address)
  const taskQueues = { payments: 'none', webhooks: stage.taskQueue }
  const starter = createWebhookStarter({ temporal: bridged.clients, taskQueues, eager: false })
  const log = captureLog()
  const clock = runningClock()
  clock.advance(10_000)
  const sweep = () => startWaitingEvents({ orm: stage.orm, clock, logger: log.logger }, starter)
  const event = await seedEvent(stage.orm, [target.url])
  for (let more = 0; more < 30; more += 1) await seedEvent(stage.orm, [target.url], event.projectId)
  bridge.cut()
  await sweep()
  // One group of ten was tried, and not all of them.
  expect(log.text().match(/was not started/g)?.length).toBeLessThanOrEqual(10)
  expect(log.text()).toContain(event.eventId)
  bridge.mend()
  await stage.withWorker(async () => {
    await waitFor(async () => {
      await sweep()
      return target.received.length >= 31
    }, 60_000)
    await sleep(100)
  })
  expect(target.received).toHaveLength(31)
  await bridged.close()
  await bridge.remove()
}, 120_000)
