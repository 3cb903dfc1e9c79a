import { describe, expect, test } from '@jest/globals'
import { Context } from '@temporalio/activity'
import type { WebhookActivities } from '../../activities/index.ts'
import { receiverForFile } from '../support/receiver-for-file.ts'
import { seedEvent } from '../webhooks/seed.ts'
import { webhookStageForFile } from '../webhooks/stage.ts'

const target = receiverForFile()
const stage = webhookStageForFile()

/** Which attempt never comes back: in the middle of the schedule. */
const LOST = 3

/** The real activities, of which one run of each delivery never comes back: to the server, its worker is gone. */
function losing(moments: ReadonlyMap<string, 'before it records' | 'after it recorded'>): WebhookActivities {
  const lost = new Set<string>()
  return {
    ...stage.activities,
    async deliverWebhook(input) {
      if (input.attempt !== LOST || lost.has(input.deliveryId)) return stage.activities.deliverWebhook(input)
      lost.add(input.deliveryId)
      if (moments.get(input.deliveryId) === 'before it records') await fetch(target.url, { method: 'POST' })
      else await stage.activities.deliverWebhook(input)
      return Context.current().cancelled
    },
  }
}

describe('an attempt whose worker is lost', () => {
  test('is made again where it was sent and not recorded, and never where it was recorded', async () => {
    const before = target.received.length
    target.answerWith(500)
    const unrecorded = await seedEvent(stage.orm, [target.url])
    const recorded = await seedEvent(stage.orm, [target.url])
    const activities = losing(
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
  })
})
