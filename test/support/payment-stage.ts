import type { PaymentActivityDeps } from '../../activities/dependencies.ts'
import { createPaymentActivities } from '../../activities/index.ts'
import type { ResyncRequest } from '../../domain/command.ts'
import type { Gateway } from '../../src/gateways/gateway.ts'
import { type LoggedRequest, readSimulatorLog } from '../../src/gateways/simulator/read-log.ts'
import { createLogger } from '../../src/logger.ts'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import type { AnswerRows } from '../../src/persistence/queries/payments/find-payment.ts'
import {
  createPaymentClient,
  createPaymentResyncer,
  type MerchantCommand,
  type PaymentDescription,
} from '../../src/temporal/client.ts'
import { createPendingAnswers } from '../../src/temporal/pending-answers.ts'
import { createResyncSignal } from '../../src/temporal/resync-signal.ts'
import { createTaskSlots, type TaskSlots } from '../../src/temporal/task-slots.ts'
import { createWorkers } from '../../src/temporal/workers.ts'
import { paymentWorkflowId } from '../../src/temporal/workflow-ids.ts'
import { PRODUCTION_WAITS } from '../../src/waits.ts'
import { makeDatabase } from './database.ts'
import { makePaymentFixture } from './payment-fixture.ts'
import { server } from './servers.ts'
import { connectTemporal } from './temporal.ts'

export interface PaymentStageOptions {
  /** Whether commands start their runs eagerly, or travel as updates. */
  eager: boolean
  wrapGateway?: (simulator: Gateway) => Gateway
  /** What the activities are given in place of the ordinary. */
  replace?: (deps: PaymentActivityDeps) => Partial<PaymentActivityDeps>
  taskSlots?: TaskSlots
}

/** Payments on a real database and a real Temporal, without HTTP: for tests that put faults between the parts. */
export async function makePaymentStage({
  eager,
  wrapGateway,
  replace = () => ({}),
  taskSlots = createTaskSlots(),
}: PaymentStageOptions) {
  const database = await makeDatabase()
  const fixture = await makePaymentFixture(database, wrapGateway)
  const temporal = await connectTemporal()
  const pendingAnswers = createPendingAnswers<AnswerRows>()
  const taskQueues = { payments: `payments-${database.name}`, webhooks: `webhooks-${database.name}` }
  const deps = { ...fixture.deps, pendingAnswers }
  const payments = createPaymentClient({
    temporal: temporal.clients,
    taskQueues,
    pendingAnswers,
    eager,
    sign: deps.vault.signCommand,
    waits: PRODUCTION_WAITS,
    logger: createLogger({ level: 'silent', process: 'test' }),
  })

  const resyncer = createPaymentResyncer({ temporal: temporal.clients, taskQueues })
  const describe = (invoiceId: string): PaymentDescription => ({
    projectId: fixture.projectId,
    environment: 'sandbox',
    invoiceId,
    amountMinor: 2900,
    currency: 'EUR',
    orderId: null,
  })

  const resync = createResyncSignal({ temporal: temporal.clients, taskQueues })

  const startWorker = async () => {
    const workers = await createWorkers({
      connection: temporal.connection,
      namespaces: ['sandbox'],
      taskQueues,
      workflowBundle: await server('workflowBundle'),
      taskSlots,
      activities: { payments: createPaymentActivities({ ...deps, ...replace(deps) }), webhooks: {} },
    })
    const done = workers.run()
    // Awaited by whoever stops them.
    done.catch(() => {})
    return {
      async stop() {
        workers.shutdown()
        await done
      },
    }
  }

  return {
    ...fixture,
    database,
    startWorker,
    taskQueues,
    describe,
    clients: temporal.clients,
    connection: temporal.connection,
    resync,
    temporal: temporal.clients.sandbox,
    async send(invoiceId: string, command: MerchantCommand) {
      const answered = await payments.send(describe(invoiceId), command)
      return answered === 'no-answer' ? ({ kind: 'no-answer' } as const) : answered.answer
    },
    resyncAndWait: (invoiceId: string, reason: string, request?: ResyncRequest) =>
      resyncer.resync(describe(invoiceId), reason, request),
    books: (invoiceId: string) => database.orm.em.fork().findOne(TransactionEntity, { invoiceId }),
    gatewayRequests: async (invoiceId: string): Promise<LoggedRequest[]> =>
      (await readSimulatorLog(fixture.execute, { invoiceId })).requests,
    runOf: (invoiceId: string) => temporal.clients.sandbox.workflow.getHandle(paymentWorkflowId(invoiceId)),
    /** Stop the workers before. */
    async close() {
      await temporal.close()
      await database.drop()
    },
  }
}
