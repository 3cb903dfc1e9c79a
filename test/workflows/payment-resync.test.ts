import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { beginAttempt } from '../../activities/payment/begin-attempt.ts'
import { SEARCH_ATTRIBUTES } from '../../domain/search-attributes.ts'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import { findOverdue } from '../support/overdue.ts'
import { makePaymentStage } from '../support/payment-stage.ts'
import { readHistory } from '../support/temporal.ts'
import { waitFor } from '../support/wait-for.ts'

const MINUTE_MS = 60_000
describe('a payment of which the record knows more than its run', () => {
  let stage: Awaited<ReturnType<typeof makePaymentStage>>
  let worker: Awaited<ReturnType<typeof stage.startWorker>>

  beforeAll(async () => {
    stage = await makePaymentStage({ eager: true })
    worker = await stage.startWorker()
  })
  afterAll(async () => {
    await worker.stop()
    await stage.close()
  })

  const authorized = async (autoCaptureAt: number | null = null) => {
    const invoiceId = await stage.makeInvoice()
    const command = stage.authorizeCommand(await stage.makeCard(), { autoCaptureAt })
    expect(await stage.send(invoiceId, command)).toEqual({ kind: 'done' })
    return invoiceId
  }
  const overdue = async (invoiceId: string) =>
    (await findOverdue(stage.database.orm, new Date(Date.now() + MINUTE_MS))).filter(
      (payment) => payment.invoiceId === invoiceId,
    )

  test('looks an attempt up that its run never heard of', async () => {
    const invoiceId = await authorized()
    // What a crash of everything leaves: the attempt is written, and the update that asked for it is gone.
    const step = stage.step(invoiceId, stage.captureCommand())
    await beginAttempt(stage.deps, step)
    const [found] = await overdue(invoiceId)
    expect(found).toMatchObject({ invoiceId, amountMinor: 2900, currency: 'EUR' })

    await stage.resync(stage.describe(invoiceId))
    await waitFor(async () => (await stage.books(invoiceId))?.status === 'completed')
    expect(await stage.gatewayRequests(invoiceId)).toMatchObject([
      { type: 'authorization' },
      { type: 'capture', timesAsked: 1 },
    ])
    expect(await overdue(invoiceId)).toEqual([])
  })

  test('looks up at once all that is open, where staff ask for it', async () => {
    const invoiceId = await authorized()
    for (const amountMinor of [1_000, 500])
      await beginAttempt(stage.deps, stage.step(invoiceId, stage.captureCommand(amountMinor, { isFinal: false })))
    await stage.resyncAndWait(invoiceId, 'staff ask for it', { lookUpNow: true, resolution: null })
    expect(await stage.books(invoiceId)).toMatchObject({ capturedMinor: 1_500, attemptsInFlight: [] })
  })

  test('is listed for staff once it needs their attention', async () => {
    const invoiceId = await authorized()
    const statusOf = async () =>
      (await stage.runOf(invoiceId).describe()).typedSearchAttributes.get(SEARCH_ATTRIBUTES.paymentStatus)
    await waitFor(async () => (await statusOf()) === 'authorized')
    await stage.database.orm.em.fork().nativeUpdate(TransactionEntity, { invoiceId }, { needsAttention: true })
    await stage.resyncAndWait(invoiceId, 'a notification that the record cannot hold')
    await waitFor(async () => (await statusOf()) === 'unresolved')
  })

  test('asked again and again for the same reason writes nothing more into its history', async () => {
    const invoiceId = await authorized()
    await stage.resyncAndWait(invoiceId, 'one reason')
    const before = await readHistory(stage.temporal, `payment-${invoiceId}`)
    for (let time = 0; time < 5; time += 1) await stage.resyncAndWait(invoiceId, 'one reason')
    const after = await readHistory(stage.temporal, `payment-${invoiceId}`)
    expect(after?.events).toHaveLength(before?.events.length ?? 0)
  })
})
