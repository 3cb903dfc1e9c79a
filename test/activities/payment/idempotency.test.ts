import { describe, expect, test } from '@jest/globals'
import type { IdempotencyClaim, PayCommand } from '../../../domain/command.ts'
import { answerLostKey } from '../../../src/idempotency/record.ts'
import { IdempotencyKeyEntity } from '../../../src/persistence/entities/idempotency-key.ts'
import { TransactionEntity } from '../../../src/persistence/entities/transaction.ts'
import { DAY_MS, paymentsForFile } from '../payments.ts'

/** Approved, but the answer gets lost: only a look-up tells. */
const UNANSWERED = '4000000000007007'
/** Declined, because its authorization and its capture cannot be parted: the request was wrong for this card. */
const SALE_ONLY = '4000000000007155'

const payments = paymentsForFile()

const keptFor = async (key: IdempotencyClaim) => {
  const row = await payments.keyOf(key)
  if (row === null) return null
  return { operationId: row.operationId, status: row.status, body: JSON.parse(row.body ?? 'null') }
}
/** An authorization that carries a key of its own. */
const prepare = async (card?: string) => {
  const [key, invoiceId, source] = [payments.newKey(), await payments.makeInvoice(), await payments.makeCard(card)]
  /** The same request as it comes, each time under another id. */
  const request = (values: Partial<PayCommand> = {}) =>
    payments.build.authorize(source, { idempotency: key, ...values })
  const authorize = async (command = request()) => (await payments.step(invoiceId, command)).answer
  return { key, invoiceId, request, authorize }
}
const countAttempts = async (invoiceId: string) =>
  (await payments.operationsOf(invoiceId)).filter(({ isAttempt }) => isAttempt).length
/** As if the process had ended right after its attempt, and a look-up had found the outcome. */
const forgetAnswer = ({ id }: IdempotencyClaim) =>
  payments.em().nativeUpdate(IdempotencyKeyEntity, { id }, { status: null, body: null, completedAt: null })
const answerLost = (key: IdempotencyClaim) => answerLostKey(payments.em(), key, payments.deps.clock.now())

describe('a step that carries an idempotency key', () => {
  test('claims it with the attempt and keeps the answer with the outcome', async () => {
    const { key, request, authorize } = await prepare()
    const command = request()
    await authorize(command)
    expect(await keptFor(key)).toMatchObject({
      operationId: command.operationId,
      status: 200,
      body: { success: true, outcome: 'success', transaction: { status: 'authorized', authorized_amount: '29.00' } },
    })
  })

  test('with the key of another operation writes nothing, asks nothing and says so, whatever it wants', async () => {
    const { key, invoiceId, authorize } = await prepare()
    await authorize()
    const kept = await keptFor(key)
    expect(await authorize()).toEqual({ kind: 'duplicate' })
    const capture = payments.build.capture(1000, { idempotency: key })
    expect((await payments.step(invoiceId, capture)).answer).toEqual({ kind: 'duplicate' })
    expect(await countAttempts(invoiceId)).toBe(1)
    expect(await keptFor(key)).toEqual(kept)
  })

  test('of two at once, one is carried out', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { invoiceId, authorize } = await prepare()
      const answers = await Promise.all([authorize(), authorize()])
      expect(answers.map(({ kind }) => kind).sort()).toEqual(['done', 'duplicate'])
      expect(await countAttempts(invoiceId)).toBe(1)
    }
  })

  test('keeps a decline also where it reads as a refusal, and does not ask the gateway again', async () => {
    const { key, invoiceId, authorize } = await prepare(SALE_ONLY)
    expect(await authorize()).toMatchObject({ kind: 'declined' })
    expect(await keptFor(key)).toMatchObject({
      status: 400,
      body: { error_type: 'request.gateway.operation-not-supported' },
    })
    expect(await authorize()).toEqual({ kind: 'duplicate' })
    expect(await countAttempts(invoiceId)).toBe(1)
  })

  test('leaves the key free where it is refused', async () => {
    const { key, request, authorize } = await prepare()
    expect(await authorize(request({ source: 'card_unknown' }))).toMatchObject({ kind: 'refused' })
    expect(await keptFor(key)).toBeNull()
    expect(await authorize()).toEqual({ kind: 'done' })
  })

  test('keeps an answer that needs no attempt: that the payment is authorized', async () => {
    const { key, request, authorize } = await prepare()
    await authorize(request({ idempotency: null }))
    await authorize()
    expect(await keptFor(key)).toMatchObject({
      status: 200,
      body: { outcome: 'success', transaction: { status: 'authorized' } },
    })
  })

  test('keeps an answer that needs no attempt: that the authorization has expired', async () => {
    const { key, invoiceId, request, authorize } = await prepare()
    await authorize(request({ idempotency: null }))
    const at = payments.now() + 8 * DAY_MS
    await payments.step(invoiceId, payments.build.capture(null, { idempotency: key }), { at })
    expect(await keptFor(key)).toMatchObject({ status: 410, body: { error_type: 'gateway.expired' } })
  })

  test.each(['the sale', 'another request'])(
    'keeps of a sale what its capture says, where %s has authorized the payment',
    async (by) => {
      const { key, invoiceId, request, authorize } = await prepare()
      const sale = request({ authorizeOnly: false })
      const { authorization, capture } = payments.stepsOfSale(invoiceId, sale)
      const isOwn = by === 'the sale'
      if (!isOwn) await authorize(request({ idempotency: null }))
      const { answer } = await payments.activities.authorize(authorization)
      expect(answer).toEqual({ kind: 'done' })
      expect(await keptFor(key)).toMatchObject({ operationId: sale.operationId, status: isOwn ? null : 200 })
      if (isOwn) await payments.activities.capture(capture)
      expect(await keptFor(key)).toMatchObject({ status: 200, body: { transaction: { status: 'completed' } } })
    },
  )

  test('keeps what was told of an outcome that was not known', async () => {
    const { key, invoiceId, request, authorize } = await prepare(UNANSWERED)
    const command = request()
    expect(await authorize(command)).toEqual({ kind: 'pending' })
    const kept = await keptFor(key)
    expect(kept).toMatchObject({ status: 200, body: { outcome: 'pending' } })
    await payments.lookUp(invoiceId, command.operationId)
    expect(await payments.transactionOf(invoiceId)).toMatchObject({ status: 'authorized' })
    expect(await keptFor(key)).toEqual(kept)
  })

  test('run again after the outcome was booked without it, keeps that outcome', async () => {
    const { key, request, authorize } = await prepare()
    const command = request()
    await authorize(command)
    await forgetAnswer(key)
    expect(await authorize(command)).toEqual({ kind: 'done' })
    const { operationId } = command
    expect(await keptFor(key)).toMatchObject({ operationId, status: 200, body: { outcome: 'success' } })
  })
})

describe('the answer to a request whose run was lost', () => {
  test.each([
    ['authorized', 'pending'],
    ['chargeback-initiated', 'success'],
  ] as const)('of a sale that is %s, before its capture, is %s', async (status, outcome) => {
    const { key, invoiceId, authorize } = await prepare()
    await authorize()
    await forgetAnswer(key)
    await payments.em().nativeUpdate(TransactionEntity, { invoiceId }, { status, autoCaptureAt: new Date() })
    await answerLost(key)
    expect(await keptFor(key)).toMatchObject({ status: 200, body: { outcome } })
  })

  test('of a refund is that refund', async () => {
    const [key, { invoiceId }] = [payments.newKey(), await payments.captured()]
    const refund = payments.build.refund(500, { reason: 'customer_request', idempotency: key })
    await payments.step(invoiceId, refund)
    const kept = await keptFor(key)
    expect(kept).toMatchObject({ body: { refund: { id: refund.refundId, amount: '5.00' } } })
    await forgetAnswer(key)
    await answerLost(key)
    expect(await keptFor(key)).toEqual(kept)
  })
})
