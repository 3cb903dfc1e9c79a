import type { ServerResponse } from 'node:http'
import { describe, expect, test } from '@jest/globals'
import { receiverForFile } from '../support/receiver-for-file.ts'
import { readHistory } from '../support/temporal.ts'
import { waitFor } from '../support/wait-for.ts'
import { type SeededEvent, seedEvent } from '../webhooks/seed.ts'
import { webhookStageForFile } from '../webhooks/stage.ts'

/** Of a host, a project has half of the permits: ten for attempts, four inside workflow tasks. */
const AT_ONCE_MAX = 4
const AT_HOST_MAX = 10 + AT_ONCE_MAX
/** And half of its line. */
const IN_LINE_MAX = 20
/** More than the project may have at once, and more than the worker has slots. */
const CROWD = 48
const OTHERS = 10
/** So few that a target which takes more than its part leaves nothing to the others. */
const SLOTS = { maxConcurrentActivityTaskExecutions: AT_HOST_MAX + IN_LINE_MAX }
/** The test says when what hangs goes on, and not the machine. */
const HANG_MS = 100_000

const stage = webhookStageForFile({ sendTimeoutMs: HANG_MS })
const hanging = receiverForFile()
const good = receiverForFile()

/** Has one webhook accepted, so that the host is known to be good. */
async function warm(url: string): Promise<string> {
  const event = await seedEvent(stage.orm, [url])
  await (await stage.start(event)).result()
  return event.projectId
}

async function seedCrowd(url: string, project: string, count: number): Promise<SeededEvent[]> {
  const events: SeededEvent[] = []
  for (let index = 0; index < count; index += 1) events.push(await seedEvent(stage.orm, [`${url}?${index}`], project))
  return events
}

const startAll = (events: readonly SeededEvent[]) => Promise.all(events.map((event) => stage.start(event)))

async function attemptsOf(events: readonly SeededEvent[]) {
  return (await Promise.all(events.map(({ deliveryIds }) => stage.attemptsOf(deliveryIds[0])))).flat()
}

/** Whether the first attempt ran inside the workflow task: then no activity was scheduled before it was recorded. */
async function wasAtOnce({ eventId }: SeededEvent): Promise<boolean> {
  const history = await readHistory(stage.client, `webhook-${eventId}`)
  return history?.events.every(({ eventType }) => !String(eventType).includes('ACTIVITY_TASK')) === true
}

describe('a crowd at a target that hangs', () => {
  test('takes half of its host, delays no other, of the same host neither, and is sent when it is well again, waiting being no attempt', async () => {
    const scenario = async () => {
      const [hangingProject, goodProject] = [await warm(hanging.url), await warm(good.url)]
      const neighbour = await warm(hanging.url)
      const crowd = await seedCrowd(hanging.url, hangingProject, CROWD)
      const others = [
        ...(await seedCrowd(good.url, goodProject, OTHERS)),
        ...(await seedCrowd(`${hanging.url}/neighbour`, neighbour, OTHERS)),
      ]
      const open = new Set<ServerResponse>()
      let mostOpen = 0
      hanging.answerWith((response, { path }) => {
        if (path.includes('/neighbour')) return void response.end()
        open.add(response)
        mostOpen = Math.max(mostOpen, open.size)
        response.on('close', () => open.delete(response))
      })

      const stuck = await startAll(crowd)
      await waitFor(() => open.size === AT_HOST_MAX)
      const hung = [...open]
      const quick = await startAll(others)
      await Promise.all(quick.map((handle) => handle.result()))
      // Whoever waits for one that hangs would have waited for ever.
      expect([...open]).toEqual(hung)
      expect((await attemptsOf(others)).map(({ attempt }) => attempt)).toEqual(Array(2 * OTHERS).fill(0))

      // Only what was begun while the target hung tells how many of them were at once.
      const countAtOnce = async () => (await Promise.all(crowd.map(wasAtOnce))).filter(Boolean).length
      await waitFor(async () => (await countAtOnce()) <= AT_ONCE_MAX)
      hanging.answerWith(200)
      for (const response of open) response.end()
      const results = (await Promise.all(stuck.map((handle) => handle.result()))).flat()
      expect(results.map(({ status }) => status)).toEqual(Array(CROWD).fill('delivered'))
      expect(mostOpen).toBe(AT_HOST_MAX)
      // Each request is on record as an attempt, and there is no attempt without a request.
      expect(await attemptsOf(crowd)).toHaveLength(hanging.received.length - 2 - OTHERS)
      expect(await countAtOnce()).toBeLessThanOrEqual(AT_ONCE_MAX)
    }
    await stage.withWorker(scenario, stage.activities, SLOTS)
  })
})
