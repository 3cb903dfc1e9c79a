import { randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, test } from '@jest/globals'
import { makeIdentifier } from '../../domain/identifiers.ts'
import { DeliveryEntity } from '../../src/persistence/entities/delivery.ts'
import { DeliveryAttemptEntity } from '../../src/persistence/entities/delivery-attempt.ts'
import { WebhookEndpointEntity, type WebhookEndpointRow } from '../../src/persistence/entities/webhook-endpoint.ts'
import {
  type AttemptRecord,
  findDeliveryForAttempt,
  recordAttempt,
  recordFurtherFailure,
} from '../../src/persistence/queries/webhooks/delivery-attempts.ts'
import { databaseForFile } from '../support/payment-for-file.ts'
import { seedEndpoint, seedEventFor, seedProject } from '../webhooks/endpoint-seed.ts'
import { type SeededEvent, seedEvent } from '../webhooks/seed.ts'

const database = databaseForFile()
let event: SeededEvent
let deliveryId: string

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

const attemptRecord = (given: Partial<AttemptRecord>): AttemptRecord => ({
  id: makeIdentifier('deliveryAttempt', randomBytes),
  projectId: event.projectId,
  sandbox: true,
  deliveryId,
  run: 0,
  attempt: 0,
  requestUrl: 'https://example.com/hooks?order=1',
  responseBody: null,
  responseHeaders: null,
  responseTimeMs: 120,
  startedAt,
  ...FAILURE,
  ...given,
})

function record(outcome: Partial<AttemptRecord>, attempt = 0): Promise<boolean> {
  return recordAttempt(database.orm, attemptRecord({ attempt, ...outcome }))
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

  test('that failed does not begin a delivery again that has ended meanwhile', async () => {
    const ended = { status: 'failed', releaseAt: null, endedAt } as const
    await database.orm.em.fork().nativeUpdate(DeliveryEntity, { id: deliveryId }, ended)
    expect(await record(FAILURE)).toBe(true)
    expect((await rows()).delivery).toMatchObject(ended)
  })

  test('has one outcome when two runs record it at the same moment', async () => {
    const answers = await Promise.all([record(FAILURE), record(SUCCESS), record(FAILURE), record(FAILURE)])
    const { delivery, attempts } = await rows()
    expect(answers[1]).toBe(true)
    expect(attempts).toHaveLength(1)
    expect(attempts[0]?.failureReason).toBeNull()
    expect(delivery.status).toBe('delivered')
  })

  test.each([
    ['an earlier run', 1],
    ['a later run', -1],
  ])('of %s is written and moves the delivery nowhere', async (_, ahead) => {
    const run = 2
    await database.orm.em.fork().nativeUpdate(DeliveryEntity, { id: deliveryId }, { run })
    expect(await record({ ...SUCCESS, run: run - ahead })).toBe(true)
    const { delivery, attempts } = await rows()
    expect(attempts).toMatchObject([{ run: run - ahead, responseCode: 200 }])
    expect(delivery).toMatchObject({ run, status: 'pending', firstAttemptAt: null, releaseAt: null, endedAt: null })
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
  const find = (owner: object, attempt = 0) =>
    findDeliveryForAttempt(
      database.orm,
      { projectId: event.projectId, sandbox: true, deliveryId, ...owner },
      { run: 0, attempt, now: startedAt },
    )

  test('is nothing where the delivery belongs to another project or environment', async () => {
    expect(await find({ projectId: 'proj_other' })).toBeNull()
    expect(await find({ sandbox: false })).toBeNull()
    expect(await find({ deliveryId: 'whd_other' })).toBeNull()
  })
})

describe('a further failure of an endpoint', () => {
  const url = 'https://shop.example/webhooks'
  const failingSince = new Date('2026-11-19T09:00:00.000Z')
  const FAILING = { failingSince, lastFailureAt: new Date('2026-11-21T08:00:00.000Z'), goneCount: 0 }

  let endpoint: WebhookEndpointRow

  beforeEach(async () => {
    endpoint = await seedEndpoint(database.orm, { projectId: await seedProject(database.orm), url, ...FAILING })
    event = await seedEventFor(database.orm, [endpoint])
    deliveryId = event.deliveryIds[0] ?? ''
  })

  const recordFurther = (lastFailureAt = endedAt) =>
    recordFurtherFailure(database.orm, endpoint.id, attemptRecord({ requestUrl: url }), {
      failingSince,
      lastFailureAt,
    })
  const change = (columns: Partial<WebhookEndpointRow>) =>
    database.orm.em.fork().nativeUpdate(WebhookEndpointEntity, { id: endpoint.id }, columns)
  const endpointNow = () => database.orm.em.fork().findOneOrFail(WebhookEndpointEntity, { id: endpoint.id })

  // Otherwise it would stand written, with the health of the endpoint left as it was.
  test.each<[string, Partial<WebhookEndpointRow>]>([
    ['has answered 410 meanwhile, of which this failure ends the row', { goneCount: 1 }],
    ['has accepted something meanwhile', { failingSince: null, lastFailureAt: null }],
    ['fails since another instant', { failingSince: new Date(failingSince.getTime() + 1) }],
    ['has moved', { url: `${url}/moved` }],
    ['was deleted', { deletedAt: startedAt }],
  ])('is not written where the endpoint %s', async (_, columns) => {
    await change(columns)
    const before = await endpointNow()
    expect(await recordFurther()).toBe(false)
    expect(await rows()).toMatchObject({ attempts: [], delivery: { status: 'pending', firstAttemptAt: null } })
    expect(await endpointNow()).toEqual(before)
  })

  test('is written once, and tells when the endpoint has failed last', async () => {
    expect(await recordFurther()).toBe(true)
    expect(await recordFurther(new Date(endedAt.getTime() + 1_000))).toBe(false)
    const { attempts, delivery } = await rows()
    expect(attempts).toMatchObject([{ attempt: 0, responseCode: 500, requestUrl: url }])
    expect(delivery).toMatchObject({ status: 'pending', firstAttemptAt: startedAt, releaseAt })
    expect(await endpointNow()).toMatchObject({ ...FAILING, lastFailureAt: endedAt })
  })
})
