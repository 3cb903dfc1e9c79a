import { fileURLToPath } from 'node:url'
import { expect, test } from '@jest/globals'
import { bundleWorkflowCode, DefaultLogger, Worker } from '@temporalio/worker'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import { replaceStuckRuns } from '../../src/sweeps/stuck-runs.ts'
import { findStuckRuns } from '../../src/temporal/stuck-runs.ts'
import type { PaymentWorkflowInput } from '../../workflows/inputs.ts'
import { captureLog } from '../support/captured-log.ts'
import { forFile } from '../support/for-file.ts'
import { paymentStageForFile } from '../support/payment-stage-for-file.ts'
import { waitFor } from '../support/wait-for.ts'

const HOUR_MS = 60 * 60 * 1000

const stage = paymentStageForFile({ eager: true })
const log = captureLog()
const running = forFile(
  async () => ({ worker: await stage.startWorker() }),
  ({ worker }) => worker.stop(),
)

const replace = () =>
  replaceStuckRuns({
    orm: stage.database.orm,
    logger: log.logger,
    clients: stage.clients,
    taskQueues: stage.taskQueues,
    resync: stage.resync,
    webhookStarter: { start: () => Promise.reject(new Error('There is no webhook here.')) },
  })
const runIdOf = async (invoiceId: string) => (await stage.runOf(invoiceId).describe()).runId

/** Gives a payment the run of another version, whose next workflow task is waiting and fails: without an input as a defect. */
async function breakRun(invoiceId: string, input?: PaymentWorkflowInput): Promise<string> {
  const { payments: taskQueue } = stage.taskQueues
  const logger = new DefaultLogger('ERROR')
  const workflowsPath = fileURLToPath(new URL('./other-code/index.ts', import.meta.url))
  const workflowBundle = await bundleWorkflowCode({ workflowsPath, logger })
  await stage.runOf(invoiceId).terminate('to be replaced')
  const { workflowId } = stage.runOf(invoiceId)
  const options = { connection: stage.connection, namespace: 'sandbox', taskQueue, workflowBundle }
  await (await Worker.create(options)).runUntil(async () => {
    await stage.temporal.workflow.start('paymentWorkflow', { workflowId, taskQueue, args: [input] })
    // Its second timer is what today's code does not ask for.
    await waitFor(async () => (await stage.runOf(invoiceId).describe()).historyLength >= 9)
  })
  return runIdOf(invoiceId)
}

test('a run that does not replay its history is replaced by one that takes the payment from the record, and its due capture is made once', async () => {
  const healthy = await stage.makeInvoice()
  const invoiceId = await stage.makeInvoice()
  const autoCaptureAt = Date.now() + HOUR_MS
  for (const id of [healthy, invoiceId]) {
    const command = stage.authorizeCommand(await stage.makeCard(), { autoCaptureAt })
    expect(await stage.send(id, command)).toEqual({ kind: 'done' })
  }
  const healthyRun = await runIdOf(healthy)
  await running.worker.stop()
  const broken = await breakRun(invoiceId)
  running.worker = await stage.startWorker()
  const due = new Date()
  await stage.database.orm.em
    .fork()
    .nativeUpdate(TransactionEntity, { invoiceId }, { autoCaptureAt: due, nextDueAt: due })

  // What the sweep of payments does; the run takes it, and does nothing.
  await stage.resync(stage.describe(invoiceId))
  await waitFor(async () => (await findStuckRuns(stage.temporal, stage.taskQueues, 10)).length > 0)
  expect(await runIdOf(invoiceId)).toBe(broken)
  expect(await stage.books(invoiceId)).toMatchObject({ status: 'authorized', capturedMinor: 0 })

  await Promise.all([replace(), replace()])
  await waitFor(async () => (await stage.books(invoiceId))?.status === 'completed')
  await replace()
  expect(await stage.gatewayRequests(invoiceId)).toMatchObject([
    { type: 'authorization', timesAsked: 1 },
    { type: 'capture', timesAsked: 1, amountMinor: 2900 },
  ])
  expect(await runIdOf(invoiceId)).not.toBe(broken)
  expect(await runIdOf(healthy)).toBe(healthyRun)
  expect(log.text()).toContain('A run failed; a new one')
})

test('a command to a payment whose run does not replay is carried out at once, by a new run', async () => {
  const invoiceId = await stage.makeInvoice()
  expect(await stage.send(invoiceId, stage.authorizeCommand(await stage.makeCard()))).toEqual({ kind: 'done' })
  await running.worker.stop()
  const { projectId, environment } = stage.describe(invoiceId)
  await breakRun(invoiceId, { projectId, environment, invoiceId })
  running.worker = await stage.startWorker()
  expect(await stage.send(invoiceId, stage.captureCommand())).toEqual({ kind: 'done' })
  expect(await stage.gatewayRequests(invoiceId)).toMatchObject([
    { type: 'authorization', timesAsked: 1 },
    { type: 'capture', timesAsked: 1 },
  ])
})
