import { beforeEach, describe, expect, test } from '@jest/globals'
import type { Command, IdempotencyClaim } from '../../domain/command.ts'
import { IdempotencyKeyEntity, type IdempotencyKeyRow } from '../../src/persistence/entities/idempotency-key.ts'
import { PRODUCTION_WAITS } from '../../src/waits.ts'
import { holdLock } from '../support/held-lock.ts'
import { waitFor } from '../support/wait-for.ts'
import { TEST_WAITS } from '../support/waits.ts'
import { replayed } from './client-with-keys.ts'
import { interfaceForFile } from './interface.ts'
import { claimOf, createPaymentWithKeys, OTHER_BODY, sentClaim } from './payment-with-keys.ts'
import { AUTHORIZED, SOURCE } from './stubbed-payment.ts'

const waits = { ...PRODUCTION_WAITS }
const api = interfaceForFile({ waits })
const payment = createPaymentWithKeys(api)

beforeEach(async () => {
  Object.assign(waits, PRODUCTION_WAITS)
  await payment.begin()
})

describe('a payment request while the first one with its key is under way', () => {
  const claimElsewhere = async (key: string): Promise<IdempotencyClaim> => {
    api.payments.answerWith(() => ({ kind: 'refused', code: 'request.source.invalid', message: 'no' }))
    await payment.post('authorize', key, SOURCE)
    const claim = sentClaim(api)
    await payment.record({ status: 'waiting' })
    const operationId = `tr_op_elsewhere${key}`
    await payment.operate(operationId)
    await payment.claim(claim, operationId)
    api.payments.sent.length = 0
    return claim
  }

  test('waits for the answer of the first one, and sends no command', async () => {
    const key = payment.newKey()
    const claim = await claimElsewhere(key)
    const waiting = payment.post('authorize', key, SOURCE)
    setTimeout(() => void payment.complete(claim, { status: 200, body: '{"a":1}' }), 100)
    const answer = await waiting
    expect(answer).toMatchObject({ status: 200, text: '{"a":1}' })
    expect(replayed(answer)).toBe('true')
    expect(api.payments.sent).toEqual([])
  })

  test('is refused after its wait, sends no command, and may be repeated', async () => {
    const key = payment.newKey()
    const claim = await claimElsewhere(key)
    waits.idempotencyMs = TEST_WAITS.idempotencyMs
    const answer = await payment.post('authorize', key, SOURCE)
    expect(answer).toMatchObject({ status: 409, body: { error_type: 'request.still-processing' } })
    expect(answer.headers.get('retry-after')).toBe('1')
    expect(api.payments.sent).toEqual([])
    await payment.complete(claim, { status: 200, body: '{"a":1}' })
    expect(await payment.post('authorize', key, SOURCE)).toMatchObject({ status: 200, text: '{"a":1}' })
  })

  test('is refused at once with another body', async () => {
    const key = payment.newKey()
    await claimElsewhere(key)
    expect(await payment.post('authorize', key, { ...SOURCE, incremental: true })).toMatchObject(OTHER_BODY)
  })

  const FINAL = { isAttempt: false } as const
  test.each([
    ['approved', { outcome: 'succeeded' }, AUTHORIZED, 200, { outcome: 'success' }],
    [
      'declined',
      { outcome: 'failed', errorCode: 'card.no-money' },
      { status: 'failed', errorCode: 'card.no-money' },
      410,
      { error_type: 'card.no-money' },
    ],
    ['unknown', { outcome: 'unknown' }, { status: 'pending' }, 200, { outcome: 'pending' }],
    ['open, without a result', null, { status: 'pending' }, 200, { outcome: 'pending' }],
    [
      'approved, and the capture of the sale is open',
      { outcome: 'succeeded' },
      { ...AUTHORIZED, status: 'pending-capture', capturingMinor: 2900 },
      200,
      { outcome: 'pending' },
    ],
    [
      'approved, and the capture of the sale is due and was not begun',
      { outcome: 'succeeded' },
      { ...AUTHORIZED, autoCaptureAt: new Date('2026-11-21T00:00:00.000Z') },
      200,
      { outcome: 'pending' },
    ],
    [
      'approved, and the capture of the sale is due by the test clock of the payment',
      { outcome: 'succeeded' },
      { ...AUTHORIZED, autoCaptureAt: new Date('2026-11-27T00:00:00.000Z'), clockOffsetMs: 7 * 24 * 60 * 60 * 1000 },
      200,
      { outcome: 'pending' },
    ],
    [
      'approved, and its capture is scheduled for later',
      { outcome: 'succeeded' },
      { ...AUTHORIZED, autoCaptureAt: new Date('2026-11-27T00:00:00.000Z') },
      200,
      { outcome: 'success' },
    ],
  ] as const)(
    'is answered from the record after a minute, where the run of the first one was lost: the outcome is %s',
    async (_, result, values, status, body) => {
      const key = payment.newKey()
      const claim = await claimElsewhere(key)
      const { operationId } = await api.database.orm.em.fork().findOneOrFail(IdempotencyKeyEntity, { id: claim.id })
      await payment.record(values)
      if (result !== null)
        await payment.operate(`${operationId}result`, { ...FINAL, ...result, attemptOperationId: operationId ?? '' })
      api.clock.advance(60_001)

      const answers = [await payment.post('authorize', key, SOURCE), await payment.post('authorize', key, SOURCE)]
      for (const answer of answers) {
        expect(answer).toMatchObject({ status, body })
        expect(replayed(answer)).toBe('true')
      }
      expect(answers[1]?.text).toBe(answers[0]?.text)
      expect(api.payments.sent).toEqual([])
    },
  )

  test('waits for the step that holds the payment, where the run of the first one was lost', async () => {
    const key = payment.newKey()
    const claim = await claimElsewhere(key)
    const { operationId } = await api.database.orm.em.fork().findOneOrFail(IdempotencyKeyEntity, { id: claim.id })
    await payment.record({ status: 'pending' })
    api.clock.advance(60_001)
    // What follows is written beside the lock: the step that has it would write this with its own hand.
    const kept = 'update payment_status set status = ? where invoice_id = ?'
    await api.database.orm.em.fork().execute(kept, [AUTHORIZED.status, payment.invoiceId])
    const lock = await holdLock(api.database, 'select from invoice where id = ? for update', [payment.invoiceId])
    const asking = payment.post('authorize', key, SOURCE)
    try {
      await Promise.race([asking, waitFor(async () => (await lock.countWaiting()) > 0)])
      await payment.record(AUTHORIZED)
      const result = { isAttempt: false, outcome: 'succeeded', attemptOperationId: operationId ?? '' } as const
      await payment.operate(`${operationId}result`, result)
    } finally {
      await lock.release()
    }
    expect(await asking).toMatchObject({ status: 200, body: { outcome: 'success' } })
  })
})

describe('a payment request without an answer of its workflow', () => {
  const rowOf = async (): Promise<IdempotencyKeyRow | null> => {
    const claim = sentClaim(api)
    return api.database.orm.em.fork().findOne(IdempotencyKeyEntity, { id: claim.id })
  }
  const begin = async (command: Command) => {
    await payment.record({ status: 'waiting' })
    await payment.operate(command.operationId)
    await payment.claim(claimOf(command), command.operationId)
  }

  test('has begun: its answer is kept, and a later outcome does not replace it', async () => {
    const key = payment.newKey()
    api.payments.answerWith(async (command) => {
      await begin(command)
      return { kind: 'no-answer' }
    })
    const first = await payment.post('authorize', key, SOURCE)
    expect(first).toMatchObject({ status: 200, body: { outcome: 'pending', transaction: { status: 'waiting' } } })
    expect(replayed(first)).toBeNull()

    await payment.record(AUTHORIZED)
    const claim = sentClaim(api)
    await payment.complete(claim, { status: 200, body: '{"late":true}' })
    const second = await payment.post('authorize', key, SOURCE)
    expect(second.text).toBe(first.text)
    expect(replayed(second)).toBe('true')
    expect(api.payments.sent).toHaveLength(1)
  })

  test('has ended: its result is the answer, and is kept', async () => {
    const key = payment.newKey()
    api.payments.answerWith(async (command) => {
      await begin(command)
      await payment.operate(`${command.operationId}r`, {
        isAttempt: false,
        attemptOperationId: command.operationId,
        outcome: 'failed',
        errorCode: 'card.expired',
      })
      await payment.record({ status: 'failed', errorCode: 'card.expired' })
      return { kind: 'no-answer' }
    })
    const first = await payment.post('authorize', key, SOURCE)
    expect(first).toMatchObject({ status: 410, body: { error_type: 'card.expired', outcome: 'failed' } })
    expect((await payment.post('authorize', key, SOURCE)).text).toBe(first.text)
  })

  test('has not begun: it is withdrawn, the key stays free, and the next request is carried out', async () => {
    const key = payment.newKey()
    api.payments.answerWith(() => ({ kind: 'no-answer' }))
    expect(await payment.post('authorize', key, SOURCE)).toMatchObject({
      status: 503,
      body: { error_type: 'request.not-started' },
    })
    expect(await rowOf()).toBeNull()
    payment.bookAndAnswer({ kind: 'done' }, AUTHORIZED)
    const second = await payment.post('authorize', key, SOURCE)
    expect(second).toMatchObject({ status: 200, body: { outcome: 'success' } })
    expect(replayed(second)).toBeNull()
  })

  test('has not begun, and another request with its key was carried out: the answer is that of the other one', async () => {
    api.payments.answerWith(async (command) => {
      await payment.executeCommand(
        { ...command, operationId: `${command.operationId}twin` },
        { kind: 'done' },
        AUTHORIZED,
      )
      return { kind: 'no-answer' }
    })
    const answer = await payment.post('authorize', payment.newKey(), SOURCE)
    expect(answer).toMatchObject({ status: 200, body: { outcome: 'success' } })
    expect(replayed(answer)).toBe('true')
  })
})
