import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { Context } from '@temporalio/activity'
import type { WebhookActivities } from '../../activities/index.ts'
import type { DeliverWebhookInput } from '../../activities/webhooks/deliver-webhook.ts'
import { EARLY_RETRIES_MAX } from '../../domain/backoff.ts'
import { makeReceiver, type Receiver } from '../support/receiver.ts'
import { seedEvent } from '../webhooks/seed.ts'
import { makeWebhookStage, type WebhookStage } from '../webhooks/stage.ts'

/** The server needs 25 s to give a worker up, which no skipped time can shorten. */
const TEST_TIMEOUT_MS = 120_000

let stage: WebhookStage
let target: Receiver

beforeAll(async () => {
  ;[stage, target] = await Promise.all([makeWebhookStage(), makeReceiver()])
})
afterAll(async () => {
  await target?.stop()
  await stage?.close()
})

/** Which run of the activity never comes back: the first retry, or the first that is an activity of its own. */
const LOST = {
  'an early retry': (input: DeliverWebhookInput) => input.attempt === 0 && Context.current().info.attempt === 2,
  'a late one': (input: DeliverWebhookInput) => input.attempt === EARLY_RETRIES_MAX + 1,
}

/** The real activities, of which one run of each delivery never comes back: to the server, its worker is gone. */
function losing(
  isLost: (input: DeliverWebhookInput) => boolean,
  moments: ReadonlyMap<string, 'before it records' | 'after it recorded'>,
): WebhookActivities {
  const lost = new Set<string>()
  return {
    ...stage.activities,
    async deliverWebhook(input) {
      if (!isLost(input) || lost.has(input.deliveryId)) return stage.activities.deliverWebhook(input)
      lost.add(input.deliveryId)
      if (moments.get(input.deliveryId) === 'before it records') await fetch(target.url, { method: 'POST' })
      // What is put off is an error, of which the server does not hear either.
      else await stage.activities.deliverWebhook(input).catch(() => undefined)
      return Context.current().cancelled
    },
  }
}

describe('an attempt whose worker is lost', () => {
  test.each(Object.entries(LOST))(
    '(%s) is made again where it was sent and not recorded, and never where it was recorded',
    async (_, isLost) => {
      const before = target.received.length
      target.answerWith(500)
      const unrecorded = await seedEvent(stage.orm, [target.url])
      const recorded = await seedEvent(stage.orm, [target.url])
      const activities = losing(
        isLost,
        new Map([
          [unrecorded.deliveryIds[0] ?? '', 'before it records'],
          [recorded.deliveryIds[0] ?? '', 'after it recorded'],
        ]),
      )
      const runBoth = () => Promise.all([stage.runToEnd(unrecorded), stage.runToEnd(recorded)])
      const abandoned = [{ status: 'failed', attempts: 13 }]
      expect(await stage.withWorker(runBoth, activities)).toMatchObject([abandoned, abandoned])
      for (const event of [unrecorded, recorded]) {
        const attempts = await stage.attemptsOf(event.deliveryIds[0])
        expect(attempts.map(({ attempt }) => attempt)).toEqual(Array.from({ length: 13 }, (_, attempt) => attempt))
      }
      // Thirteen each, and the one that was sent and not recorded.
      expect(target.received.length - before).toBe(27)
    },
    TEST_TIMEOUT_MS,
  )
})
