import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import { startWaitingEvents } from '../../src/sweeps/waiting-webhooks.ts'
import { connectTemporal } from '../../src/temporal/connection.ts'
import { createWebhookStarter } from '../../src/temporal/webhook-starter.ts'
import { captureLog } from '../support/captured-log.ts'
import { runningClock } from '../support/clock.ts'
import { makeLine } from '../support/line.ts'
import { receiverForFile } from '../support/receiver-for-file.ts'
import { server } from '../support/servers.ts'
import { waitFor } from '../support/wait-for.ts'
import { seedEvent } from '../webhooks/seed.ts'
import { webhookStageForFile } from '../webhooks/stage.ts'

const target = receiverForFile()
const stage = webhookStageForFile()

test('the sweep gives up soon while Temporal is away, and afterwards every committed event is sent once', async () => {
  const [host = '', port] = (await server('temporal')).address.split(':')
  const bridge = await makeLine(host, Number(port))
  const bridged = await connectTemporal(bridge.address)
  const taskQueues = { payments: 'none', webhooks: stage.taskQueue }
  const starter = createWebhookStarter({ temporal: bridged.clients, taskQueues, eager: false })
  const log = captureLog()
  const clock = runningClock()
  clock.advance(10_000)
  const sweep = () => startWaitingEvents({ orm: stage.orm, clock, logger: log.logger }, starter)
  const event = await seedEvent(stage.orm, [target.url])
  for (let more = 0; more < 30; more += 1) await seedEvent(stage.orm, [target.url], event.projectId)
  await bridge.disturb('no-route')
  await sweep()
  // One group of ten was tried, and not all of them.
  expect(log.text().match(/was not started/g)?.length).toBeLessThanOrEqual(10)
  expect(log.text()).toContain(event.eventId)
  await bridge.mend()
  await stage.withWorker(async () => {
    await waitFor(async () => {
      await sweep()
      return target.received.length >= 31
    })
    await sleep(100)
  })
  expect(target.received).toHaveLength(31)
  await bridged.close()
  await bridge.remove()
})
