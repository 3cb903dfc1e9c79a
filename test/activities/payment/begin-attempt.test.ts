import { afterEach, describe, expect, test } from '@jest/globals'
import { beginAttempt } from '../../../activities/payment/begin-attempt.ts'
import { CardEntity } from '../../../src/persistence/entities/card.ts'
import { GatewayConfigurationEntity } from '../../../src/persistence/entities/gateway-configuration.ts'
import { TransactionEntity } from '../../../src/persistence/entities/transaction.ts'
import { DAY_MS, paymentsForFile } from '../payments.ts'

const payments = paymentsForFile()

describe('a command that begins while its project is suspended', () => {
  afterEach(() => payments.resume())

  const REFUSED = { kind: 'refused', code: 'request.project-suspended' }
  const scheduledCapture = (invoiceId: string, at: number) =>
    payments.step(invoiceId, payments.build.scheduledCapture(2_900), { at })

  test('is refused before it leaves a row, whatever money it would move', async () => {
    const { build, database } = payments
    const [fresh, held, paid] = [
      await payments.makeInvoice(),
      (await payments.authorized({ incremental: true })).invoiceId,
      (await payments.captured()).invoiceId,
    ]
    const card = await payments.makeCard()
    await payments.suspend()
    const before = await database.dump()
    for (const [invoiceId, command] of [
      [fresh, build.authorize(card)],
      [held, build.capture()],
      [held, build.increment(100)],
      [paid, build.refund()],
    ] as const)
      expect((await payments.step(invoiceId, command)).answer).toMatchObject(REFUSED)
    // What would move none is answered as ever.
    expect((await payments.step(held, build.refund())).answer).toMatchObject({
      code: 'request.validation.invalid-state',
    })
    expect((await payments.step(paid, build.authorize(card))).answer).toEqual({ kind: 'unchanged' })
    expect(await database.dump()).toBe(before)
    await payments.resume()
    expect((await payments.step(fresh, build.authorize(card))).answer).toEqual({ kind: 'done' })
  })

  test('is held where the clock asks, keeps its place in the record, and is made afterwards', async () => {
    const at = payments.now() + DAY_MS
    const { invoiceId } = await payments.authorized({ autoCaptureAt: at })
    const operations = await payments.operationsOf(invoiceId)
    await payments.suspend()
    const held = await scheduledCapture(invoiceId, at)
    expect(held).toMatchObject({ answer: REFUSED, payment: { status: 'authorized', autoCaptureRetryAt: at + 10_000 } })
    const again = await scheduledCapture(invoiceId, at + 10_000)
    expect(again.payment).toMatchObject({ autoCaptureRetryAt: at + 70_000, autoCaptureFailures: 2 })
    expect(await payments.operationsOf(invoiceId)).toHaveLength(operations.length)
    expect(await payments.transactionOf(invoiceId)).toMatchObject({
      autoCaptureAt: new Date(at),
      autoCaptureRetryAt: new Date(at + 70_000),
      capturedMinor: 0,
    })

    await payments.resume()
    const made = await scheduledCapture(invoiceId, at + 70_000)
    expect(made).toMatchObject({ answer: { kind: 'done' }, payment: { status: 'completed', capturedMinor: 2_900 } })
  })

  test('is not sent by a look-up where it never arrived at its gateway, and is sent by one afterwards', async () => {
    const { invoiceId } = await payments.authorized()
    const capture = payments.build.capture()
    await beginAttempt(payments.deps, payments.stepOf(invoiceId, capture))
    await payments.suspend()
    const lookUp = () => payments.lookUp(invoiceId, capture.operationId)
    for (const ask of [lookUp, () => payments.step(invoiceId, capture)])
      expect(await ask()).toMatchObject({ answer: { kind: 'pending' }, payment: { capturedMinor: 0 } })
    await payments.resume()
    expect(await lookUp()).toMatchObject({ answer: { kind: 'done' }, payment: { capturedMinor: 2_900 } })
  })
})

describe('an authorization that may not begin', () => {
  test('because no gateway is configured does not use its card up', async () => {
    const [invoiceId, card] = [await payments.makeInvoice(), await payments.makeCard()]
    const enable = (enabled: boolean) =>
      payments.em().nativeUpdate(GatewayConfigurationEntity, { projectId: payments.projectId }, { enabled })
    await enable(false)
    const refused = await payments.step(invoiceId, payments.build.authorize(card)).finally(() => enable(true))
    expect(refused.answer).toMatchObject({ code: 'request.configuration.missing-gateway-configuration' })
    expect(await payments.em().findOneOrFail(CardEntity, { id: card })).toMatchObject({ usedByInvoiceId: null })
  })

  test('because its card pays another invoice leaves no transaction, whichever of many claims it first', async () => {
    const card = await payments.makeCard()
    const invoices = await Promise.all(Array.from({ length: 12 }, () => payments.makeInvoice()))
    const answers = await Promise.all(invoices.map((id) => payments.step(id, payments.build.authorize(card))))
    const refused = answers.filter(({ answer }) => answer.kind !== 'done')
    expect(refused).toHaveLength(11)
    for (const { answer } of refused) expect(answer).toMatchObject({ code: 'request.source.card-already-used' })
    expect(await payments.em().count(TransactionEntity, { invoiceId: { $in: invoices } })).toBe(1)
  })
})
