import { beforeEach, describe, expect, test } from '@jest/globals'
import { replayed } from './client-with-keys.ts'
import { interfaceForFile } from './interface.ts'
import { claimOf, createPaymentWithKeys, OTHER_BODY } from './payment-with-keys.ts'
import { AUTHORIZED, COMPLETED, SOURCE } from './stubbed-payment.ts'

const api = interfaceForFile()
const payment = createPaymentWithKeys(api)

beforeEach(() => payment.begin())

describe('a command', () => {
  test('carries the key and the request as hashes, the same for the same request only', async () => {
    api.payments.answerWith(() => ({ kind: 'refused', code: 'request.source.invalid', message: 'no' }))
    const key = 'a-key-that-nothing-else-is'
    await payment.post('authorize', key, SOURCE)
    await payment.post('authorize', key, SOURCE)
    await payment.post('authorize', key, { ...SOURCE, incremental: true })
    await payment.post('authorize', 'another', SOURCE)
    await payment.post('capture', key, SOURCE)
    const claims = api.payments.sent.map(({ command }) => claimOf(command))
    const [first, same, otherBody, otherKey, otherPath] = claims
    expect(first).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{64}$/),
      requestHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      requestId: expect.stringMatching(/^req_/),
    })
    expect(same).toEqual({ ...first, requestId: expect.not.stringMatching(`^${first?.requestId}$`) })
    expect(otherBody).toMatchObject({
      id: first?.id,
      requestHash: expect.not.stringMatching(`^${first?.requestHash}$`),
    })
    expect(new Set([first?.id, otherKey?.id, otherPath?.id]).size).toBe(3)
    expect(JSON.stringify(api.payments.sent)).not.toContain(key)
  })
})

describe('an answer that is kept', () => {
  test.each([
    ['a success', { kind: 'done' }, AUTHORIZED, 200, 'success'],
    ['an outcome that is not known', { kind: 'pending' }, { status: 'pending' }, 200, 'pending'],
    ['a decline', { kind: 'declined', code: 'card.do-not-honor' }, { status: 'failed' }, 410, 'failed'],
    ['an expiry', { kind: 'refused', code: 'gateway.expired', message: 'too late' }, AUTHORIZED, 410, 'failed'],
    ['an answer by state', { kind: 'unchanged' }, AUTHORIZED, 200, 'success'],
  ] as const)('%s comes again to the byte, and nothing is asked twice', async (_, answer, values, status, outcome) => {
    const key = payment.newKey()
    payment.bookAndAnswer(answer, values)
    const first = await payment.post('authorize', key, SOURCE)
    expect(first).toMatchObject({ status, body: { outcome } })
    expect(replayed(first)).toBeNull()
    expect(first.headers.get('content-type')).toBe('application/json; charset=utf-8')

    await payment.record({ status: 'voided', voidedMinor: 2900, authorizedMinor: 2900 })
    for (let again = 0; again < 2; again += 1) {
      const repeated = await payment.post('authorize', key, SOURCE)
      expect(repeated).toMatchObject({ status, text: first.text })
      expect(replayed(repeated)).toBe('true')
    }
    expect(api.payments.sent).toHaveLength(1)
  })

  test('is not that of another body, and nothing is asked', async () => {
    const key = payment.newKey()
    payment.bookAndAnswer({ kind: 'done' }, AUTHORIZED)
    await payment.post('authorize', key, SOURCE)
    expect(await payment.post('authorize', key, { ...SOURCE, incremental: true })).toMatchObject(OTHER_BODY)
    expect(await payment.post('authorize', key, { source: 'nonsense' })).toMatchObject(OTHER_BODY)
    expect(api.payments.sent).toHaveLength(1)
  })

  test('comes again although the same request would be refused by now', async () => {
    const key = payment.newKey()
    const body = { ...SOURCE, auto_capture_at: new Date(api.clock.now().getTime() + 60_000).toISOString() }
    payment.bookAndAnswer({ kind: 'done' }, AUTHORIZED)
    const first = await payment.post('authorize', key, body)
    api.clock.advance(120_000)
    expect((await payment.post('authorize', key, body)).text).toBe(first.text)
  })

  test('comes in its place where the payment says that another operation has the key', async () => {
    const key = payment.newKey()
    payment.bookAndAnswer({ kind: 'done' }, AUTHORIZED)
    api.payments.answerWith(async (command) => {
      await payment.executeCommand({ ...command, operationId: 'tr_op_twin' }, { kind: 'done' }, AUTHORIZED)
      return payment.executeCommand(command, { kind: 'done' }, AUTHORIZED)
    })
    const answer = await payment.post('authorize', key, SOURCE)
    expect(answer).toMatchObject({ status: 200, body: { outcome: 'success' } })
    expect(replayed(answer)).toBe('true')
    const [row] = (await payment.keys()).filter(({ operationId }) => operationId === 'tr_op_twin')
    expect(answer.text).toBe(row?.body)
  })

  test('comes in place of a refusal, where the same request was carried out meanwhile', async () => {
    api.payments.answerWith(async (command) => {
      await payment.executeCommand(
        { ...command, operationId: `${command.operationId}twin` },
        { kind: 'done' },
        COMPLETED,
      )
      return { kind: 'refused', code: 'request.validation.invalid-state', message: 'nothing is left to capture' }
    })
    await payment.record(AUTHORIZED)
    const answer = await payment.post('capture', payment.newKey(), { capture_amount: '10.00' })
    expect(answer).toMatchObject({ status: 200, body: { transaction: { status: 'completed' } } })
    expect(replayed(answer)).toBe('true')
  })
})

describe('what is refused is not kept', () => {
  test.each([
    ['request.source.invalid', 400],
    ['request.validation.invalid-state', 400],
    ['resource.card.not-found', 404],
    ['request.still-processing', 409],
    ['request.not-started', 503],
  ] as const)('%s, and the same key is judged anew', async (code, status) => {
    const key = payment.newKey()
    api.payments.answerWith(async (command) => {
      const claim = claimOf(command)
      await payment.claim(claim, command.operationId)
      await payment.complete(claim, { status, body: '{}' })
      return { kind: 'refused', code, message: 'no' }
    })
    expect(await payment.post('authorize', key, SOURCE)).toMatchObject({ status, body: { error_type: code } })
    payment.bookAndAnswer({ kind: 'done' }, AUTHORIZED)
    const second = await payment.post('authorize', key, SOURCE)
    expect(second).toMatchObject({ status: 200 })
    expect(replayed(second)).toBeNull()
  })
})

describe('a payment that has ended', () => {
  test('keeps its answer by state under the key, without a command', async () => {
    const key = payment.newKey()
    await payment.record(COMPLETED)
    const first = await payment.post('capture', key)
    expect(first).toMatchObject({
      status: 200,
      body: { transaction: { status: 'completed', refunded_amount: '0.00' } },
    })
    expect(replayed(first)).toBeNull()
    await payment.record({ status: 'partially-refunded', refundedMinor: 100 })
    const second = await payment.post('capture', key)
    expect(second.text).toBe(first.text)
    expect(replayed(second)).toBe('true')
    expect(await payment.post('capture', key, { capture_amount: '1.00' })).toMatchObject(OTHER_BODY)
    expect(api.payments.sent).toEqual([])
  })

  test('keeps no refusal under an idempotency key', async () => {
    const key = payment.newKey()
    await payment.record({ status: 'voided', authorizedMinor: 2900, voidedMinor: 2900 })
    for (let again = 0; again < 2; again += 1) {
      const answer = await payment.post('capture', key)
      expect(answer).toMatchObject({ status: 400, body: { error_type: 'request.validation.invalid-state' } })
      expect(replayed(answer)).toBeNull()
    }
  })

  test('keeps that it has expired', async () => {
    const key = payment.newKey()
    await payment.record({ status: 'voided', authorizedMinor: 2900, voidedMinor: 2900, expired: true })
    const first = await payment.post('capture', key)
    expect(first).toMatchObject({ status: 410, body: { error_type: 'gateway.expired' } })
    expect(await payment.post('capture', key)).toMatchObject({ status: 410, text: first.text })
  })
})

test('a synchronization is repeated to the byte, too', async () => {
  const key = payment.newKey()
  await payment.record({ status: 'pending' })
  const first = await payment.synchronize(key)
  expect(first).toMatchObject({ status: 200, body: { transaction: { status: 'pending' } } })
  expect(replayed(first)).toBeNull()
  await payment.record(AUTHORIZED)
  const second = await payment.synchronize(key)
  expect(second.text).toBe(first.text)
  expect(replayed(second)).toBe('true')
})
