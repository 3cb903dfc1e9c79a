import type { ResyncRequest } from '../../domain/command.ts'
import type { Environment } from '../../domain/environment.ts'
import { readConfig } from '../../src/config.ts'
import type { Gateway } from '../../src/gateways/gateway.ts'
import { createGatewayRegistry, type GatewayRegistry } from '../../src/gateways/registry.ts'
import { type LoggedRequest, readSimulatorLog } from '../../src/gateways/simulator/read-log.ts'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import type { AnswerRows } from '../../src/persistence/queries/payments/find-payment.ts'
import { temporalDeps } from '../../src/processes/api-part.ts'
import { startWorkerPart } from '../../src/processes/worker-part.ts'
import type { MerchantCommand, PaymentDescription } from '../../src/temporal/client.ts'
import { createPendingAnswers } from '../../src/temporal/pending-answers.ts'
import { createResyncSignal } from '../../src/temporal/resync-signal.ts'
import type { TaskSlots } from '../../src/temporal/task-slots.ts'
import { paymentWorkflowId } from '../../src/temporal/workflow-ids.ts'
import { createTestShutdown, openTestCore, type TestCoreOptions } from './core.ts'
import { makeDatabase } from './database.ts'
import { makePaymentFixture } from './payment-fixture.ts'
import { testWorkflows } from './workflows.ts'

export interface PaymentStageOptions extends Pick<TestCoreOptions, 'waits'> {
  /**
   * Whether the commands come from the process of the workers, so that they start their runs eagerly, or from another one, so
   * that they travel as updates.
   */
  eager: boolean
  /** What stands between the activities and the simulator, given its adapter and what guards it. */
  wrapGateway?: (simulator: Gateway, guard: (gateway: Gateway) => Gateway) => Gateway
  /** Where the activities find the gateways, given where they usually do. */
  gatewaysOf?: (usual: GatewayRegistry) => GatewayRegistry
  taskSlots?: TaskSlots
}

/**
 * Payments on a real database and a real Temporal with the workers of production, without HTTP: for tests that put faults
 * between the parts.
 */
export async function makePaymentStage({
  eager,
  wrapGateway = (simulator, guard) => guard(simulator),
  gatewaysOf = (usual) => usual,
  taskSlots,
  ...given
}: PaymentStageOptions) {
  const database = await makeDatabase(given.waits)
  const fixture = await makePaymentFixture(database)
  const core = await openTestCore(database, given)
  const { taskQueues } = core
  const { clients, connection } = core.temporal
  const pendingAnswers = createPendingAnswers<AnswerRows>()
  const { payments, resyncer } = temporalDeps(core, { eager, pendingAnswers })
  const describe = (invoiceId: string): PaymentDescription => ({
    projectId: fixture.projectId,
    environment: 'sandbox',
    invoiceId,
    amountMinor: 2900,
    currency: 'EUR',
    orderId: null,
  })

  const startWorker = async (environments: readonly Environment[] = ['sandbox']) => {
    const shutdown = createTestShutdown()
    await startWorkerPart(core, {
      ...(await testWorkflows()),
      environments,
      publicUrl: () => 'https://pay.example',
      pendingAnswers: eager ? pendingAnswers : createPendingAnswers(),
      allowPrivateWebhookTargets: true,
      retention: readConfig({}).retention,
      ...(taskSlots && { taskSlots }),
      gatewaysOf: (adapters, guard) =>
        gatewaysOf(
          createGatewayRegistry(
            adapters.map((gateway) => (gateway.name === 'simulator' ? wrapGateway(gateway, guard) : guard(gateway))),
          ),
        ),
      shutdown,
    })
    return { stop: shutdown.stop }
  }

  return {
    ...fixture,
    database,
    startWorker,
    taskQueues,
    describe,
    clients,
    connection,
    resync: createResyncSignal({ temporal: clients, taskQueues }),
    temporal: clients.sandbox,
    async send(invoiceId: string, command: MerchantCommand) {
      const answered = await payments.send(describe(invoiceId), command)
      return answered === 'no-answer' ? ({ kind: 'no-answer' } as const) : answered.answer
    },
    resyncAndWait: (invoiceId: string, reason: string, request?: ResyncRequest) =>
      resyncer.resync(describe(invoiceId), reason, request),
    books: (invoiceId: string) => database.orm.em.fork().findOne(TransactionEntity, { invoiceId }),
    gatewayRequests: async (invoiceId: string): Promise<LoggedRequest[]> =>
      (await readSimulatorLog(fixture.execute, { invoiceId })).requests,
    runOf: (invoiceId: string) => clients.sandbox.workflow.getHandle(paymentWorkflowId(invoiceId)),
    /** Stop the workers before. */
    async close() {
      await core.shutdown.stop()
      await database.drop()
    },
  }
}
