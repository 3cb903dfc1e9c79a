import { afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { withdrawCommand } from '../../src/persistence/queries/payments/commands.ts'
import { runningForFile } from '../support/for-file.ts'
import { paymentStageForFile } from '../support/payment-stage-for-file.ts'
import { waitFor } from '../support/wait-for.ts'

/** gRPC's RESOURCE_EXHAUSTED, which says what is too much and nothing about the command. */
const exhausted = () =>
  Promise.reject(
    Object.assign(new Error('8 RESOURCE_EXHAUSTED'), { code: 8, details: '', metadata: { get: () => [] } }),
  )

/** `temporal.api.enums.v1.UpdateWorkflowExecutionLifecycleStage` */
const ACCEPTED = 2

describe('a command for whose answer Temporal has no room', () => {
  const stage = paymentStageForFile({ eager: false })
  runningForFile(() => stage.startWorker())
  let calls: Pick<typeof stage.temporal.workflowService, 'executeMultiOperation' | 'pollWorkflowExecutionUpdate'>

  beforeAll(async () => {
    // As where the worker is another process: answers come through Temporal only.
    const { executeMultiOperation, pollWorkflowExecutionUpdate } = stage.temporal.workflowService
    calls = { executeMultiOperation, pollWorkflowExecutionUpdate }
  })
  afterEach(() => {
    Object.assign(stage.temporal.workflowService, calls)
  })

  const authorized = async () => {
    const invoiceId = await stage.makeInvoice()
    expect(await stage.send(invoiceId, stage.authorizeCommand(await stage.makeCard()))).toEqual({ kind: 'done' })
    return invoiceId
  }
  const withdraw = (invoiceId: string, operationId: string) =>
    withdrawCommand(stage.database.orm.em.fork(), {
      projectId: stage.projectId,
      sandbox: true,
      invoiceId,
      operationId,
      now: new Date(),
    })

  test('is not told to come again where it was accepted: the record tells that it has begun', async () => {
    const invoiceId = await authorized()
    let polls = 0
    Object.assign(stage.temporal.workflowService, {
      executeMultiOperation: async (request: Parameters<typeof calls.executeMultiOperation>[0]) => {
        const response = await calls.executeMultiOperation.call(stage.temporal.workflowService, request)
        const accepted = response.responses[1]?.updateWorkflow
        // As where the step takes longer than Temporal waits.
        if (accepted != null) Object.assign(accepted, { stage: ACCEPTED, outcome: null })
        return response
      },
      pollWorkflowExecutionUpdate: () => {
        polls += 1
        return exhausted()
      },
    })

    const command = stage.captureCommand(1000, { captureType: 'non-final' })
    expect(await stage.send(invoiceId, command)).toEqual({ kind: 'no-answer' })
    expect(polls).toBe(1)
    await waitFor(async () => (await stage.books(invoiceId))?.capturedMinor === 1000)
    expect(await withdraw(invoiceId, command.operationId)).toMatchObject({ kind: 'begun' })
  })

  test('is withdrawn where it was not accepted, and never begins', async () => {
    const invoiceId = await authorized()
    Object.assign(stage.temporal.workflowService, { executeMultiOperation: exhausted })
    const command = stage.captureCommand(1000, { captureType: 'non-final' })
    expect(await stage.send(invoiceId, command)).toEqual({ kind: 'no-answer' })
    expect(await withdraw(invoiceId, command.operationId)).toEqual({ kind: 'withdrawn' })
    Object.assign(stage.temporal.workflowService, calls)
    expect(await stage.send(invoiceId, command)).toMatchObject({ kind: 'refused', code: 'request.not-started' })
    expect(await stage.gatewayRequests(invoiceId)).toMatchObject([{ type: 'authorization' }])
  })
})
