import type { ServerResponse } from 'node:http'
import { afterEach, describe, expect, test } from '@jest/globals'
import { SEARCH_ATTRIBUTES } from '../../domain/search-attributes.ts'
import { readableHistory } from '../support/card-data.ts'
import { runningForFile } from '../support/for-file.ts'
import { makeReceiver, type Receiver, type ReceiverAnswer } from '../support/receiver.ts'
import { RETRY_WINDOWS } from '../support/retry-windows.ts'
import { readHistory, titlesIn } from '../support/temporal.ts'
import { waitFor } from '../support/wait-for.ts'
import { attemptsInHistory, plannedRetries } from '../webhooks/planned-retries.ts'
import { type SeededEvent, seedEvent } from '../webhooks/seed.ts'
import { webhookStageForFile } from '../webhooks/stage.ts'

/** A timer, two tasks and a look into the database, on a machine that does several other things. */
const LATE_MAX_MS = 20_000

const stage = webhookStageForFile()
runningForFile(() => stage.startWorker())
const receivers: Receiver[] = []

afterEach(async () => {
  stage.beforeAttempt = () => undefined
  await Promise.all(receivers.splice(0).map((receiver) => receiver.stop()))
})

async function receiver(): Promise<Receiver> {
  const made = await makeReceiver()
  receivers.push(made)
  return made
}

/** The instants, in the workflow's own time, at which a worker took up each regular activity. */
const activityStarts = (workflowId: string) => instantsOf(workflowId, 'EVENT_TYPE_ACTIVITY_TASK_STARTED')

async function instantsOf(workflowId: string, sought: string): Promise<number[]> {
  const history = await readHistory(stage.client, workflowId)
  const events = (history?.events ?? []) as { eventType: string; eventTime: string }[]
  return events.filter(({ eventType }) => eventType === sought).map(({ eventTime }) => Date.parse(eventTime))
}

/** The status by which support staff find a webhook; undefined for one that never failed. */
const searchedBy = async (eventId: string) =>
  (await stage.client.workflow.getHandle(`webhook-${eventId}`).describe()).typedSearchAttributes.get(
    SEARCH_ATTRIBUTES.deliveryStatus,
  )

describe('a webhook that is never accepted', () => {
  test('gets thirteen attempts inside the rows of the table over three days, then is abandoned', async () => {
    const target = await receiver()
    target.answerWith(500)
    const url = `${target.url.replace('http://', 'http://user:pa55word@')}/secret-path?token=t0ken`
    const event = await seedEvent(stage.orm, [url])
    const result = await stage.runToEnd(event)

    expect(target.received).toHaveLength(13)
    const { host } = new URL(target.url)
    expect(result).toEqual([
      {
        summary: `${host}: failed after 13 attempts, the last: HTTP 500; nothing more is sent`,
        ...{ target: host, status: 'failed', attempts: 13, lastAnswer: 'HTTP 500', nextAttemptAt: null },
      },
    ])
    expect(await searchedBy(event.eventId)).toBe('failed')

    const [delivery] = await stage.deliveriesOf(event)
    expect(delivery).toMatchObject({ status: 'failed', releaseAt: null, endedAt: expect.any(Date) })
    const attempts = await stage.attemptsOf(delivery?.id)
    expect(attempts.map(({ attempt, responseCode, failureReason }) => [attempt, responseCode, failureReason])).toEqual(
      Array.from({ length: 13 }, (_, attempt) => [attempt, 500, 'http_status']),
    )
    const firstAt = delivery?.firstAttemptAt?.getTime() ?? 0
    const recorded = attempts.slice(1).map(({ startedAt }) => startedAt.getTime())
    const startedInHistory = (await activityStarts(`webhook-${event.eventId}`)).slice(1)
    const planned = await plannedRetries(stage.client, `webhook-${event.eventId}`)
    expect(planned).toHaveLength(12)
    expect(planned.filter((at, index) => isOutside(at - firstAt, index))).toEqual([])
    // And they came when they were planned: never before, and later only by what the machine takes.
    for (const [instants, due] of [
      [recorded, planned],
      [startedInHistory, planned],
    ] as const) {
      expect(instants).toHaveLength(due.length)
      const late = instants.map((at, index) => at - (due[index] ?? Number.NaN))
      expect(late.filter((lateMs) => !(lateMs >= 0 && lateMs < LATE_MAX_MS))).toEqual([])
    }

    // Its history tells every attempt, and nothing of the target but its host.
    const told = await attemptsInHistory(stage.client, `webhook-${event.eventId}`)
    expect(told.map(({ attempt, startedAt, status }) => [attempt, startedAt, status])).toEqual(
      attempts.map(({ attempt, startedAt, responseCode }) => [attempt, startedAt.toISOString(), responseCode]),
    )
    expect(await titles(`webhook-${event.eventId}`, 'TIMER_STARTED')).toEqual(
      Array.from({ length: 12 }, (_, retry) => `retry ${retry + 1} of 12 · ${host}`),
    )
    const history = readableHistory(await readHistory(stage.client, `webhook-${event.eventId}`))
    expect(history).toContain(host)
    expect(history).not.toMatch(/secret-path|t0ken|pa55word|user:/)
  })
})

const titles = async (workflowId: string, type: string) => titlesIn(await readHistory(stage.client, workflowId), type)

/** Whether a retry, so long after the first attempt, is outside its row of the table; the first retry has index 0. */
function isOutside(offsetMs: number, index: number): boolean {
  const row = RETRY_WINDOWS[index]
  const second = Math.round(offsetMs / 1000)
  return row === undefined || second < row.minSeconds || second > row.maxSeconds
}

describe('the page of a webhook workflow', () => {
  const host = ({ url }: Receiver) => new URL(url).host

  test('tells for each target where it stands, what it answered last, and when the next attempt is due', async () => {
    const [failing, good] = [await receiver(), await receiver()]
    failing.answerWith(500)
    const event = await seedEvent(stage.orm, [failing.url, good.url])
    const seen = Promise.withResolvers<void>()
    // On a busy machine the retry would come before the page is read.
    stage.beforeAttempt = ({ attempt }) => (attempt > 0 ? seen.promise : undefined)
    const handle = await stage.start(event)
    await waitFor(() => detailsOf(handle, 'HTTP 200'))
    const details = await waitFor(() => detailsOf(handle, 'HTTP 500'))
    expect(details).toMatch(
      new RegExp(
        `^- ${host(failing)}: not delivered by 1 attempt, the last: HTTP 500; retry 1 of 12 at \\d{4}-.* UTC\\.$`,
        'm',
      ),
    )
    expect(details).toContain(`- ${host(good)}: delivered by the first attempt, HTTP 200.`)
    expect(await searchedBy(event.eventId)).toBe('retrying')
    await handle.terminate()
    seen.resolve()
  })

  /** Null until they tell it. */
  async function detailsOf(handle: Awaited<ReturnType<typeof stage.start>>, told: string): Promise<string | null> {
    const { currentDetails } = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata')
    return currentDetails.includes(told) ? currentDetails : null
  }
})

describe('a webhook that is accepted', () => {
  test('at once is sent once and closes without a timer', async () => {
    const target = await receiver()
    const event = await seedEventForHealthyHost(target.url)
    const result = await (await stage.start(event)).result()
    expect(result).toMatchObject([{ status: 'delivered', attempts: 1, lastAnswer: 'HTTP 200' }])
    expect(await searchedBy(event.eventId)).toBeUndefined()
    expect(target.received).toHaveLength(2)
    expect(JSON.parse(target.received[1]?.body ?? '')).toEqual({
      event_id: event.eventId,
      event_type: 'transaction.captured',
    })
    const history = await readHistory(stage.client, `webhook-${event.eventId}`)
    expect(history?.events.filter(({ eventType }) => /TIMER|ACTIVITY_TASK/.test(String(eventType)))).toEqual([])
    const [delivery] = await stage.deliveriesOf(event)
    expect(delivery).toMatchObject({ status: 'delivered', releaseAt: null })
    expect(delivery?.firstAttemptAt).toEqual((await stage.attemptsOf(delivery?.id))[0]?.startedAt)
  })
})

describe('several targets', () => {
  test('do not wait for each other, and a slow one does not delay the other', async () => {
    const [slow, failing, good] = [await receiver(), await receiver(), await receiver()]
    const held: ServerResponse[] = []
    slow.answerWith((response) => void held.push(response))
    failing.answerWith(500, 200)
    const event = await seedEvent(stage.orm, [slow.url, failing.url, good.url])
    const handle = await stage.start(event)
    await good.waitForCount(1)
    // Its retry, too, comes while the slow one is still waited for.
    await failing.waitForCount(2)
    await slow.waitForCount(1)
    expect((await stage.deliveriesOf(event))[0]?.status).toBe('pending')
    for (const response of held) response.end()
    await handle.result()
    expect([slow, failing, good].map(({ received }) => received.length)).toEqual([1, 2, 1])
    expect((await stage.deliveriesOf(event)).map((delivery) => delivery?.status)).toEqual([
      'delivered',
      'delivered',
      'delivered',
    ])
  })
})

describe('the first attempt', () => {
  test('runs outside the workflow task only while the host has not accepted what it got last', async () => {
    const target = await receiver()
    target.answerWith((response, { path }) => response.writeHead(path.endsWith('order=1') ? 500 : 200).end())
    const [refused, next, afterwards] = await seedEventsOfOneProject(
      [1, 2, 3].map((order) => `${target.url}?order=${order}`),
    )
    const waiting = await stage.start(refused)
    await waitFor(async () => (await stage.deliveriesOf(refused))[0]?.firstAttemptAt != null)
    // A retry of it would be what the host got last.
    await waiting.terminate()
    for (const event of [next, afterwards]) {
      expect(await (await stage.start(event)).result()).toMatchObject([{ status: 'delivered', attempts: 1 }])
    }
    expect(await activityStarts(`webhook-${next.eventId}`)).toHaveLength(1)
    expect(await activityStarts(`webhook-${afterwards.eventId}`)).toHaveLength(0)
  })
})

describe('an attempt', () => {
  test('to a target that did not accept what it got last has low priority, and another has none', async () => {
    const target = await receiver()
    target.answerWith(500, 500, 200)
    const [event, next] = await seedEventsOfOneProject([1, 2, 3].map((order) => `${target.url}?order=${order}`))
    const handle = await stage.start(event)
    await waitFor(async () => (await stage.deliveriesOf(event))[0]?.firstAttemptAt != null)
    await handle.terminate()
    await stage.runToEnd(next)
    // Nothing was known of the target before the first one.
    expect((await prioritiesOf(event)).slice(0, 1)).toEqual([0])
    expect(await prioritiesOf(next)).toEqual([4, 4])
  })

  test('that is a retry has low priority, also to a target that has accepted everything before', async () => {
    const target = await receiver()
    const { projectId } = await seedEventForHealthyHost(target.url)
    target.answerWith(500, 200)
    const refused = await seedEvent(stage.orm, [target.url], projectId)
    await stage.runToEnd(refused)
    expect(await prioritiesOf(refused)).toEqual([4])
  })
})

/** The priority of each regular activity; 0 is none. */
async function prioritiesOf({ eventId }: SeededEvent): Promise<number[]> {
  const history = await readHistory(stage.client, `webhook-${eventId}`)
  const events = (history?.events ?? []) as {
    activityTaskScheduledEventAttributes?: { priority?: { priorityKey?: number } }
  }[]
  return events.flatMap(({ activityTaskScheduledEventAttributes: scheduled }) =>
    scheduled == null ? [] : (scheduled.priority?.priorityKey ?? 0),
  )
}

/** An event whose only target has just accepted another one of the project. */
async function seedEventForHealthyHost(url: string): Promise<SeededEvent> {
  const before = await seedEvent(stage.orm, [url])
  await (await stage.start(before)).result()
  return seedEvent(stage.orm, [url], before.projectId)
}

async function seedEventsOfOneProject(targets: string[]): Promise<[SeededEvent, SeededEvent, SeededEvent]> {
  const [first = '', second = '', third = ''] = targets
  const event = await seedEvent(stage.orm, [first])
  const { projectId } = event
  return [event, await seedEvent(stage.orm, [second], projectId), await seedEvent(stage.orm, [third], projectId)]
}

test('a retry whose instant passes while the attempt before it is still waited for starts when that has ended', async () => {
  const answersAfterMs = 3_200
  const slow: ReceiverAnswer = (response) => setTimeout(() => response.writeHead(500).end(), answersAfterMs)
  const deliver = async (targets: number) => {
    const [target, other] = [await receiver(), await receiver()]
    const { projectId } = await seedEventForHealthyHost(target.url)
    target.answerWith(slow, 200)
    const event = await seedEvent(stage.orm, [target.url, other.url].slice(0, targets), projectId)
    await (await stage.start(event)).result()
    const [, first, retry] = target.received
    expect((retry?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(answersAfterMs - 5)
    // At once then: no timer was ever set.
    const history = await readHistory(stage.client, `webhook-${event.eventId}`)
    expect(history?.events.filter(({ eventType }) => /TIMER/.test(String(eventType)))).toEqual([])
  }
  // The first attempt to one target runs inside the workflow task, that to two outside.
  await Promise.all([deliver(1), deliver(2)])
})
