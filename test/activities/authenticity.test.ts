import { beforeAll, describe, expect, test } from '@jest/globals'
import { createPaymentActivities } from '../../activities/index.ts'
import type { StepInput } from '../../activities/payment/attempt.ts'
import type { Command } from '../../domain/command.ts'
import { signCommand } from '../../domain/command-signature.ts'
import { readSimulatorLog } from '../../src/gateways/simulator/read-log.ts'
import { InvoiceEntity } from '../../src/persistence/entities/invoice.ts'
import { OperationEntity } from '../../src/persistence/entities/operation.ts'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import { captureLog } from '../support/captured-log.ts'
import { actorForFile, databaseForFile } from '../support/payment-for-file.ts'

const DAY_MS = 24 * 60 * 60 * 1000

describe('a step', () => {
  const database = databaseForFile()
  /** As whoever writes to Temporal calls them. */
  let bare: ReturnType<typeof createPaymentActivities>
  const log = captureLog()

  const actor = actorForFile(database)
  beforeAll(async () => {
    bare = createPaymentActivities({ ...actor.deps, logger: log.logger })
  })

  const now = () => actor.deps.clock.now().getTime()
  const signed = <C extends Command>(invoiceId: string, command: C): C =>
    signCommand(actor.deps.vault.signCommand, actor.referenceOf(invoiceId), command)
  const asked = async (invoiceId: string) =>
    (await readSimulatorLog(actor.execute, { invoiceId })).requests.map(({ type }) => type)
  const books = (invoiceId: string) => database.orm.em.fork().findOneOrFail(TransactionEntity, { invoiceId })
  const authorized = async (values = {}) => {
    const invoiceId = await actor.makeInvoice()
    await actor.executeCommand(invoiceId, actor.build.authorize(await actor.makeSource(), values))
    return invoiceId
  }
  const NOT_SIGNED = { answer: { kind: 'refused', code: 'request.not-started' } }

  test('that is not signed is refused, answers nobody who waits, and is logged', async () => {
    const invoiceId = await authorized()
    const { operationId, ...capture } = actor.build.capture()
    const step = actor.stepOf(invoiceId, { ...capture, operationId }, {})
    const answered = actor.answered.length
    expect(await bare.capture(step)).toMatchObject({ ...NOT_SIGNED, payment: { status: 'authorized' } })
    expect(actor.answered).toHaveLength(answered)
    expect(log.text()).toContain(`"operation_id":"${operationId}"`)
    expect(await asked(invoiceId)).toEqual(['authorization'])
  })

  test.each<[string, (step: StepInput) => Partial<StepInput>]>([
    ['answers another request', () => ({ answers: { operationId: 'tr_op_other', unlessSaleGoesOn: false } })],
    ['keeps its answer for later', ({ answers }) => ({ answers: { ...answers, unlessSaleGoesOn: true } })],
    ['says that our clock asked', ({ command }) => ({ command: { ...command, actor: 'scheduler' } })],
  ])('is not the one that was signed where it %s', async (_, change) => {
    const invoiceId = await authorized()
    const step = actor.stepOf(invoiceId, signed(invoiceId, actor.build.capture()), {})
    expect(await bare.capture({ ...step, ...change(step) } as typeof step)).toMatchObject({
      answer: { kind: 'refused' },
    })
    expect(await asked(invoiceId)).toEqual(['authorization'])
    expect(await bare.capture(step)).toMatchObject({ answer: { kind: 'done' } })
  })

  test('does nothing but what its command is for', async () => {
    const invoiceId = await authorized()
    const capture = actor.stepOf(invoiceId, signed(invoiceId, actor.build.capture()), {})
    for (const activity of [bare.refund, bare.voidAuthorization, bare.scheduleCapture, bare.authorize])
      expect(await activity(capture as never)).toMatchObject(NOT_SIGNED)
    expect(await books(invoiceId)).toMatchObject({ status: 'authorized', autoCaptureAt: null })
    expect(await asked(invoiceId)).toEqual(['authorization'])
  })

  describe('that captures what a client has authorized', () => {
    const sale = async () => {
      const capture = actor.build.capture(null, { actor: 'client' })
      return actor.build.authorize(await actor.makeSource(), { actor: 'client', capture })
    }
    const captureOf = (invoiceId: string, command: Awaited<ReturnType<typeof sale>>) => {
      const { capture, operationId } = signed(invoiceId, command)
      if (capture === null) throw new Error('The sale has no capture.')
      return { ...actor.stepOf(invoiceId, capture, {}), answers: { operationId, unlessSaleGoesOn: false } }
    }

    test('never captures what the merchant has authorized', async () => {
      const invoiceId = await authorized()
      expect(await bare.capture(captureOf(invoiceId, await sale()))).toMatchObject({ answer: { kind: 'unchanged' } })
      expect(await asked(invoiceId)).toEqual(['authorization'])
    })

    test('captures no more than was approved, whatever its run says', async () => {
      const invoiceId = await actor.makeInvoice()
      const command = await sale()
      await actor.step(invoiceId, command)
      expect(await bare.capture(captureOf(invoiceId, command))).toMatchObject({ answer: { kind: 'done' } })
      expect(await books(invoiceId)).toMatchObject({ capturedMinor: 2900 })
    })
  })

  describe('that our own clock asks for in live', () => {
    /** A payment in live as the record would have it; no gateway of these tests serves there. */
    const live = async (values = {}) => {
      const invoiceId = await authorized(values)
      const { id } = await books(invoiceId)
      const em = database.orm.em.fork()
      await em.transactional(async (inner) => {
        await inner.execute('set constraints all deferred')
        await inner.execute("set local session_replication_role = 'replica'")
        await inner.nativeUpdate(InvoiceEntity, { id: invoiceId }, { sandbox: false })
        await inner.nativeUpdate(TransactionEntity, { id }, { sandbox: false, expiryAnnounced: true })
        await inner.nativeUpdate(OperationEntity, { transactionId: id }, { sandbox: false })
      })
      return invoiceId
    }
    const step = <C extends Command>(invoiceId: string, command: C, at: number): StepInput<C> => ({
      ...actor.stepOf(invoiceId, command, { at }),
      payment: { ...actor.referenceOf(invoiceId), environment: 'live' },
    })

    test('waits until this machine says, too, that it is due', async () => {
      const invoiceId = await live({ autoCaptureAt: now() + DAY_MS })
      const later = now() + 2 * DAY_MS
      const capture = bare.capture(step(invoiceId, actor.build.scheduledCapture(2900), later))
      await expect(capture).rejects.toMatchObject({ type: 'not-due-yet' })
      expect(await asked(invoiceId)).toEqual(['authorization'])
    })

    test('waits until the authorization ends, and until the warning of it is due', async () => {
      const invoiceId = await live()
      const later = now() + 30 * DAY_MS
      const expiry = bare.voidAuthorization(step(invoiceId, actor.build.expiry(), later))
      await expect(expiry).rejects.toMatchObject({ type: 'not-due-yet' })
      await database.orm.em.fork().nativeUpdate(TransactionEntity, { invoiceId }, { expiryAnnounced: false })
      const { payment } = step(invoiceId, actor.build.expiry(), later)
      await expect(bare.announceExpiry({ payment, at: later })).rejects.toMatchObject({ type: 'not-due-yet' })
      expect(await books(invoiceId)).toMatchObject({ status: 'authorized', expiryAnnounced: false })
    })
  })
})
