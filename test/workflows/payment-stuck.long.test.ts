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

/** `temporal.api.enums.v1.CommandType`: the end of a run. */
const ENDS_RUN = 4

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
const CAPTURED_ONCE = [
  { type: 'authorization', timesAsked: 1 },
  { type: 'capture', timesAsked: 1, amountMinor: 2900 },
]

async function authorized(autoCaptureAt: number | null = null): Promise<string> {
  const invoiceId = await stage.makeInvoice()
  const command = stage.authorizeCommand(await stage.makeCard(), { autoCaptureAt })
  expect(await stage.send(invoiceId, command)).toEqual({ kind: 'done' })
  return invoiceId
}

const runIdOf = async (invoiceId: string) => (await stage.runOf(invoiceId).describe()).runId

/** Gives a payment the run of another version, whose next workflow task is waiting and fails: without an input as a defect. */
async function breakRun(
  invoiceId: string,
  input?: PaymentWorkflowInput,
  inIt: () => Promise<unknown> = async () => undefined,
): Promise<string> {
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
    await inIt()
  })
  return runIdOf(invoiceId)
}

test('a run that does not replay its history is replaced by one that takes the payment from the record, and its due capture is made once', async () => {
  const healthy = await authorized(Date.now() + HOUR_MS)
  const invoiceId = await authorized(Date.now() + HOUR_MS)
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
  expect(await stage.gatewayRequests(invoiceId)).toMatchObject(CAPTURED_ONCE)
  expect(await runIdOf(invoiceId)).not.toBe(broken)
  expect(await runIdOf(healthy)).toBe(healthyRun)
  expect(log.text()).toContain('A run failed; a new one')
})

test('a command to a payment whose run does not replay is carried out at once, by a new run', async () => {
  const invoiceId = await authorized()
  await running.worker.stop()
  const { projectId, environment } = stage.describe(invoiceId)
  await breakRun(invoiceId, { projectId, environment, invoiceId })
  running.worker = await stage.startWorker()
  expect(await stage.send(invoiceId, stage.captureCommand())).toEqual({ kind: 'done' })
  expect(await stage.gatewayRequests(invoiceId)).toMatchObject(CAPTURED_ONCE)
})

test('a command that a run has accepted which then does not replay is carried out by a new run', async () => {
  const invoiceId = await authorized()
  await running.worker.stop()
  const { projectId, environment } = stage.describe(invoiceId)
  let sent: ReturnType<typeof stage.send> | undefined
  await breakRun(invoiceId, { projectId, environment, invoiceId }, () => {
    sent = stage.send(invoiceId, stage.captureCommand())
    return waitFor(async () => {
      const { events } = await stage.runOf(invoiceId).fetchHistory()
      return events?.some((event) => event.workflowExecutionUpdateAcceptedEventAttributes != null)
    })
  })
  running.worker = await stage.startWorker()
  await stage.resync(stage.describe(invoiceId))
  expect(await sent).toEqual({ kind: 'done' })
  expect(await stage.gatewayRequests(invoiceId)).toMatchObject(CAPTURED_ONCE)
})

test('a command whose task fails for what came while the run was ending is carried out by that run', async () => {
  const invoiceId = await authorized()
  await running.worker.stop()
  await stage.runOf(invoiceId).terminate('so that the command begins the next one')
  const sent = stage.send(invoiceId, stage.captureCommand())
  const { workflowService: service, options } = stage.temporal
  const { payments: name } = stage.taskQueues
  const task = await service.pollWorkflowTaskQueue({ namespace: options.namespace, taskQueue: { name } })
  await stage.resync(stage.describe(invoiceId))
  const commands = [{ commandType: ENDS_RUN, completeWorkflowExecutionCommandAttributes: {} }]
  await expect(
    service.respondWorkflowTaskCompleted({ namespace: options.namespace, taskToken: task.taskToken, commands }),
  ).rejects.toThrow('UnhandledCommand')

  running.worker = await stage.startWorker()
  expect(await sent).toEqual({ kind: 'done' })
  expect(await stage.runOf(invoiceId).result()).toMatchObject({ status: 'completed' })
  expect(await runIdOf(invoiceId)).toBe(task.workflowExecution?.runId)
  expect(await stage.gatewayRequests(invoiceId)).toMatchObject(CAPTURED_ONCE)
})
