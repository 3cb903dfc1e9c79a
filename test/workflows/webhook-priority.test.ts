import { expect, test } from '@jest/globals'
import { createWebhookStarter } from '../../src/temporal/webhook-starter.ts'
import { receiverForFile } from '../support/receiver-for-file.ts'
import { readHistory } from '../support/temporal.ts'
import { type SeededEvent, seedEvent } from '../webhooks/seed.ts'
import { webhookStageForFile } from '../webhooks/stage.ts'

/** One at a time, as far as Temporal allows it, so that there is an order. */
const SLOTS = { maxConcurrentWorkflowTaskExecutions: 2, maxConcurrentWorkflowTaskPolls: 2, maxCachedWorkflows: 100 }

const target = receiverForFile()
const stage = webhookStageForFile()

async function seedMany(count: number, project?: string): Promise<SeededEvent[]> {
  const first = await seedEvent(stage.orm, [target.url], project)
  const events = [first]
  while (events.length < count) events.push(await seedEvent(stage.orm, [target.url], first.projectId))
  return events
}

/** When a worker took up the run, by the server's clock. */
async function begunAt({ eventId }: SeededEvent): Promise<number> {
  const history = await readHistory(stage.client, `webhook-${eventId}`)
  const events = (history?.events ?? []) as { eventType: string; eventTime: string }[]
  return Date.parse(events.find(({ eventType }) => eventType === 'EVENT_TYPE_WORKFLOW_TASK_STARTED')?.eventTime ?? '')
}

test('of what waits for a worker, what goes to failing endpoints begins last, and no project waits for the crowd of another', async () => {
  const starter = createWebhookStarter({
    temporal: { sandbox: stage.client, live: stage.client },
    taskQueues: { payments: 'none', webhooks: stage.taskQueue },
    eager: false,
  })
  const start = async (events: readonly SeededEvent[], isFailing: boolean) => {
    for (const { projectId, eventId, run } of events) {
      const fired = { projectId, sandbox: true, eventId, eventName: 'transaction.captured', invoiceId: null } as const
      await starter.start({ ...fired, run, isFailing })
    }
  }
  const failing = await seedMany(20)
  const crowd = await seedMany(20)
  const few = await seedMany(3)
  await start(failing, true)
  await start(crowd, false)
  await start(few, false)
  const all = [...failing, ...crowd, ...few]
  await stage.withWorker(
    () => Promise.all(all.map(({ eventId }) => stage.client.workflow.getHandle(`webhook-${eventId}`).result())),
    stage.activities,
    SLOTS,
  )
  const begun = await Promise.all(all.map(async (event) => ({ event, at: await begunAt(event) })))
  const order = begun.sort((one, other) => one.at - other.at).map(({ event }) => event)
  const placesOf = (events: readonly SeededEvent[]) => events.map((event) => order.indexOf(event))
  // What the first polls find is there by chance.
  expect(Math.min(...placesOf(failing))).toBeGreaterThanOrEqual(crowd.length)
  expect(Math.max(...placesOf(few))).toBeLessThan(crowd.length / 2)
})
