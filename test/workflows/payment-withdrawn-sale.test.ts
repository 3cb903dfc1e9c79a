import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { withdrawCommand } from '../../src/persistence/queries/payments/commands.ts'
import { makePaymentStage } from '../support/payment-stage.ts'

describe.each([true, false])('a sale that was withdrawn, with eager starts %s', (eager) => {
  let stage: Awaited<ReturnType<typeof makePaymentStage>>
  let worker: Awaited<ReturnType<typeof stage.startWorker>>

  beforeAll(async () => {
    stage = await makePaymentStage({ eager })
    worker = await stage.startWorker()
  })
  afterAll(async () => {
    await worker.stop()
    await stage.close()
  })

  test('captures nothing, also where another request has authorized the payment meanwhile', async () => {
    const invoiceId = await stage.makeInvoice()
    const source = await stage.makeCard()
    const sale = stage.authorizeCommand(source, { capture: stage.captureCommand() })
    await withdrawCommand(stage.database.orm.em.fork(), {
      projectId: stage.projectId,
      sandbox: true,
      invoiceId,
      operationId: sale.operationId,
      now: new Date(),
    })
    expect(await stage.send(invoiceId, stage.authorizeCommand(source))).toEqual({ kind: 'done' })

    expect(await stage.send(invoiceId, sale)).toMatchObject({ kind: 'refused', code: 'request.not-started' })
    expect(await stage.books(invoiceId)).toMatchObject({ status: 'authorized', capturedMinor: 0 })
    expect(await stage.gatewayRequests(invoiceId)).toMatchObject([{ type: 'authorization' }])
  })

  test('that was not withdrawn captures what another request has authorized', async () => {
    const invoiceId = await stage.makeInvoice()
    const source = await stage.makeCard()
    const sale = stage.authorizeCommand(source, { capture: stage.captureCommand() })
    expect(await stage.send(invoiceId, stage.authorizeCommand(source))).toEqual({ kind: 'done' })
    expect(await stage.send(invoiceId, sale)).toEqual({ kind: 'done' })
    expect(await stage.books(invoiceId)).toMatchObject({ status: 'completed', capturedMinor: 2900 })
  })
})
