import { beforeEach, describe, expect, test } from '@jest/globals'
import type { AttemptInput } from '../../../activities/webhooks/deliver.ts'
import { DeliveryEntity, type DeliveryRow } from '../../../src/persistence/entities/delivery.ts'
import { createOrm } from '../../../src/persistence/orm.ts'
import { createWebhookLimits, type WebhookLimits } from '../../../src/webhooks/concurrency-limit.ts'
import { fixedClock } from '../../support/clock.ts'
import { holdLock } from '../../support/held-lock.ts'
import type { Receiver } from '../../support/receiver.ts'
import { waitFor } from '../../support/wait-for.ts'
import { type SeededEvent, seedEvent } from '../../webhooks/seed.ts'
import { deliveryStageForFile } from './delivery-stage.ts'

const stage = deliveryStageForFile({ clock: fixedClock() })
const NOW = fixedClock().now().getTime()
const FULL: WebhookLimits['attempts'] = { tryAcquire: () => null, acquire: async () => null }

let target: Receiver
let event: SeededEvent

const seed = (urls: readonly string[], projectId?: string) => seedEvent(stage.database.orm, urls, projectId)
beforeEach(async () => {
  target = await stage.receiver()
  event = await seed([target.url])
})

const deliver = (given: Partial<AttemptInput> = {}) => stage.attempt(event, given)
const deliverWith = (...changes: Parameters<typeof stage.activitiesWith>) =>
  stage.activitiesWith(...changes).deliverWebhook(stage.inputOf(event))
const delivery = () => stage.delivery(event)

describe('delivering a webhook', () => {
  test('sends nothing while the record cannot be read', async () => {
    const orm = await createOrm({ databaseUrl: 'postgresql://nobody:nothing@127.0.0.1:1/nowhere' })
    await expect(deliverWith({ orm })).rejects.toThrow('ECONNREFUSED')
    expect(target.received).toHaveLength(0)
    await orm.close(true)
  })

  test('sends nothing again where the attempt was recorded, and tells what was recorded', async () => {
    target.answerWith(503, 200)
    const first = await deliver()
    expect(first).toMatchObject({ delivered: false, status: 503, reason: 'http_status' })
    expect(await deliver()).toEqual(first)
    expect(target.received).toHaveLength(1)
  })

  test('tells what was recorded first, where the attempt runs a second time beside the first', async () => {
    target.answerWith((response) => void deliver().then(() => response.writeHead(503).end()), 200)
    expect(await deliver()).toMatchObject({ delivered: true, status: 200, nextAt: null })
    expect(target.received).toHaveLength(2)
    expect(await delivery()).toMatchObject({ status: 'delivered' })
  })

  test.each([
    ['delivered', true],
    ['failed', false],
  ] as const)('sends nothing where the delivery has ended as %s', async (status, delivered) => {
    await stage.database.orm.em.fork().nativeUpdate(DeliveryEntity, { id: event.deliveryIds[0] ?? '' }, { status })
    expect(await deliver({ attempt: 3 })).toMatchObject({ delivered, reason: 'already_ended' })
    expect(target.received).toHaveLength(0)
  })

  test('dates what it records by the workflow, where that is ahead of the clock', async () => {
    target.answerWith(500)
    const at = NOW + 3_600_000
    await deliver({ at })
    const { firstAttemptAt, releaseAt, endedAt, status } = await delivery()
    expect([firstAttemptAt?.getTime(), releaseAt?.getTime(), endedAt, status]).toEqual([
      at,
      at + 2_500,
      null,
      'pending',
    ])
  })

  test('keeps the permit of an attempt until that is recorded, so that a slow database is not asked by more attempts than there are permits', async () => {
    let taken = 0
    const counting: WebhookLimits['attempts'] = {
      ...FULL,
      tryAcquire() {
        taken += 1
        return () => {
          taken -= 1
        }
      },
    }
    const lock = await holdLock(stage.database, 'select from delivery where id = ? for update', event.deliveryIds)
    const delivered = deliverWith({ limits: { attempts: counting, atOnce: counting } })
    const takenMeanwhile = await waitFor(async () => (await lock.countWaiting()) > 0)
      .then(() => taken)
      .finally(lock.release)
    expect(await delivered).toMatchObject({ delivered: true })
    expect([takenMeanwhile, taken]).toEqual([1, 0])
  })
})

describe('an attempt that finds no permit', () => {
  const full = { attempts: FULL, atOnce: FULL }
  const refused = (number = 1) =>
    deliverWith({ limits: full }, { number, dueAt: 0 }).then(
      () => Promise.reject(new Error('It found one.')),
      ({ message, type, category, nextRetryDelay, nonRetryable }) => {
        return { message, type, category, nextRetryDelay: Number(nextRetryDelay), nonRetryable: nonRetryable === true }
      },
    )

  test('sends and records nothing, and has Temporal run it again, which is no failure to be looked at', async () => {
    expect(await refused()).toMatchObject({
      message: `No permit is free for an attempt to ${new URL(target.url).host}; it asks again.`,
      type: 'no-permit',
      category: 'BENIGN',
      nonRetryable: false,
    })
    expect(target.received).toHaveLength(0)
    expect(await delivery()).toMatchObject({ status: 'pending', firstAttemptAt: null })
    expect(await deliver()).toMatchObject({ attempt: 0, delivered: true })
  })

  describe('and stands in line', () => {
    const host = () => new URL(target.url).host
    /** The attempt when it stands in line, and what ends those before it. */
    async function standInLine() {
      const { attempts, atOnce } = createWebhookLimits({ permitMs: 20_000 })
      const { projectId, environment } = event
      const acquireAll = () =>
        Array.from({ length: 20 }, () =>
          attempts.tryAcquire({ projectId, environment, host: host(), isTrusted: true }),
        ).flatMap((release) => release ?? [])
      const before = acquireAll()
      let stands = false
      const watched: WebhookLimits['attempts'] = {
        tryAcquire: attempts.tryAcquire,
        acquire(attempt) {
          stands = true
          return attempts.acquire(attempt)
        },
      }
      const result = deliverWith({ limits: { attempts: watched, atOnce } })
      await waitFor(() => stands)
      const endAll = () => {
        for (const release of before) release()
      }
      return { result, before, endAll, countFree: () => acquireAll().length }
    }

    test('is sent as soon as another one ends, and gives its permit back', async () => {
      const { result, before, endAll, countFree } = await standInLine()
      before[0]?.()
      expect(await result).toMatchObject({ delivered: true })
      endAll()
      expect(countFree()).toBe(before.length)
    })

    test.each<[string, () => Partial<DeliveryRow>, object]>([
      ['has ended', () => ({ status: 'failed' }), { reason: 'already_ended' }],
      ['goes to another host', () => ({ targetUrl: 'http://127.0.0.1:1/' }), { type: 'no-permit' }],
    ])('is not sent where its delivery %s meanwhile, and gives its permit back', async (_, change, expected) => {
      const { result, before, endAll, countFree } = await standInLine()
      await stage.database.orm.em.fork().nativeUpdate(DeliveryEntity, { id: event.deliveryIds[0] ?? '' }, change())
      endAll()
      expect(await result.catch((error: unknown) => error)).toMatchObject(expected)
      expect(target.received).toHaveLength(0)
      expect(countFree()).toBe(before.length)
    })
  })

  test('is left to the workflow, where it was to be made at once', async () => {
    await deliver()
    const next = await seed([target.url], event.projectId)
    const { beginDeliveries } = stage.activitiesWith({ limits: { ...stage.limits, atOnce: FULL } })
    const [begun] = await beginDeliveries(stage.beginningOf(next))
    expect(begun).toMatchObject({ status: 'pending', attemptsMade: 0, nextAt: null, health: 'good' })
    expect(begun).not.toHaveProperty('first')
    expect(target.received).toHaveLength(1)
  })
})

describe('beginning the deliveries of an event', () => {
  test('gives hosts and never URLs', async () => {
    const seeded = await seed(['https://user:pa55word@example.com:8443/path?token=t0ken', 'not a URL'])
    const loaded = await stage.begin(seeded)
    expect(loaded.map(({ target: name }) => name).sort()).toEqual(['example.com:8443', 'invalid URL'])
    expect(JSON.stringify(loaded)).not.toMatch(/pa55word|t0ken|\/path|not a/)
  })

  test('makes the first attempt with it where the only target accepted what it got last, and makes it once', async () => {
    await deliver()
    const next = await seed([target.url], event.projectId)
    const [begun] = await stage.begin(next)
    expect(begun).toMatchObject({ status: 'delivered', attemptsMade: 1, first: { delivered: true, status: 200 } })
    expect(target.received).toHaveLength(2)
    expect(await stage.begin(next)).toMatchObject([{ status: 'delivered', attemptsMade: 1 }])
    expect(target.received).toHaveLength(2)
  })

  test('tells when a first attempt that failed is to be repeated, also when it is asked again', async () => {
    await deliver()
    target.answerWith(500)
    const next = await seed([target.url], event.projectId)
    const due = { status: 'pending', attemptsMade: 1, nextAt: NOW + 2_500 }
    expect(await stage.begin(next)).toMatchObject([{ ...due, first: { delivered: false, status: 500 } }])
    expect(await stage.begin(next)).toMatchObject([due])
    expect(target.received).toHaveLength(2)
  })
})
