import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import { makePaymentStage } from '../support/payment-stage.ts'
import { waitFor } from '../support/wait-for.ts'

const HOUR_MS = 60 * 60 * 1000

describe('a payment whose run was terminated', () => {
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

  test('once more after it was taken up for a reason is taken up for the same reason again', async () => {
    const invoiceId = await stage.makeInvoice()
    const autoCaptureAt = Date.now() + HOUR_MS
    const command = stage.authorizeCommand(await stage.makeCard(), { autoCaptureAt })
    expect(await stage.send(invoiceId, command)).toEqual({ kind: 'done' })
    await stage.runOf(invoiceId).terminate('a mistake in the Temporal UI')
    await stage.resyncAndWait(invoiceId, 'overdue')
    await stage.runOf(invoiceId).terminate('the same mistake')
    await stage.database.orm.em.fork().nativeUpdate(TransactionEntity, { invoiceId }, { autoCaptureAt: new Date() })

    await stage.resyncAndWait(invoiceId, 'overdue')
    await waitFor(async () => (await stage.books(invoiceId))?.status === 'completed')
    expect(await stage.gatewayRequests(invoiceId)).toMatchObject([{ type: 'authorization' }, { type: 'capture' }])
  })
})
