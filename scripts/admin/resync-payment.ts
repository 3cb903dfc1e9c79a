import { randomUUID } from 'node:crypto'
import type { Resolution } from '../../domain/command.ts'
import { environmentOf } from '../../domain/environment.ts'
import type { Config } from '../../src/config.ts'
import type { UnresolvedPayment } from '../../src/persistence/queries/payments/unresolved-payments.ts'
import { temporalIsAbsent } from '../../src/processes/core.ts'
import { createPaymentResyncer } from '../../src/temporal/client.ts'
import { connectTemporal } from '../../src/temporal/connection.ts'
import { TASK_QUEUES } from '../../src/temporal/task-queues.ts'
import type { Keys } from '../../src/vault/keys.ts'

/** Has the payment read its record again, with the decision of support staff. */
export async function resyncPayment(
  config: Pick<Config, 'temporalAccess' | 'payloadEncryption'> & { temporalAddress: string; keys: Keys },
  payment: UnresolvedPayment,
  resolution: Resolution | null,
): Promise<void> {
  const { temporalAddress: address, temporalAccess, payloadEncryption = true, keys } = config
  const payloads = { keys, encrypts: payloadEncryption }
  const temporal = await connectTemporal(address, temporalAccess, payloads).catch(temporalIsAbsent(address))
  try {
    const resyncer = createPaymentResyncer({ temporal: temporal.clients, taskQueues: TASK_QUEUES })
    const { projectId, sandbox, invoiceId, amountMinor, currency, orderId } = payment
    const description = { projectId, environment: environmentOf(sandbox), invoiceId, amountMinor, currency, orderId }
    await resyncer.resync(description, `staff-${randomUUID()}`, { lookUpNow: false, resolution })
  } finally {
    await temporal.close()
  }
}
