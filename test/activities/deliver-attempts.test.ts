import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { resendEvent } from '../../src/persistence/queries/webhooks/resend-event.ts'
import type { Receiver } from '../support/receiver.ts'
import { seedEndpoint, seedEventFor, seedProject } from '../webhooks/endpoint-seed.ts'
import type { SeededEvent } from '../webhooks/seed.ts'
import { type DeliveryStage, makeDeliveryStage } from './delivery-stage.ts'

const MINUTE = 60_000
/** The first two retries soon, the others far off. */
const RETRY_OFFSETS_MS = [30, 60, MINUTE, 2 * MINUTE, 3 * MINUTE]

let stage: DeliveryStage
let target: Receiver
let event: SeededEvent

beforeAll(async () => {
  stage = await makeDeliveryStage()
})
afterAll(() => stage.close())
beforeEach(async () => {
  const { orm } = stage.database
  target = await stage.receiver()
  target.answerWith(500)
  event = await seedEventFor(orm, [await seedEndpoint(orm, { projectId: await seedProject(orm), url: target.url })])
})
afterEach(() => stage.stopReceivers())

const upTo = (lastAttempt: number, retryOffsetsMs = RETRY_OFFSETS_MS) =>
  stage.attemptUpTo(event, { lastAttempt, retryOffsetsMs })

const endpointOf = async (of: SeededEvent) => stage.endpoint((await stage.delivery(of)).endpointId ?? '')

/** How the activity fails where it is to be run again. */
async function putOff(lastAttempt: number): Promise<{ message: string; nextRetryDelay: number }> {
  return upTo(lastAttempt).then(
    () => Promise.reject(new Error('It was not put off.')),
    ({ message, nextRetryDelay }) => ({ message, nextRetryDelay }),
  )
}

const made = async () => (await stage.attempts(event)).map(({ attempt, responseCode }) => [attempt, responseCode])

describe('several attempts of one activity', () => {
  test('wait for what is due soon, and have it all told in the end', async () => {
    stage.allowWaits(true)
    target.answerWith(500, 503, 404)
    const result = await upTo(2)
    expect(result).toMatchObject({ attempt: 2, status: 404, delivered: false })
    expect(result.earlier).toMatchObject([
      { attempt: 0, status: 500, reason: 'http_status' },
      { attempt: 1, status: 503, reason: 'http_status' },
    ])
    expect(await made()).toEqual([
      [0, 500],
      [1, 503],
      [2, 404],
    ])
    const rows = await stage.attempts(event)
    const firstAt = rows[0]?.startedAt.getTime() ?? Number.NaN
    // Never before their instants, whatever a timer does.
    for (const [index, row] of rows.slice(1).entries()) {
      expect(row.startedAt.getTime() - firstAt).toBeGreaterThanOrEqual(RETRY_OFFSETS_MS[index] ?? Number.NaN)
    }
    expect(result.nextAt).toBe(firstAt + MINUTE)
    expect((await stage.delivery(event)).releaseAt?.getTime()).toBe(firstAt + MINUTE)
  })

  test('end with the one that is accepted', async () => {
    stage.allowWaits(true)
    target.answerWith(500, 200)
    expect(await upTo(4)).toMatchObject({ attempt: 1, status: 200, delivered: true, nextAt: null })
    expect(target.received).toHaveLength(2)
    expect(await stage.delivery(event)).toMatchObject({ status: 'delivered', releaseAt: null })
  })

  test('are put off to what is far off, telling the last answer and when it goes on', async () => {
    stage.allowWaits(true)
    const { message, nextRetryDelay } = await putOff(4)
    const { releaseAt } = await stage.delivery(event)
    expect(message).toBe(
      `Not accepted (retry 2 of 12: HTTP 500); retry 3 of 12 follows at ${releaseAt?.toISOString()}.`,
    )
    expect(nextRetryDelay).toBeGreaterThan(MINUTE - 10_000)
    expect(nextRetryDelay).toBeLessThanOrEqual(MINUTE)
    expect(target.received).toHaveLength(3)
  })

  test('are put off to what is due soon, too, where nobody may wait', async () => {
    stage.allowWaits(false)
    const { message } = await putOff(4)
    expect(message).toContain('retry 1 of 12 follows at')
    expect(target.received).toHaveLength(1)
  })

  test('are put off by what is left to wait, where a stop ends the wait', async () => {
    stage.stopWaitsAfter(300)
    const { nextRetryDelay } = await upTo(4, [1_000, MINUTE]).catch((error) => error)
    expect(nextRetryDelay).toBeLessThanOrEqual(700)
    expect(target.received).toHaveLength(1)
  })

  test('run again, send nothing again, go on where they were, and tell of those before', async () => {
    stage.allowWaits(true)
    await putOff(3)
    // As after a lost worker: run again before its time.
    expect((await putOff(3)).message).toContain('(retry 2 of 12: HTTP 500); retry 3 of 12 follows')
    expect(target.received).toHaveLength(3)
    stage.clock.advance(MINUTE)
    target.answerWith(502)
    const result = await upTo(3)
    expect(result).toMatchObject({ attempt: 3, status: 502 })
    expect(result.earlier.map(({ attempt, status }) => [attempt, status])).toEqual([
      [0, 500],
      [1, 500],
      [2, 500],
    ])
    expect(target.received).toHaveLength(4)
    expect(result.earlier.map(({ startedAt }) => startedAt)).toEqual(
      (await stage.attempts(event)).slice(0, 3).map(({ startedAt }) => startedAt.toISOString()),
    )
  })

  test('go by the instant at which they are asked for, where the clock of the worker is behind', async () => {
    stage.allowWaits(true)
    await putOff(4)
    stage.clock.advance(-30 * MINUTE)
    const at = ((await stage.delivery(event)).releaseAt?.getTime() ?? Number.NaN) + 5
    const plan = { lastAttempt: 4, retryOffsetsMs: RETRY_OFFSETS_MS, at }
    const failure = await stage.attemptUpTo(event, plan).catch((error) => error)
    stage.clock.advance(30 * MINUTE)
    expect(failure.message).toContain('retry 4 of 12 follows')
    expect(failure.nextRetryDelay).toBeLessThanOrEqual(MINUTE)
    expect((await stage.attempts(event))[3]?.startedAt.getTime()).toBeGreaterThanOrEqual(at)
  })

  test('end where another run has taken their place meanwhile', async () => {
    stage.allowWaits(true)
    await putOff(4)
    await stage.database.orm.em
      .fork()
      .transactional((em) =>
        resendEvent(
          em,
          { projectId: event.projectId, sandbox: true },
          { eventId: event.eventId, endpointId: null, now: new Date() },
        ),
      )
    const told = await upTo(4)
    expect(told).toMatchObject({ attempt: 3, reason: 'already_ended', nextAt: null })
    expect(told.earlier).toHaveLength(3)
    expect(target.received).toHaveLength(3)
  })

  test('end after the last retry of all', async () => {
    stage.allowWaits(true)
    expect(await upTo(4, [10, 20])).toMatchObject({ attempt: 2, nextAt: null })
    expect(await stage.delivery(event)).toMatchObject({ status: 'failed', endedAt: expect.any(Date) })
  })
})

describe('the sweep', () => {
  test('is told of runs whose first attempt may wait for a place, and of no others', async () => {
    const { orm } = stage.database
    const key = `${event.eventId} 0`
    await stage.begin(event)
    expect([...stage.runsLately.keys()].filter((known) => known === key)).toEqual([key])
    target.answerWith(200)
    await stage.attempt(event)
    const next = await seedEventFor(orm, [await endpointOf(event)])
    expect(await stage.begin(next)).toMatchObject([{ status: 'delivered' }])
    expect(stage.runsLately.has(`${next.eventId} 0`)).toBe(false)
  })
})

describe('attempts that others go before', () => {
  beforeEach(() => {
    Object.assign(stage.giveWay, { turns: [], beginnings: 0 })
  })

  test('are all those to a target that did not accept what it got last', async () => {
    stage.allowWaits(true)
    await upTo(2)
    expect(stage.giveWay).toMatchObject({ turns: [200, 200], beginnings: 1 })
    const next = await seedEventFor(stage.database.orm, [await endpointOf(event)])
    await stage.attempt(next, { health: 'bad' })
    expect(stage.giveWay).toMatchObject({ turns: [200, 200, 200], beginnings: 1 })
  })

  test.each(['good', 'unknown'] as const)(
    'are none to a target that is %s, which others make room for',
    async (health) => {
      await stage.attempt(event, { health })
      expect(stage.giveWay).toMatchObject({ turns: [], beginnings: 1 })
    },
  )

  test('learn of a first attempt that is made at once', async () => {
    target.answerWith(200)
    await stage.attempt(event)
    const next = await seedEventFor(stage.database.orm, [await endpointOf(event)])
    expect(await stage.begin(next)).toMatchObject([{ status: 'delivered' }])
    expect(stage.giveWay).toMatchObject({ turns: [], beginnings: 2 })
  })

  test('are none inside a workflow task, whose slot they would hold', async () => {
    await stage.attempt(event, { attempt: 5, health: 'bad', isAtOnce: true })
    expect(target.received).toHaveLength(1)
    expect(stage.giveWay).toMatchObject({ turns: [], beginnings: 0 })
  })

  test('do not wait to find that they were recorded', async () => {
    await stage.attempt(event, { health: 'bad' })
    await stage.attempt(event, { health: 'bad' })
    expect(stage.giveWay.turns).toEqual([200])
    expect(target.received).toHaveLength(1)
  })

  test('give way for what is left of their row at most, and not at all once it is over', async () => {
    const attempt = (number: number, at: number) => stage.attempt(event, { attempt: number, at, health: 'bad' })
    await stage.attempt(event)
    const firstAt = (await stage.delivery(event)).firstAttemptAt?.getTime() ?? Number.NaN
    await attempt(1, firstAt + 2_900)
    await attempt(2, firstAt + 10_300)
    const [left, over] = stage.giveWay.turns
    expect(left).toBeGreaterThan(0)
    expect(left).toBeLessThanOrEqual(100)
    expect(over).toBeLessThanOrEqual(0)
    expect(target.received).toHaveLength(3)
  })

  test('are made where nobody makes room for them for as long as they may be late', async () => {
    stage.allowWaits(true)
    const busy = setInterval(() => stage.giveWay.begins(), 5)
    try {
      await upTo(1)
    } finally {
      clearInterval(busy)
    }
    const [first, second] = await stage.attempts(event)
    const late = (second?.startedAt.getTime() ?? Number.NaN) - (first?.startedAt.getTime() ?? Number.NaN)
    expect(late).toBeGreaterThanOrEqual(200)
    expect(await made()).toHaveLength(2)
  })
})
