import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { WorkflowUpdateRPCTimeoutOrCancelledError } from '@temporalio/client'
import type { Command } from '../../../domain/command.ts'
import { InvoiceEntity } from '../../../src/persistence/entities/invoice.ts'
import { TransactionEntity, type TransactionRow } from '../../../src/persistence/entities/transaction.ts'
import { WithdrawnCommandEntity } from '../../../src/persistence/entities/withdrawn-command.ts'
import { type Interface, startInterface } from '../../http/interface.ts'
import { createPaymentWithKeys, type PaymentWithKeys, sentClaim } from '../../http/payment-with-keys.ts'
import { AUTHORIZED, COMPLETED, SOURCE } from '../../http/stubbed-payment.ts'
import { type HeldLock, holdLock } from '../../support/held-lock.ts'
import { TEST_WAITS } from '../../support/waits.ts'

describe('a payment request whose workflow does not answer in time', () => {
  let api: Interface
  let payment: PaymentWithKeys

  beforeAll(async () => {
    const resync = () => Promise.reject(new WorkflowUpdateRPCTimeoutOrCancelledError('too long'))
    api = await startInterface({ resyncer: { resync }, waits: TEST_WAITS })
    payment = await createPaymentWithKeys(api)
  })
  afterAll(() => api.stop())
  beforeEach(() => payment.begin())

  const NOT_STARTED = { status: 503, body: { error_type: 'request.not-started' } }
  const saleIn = (command: Command) => {
    if (command.kind !== 'pay') throw new Error('No sale was sent.')
    return { operationId: command.captureOperationId }
  }
  const inAnHour = () => new Date(api.clock.now().getTime() + 3_600_000)
  /** As a step does that writes something else, or a person in a database client. */
  const lockPayment = () => holdLock(api.database, 'select from invoice where id = ? for update', [payment.invoiceId])

  test('succeeds where the scheduled capture was moved', async () => {
    await payment.record(AUTHORIZED)
    const autoCaptureAt = inAnHour()
    payment.answerWith({ kind: 'no-answer' }, { autoCaptureAt })
    expect(await payment.post('capture', undefined, { auto_capture_at: autoCaptureAt.toISOString() })).toMatchObject({
      status: 200,
      body: { success: true, transaction: { auto_capture_at: autoCaptureAt.toISOString() } },
    })
  })

  test('is withdrawn where the scheduled capture was not moved', async () => {
    await payment.record(AUTHORIZED)
    payment.answerWith({ kind: 'no-answer' })
    expect(await payment.post('capture', undefined, { auto_capture_at: inAnHour().toISOString() })).toMatchObject(
      NOT_STARTED,
    )
    const operationId = api.payments.sent[0]?.command.operationId ?? ''
    expect(await api.database.orm.em.fork().count(WithdrawnCommandEntity, { operationId })).toBe(1)
  })

  test('succeeds where the void has given up an authorization of unknown outcome', async () => {
    await payment.record(AUTHORIZED)
    payment.answerWith({ kind: 'no-answer' }, { status: 'voided' })
    expect(await payment.post('void', undefined)).toMatchObject({
      status: 200,
      body: { success: true, outcome: 'success', transaction: { status: 'voided' } },
    })
  })

  /** An authorization whose outcome is not known. */
  const UNKNOWN = {
    status: 'pending',
    attemptsInFlight: [
      {
        ...{ operationId: 'tr_op_unknown', type: 'authorization', amountMinor: 2900, isFinal: true, isSale: false },
        ...{ begunAt: 0, isAbandoned: false, reverses: null, lookUpsMade: 0, nextLookUpAt: 1_000 },
      },
    ],
  } satisfies Partial<TransactionRow>

  test('succeeds where that void has named the whole amount, as without one', async () => {
    await payment.record(UNKNOWN)
    payment.answerWith({ kind: 'no-answer' }, { status: 'voided', attemptsInFlight: [] })
    const GIVEN_UP = { status: 200, body: { success: true, outcome: 'success', transaction: { status: 'voided' } } }
    expect(await payment.post('void', undefined, { amount: '29.00' })).toMatchObject(GIVEN_UP)
    const keyed = () => payment.post('void', payment.newKey(), { amount: '29.00' })
    await payment.record(UNKNOWN)
    expect(await keyed()).toMatchObject(GIVEN_UP)
    expect((await payment.keys()).map(({ completedAt }) => completedAt)).not.toContain(null)
  })

  test.each([
    ['a part, where the authorization was given up', UNKNOWN, '28.99'],
    ['what another void has released', AUTHORIZED, '29.00'],
    ['a part, where all was voided', AUTHORIZED, '1.00'],
  ])('is withdrawn where it was to void %s', async (_, before, amount) => {
    await payment.record(before)
    payment.answerWith({ kind: 'no-answer' }, { status: 'voided', attemptsInFlight: [] })
    expect(await payment.post('void', undefined, { amount })).toMatchObject(NOT_STARTED)
  })

  test('has the result of its capture, where it is a sale and another request has authorized the payment', async () => {
    api.payments.answerWith(async (command) => {
      await payment.record(COMPLETED)
      const { operationId } = saleIn(command)
      await payment.operate(operationId, { type: 'capture', isAttempt: true })
      const result = {
        type: 'capture',
        isAttempt: false,
        attemptOperationId: operationId,
        outcome: 'succeeded',
      } as const
      await payment.operate(`${operationId}0`, result)
      return { kind: 'no-answer' }
    })
    expect(await payment.post('capture', undefined, SOURCE)).toMatchObject({
      status: 200,
      body: { outcome: 'success', transaction: { status: 'completed' } },
    })
  })

  test('is withdrawn although another session has locked the payment', async () => {
    await payment.record(AUTHORIZED)
    payment.answerWith({ kind: 'no-answer' })
    const lock = await lockPayment()
    const { status, body, headers } = await payment.post('capture', undefined)
    await lock.release()
    expect({ status, body }).toMatchObject(NOT_STARTED)
    expect(headers.get('retry-after')).toBe('5')
  })

  test('is pending where it has begun and another session has locked the payment, and nothing is kept for its key', async () => {
    await payment.record(AUTHORIZED)
    api.payments.answerWith(async ({ operationId, idempotency }) => {
      await payment.operate(operationId, { type: 'capture', isAttempt: true })
      if (idempotency !== null) await payment.claim(idempotency, operationId)
      return { kind: 'no-answer' }
    })
    const lock = await lockPayment()
    const [unkeyed, keyed] = await Promise.all([
      payment.post('capture', undefined),
      payment.post('capture', payment.newKey()),
    ])
    await lock.release()
    expect(unkeyed).toMatchObject({ status: 200, body: { success: true, outcome: 'pending' } })
    expect(keyed).toMatchObject({ status: 409, body: { error_type: 'request.still-processing' } })
    expect(await payment.keys()).toContainEqual(expect.objectContaining({ completedAt: null }))
  })

  test('is pending where it is just beginning, and does not come to an end', async () => {
    await payment.record(AUTHORIZED)
    let lock: HeldLock | undefined
    api.payments.answerWith(async ({ operationId }) => {
      lock = await holdLock(api.database, 'select hold_commands(array[?])', [operationId])
      return { kind: 'no-answer' }
    })
    const answer = await payment.post('capture', undefined)
    await lock?.release()
    expect(answer).toMatchObject({ status: 200, body: { success: true, outcome: 'pending' } })
  })

  test('is withdrawn where its invoice was deleted meanwhile', async () => {
    api.payments.answerWith(async () => {
      await api.database.orm.em.fork().nativeDelete(InvoiceEntity, { id: payment.invoiceId })
      return { kind: 'no-answer' }
    })
    expect(await payment.post('authorize', undefined, SOURCE)).toMatchObject(NOT_STARTED)
  })

  test('shows the record, where it asks for the look-up of open outcomes', async () => {
    await payment.record(AUTHORIZED)
    expect(await payment.synchronize('sync-1')).toMatchObject({ status: 200 })
    const inFlight = {
      operationId: 'tr_op_1',
      type: 'capture' as const,
      amountMinor: 2900,
      isFinal: true,
      begunAt: 0,
      isAbandoned: false,
      reverses: null,
      lookUpsMade: 0,
      nextLookUpAt: 1_000,
    }
    await api.database.orm.em
      .fork()
      .nativeUpdate(TransactionEntity, { invoiceId: payment.invoiceId }, { attemptsInFlight: [inFlight] })
    expect((await payment.synchronize('sync-2')).text).toContain('"outcome":"pending"')
  })

  test('leaves its key free where the key was claimed and nothing was begun', async () => {
    const key = payment.newKey()
    api.payments.answerWith(async (command) => {
      await payment.claim(sentClaim(api), command.operationId)
      return { kind: 'refused', code: 'request.not-started', message: 'too late' }
    })
    await payment.post('capture', key, SOURCE)
    api.clock.advance(61_000)
    payment.bookAndAnswer({ kind: 'done' }, COMPLETED)
    expect(await payment.post('capture', key, SOURCE)).toMatchObject({ status: 200 })
    const answered = { operationId: api.payments.sent.at(-1)?.command.operationId, status: 200 }
    expect(await payment.keys()).toContainEqual(expect.objectContaining(answered))
  })
})
