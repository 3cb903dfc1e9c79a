import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { makeReceiver, type Receiver } from '../support/receiver.ts'
import { RETRY_WINDOWS } from '../support/retry-windows.ts'
import { waitFor } from '../support/wait-for.ts'
import { seedEvent } from '../webhooks/seed.ts'
import { makeWebhookStage, type WebhookStage } from '../webhooks/stage.ts'

/** A timer, two tasks and a look into the database, on a machine that does several other things. */
const LATE_MAX_MS = 5_000
/** The fourth retry comes 85 s after the first attempt at the latest; no time is skipped here. */
const WAIT_MS = 120_000
const RETRIES = 4

let stage: WebhookStage
let target: Receiver

beforeAll(async () => {
  ;[stage, target] = await Promise.all([makeWebhookStage(), makeReceiver()])
})
afterAll(async () => {
  await target?.stop()
  await stage?.close()
})

test(
  'the first four retries are planned inside their rows of the table, to the second, and arrive then, in real time',
  async () => {
    const before = await seedEvent(stage.orm, [`${target.url}?warm`])
    const failing = `${target.url}?failing`
    await stage.withWorker(async () => {
      await (await stage.start(before)).result()
      target.answerWith(500)
      // The host is known to be good, so that the first attempt runs inside the workflow task.
      const event = await seedEvent(stage.orm, [failing], before.projectId)
      const handle = await stage.start(event)
      const arrivals = () => target.received.filter(({ path }) => path.endsWith('?failing')).map(({ at }) => at)
      // The record says after each attempt when the next one is due.
      const planned = new Set<number>()
      await waitFor(async () => {
        const [delivery] = await stage.deliveriesOf(event)
        if (delivery?.releaseAt != null) planned.add(delivery.releaseAt.getTime())
        await sleep(200)
        return arrivals().length > RETRIES
      }, WAIT_MS)
      await handle.terminate()

      const retries = arrivals().slice(1)
      const due = [...planned].slice(0, RETRIES)
      const first = (await stage.attemptsOf(event.deliveryIds[0]))[0]?.startedAt.getTime() ?? Number.NaN
      const seconds = due.map((at) => Math.round((at - first) / 1000))
      expect(seconds).toHaveLength(RETRIES)
      const rows = RETRY_WINDOWS.slice(0, RETRIES)
      const outside = rows.filter(({ minSeconds, maxSeconds }, index) => {
        const second = seconds[index] ?? Number.NaN
        return !(second >= minSeconds && second <= maxSeconds)
      })
      expect({ seconds, outside }).toEqual({ seconds, outside: [] })
      const late = retries.map((at, index) => at - (due[index] ?? Number.NaN))
      expect(late).toHaveLength(RETRIES)
      // A timer and the clock of the machine may be a few milliseconds apart.
      expect(late.filter((lateMs) => !(lateMs >= -5 && lateMs < LATE_MAX_MS))).toEqual([])
    })
  },
  WAIT_MS + 40_000,
)
