import { beforeEach, describe, expect, test } from '@jest/globals'
import { Webhook } from 'standardwebhooks'
import { DeliveryEntity } from '../../../src/persistence/entities/delivery.ts'
import { WebhookEndpointEntity, type WebhookEndpointRow } from '../../../src/persistence/entities/webhook-endpoint.ts'
import { WebhookSecretEntity } from '../../../src/persistence/entities/webhook-secret.ts'
import { lockKept } from '../../../src/persistence/queries/kept-rows.ts'
import { deleteEndpoint } from '../../../src/persistence/queries/webhooks/endpoints.ts'
import { resendEvent } from '../../../src/persistence/queries/webhooks/resend-event.ts'
import { publicKeyOf } from '../../../src/webhooks/signature.ts'
import type { ReceivedWebhook, Receiver } from '../../support/receiver.ts'
import { seedEndpoint, seedEventFor, seedProject, seedSecret } from '../../webhooks/endpoint-seed.ts'
import { type SeededEvent, seedEvent } from '../../webhooks/seed.ts'
import { type DeliveryStage, deliveryStageForFile } from './delivery-stage.ts'

const stage = deliveryStageForFile()
let target: Receiver
let endpoint: WebhookEndpointRow
let event: SeededEvent

beforeEach(async () => {
  const { orm } = stage.database
  target = await stage.receiver()
  endpoint = await seedEndpoint(orm, { projectId: await seedProject(orm), url: target.url })
  event = await seedEventFor(orm, [endpoint])
})

const disabled = { enabled: false, disabledReason: 'merchant', disabledAt: new Date() } as const

function remove(): Promise<void> {
  return stage.database.orm.em.fork().transactional(async (em) => {
    const row = await lockKept(em, WebhookEndpointEntity, endpoint, endpoint.id)
    if (row !== null) await deleteEndpoint(em, row, stage.clock.now())
  })
}

describe('an endpoint that its merchant has switched off', () => {
  test('is not sent to, and the attempt is recorded with its reason while the schedule goes on', async () => {
    await stage.change(endpoint.id, disabled)
    const result = await stage.attempt(event)
    expect(target.received).toHaveLength(0)
    expect(result).toMatchObject({ delivered: false, status: null, reason: 'endpoint_disabled' })
    const delivery = await stage.delivery(event)
    expect(delivery).toMatchObject({ status: 'pending', endedAt: null })
    expect(result.nextAt).toBe(delivery.releaseAt?.getTime())
    expect(result.nextAt).toBe((delivery.firstAttemptAt?.getTime() ?? 0) + 2_500)
    expect(await stage.attempts(event)).toMatchObject([
      { attempt: 0, failureReason: 'endpoint_disabled', responseCode: null, requestUrl: endpoint.url },
    ])
    // It was not asked, so that says nothing of its health.
    expect(await stage.endpoint(endpoint.id)).toMatchObject({ failingSince: null, lastFailureAt: null, goneCount: 0 })
  })

  test('has missed what was due for the last time', async () => {
    await stage.change(endpoint.id, disabled)
    expect(await stage.attempt(event, { attempt: 12, nextOffsetMs: null })).toMatchObject({ nextAt: null })
    expect(await stage.delivery(event)).toMatchObject({ status: 'failed', endedAt: expect.any(Date) })
    expect(target.received).toHaveLength(0)
  })
})

describe('a deleted endpoint', () => {
  test('is sent nothing that waited for it', async () => {
    await remove()
    expect(await stage.attempt(event)).toMatchObject({ delivered: false, reason: 'endpoint_deleted', nextAt: null })
    expect(target.received).toHaveLength(0)
    expect(await stage.attempts(event)).toEqual([])
  })

  test('is sent nothing of a change that was under way at its deletion either, and nothing waits for it any more', async () => {
    await remove()
    // Written in a database transaction that the deletion could not see.
    await stage.database.orm.em.fork().nativeUpdate(
      DeliveryEntity,
      { endpointId: endpoint.id },
      {
        status: 'pending',
        endedAt: null,
      },
    )
    expect(await stage.attempt(event)).toMatchObject({ delivered: false, reason: 'endpoint_deleted', nextAt: null })
    expect(target.received).toHaveLength(0)
    expect(await stage.delivery(event)).toMatchObject({ status: 'failed', releaseAt: null, endedAt: expect.any(Date) })
  })

  test('keeps what it accepted before', async () => {
    await stage.attempt(event)
    await remove()
    expect(await stage.delivery(event)).toMatchObject({ status: 'delivered' })
  })

  test('has what it accepted while it was being deleted', async () => {
    target.answerWith((response) => void remove().then(() => response.end()))
    expect(await stage.attempt(event)).toMatchObject({ delivered: true })
    expect(await stage.delivery(event)).toMatchObject({ status: 'delivered' })
  })
})

describe('an endpoint with a new URL', () => {
  test('gets what waits at the new one and nothing at the old one, and each attempt keeps where it went', async () => {
    const moved = await stage.receiver()
    target.answerWith(500)
    moved.answerWith(503)
    await stage.attempt(event)
    await stage.change(endpoint.id, { url: `${moved.url}?new` })
    await stage.attempt(event, { attempt: 1 })
    await stage.attempt(event, { attempt: 2 })
    expect([target.received.length, moved.received.length]).toEqual([1, 2])
    expect((await stage.attempts(event)).map(({ requestUrl }) => requestUrl)).toEqual([
      target.url,
      `${moved.url}?new`,
      `${moved.url}?new`,
    ])
    expect((await stage.delivery(event)).targetUrl).toBe(`${moved.url}?new`)
  })

  test('is no worse for what the old one answered meanwhile', async () => {
    await stage.change(endpoint.id, { goneCount: 2, failingSince: new Date(0), lastFailureAt: new Date() })
    const url = 'https://moved.example/'
    target.answerWith(
      (response) =>
        void stage
          .change(endpoint.id, { url, goneCount: 0, failingSince: null, lastFailureAt: null })
          .then(() => response.writeHead(410).end()),
    )
    await stage.attempt(event)
    expect(await stage.endpoint(endpoint.id)).toMatchObject({ url, enabled: true, goneCount: 0, failingSince: null })
  })
})

test('a run of an event begins no delivery that another run has taken over', async () => {
  await stage.database.orm.em.fork().nativeUpdate(DeliveryEntity, { eventId: event.eventId }, { run: 1 })
  expect(await stage.begin(event)).toEqual([])
  expect(target.received).toHaveLength(0)
  expect(await stage.begin({ ...event, run: 1 })).toMatchObject([{ status: 'pending', attemptsMade: 0 }])
})

/** The headers in which a webhook is signed. */
const signatureOf = ({ headers }: ReceivedWebhook) => String(headers['webhook-signature'])
const verified = (secret: string, { body, headers }: ReceivedWebhook) =>
  new Webhook(secret).verify(body, headers as Record<string, string>)

describe('a webhook to an endpoint', () => {
  test('is signed with both secrets of a rotation and with the key pair in use', async () => {
    const { orm } = stage.database
    await stage.change(endpoint.id, { signWithEd25519: true })
    const current = await seedSecret(orm, endpoint)
    const previous = await seedSecret(orm, endpoint, { expiresAt: new Date(Date.now() + 60_000) })
    const pair = await seedSecret(orm, endpoint, { scheme: 'ed25519' })
    expect(publicKeyOf(pair)).toMatch(/^whpk_/)
    await stage.attempt(event)
    const [webhook] = target.received as [ReceivedWebhook]
    expect(
      signatureOf(webhook)
        .split(' ')
        .map((one) => one.split(',')[0])
        .sort(),
    ).toEqual(['v1', 'v1', 'v1a'])
    for (const secret of [current, previous]) verified(secret, webhook)
  })

  test('has the same id in every retry and when it is sent again, and the second of its own attempt', async () => {
    await seedSecret(stage.database.orm, endpoint)
    target.answerWith(500)
    const second = () => Math.floor(stage.clock.now().getTime() / 1000)
    const attempted: { from: number; to: number }[] = []
    const attempt = async (given: Parameters<DeliveryStage['attempt']>[1] = {}) => {
      const from = second()
      await stage.attempt(event, given)
      attempted.push({ from, to: second() })
      stage.clock.advance(60_000)
    }
    await attempt()
    await attempt({ attempt: 1 })
    await stage.database.orm.em
      .fork()
      .transactional((em) =>
        resendEvent(em, endpoint, { eventId: event.eventId, endpointId: null, now: stage.clock.now() }),
      )
    await attempt({ run: 1 })
    expect(target.received.map(({ headers }) => headers['webhook-id'])).toEqual(
      Array(3).fill(`${event.eventId}-${endpoint.id}`),
    )
    for (const [index, { from, to }] of attempted.entries()) {
      const told = Number(target.received[index]?.headers['webhook-timestamp'])
      expect(told).toBeGreaterThanOrEqual(from)
      expect(told).toBeLessThanOrEqual(to)
    }
  })

  test('is not sent where its secret cannot be opened, rather than sent without a signature', async () => {
    const { orm } = stage.database
    await seedSecret(orm, endpoint)
    await orm.em.fork().nativeUpdate(WebhookSecretEntity, { endpointId: endpoint.id }, { keyId: 'lost' })
    await expect(stage.attempt(event)).rejects.toThrow()
    expect(target.received).toHaveLength(0)
    expect(await stage.delivery(event)).toMatchObject({ status: 'pending', firstAttemptAt: null })
  })

  test('tells a history neither where it goes nor what it is signed with', async () => {
    const secret = await seedSecret(stage.database.orm, endpoint)
    await stage.change(endpoint.id, { url: `${target.url}?token=t0ken` })
    target.answerWith((response, webhook) => response.writeHead(500).end(signatureOf(webhook)))
    const told = JSON.stringify(await stage.attempt(event))
    expect(told).not.toMatch(/t0ken|webhooks|v1,/)
    expect(told).not.toContain(secret)
    const [kept] = await stage.attempts(event)
    expect(kept).toMatchObject({ responseBody: 'v1,[signature]', requestUrl: `${target.url}?token=t0ken` })
  })
})

describe('an attempt that ends in an error releases its permit', () => {
  /** More than one project may have under way at one host. */
  const TRIES = 21
  const fail = async (reason: RegExp) => {
    for (let tried = 0; tried < TRIES; tried += 1) await expect(stage.attempt(event)).rejects.toThrow(reason)
  }

  test('after it has sent, where the outcome cannot be recorded', async () => {
    const em = () => stage.database.orm.em.fork()
    await em().execute(`create function refuse_attempt() returns trigger language plpgsql as $$
      begin raise exception 'no room'; end $$`)
    await em().execute(
      'create trigger refused before insert on delivery_attempt for each row execute function refuse_attempt()',
    )
    await fail(/refused or did not answer/).finally(() => em().execute('drop function refuse_attempt cascade'))
    expect(await stage.attempt(event)).toMatchObject({ delivered: true })
    expect(target.received).toHaveLength(TRIES + 1)
  })
})

test('a webhook to the URL of an invoice has the id of its event and no signature', async () => {
  const own = await seedEvent(stage.database.orm, [target.url])
  await stage.attempt(own)
  const [{ headers }] = target.received as [ReceivedWebhook]
  expect(headers['webhook-id']).toBe(own.eventId)
  expect(headers['webhook-timestamp']).toMatch(/^\d{10}$/)
  expect(headers).not.toHaveProperty('webhook-signature')
})

describe('an attempt of a sending that another has taken the place of', () => {
  test('is not made, and one that was under way changes nothing of the new one', async () => {
    const again = () =>
      stage.database.orm.em
        .fork()
        .transactional((em) =>
          resendEvent(em, endpoint, { eventId: event.eventId, endpointId: null, now: stage.clock.now() }),
        )
    target.answerWith((response) => void again().then(() => response.writeHead(500).end()))
    await stage.attempt(event)
    expect(await stage.delivery(event)).toMatchObject({
      run: 1,
      status: 'pending',
      firstAttemptAt: null,
      releaseAt: null,
    })
    expect(await stage.attempt(event, { attempt: 1 })).toMatchObject({ reason: 'already_ended', nextAt: null })
    expect(target.received).toHaveLength(1)
    expect((await stage.attempts(event)).map(({ run, attempt }) => [run, attempt])).toEqual([[0, 0]])
  })
})

describe('Retry-After', () => {
  const next = async (value: string, given: { attempt: number; nextOffsetMs: number }) => {
    target.answerWith((response) => response.writeHead(503, { 'retry-after': value }).end())
    const { nextAt } = await stage.attempt(event, given)
    const { firstAttemptAt, releaseAt } = await stage.delivery(event)
    expect(releaseAt?.getTime()).toBe(nextAt)
    return (nextAt ?? Number.NaN) - (firstAttemptAt?.getTime() ?? Number.NaN)
  }

  test('counts from the attempt also where the time of its payment is ahead', async () => {
    target.answerWith((response) => response.writeHead(503, { 'retry-after': '60' }).end())
    const at = stage.clock.now().getTime() + 3_600_000
    // To the end of the row of the first retry.
    expect(await stage.attempt(event, { attempt: 0, nextOffsetMs: 2_300, at })).toMatchObject({ nextAt: at + 3_000 })
  })

  test('delays the next retry, to the end of its row at most', async () => {
    expect(await next('3600', { attempt: 0, nextOffsetMs: 2_300 })).toBe(3_000)
    expect(await next('9', { attempt: 1, nextOffsetMs: 8_000 })).toBeGreaterThanOrEqual(9_000)
    expect(await next('1', { attempt: 2, nextOffsetMs: 25_000 })).toBe(25_000)
    expect(await next('later', { attempt: 3, nextOffsetMs: 70_000 })).toBe(70_000)
    expect(await next(new Date(Date.now() + 86_400_000).toUTCString(), { attempt: 4, nextOffsetMs: 180_000 })).toBe(
      233_000,
    )
  })
})
