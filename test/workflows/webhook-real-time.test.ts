import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { RETRY_WINDOWS } from '../../domain/backoff.ts'
import { makeReceiver, type Receiver } from '../support/receiver.ts'
import { waitFor } from '../support/wait-for.ts'
import { seedEvent } from '../webhooks/seed.ts'
import { makeWebhookStage, type WebhookStage } from '../webhooks/stage.ts'

/** The fifth retry comes 233 s after the first attempt at the latest; no time is skipped here. */
const WAIT_MS = 260_000
const RETRIES = 5

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
  'the first five retries arrive inside their rows of the table, in real time, to the second',
  async () => {
    const before = await seedEvent(stage.orm, [`${target.url}?warm`])
    const failing = `${target.url}?failing`
    await stage.withWorker(async () => {
      await (await stage.start(before)).result()
      target.answerWith(500)
      // The host is known to be good, so that the first attempt runs inside the workflow task.
      const handle = await stage.start(await seedEvent(stage.orm, [failing], before.projectId))
      const arrivals = () => target.received.filter(({ path }) => path.endsWith('?failing')).map(({ at }) => at)
      await waitFor(() => arrivals().length > RETRIES, WAIT_MS)
      await handle.terminate()

      const [first = Number.NaN, ...retries] = arrivals()
      const seconds = retries.map((at) => Math.round((at - first) / 1000))
      expect(seconds).toHaveLength(RETRIES)
      const rows = RETRY_WINDOWS.slice(0, RETRIES)
      const outside = rows.filter(({ minSeconds, maxSeconds }, index) => {
        const second = seconds[index] ?? Number.NaN
        return !(second >= minSeconds && second <= maxSeconds)
      })
      expect({ seconds, outside }).toEqual({ seconds, outside: [] })
    })
  },
  WAIT_MS + 40_000,
)
