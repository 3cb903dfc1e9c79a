import { mock } from 'node:test'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { errorOf } from '../src/errors.ts'
import { ConnectionError, RateLimitError } from '../src/index.ts'
import { LastResponse } from '../src/last-response.ts'
import { pauseBefore } from '../src/retry.ts'
import { type FakeAnswer, type FakeService, INVOICE, refusal, rejection, startFakeService } from './fake-service.ts'

let service: FakeService

beforeAll(async () => {
  service = await startFakeService()
})
afterAll(() => service.stop())

const ORDER = { name: 'Order 1', amount: '29.00', currency: 'EUR' }
const keys = () => service.sent.map(({ headers }) => headers['idempotency-key'])
const html: FakeAnswer = { status: 502, text: '<html>Bad gateway</html>', headers: { 'content-type': 'text/html' } }

describe('what passes', () => {
  test.each<[string, FakeAnswer]>([
    ['a lost connection', 'lost'],
    ['408', refusal(408, 'request.timeout')],
    ['409 of a step under way', refusal(409, 'request.still-processing')],
    ['425', { status: 425, text: '' }],
    ['429', refusal(429, 'request.rate.exceeded')],
    ['500', refusal(500, 'server.internal-error')],
    ['502 of a proxy', html],
    ['503', refusal(503, 'request.not-started')],
    ['a success that is not of the service', { text: '<html>Sign in to the network</html>' }],
    ['a success without its flag', { body: { invoice: INVOICE.invoice } }],
  ])('is tried again under the same key: %s', async (_, answer) => {
    service.answerWith(answer, { body: INVOICE })
    const invoice = await service.client().invoices.create(ORDER)
    expect(invoice).toEqual(INVOICE.invoice)
    expect(service.sent).toHaveLength(2)
    expect(service.sent[1]?.body).toBe(service.sent[0]?.body)
    expect(keys()).toEqual([invoice.lastResponse.idempotencyKey, invoice.lastResponse.idempotencyKey])
  })

  test('is tried so often and no more, each time after a longer pause', async () => {
    service.answerWith('lost')
    const error = await rejection(
      service.client({ maxRetries: 2 }).invoices.create(ORDER, { idempotencyKey: 'order-1' }),
    )
    expect(error).toBeInstanceOf(ConnectionError)
    expect(error).toMatchObject({
      status: null,
      code: null,
      idempotencyKey: 'order-1',
      lastResponse: null,
      message: expect.stringMatching(/^POST \/invoices was not answered: .*idempotency key/),
    })
    expect(keys()).toEqual(['order-1', 'order-1', 'order-1'])
    const [first = 0, second = 0, third = 0] = service.sent.map(({ at }) => at)
    expect(second - first).toBeGreaterThanOrEqual(249)
    expect(third - second).toBeGreaterThanOrEqual(499)
  })

  test('is tried again after as long as the service says', async () => {
    service.answerWith({ ...refusal(429, 'request.rate.exceeded'), headers: { 'retry-after': '1' } }, { body: INVOICE })
    await service.client().invoices.retrieve('iv_1')
    const [first = 0, second = 0] = service.sent.map(({ at }) => at)
    expect(second - first).toBeGreaterThanOrEqual(999)
  })

  test('is the caller’s to try again where that is too long', async () => {
    service.answerWith(
      { ...refusal(429, 'request.rate.exceeded'), headers: { 'retry-after': '61' } },
      { body: INVOICE },
    )
    const error = await rejection(service.client().invoices.create(ORDER))
    expect(error).toBeInstanceOf(RateLimitError)
    expect(error).toMatchObject({ retryAfter: 61, idempotencyKey: expect.any(String) })
    expect(service.sent).toHaveLength(1)
  })
})

describe('what stays is not tried again', () => {
  test.each<[string, FakeAnswer]>([
    ['a decline', refusal(410, 'card.do-not-honor', { outcome: 'failed', authorized: false, captured: false })],
    ['a decline that may pass later', refusal(410, 'gateway.retry')],
    [
      'a customer who has to act',
      refusal(410, 'card.needs-authentication', {
        customer_action: { type: 'redirect', value: 'https://bank.example' },
      }),
    ],
    ['a wrong field', refusal(400, 'request.validation.error')],
    ['a wrong key', refusal(401, 'request.authentication.invalid')],
    ['a missing permission', refusal(403, 'request.authentication.missing-permission')],
    ['an unknown id', refusal(404, 'resource.invoice.not-found')],
    ['an account in use', refusal(409, 'request.configuration.in-use')],
    ['a conflict of something else than the service', { status: 409, text: '' }],
    ['a body that is too large', refusal(413, 'request.body-too-large')],
    ['too many failures', refusal(429, 'request.rate.too-many-failures')],
  ])('%s', async (_, answer) => {
    service.answerWith(answer, { body: INVOICE })
    await rejection(service.client().invoices.create(ORDER))
    expect(service.sent).toHaveLength(1)
  })
})

describe('time', () => {
  test('of an attempt is limited, and the next one has its own', async () => {
    service.answerWith('silent', { body: INVOICE })
    await service.client({ timeoutMs: 150 }).invoices.create(ORDER)
    expect(new Set(keys()).size).toBe(1)
    service.answerWith('silent')
    const error = await rejection(service.client({ timeoutMs: 150, maxRetries: 0 }).invoices.retrieve('iv_1'))
    expect(error).toMatchObject({ message: 'GET /invoices/{id} was not answered: no answer within 150 ms.' })
  })

  test.each([
    ['while it waits for the answer', 'silent' as const],
    [
      'while it waits for the next attempt',
      { ...refusal(503, 'server.unavailable'), headers: { 'retry-after': '30' } },
    ],
  ])('ends when the caller aborts %s', async (_, answer) => {
    service.answerWith(answer)
    const controller = new AbortController()
    const call = rejection(service.client().invoices.create(ORDER, { signal: controller.signal }))
    setTimeout(() => controller.abort(new Error('The customer has gone.')), 100)
    const begun = performance.now()
    expect(await call).toEqual(new Error('The customer has gone.'))
    expect(performance.now() - begun).toBeLessThan(5_000)
    expect(service.sent).toHaveLength(1)
  })
})

describe('a pause', () => {
  const failed = (headers: Record<string, string> = {}) =>
    errorOf(null, new LastResponse(503, new Headers(headers), 'key'))
  const many = (number: number, headers?: Record<string, string>) =>
    Array.from({ length: 200 }, () => pauseBefore(number, failed(headers)) ?? Number.NaN)

  test.each([
    [1, 500],
    [2, 1000],
    [3, 2000],
    [5, 8000],
    [40, 8000],
  ])('before retry %d is between half of %d ms and all of it', (number, longest) => {
    const pauses = many(number)
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(longest / 2)
    expect(Math.max(...pauses)).toBeLessThanOrEqual(longest)
    // Callers that lost the service together come back one by one.
    expect(Math.max(...pauses) - Math.min(...pauses)).toBeGreaterThan(longest / 4)
  })

  test('is read from a date as well, and not from anything else', () => {
    const inTenSeconds = new Date(Date.now() + 10_000).toUTCString()
    expect(failed({ 'retry-after': inTenSeconds }).retryAfter).toBeGreaterThan(8)
    expect(failed({ 'retry-after': 'Mon, 01 Jan 2001 00:00:00 GMT' }).retryAfter).toBe(0)
    expect(failed({ 'retry-after': 'soon' }).retryAfter).toBeNull()
    expect(pauseBefore(1, failed({ 'retry-after': '60' }))).toBeGreaterThanOrEqual(60_000)
    expect(pauseBefore(1, failed({ 'retry-after': '61' }))).toBeNull()
  })

  test('lasts until the date is there, and no part of a second less', () => {
    const { mock: now } = mock.method(Date, 'now', () => Date.UTC(2026, 10, 21, 9, 0, 0, 500))
    expect(failed({ 'retry-after': 'Sat, 21 Nov 2026 09:00:02 GMT' }).retryAfter).toBe(2)
    now.restore()
  })
})
