import { beforeAll, describe, expect, test } from '@jest/globals'
import { createPaymentActivities } from '../../activities/index.ts'
import type { StepInput } from '../../activities/payment/attempt.ts'
import type { Command, PayCommand } from '../../domain/command.ts'
import { signCommand } from '../../domain/command-signature.ts'
import { InvoiceEntity } from '../../src/persistence/entities/invoice.ts'
import { OperationEntity } from '../../src/persistence/entities/operation.ts'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import { captureLog } from '../support/captured-log.ts'
import { DAY_MS, paymentsForFile } from './payments.ts'

const payments = paymentsForFile()
/** As whoever writes to Temporal calls them. */
let bare: ReturnType<typeof createPaymentActivities>
const log = captureLog()

beforeAll(async () => {
  bare = createPaymentActivities({ ...payments.deps, logger: log.logger })
})

const signed = <C extends Command>(invoiceId: string, command: C): C =>
  signCommand(payments.deps.vault.signCommand, payments.referenceOf(invoiceId), command)
const authorized = async (values: Partial<PayCommand> = {}) => (await payments.authorized(values)).invoiceId
const expectOnlyAuthorized = () => expect(payments.gateway.asked.map(({ call }) => call)).toEqual(['authorize'])
const NOT_SIGNED = { answer: { kind: 'refused', code: 'request.not-started' } }

describe('a step', () => {
  test('that is not signed is refused, answers nobody who waits, and is logged', async () => {
    const invoiceId = await authorized()
    const step = payments.stepOf(invoiceId, payments.build.capture())
    const answered = payments.answered.length
    expect(await bare.capture(step)).toMatchObject({ ...NOT_SIGNED, payment: { status: 'authorized' } })
    expect(payments.answered).toHaveLength(answered)
    expect(log.text()).toContain(`"operation_id":"${step.command.operationId}"`)
    expectOnlyAuthorized()
  })

  test.each<[string, (step: StepInput) => Partial<StepInput>]>([
    ['answers another request', ({ command }) => ({ command: { ...command, operationId: 'tr_op_other' } })],
    ['takes another amount', ({ command }) => ({ command: { ...command, amountMinor: 1 } as Command })],
    ['says that our clock asked', ({ command }) => ({ command: { ...command, actor: 'scheduler' } })],
  ])('is not the one that was signed where it %s', async (_, change) => {
    const invoiceId = await authorized()
    const step = payments.stepOf(invoiceId, signed(invoiceId, payments.build.capture()))
    const { answer } = await bare.capture({ ...step, ...change(step) } as typeof step)
    expect(answer).toMatchObject({ kind: 'refused' })
    expectOnlyAuthorized()
    expect((await bare.capture(step)).answer).toEqual({ kind: 'done' })
  })

  test('does nothing but what its command is for', async () => {
    const invoiceId = await authorized()
    const capture = payments.stepOf(invoiceId, signed(invoiceId, payments.build.capture()))
    for (const activity of [bare.refund, bare.voidAuthorization, bare.incrementAuthorization, bare.reverseOrphan])
      expect(await activity(capture as never)).toMatchObject(NOT_SIGNED)
    expect(await payments.transactionOf(invoiceId)).toMatchObject({ status: 'authorized', autoCaptureAt: null })
    expectOnlyAuthorized()
  })
})

describe('a step that captures what a client has authorized', () => {
  const makeSale = async () => {
    const client = { mayCapture: false, mayChooseAmounts: false }
    return payments.build.authorize(await payments.makeSource(), { actor: 'client', client, authorizeOnly: false })
  }
  const captureOf = (invoiceId: string, sale: PayCommand) =>
    payments.stepsOfSale(invoiceId, signed(invoiceId, sale)).capture

  test('never captures what the merchant has authorized', async () => {
    const invoiceId = await authorized()
    const { answer } = await bare.capture(captureOf(invoiceId, await makeSale()))
    expect(answer).toEqual({ kind: 'unchanged' })
    expectOnlyAuthorized()
  })

  test('captures no more than was approved, whatever its run says', async () => {
    const [invoiceId, sale] = [await payments.makeInvoice(), await makeSale()]
    await payments.step(invoiceId, sale)
    expect((await bare.capture(captureOf(invoiceId, sale))).answer).toEqual({ kind: 'done' })
    expect(await payments.transactionOf(invoiceId)).toMatchObject({ capturedMinor: 2900 })
  })
})

describe('a step that our own clock asks for in live', () => {
  /** A payment in live as the record would have it; no gateway of these tests serves there. */
  const live = async (values: Partial<PayCommand> = {}) => {
    const invoiceId = await authorized(values)
    const { id } = await payments.transactionOf(invoiceId)
    await payments.em().transactional(async (inner) => {
      await inner.execute('set constraints all deferred')
      await inner.execute("set local session_replication_role = 'replica'")
      await inner.nativeUpdate(InvoiceEntity, { id: invoiceId }, { sandbox: false })
      await inner.nativeUpdate(TransactionEntity, { id }, { sandbox: false, expiryAnnounced: true })
      await inner.nativeUpdate(OperationEntity, { transactionId: id }, { sandbox: false })
    })
    return invoiceId
  }
  const stepOf = <C extends Command>(invoiceId: string, command: C, at: number): StepInput<C> => ({
    ...payments.stepOf(invoiceId, command, { at }),
    payment: { ...payments.referenceOf(invoiceId), environment: 'live' },
  })
  const NOT_DUE = { type: 'not-due-yet' }

  test('waits until this machine says, too, that it is due', async () => {
    const invoiceId = await live({ autoCaptureAt: payments.now() + DAY_MS })
    const later = payments.now() + 2 * DAY_MS
    const capture = stepOf(invoiceId, payments.build.scheduledCapture(2900), later)
    await expect(bare.capture(capture)).rejects.toMatchObject(NOT_DUE)
    expectOnlyAuthorized()
  })

  test('waits until the authorization ends, and until the warning of it is due', async () => {
    const invoiceId = await live()
    const later = payments.now() + 30 * DAY_MS
    const expiry = stepOf(invoiceId, payments.build.expiry(), later)
    await expect(bare.voidAuthorization(expiry)).rejects.toMatchObject(NOT_DUE)
    await payments.em().nativeUpdate(TransactionEntity, { invoiceId }, { expiryAnnounced: false })
    await expect(bare.announceExpiry({ payment: expiry.payment, at: later })).rejects.toMatchObject(NOT_DUE)
    expect(await payments.transactionOf(invoiceId)).toMatchObject({ status: 'authorized', expiryAnnounced: false })
  })
})
