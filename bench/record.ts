import type { StepInput, StepResult } from '../activities/index.ts'
import { signCommand } from '../domain/command-signature.ts'
import { BufferedRequestLog } from '../src/http/request-log/request-log.ts'
import type { AnswerRows } from '../src/persistence/queries/payments/find-payment.ts'
import { appDeps, serveApp, temporalDeps } from '../src/processes/api-part.ts'
import { listen } from '../src/processes/listen.ts'
import { localUrl } from '../src/processes/local-url.ts'
import { createActivities } from '../src/processes/worker-part.ts'
import type { MerchantCommand, PaymentClient, PaymentDescription } from '../src/temporal/client.ts'
import { createPendingAnswers } from '../src/temporal/pending-answers.ts'
import { createTaskSlots } from '../src/temporal/task-slots.ts'
import type { PartContext } from './part.ts'
import type { Stage } from './stage.ts'

/** What a payment was asked last by each call, and what its step answered. */
export type Recorded = Record<
  'authorize' | 'capture',
  { payment: PaymentDescription; command: MerchantCommand; result: StepResult }
>

export interface RecordApi {
  baseUrl: string
  recorded: Partial<Recorded>
}

/**
 * Serves the interface with a payment client that runs the steps by itself: the same HTTP, activities and rows without Temporal.
 * It is a measure and no way to run the service: what is begun when the process ends, nobody goes on with.
 */
export async function startRecordApi({ core, config }: Stage, { shutdown }: PartContext): Promise<RecordApi> {
  const { vault, orm, logger } = core
  const pendingAnswers = createPendingAnswers<AnswerRows>()
  const { payments: steps } = createActivities(core, {
    publicUrl: () => null,
    pendingAnswers,
    allowPrivateWebhookTargets: true,
    taskSlots: createTaskSlots(),
  })
  const recorded: Partial<Recorded> = {}

  const send: PaymentClient<AnswerRows>['send'] = async (payment, command) => {
    if (command.kind !== 'pay' || command.call === 'three-d-s')
      throw new Error('The record only authorizes and captures.')
    const { projectId, environment, invoiceId } = payment
    const { answer, forget } = pendingAnswers.expect(command.operationId)
    const at = Date.now()
    const input: StepInput<typeof command> = {
      payment: { projectId, environment, invoiceId },
      command: signCommand(vault.signCommand, payment, command),
      at,
      asOf: at,
      runId: invoiceId,
    }
    const result = await steps[command.call](input)
    recorded[command.call] = { payment, command, result }
    if (result.goesOn === true) await steps.capture({ ...input, isSecondStep: true })
    return answer.finally(forget)
  }

  const requestLog = new BufferedRequestLog({ orm, logger })
  requestLog.start()
  shutdown.add({ name: 'The request log', stop: () => requestLog.stop() })
  const options = { config, allowPrivateWebhookTargets: true, requestLog, simulatorKey: '' }
  const ways = temporalDeps(core, { eager: true, pendingAnswers })
  const { server, drain } = serveApp({
    ...appDeps(core, options),
    ...ways,
    payments: { ...ways.payments, send },
    isServing: () => !shutdown.signal.aborted,
  })
  const port = await listen(server, { host: config.host, port: 0, variable: 'PORT' })
  shutdown.add({ name: 'The API of the record', stop: drain })
  return { baseUrl: localUrl({ host: config.host, port }), recorded }
}
