import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { WithStartWorkflowOperation } from '@temporalio/client'
import type { PaymentActivities, StepInput, StepResult } from '../activities/index.ts'
import type { AnswerRows } from '../src/persistence/queries/payments/find-payment.ts'
import type { Core } from '../src/processes/core.ts'
import type { Shutdown } from '../src/shutdown.ts'
import { createPaymentClient, type MerchantCommand, type PaymentDescription } from '../src/temporal/client.ts'
import { createPendingAnswers } from '../src/temporal/pending-answers.ts'
import { createTaskSlots } from '../src/temporal/task-slots.ts'
import { createWorkers } from '../src/temporal/workers.ts'
import { makeBundle } from '../src/temporal/workflow-bundle.ts'
import { paymentWorkflowId } from '../src/temporal/workflow-ids.ts'
import { workflowThread } from '../src/temporal/workflow-worker.ts'
import type { Recorded } from './record.ts'

const WORKFLOWS = fileURLToPath(new URL('./workflows.ts', import.meta.url))
const OWN_WORKFLOWS = fileURLToPath(new URL('../workflows', import.meta.url))
const FLOOR_QUEUE = 'floor'
const ENGINE_QUEUE = 'engine'

/** What a payment is compared with; each gives the id of its workflow. */
export interface Engine {
  /**
   * The least that Temporal asks for an answer from a new workflow: an update without work. Without HTTP and a process to ask it
   * from: what those take, only payments pay.
   */
  floor(): Promise<string>
  /** The workflow of a payment, asked as by the API, whose steps do nothing: what Temporal and its SDK take of a payment. */
  authorize(invoiceId: string): Promise<string>
  capture(invoiceId: string): Promise<string>
}

/** @param recorded what a payment was asked and what its steps answered, which those of the engine answer again. */
export async function startEngine(core: Core, recorded: Recorded, shutdown: Shutdown): Promise<Engine> {
  const pendingAnswers = createPendingAnswers<AnswerRows>()
  const stepOf = (result: StepResult) => async (input: StepInput) => {
    pendingAnswers.answer(input.command.operationId, result.answer, null)
    return result
  }
  const { authorize, capture } = recorded
  const steps = { authorize: stepOf(authorize.result), capture: stepOf(capture.result) }
  await startBenchWorkers(core, [FLOOR_QUEUE, ENGINE_QUEUE], steps, shutdown)
  const { clients: temporal } = core.temporal
  const payments = createPaymentClient<AnswerRows>({
    temporal,
    taskQueues: queuesOf(ENGINE_QUEUE),
    eager: true,
    pendingAnswers,
    sign: core.vault.signCommand,
    waits: core.waits,
    logger: core.logger,
  })
  const send = async (payment: PaymentDescription, command: MerchantCommand) => {
    const answer = await payments.send(payment, {
      ...command,
      operationId: `tr_op_${randomUUID().replaceAll('-', '')}`,
    })
    if (answer === 'no-answer') throw new Error('An empty step did not answer.')
    return paymentWorkflowId(payment.invoiceId)
  }
  return {
    async floor() {
      const workflowId = `floor-${randomUUID()}`
      const startWorkflowOperation = new WithStartWorkflowOperation('updatableWorkflow', {
        workflowId,
        taskQueue: FLOOR_QUEUE,
        args: [],
        workflowIdConflictPolicy: 'USE_EXISTING',
      })
      // A failure is that of the update as well, and told there.
      startWorkflowOperation.workflowHandle().catch(() => undefined)
      await temporal.sandbox.workflow.executeUpdateWithStart('answer', { startWorkflowOperation, args: [] })
      return workflowId
    },
    authorize: (invoiceId) => send({ ...authorize.payment, invoiceId }, authorize.command),
    capture: (invoiceId) => send({ ...capture.payment, invoiceId }, capture.command),
  }
}

const queuesOf = (payments: string) => ({ payments, webhooks: `${payments}-webhooks` })

/** Runs workflows on our own workers, as the service has them; a group for each queue, since each has a cache of its runs. */
async function startBenchWorkers(
  { temporal }: Core,
  queues: readonly string[],
  payments: Partial<PaymentActivities>,
  shutdown: Shutdown,
): Promise<void> {
  const workflowBundle = await makeBundle(WORKFLOWS, { encodesFailures: false, traces: false }, OWN_WORKFLOWS)
  const thread = workflowThread()
  for (const queue of queues) {
    const workers = await createWorkers({
      connection: temporal.connection,
      namespaces: { sandbox: temporal.clients.sandbox.options.namespace },
      taskQueues: queuesOf(queue),
      workflowBundle,
      workflowThread: thread,
      dataConverter: temporal.dataConverter,
      taskSlots: createTaskSlots(),
      activities: { payments, webhooks: {} },
    })
    const done = workers.run()
    done.catch((error: Error) => shutdown.request(`The workers of ${queue} failed: ${error.message}`, 1))
    shutdown.add({
      name: `The workers of ${queue}`,
      stop: async () => {
        workers.shutdown()
        await done
      },
    })
  }
}
