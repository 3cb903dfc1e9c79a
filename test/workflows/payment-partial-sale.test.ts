import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { OperationEntity } from '../../src/persistence/entities/operation.ts'
import { ProjectEntity } from '../../src/persistence/entities/project.ts'
import { findRows } from '../../src/persistence/rows.ts'
import { makePaymentStage } from '../support/payment-stage.ts'

describe('a sale of which a part is approved, for a project that takes parts', () => {
  let stage: Awaited<ReturnType<typeof makePaymentStage>>
  let worker: Awaited<ReturnType<typeof stage.startWorker>>

  beforeAll(async () => {
    stage = await makePaymentStage({ eager: true })
    worker = await stage.startWorker()
    const project = { id: stage.projectId }
    await stage.database.orm.em.fork().nativeUpdate(ProjectEntity, project, { acceptsPartialApprovals: true })
  })
  afterAll(async () => {
    await worker.stop()
    await stage.close()
  })

  test('captures that part and says so, also where the amount was given', async () => {
    const invoiceId = await stage.makeInvoice()
    const source = await stage.makeCard('4242424242424242', 'SANDBOX:partial-approval')
    const sale = stage.authorizeCommand(source, { capture: stage.captureCommand(2900) })
    expect(await stage.send(invoiceId, sale)).toEqual({ kind: 'done' })
    expect(await stage.books(invoiceId)).toMatchObject({
      status: 'completed',
      authorizedMinor: 1450,
      capturedMinor: 1450,
    })
    const { id: transactionId = '' } = (await stage.books(invoiceId)) ?? {}
    const results = {
      transactionId,
      isAttempt: false,
      outcome: 'succeeded',
      type: ['authorization', 'capture'],
    } as const
    const amounts = (await findRows(stage.database.orm.em.fork(), OperationEntity, results)).map(
      ({ amountMinor }) => amountMinor,
    )
    expect(amounts).toEqual([1450, 1450])
    const requests = await stage.gatewayRequests(invoiceId)
    expect(requests).toMatchObject([
      { type: 'authorization' },
      { type: 'capture', reference: sale.capture?.operationId },
    ])
  })
})
