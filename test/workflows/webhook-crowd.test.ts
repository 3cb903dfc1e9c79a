import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { makeReceiver, type Receiver } from '../support/receiver.ts'
import { readHistory } from '../support/temporal.ts'
import { waitFor } from '../support/wait-for.ts'
import { type SeededEvent, seedEvent } from '../webhooks/seed.ts'
import { makeWebhookStage, type WebhookStage } from '../webhooks/stage.ts'

const CROWD = 60
const PER_HOST_MAX = 20
const AT_ONCE_MAX = 4
const TEST_TIMEOUT_MS = 120_000

let stage: WebhookStage
let hanging: Receiver
let good: Receiver

beforeAll(async () => {
  ;[stage, hanging, good] = await Promise.all([makeWebhookStage(), makeReceiver(), makeReceiver()])
})
afterAll(async () => {
  await hanging?.stop()
  await good?.stop()
  await stage?.close()
})

/** Has one webhook accepted, so that the host is known to be good. */
async function warm(url: string): Promise<string> {
  const event = await seedEvent(stage.orm, [url])
  await (await stage.start(event)).result()
  return event.projectId
}

async function seedCrowd(url: string, project: string): Promise<SeededEvent[]> {
  const events: SeededEvent[] = []
  for (let index = 0; index < CROWD; index += 1) events.push(await seedEvent(stage.orm, [`${url}?${index}`], project))
  return events
}

async function attemptsOf(events: readonly SeededEvent[]) {
  return (await Promise.all(events.map(({ deliveryIds }) => stage.attemptsOf(deliveryIds[0])))).flat()
}

/** Whether the first attempt ran inside the workflow task, where no activity is scheduled. */
async function wasAtOnce({ eventId }: SeededEvent): Promise<boolean> {
  const history = await readHistory(stage.client, `webhook-${eventId}`)
  return history?.events.every(({ eventType }) => !String(eventType).includes('ACTIVITY_TASK')) === true
}

describe('a crowd at a host that hangs', () => {
  test(
    'is twenty at once, delays no other host, and has each of its own sent once when the host is well again',
    async () => {
      await stage.withWorker(async () => {
        const [hangingProject, goodProject] = [await warm(hanging.url), await warm(good.url)]
        const [crowd, others] = [await seedCrowd(hanging.url, hangingProject), await seedCrowd(good.url, goodProject)]
        const open: ServerResponse[] = []
        hanging.answerWith((response) => void open.push(response))

        const stuck = await Promise.all(crowd.map((event) => stage.start(event)))
        await waitFor(() => open.length === PER_HOST_MAX)
        const quick = await Promise.all(others.map((event) => stage.start(event)))
        await Promise.all(quick.map((handle) => handle.result()))
        // Nobody has waited for an attempt that hangs: none of them has ended so far.
        expect(await attemptsOf(crowd)).toEqual([])
        expect(open).toHaveLength(PER_HOST_MAX)
        expect(await attemptsOf(others)).toHaveLength(CROWD)

        hanging.answerWith(200)
        for (const response of open) response.end()
        const results = await Promise.all(stuck.map((handle) => handle.result()))
        expect(results.flat().filter(({ status, attempts }) => status !== 'delivered' || attempts !== 1)).toEqual([])
        // Waiting for a turn was no attempt.
        expect((await attemptsOf(crowd)).map(({ attempt }) => attempt)).toEqual(Array(CROWD).fill(0))
        expect(hanging.received).toHaveLength(CROWD + 1)
        const atOnce = await Promise.all(crowd.slice().map(wasAtOnce))
        expect(atOnce.filter(Boolean).length).toBeLessThanOrEqual(AT_ONCE_MAX)
      })
    },
    TEST_TIMEOUT_MS,
  )
})
