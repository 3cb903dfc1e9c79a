import { setTimeout as sleep } from 'node:timers/promises'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import type { Core } from '../../src/processes/core.ts'
import { createPaymentResyncer } from '../../src/temporal/client.ts'
import { TASK_QUEUES } from '../../src/temporal/task-queues.ts'
import type { Project } from './project.ts'

/** Longer than a circuit stays open, after which what is not known can be looked up. */
const TIMEOUT_MS = 180_000
const PAUSE_MS = 2_000

/**
 * Asks the gateway, which is well again, what became of every payment whose outcome is not known, as often as it takes.
 *
 * @throws Error where some are not known in the end.
 */
export async function resyncAll(core: Core, { projectId }: Project, signal: AbortSignal): Promise<void> {
  const resyncer = createPaymentResyncer({ temporal: core.temporal.clients, taskQueues: TASK_QUEUES })
  const givesUpAt = performance.now() + TIMEOUT_MS
  for (let round = 1; ; round += 1) {
    const open = await core.orm.em
      .fork()
      .find(TransactionEntity, { projectId, attemptsInFlight: { $ne: [] } }, { fields: ['invoiceId'] })
    if (open.length === 0) return
    if (performance.now() > givesUpAt) throw new Error(`What became of ${open.length} payments is not known.`)
    for (const { invoiceId } of open)
      await resyncer.resync(
        { projectId, environment: 'sandbox', invoiceId, amountMinor: 2_900, currency: 'EUR', orderId: null },
        `bench-${round}-${performance.now()}`,
        { lookUpNow: true, resolution: null },
      )
    await sleep(PAUSE_MS, undefined, { signal })
  }
}
