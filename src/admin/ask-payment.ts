import { randomUUID } from 'node:crypto'
import type { Resolution, ScheduleCaptureCommand } from '../../domain/command.ts'
import { captureUpdate, type UpdateAnswer } from '../../workflows/messages.ts'
import type { Config } from '../config.ts'
import { temporalIsAbsent } from '../processes/core.ts'
import { createPaymentResyncer, type PaymentDescription, refusalOf, updateWithStart } from '../temporal/client.ts'
import { connectTemporal, type TemporalConnection } from '../temporal/connection.ts'
import { TASK_QUEUES } from '../temporal/task-queues.ts'
import type { Keys } from '../vault/keys.ts'
import { PRODUCTION_WAITS } from '../waits.ts'

type Server = Pick<Config, 'temporalAccess' | 'payloadEncryption'> & { temporalAddress: string; keys: Keys }

/** Has the payment read its record again, with the decision of support staff. */
export function resyncPayment(
  server: Server,
  payment: PaymentDescription,
  resolution: Resolution | null,
): Promise<void> {
  return onTemporal(server, (temporal) => {
    const resyncer = createPaymentResyncer({ temporal: temporal.clients, taskQueues: TASK_QUEUES })
    return resyncer.resync(payment, `staff-${randomUUID()}`, { lookUpNow: false, resolution })
  })
}

/** Has the payment drop its scheduled capture; the answer may be a refusal, which a step or its workflow has made. */
export function cancelCapture(
  server: Server,
  payment: PaymentDescription,
  command: ScheduleCaptureCommand,
): Promise<Pick<UpdateAnswer, 'answer' | 'summary'>> {
  return onTemporal(server, async ({ clients: temporal }) => {
    try {
      return await temporal[payment.environment].withDeadline(Date.now() + PRODUCTION_WAITS.answerMs, () =>
        updateWithStart<UpdateAnswer, [ScheduleCaptureCommand]>({ temporal, taskQueues: TASK_QUEUES }, payment, {
          name: captureUpdate.name,
          id: command.operationId,
          args: [command],
        }),
      )
    } catch (error) {
      const answer = refusalOf(error)
      return { answer, summary: `refused, nothing was done: ${answer.message} (${answer.code})` }
    }
  })
}

async function onTemporal<Result>(
  { temporalAddress: address, temporalAccess, payloadEncryption = true, keys }: Server,
  work: (temporal: TemporalConnection) => Promise<Result>,
): Promise<Result> {
  const payloads = { keys, encrypts: payloadEncryption }
  const temporal = await connectTemporal(address, temporalAccess, payloads).catch(temporalIsAbsent(address))
  try {
    return await work(temporal)
  } finally {
    await temporal.close()
  }
}
