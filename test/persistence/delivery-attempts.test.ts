import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { makeIdentifier } from '../../domain/identifiers.ts'
import { DeliveryEntity } from '../../src/persistence/entities/delivery.ts'
import { DeliveryAttemptEntity } from '../../src/persistence/entities/delivery-attempt.ts'
import {
  type AttemptRecord,
  findDeliveryForAttempt,
  recordAttempt,
} from '../../src/persistence/queries/webhooks/delivery-attempts.ts'
import { makeDatabase, type TestDatabase } from '../support/database.ts'
import { type SeededEvent, seedEvent } from '../webhooks/seed.ts'

let database: TestDatabase
let event: SeededEvent
let deliveryId: string

beforeAll(async () => {
  database = await makeDatabase()
})
afterAll(() => database?.drop())
beforeEach(async () => {
  event = await seedEvent(database.orm, ['https://example.com/hooks?order=1'])
  deliveryId = event.deliveryIds[0] ?? ''
})

const startedAt = new Date('2026-11-21T09:00:00.000Z')
const releaseAt = new Date('2026-11-21T09:00:02.500Z')
const endedAt = new Date('2026-11-21T09:00:00.120Z')

const FAILURE = {
  responseCode: 500,
  failureReason: 'http_status',
  status: 'pending',
  releaseAt,
  endedAt: null,
} as const
const LAST_FAILURE = { ...FAILURE, status: 'failed', releaseAt: null, endedAt } as const
const SUCCESS = { responseCode: 200, failureReason: null, status: 'delivered', releaseAt: null, endedAt } as const

function record(outcome: Partial<AttemptRecord>, attempt = 0): Promise<boolean> {
  return recordAttempt(database.orm, {
    id: makeIdentifier('deliveryAttempt', randomBytes),
    projectId: event.projectId,
    sandbox: true,
    deliveryId,
    run: 0,
    attempt,
    requestUrl: 'https://example.com/hooks?order=1',
    responseBody: null,
    responseHeaders: null,
    responseTimeMs: 120,
    startedAt,
    ...FAILURE,
    ...outcome,
  })
}

async function rows() {
  const em = database.orm.em.fork()
  return {
    delivery: await em.findOneOrFail(DeliveryEntity, { id: deliveryId }),
    attempts: await em.find(DeliveryAttemptEntity, { deliveryId }, { orderBy: { attempt: 'asc' } }),
  }
}

describe('a recorded attempt', () => {
  test('is never counted twice, and its first outcome stands', async () => {
    expect(await record(FAILURE)).toBe(true)
    expect(await record({ ...FAILURE, responseCode: 503, releaseAt: new Date(0) })).toBe(false)
    const { delivery, attempts } = await rows()
    expect(attempts).toHaveLength(1)
    expect(attempts[0]).toMatchObject({ attempt: 0, responseCode: 500, failureReason: 'http_status', startedAt })
    expect(delivery).toMatchObject({ status: 'pending', releaseAt, firstAttemptAt: startedAt, endedAt: null })
  })

  test('that was delivered is never turned into a failure', async () => {
    await record(SUCCESS)
    expect(await record(LAST_FAILURE)).toBe(false)
    const { delivery, attempts } = await rows()
    expect(attempts[0]).toMatchObject({ responseCode: 200, failureReason: null })
    expect(delivery).toMatchObject({ status: 'delivered', endedAt })
  })

  test('that failed becomes a success when its other run was accepted, also after the delivery was abandoned', async () => {
    await record(LAST_FAILURE)
    expect((await rows()).delivery.status).toBe('failed')
    expect(await record(SUCCESS)).toBe(true)
    const { delivery, attempts } = await rows()
    expect(attempts).toHaveLength(1)
    expect(attempts[0]).toMatchObject({ responseCode: 200, failureReason: null })
    expect(delivery).toMatchObject({ status: 'delivered', releaseAt: null, endedAt })
  })

  test('has one outcome when two runs record it at the same moment', async () => {
    const answers = await Promise.all([record(FAILURE), record(SUCCESS), record(FAILURE), record(FAILURE)])
    const { delivery, attempts } = await rows()
    expect(answers[1]).toBe(true)
    expect(attempts).toHaveLength(1)
    expect(attempts[0]?.failureReason).toBeNull()
    expect(delivery.status).toBe('delivered')
  })

  test('of a later number does not move the start of the first, nor reopen what has ended', async () => {
    await record(FAILURE)
    await record({ ...SUCCESS, startedAt: releaseAt }, 1)
    await record({ ...FAILURE, startedAt: endedAt }, 2)
    const { delivery, attempts } = await rows()
    expect(attempts.map(({ attempt }) => attempt)).toEqual([0, 1, 2])
    expect(delivery).toMatchObject({ status: 'delivered', firstAttemptAt: startedAt, releaseAt: null })
  })

  test('cannot be that of another project or environment, and then nothing is written', async () => {
    await expect(record({ ...SUCCESS, projectId: 'proj_other' })).rejects.toThrow()
    await expect(record({ ...SUCCESS, sandbox: false })).rejects.toThrow()
    const { delivery, attempts } = await rows()
    expect(attempts).toEqual([])
    expect(delivery.status).toBe('pending')
  })
})

describe('what an attempt is told before it sends', () => {
  const find = (owner: object, attempt = 0, lastAttempt = attempt) =>
    findDeliveryForAttempt(
      database.orm,
      { projectId: event.projectId, sandbox: true, deliveryId, ...owner },
      { run: 0, attempt, lastAttempt, now: startedAt },
    )

  test('is nothing where the delivery belongs to another project or environment', async () => {
    expect(await find({ projectId: 'proj_other' })).toBeNull()
    expect(await find({ sandbox: false })).toBeNull()
    expect(await find({ deliveryId: 'whd_other' })).toBeNull()
  })

  test('is the target and the event, with no outcome while none is recorded', async () => {
    await record(FAILURE)
    expect(await find({}, 1)).toEqual({
      eventId: event.eventId,
      eventName: 'transaction.captured',
      run: 0,
      endpoint: null,
      firstAttemptAt: startedAt,
      targetUrl: 'https://example.com/hooks?order=1',
      status: 'pending',
      releaseAt,
      recorded: [],
    })
  })

  test('is the outcome where one is recorded, also one without an answer', async () => {
    await record({ ...FAILURE, responseCode: null, failureReason: 'timeout' })
    expect((await find({}))?.recorded).toEqual([
      { attempt: 0, responseCode: null, failureReason: 'timeout', responseTimeMs: 120, startedAt },
    ])
  })

  test('are the outcomes of those that were asked for, in their order, and of this run', async () => {
    for (const attempt of [2, 0, 1, 3]) await record({ ...FAILURE, attempt })
    await record({ ...FAILURE, run: 1, attempt: 2 })
    expect((await find({}, 1, 2))?.recorded.map(({ attempt }) => attempt)).toEqual([1, 2])
  })
})
