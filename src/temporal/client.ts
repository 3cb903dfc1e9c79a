import {
  type Client,
  isGrpcServiceError,
  ServiceError,
  WithStartWorkflowOperation,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
  type WorkflowOptions,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client'
import { ApplicationFailure } from '@temporalio/common'
import type { CommandAnswered, PendingAnswers } from '../../activities/dependencies.ts'
import type { Command, CommandAnswer, ResyncRequest } from '../../domain/command.ts'
import { type Sign, signCommand } from '../../domain/command-signature.ts'
import type { Environment } from '../../domain/environment.ts'
import { isErrorCode } from '../../domain/errors.ts'
import { formatAmount } from '../../domain/money.ts'
import { SEARCH_ATTRIBUTES } from '../../domain/search-attributes.ts'
import { withoutSecrets } from '../../domain/secret-text.ts'
import type { PaymentReference } from '../../workflows/inputs.ts'
import {
  authorizeUpdate,
  captureUpdate,
  incrementUpdate,
  refundUpdate,
  resyncUpdate,
  type UpdateAnswer,
  voidUpdate,
} from '../../workflows/messages.ts'
import type { paymentWorkflow } from '../../workflows/payment.ts'
import { createKeyedSemaphore } from '../keyed-semaphore.ts'
import type { Logger } from '../logger.ts'
import type { TaskQueues } from './task-queues.ts'
import { paymentWorkflowId } from './workflow-ids.ts'

/** How long a merchant's request waits for an answer; clients and proxies commonly give up after 60 s. */
const ANSWER_WAIT_MS = 30_000

/** How many requests on one payment go to Temporal at once; it refuses the eleventh update in flight on one workflow. */
const AT_ONCE_MAX = 8

/** How long a request waits for its turn before the merchant is told to come back. */
const TURN_WAIT_MS = 5_000

/** Whose payment it is, and what support staff see in its title. */
export interface PaymentDescription extends PaymentReference {
  amountMinor: number
  currency: string
  orderId: string | null
}

export interface PaymentClient<Rows> {
  /**
   * Has a payment carry out a command and waits 30 s at most for the answer. `no-answer` says that time ran out:
   * the command has begun if the row of its operation exists, and will not begin after its deadline otherwise.
   */
  send(payment: PaymentDescription, command: MerchantCommand): Promise<CommandAnswered<Rows> | 'no-answer'>
}

export interface PaymentResyncer {
  /**
   * Has a payment look at its record again, in a new run where it has none. Asked again with the same `reason`, the
   * same run does nothing as long as it is open, so that asking every minute leaves no trace. Gives up after 30 s.
   */
  resync(payment: PaymentDescription, reason: string, request?: ResyncRequest): Promise<void>
}

interface TemporalDeps {
  temporal: Record<Environment, Client>
  taskQueues: TaskQueues
  /** True where a worker of this process shares the clients' connection, so that a start can come back as work. */
  eager: boolean
}

const TOO_MANY: CommandAnswer = {
  kind: 'refused',
  code: 'request.still-processing',
  message: 'Too many requests on this payment at once. Try again shortly.',
}

/** What merchants can ask for; a payment releases orphans by itself. */
export type MerchantCommand = Exclude<Command, { kind: 'reverse-orphan' }>

const UPDATES = {
  authorize: authorizeUpdate.name,
  capture: captureUpdate.name,
  'schedule-capture': captureUpdate.name,
  increment: incrementUpdate.name,
  void: voidUpdate.name,
  refund: refundUpdate.name,
} as const satisfies Record<MerchantCommand['kind'], string>

export function createPaymentClient<Rows>({
  pendingAnswers,
  sign,
  logger,
  ...deps
}: TemporalDeps & { pendingAnswers: PendingAnswers<Rows>; sign: Sign; logger: Logger }): PaymentClient<Rows> {
  const turns = createKeyedSemaphore({ permits: AT_ONCE_MAX, waitMs: TURN_WAIT_MS })

  /** Whatever was lost between us and the workflow proves nothing about the command: the caller looks whether it began. */
  function noAnswer(error: unknown): 'no-answer' {
    if (!isLostAnswer(error)) throw error
    logger.warn({ err: error }, 'A payment did not answer a command')
    return 'no-answer'
  }

  return {
    async send(payment, command) {
      const leave = await turns.acquire(payment.invoiceId)
      if (leave === null) return { answer: TOO_MANY, rows: null }
      const waiting = pendingAnswers.expect(command.operationId)
      const outOfTime = timer<'no-answer'>(ANSWER_WAIT_MS, 'no-answer')
      // Without it the client would go on asking Temporal for as long as no worker takes the command.
      const sent = deps.temporal[payment.environment].withDeadline(Date.now() + ANSWER_WAIT_MS, () =>
        dispatch(deps, payment, signCommand(sign, payment, command)),
      )
      // An answer within the process comes before Temporal knows of it, and until then the update is in flight there.
      sent.then(leave, leave)
      const answered = sent.then((answer) => (answer === null ? waiting.answer : { answer, rows: null }))
      try {
        return await Promise.race([waiting.answer, answered.catch(noAnswer), outOfTime.done])
      } finally {
        waiting.forget()
        outOfTime.cancel()
      }
    },
  }
}

/** Null where the answer comes through `pendingAnswers`. */
async function dispatch(
  deps: TemporalDeps,
  payment: PaymentDescription,
  command: MerchantCommand,
): Promise<CommandAnswer | null> {
  if (deps.eager && command.kind === 'authorize' && (await startEagerly(deps, payment, command))) return null
  return update(deps, payment, command)
}

/** True when the first workflow task came back to this process, which then answers through `pendingAnswers`. */
async function startEagerly(
  { temporal, taskQueues }: TemporalDeps,
  payment: PaymentDescription,
  command: MerchantCommand,
): Promise<boolean> {
  try {
    const handle = await temporal[payment.environment].workflow.start<typeof paymentWorkflow>('paymentWorkflow', {
      ...startOptions(payment, taskQueues),
      workflowIdConflictPolicy: 'FAIL',
      requestEagerStart: true,
      args: [{ ...referenceOf(payment), command }],
    })
    return handle.eagerlyStarted
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false
    throw error
  }
}

/**
 * The same command as an update; where the run has it as its input already, both get the one answer. Requests with
 * the same idempotency key are one update. What it answers to another command than this one is not taken for the answer:
 * it may be a refusal, which is not kept, or be older than the 72 hours for which the key was. The command then goes on
 * under the id of its own operation, and the record says under its lock whether the key has an answer.
 */
async function update(
  deps: Omit<TemporalDeps, 'eager'>,
  payment: PaymentDescription,
  command: MerchantCommand,
): Promise<CommandAnswer> {
  const { idempotency, operationId } = command
  const updateAs = (id: string) =>
    updateWithStart<UpdateAnswer, [Command]>(deps, payment, { name: UPDATES[command.kind], id, args: [command] })
  try {
    const id = idempotency === null ? operationId : `${idempotency.id}-${idempotency.requestHash}`
    const first = await updateAs(id)
    const { answer } = first.operationId === operationId ? first : await updateAs(operationId)
    return answer
  } catch (error) {
    return refusalOf(error)
  }
}

export function createPaymentResyncer({ temporal, taskQueues }: Omit<TemporalDeps, 'eager'>): PaymentResyncer {
  return {
    resync: (payment, reason, request = { lookUpNow: false, resolution: null }) =>
      temporal[payment.environment].withDeadline(Date.now() + ANSWER_WAIT_MS, async () =>
        updateWithStart<void, [ResyncRequest]>({ temporal, taskQueues }, payment, {
          name: resyncUpdate.name,
          id: `resync-${reason}${await closedRunOf(temporal[payment.environment], payment)}`,
          args: [request],
        }),
      ),
  }
}

/**
 * What an update is to be named by beside its reason. A closed run goes on answering the updates that it has ended, also
 * one that was terminated before it did what they were for; under another name a new run takes them up.
 */
async function closedRunOf(client: Client, { invoiceId }: PaymentReference): Promise<string> {
  try {
    const { status, runId } = await client.workflow.getHandle(paymentWorkflowId(invoiceId)).describe()
    return status.name === 'RUNNING' ? '' : `-after-${runId}`
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return ''
    throw error
  }
}

/** Sends an update to the open run of a payment, or to a new one. */
async function updateWithStart<Result, Args extends unknown[]>(
  { temporal, taskQueues }: Omit<TemporalDeps, 'eager'>,
  payment: PaymentDescription,
  { name, id, args }: { name: string; id: string; args: Args },
): Promise<Result> {
  const startWorkflowOperation = new WithStartWorkflowOperation<typeof paymentWorkflow>('paymentWorkflow', {
    ...startOptions(payment, taskQueues),
    workflowIdConflictPolicy: 'USE_EXISTING',
    args: [referenceOf(payment)],
  })
  // Nobody needs the handle; unread, its rejection would end the process.
  startWorkflowOperation.workflowHandle().catch(() => {})
  return temporal[payment.environment].workflow.executeUpdateWithStart<typeof paymentWorkflow, Result, Args>(name, {
    startWorkflowOperation,
    updateId: id,
    args,
  })
}

/** A summary has 400 bytes in Temporal, and a character up to 4 of them. */
const ORDER_LENGTH_MAX = 80

export function startOptions(payment: PaymentDescription, taskQueues: TaskQueues) {
  const { projectId, environment, invoiceId, amountMinor, currency } = payment
  // Many may read Temporal, and a merchant may write anything here, a card number by mistake.
  const orderId = payment.orderId === null ? null : withoutSecrets(payment.orderId)
  const reference = orderId === null ? '' : ` · order ${orderId.slice(0, ORDER_LENGTH_MAX)}`
  return {
    workflowId: paymentWorkflowId(invoiceId),
    taskQueue: taskQueues.payments,
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    staticSummary: `${currency} ${formatAmount(amountMinor, currency)}${reference}`,
    typedSearchAttributes: [
      { key: SEARCH_ATTRIBUTES.projectId, value: projectId },
      { key: SEARCH_ATTRIBUTES.paymentId, value: invoiceId },
      { key: SEARCH_ATTRIBUTES.environment, value: environment },
      { key: SEARCH_ATTRIBUTES.currency, value: currency },
      { key: SEARCH_ATTRIBUTES.amountMinor, value: amountMinor },
      ...(orderId === null ? [] : [{ key: SEARCH_ATTRIBUTES.orderReference, value: orderId }]),
    ],
  } satisfies Partial<WorkflowOptions>
}

function referenceOf({ projectId, environment, invoiceId }: PaymentDescription): PaymentReference {
  return { projectId, environment, invoiceId }
}

/**
 * What the SDK throws where an answer got lost: Temporal out of reach or out of time, a run that was closed from
 * outside, and an update that its run did not live to end.
 */
const LOST = [
  ServiceError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
] as const

/** True for an error that only says that no answer came, and nothing about what was asked. */
export function isLostAnswer(error: unknown): boolean {
  return LOST.some((kind) => error instanceof kind) || isGrpcServiceError(error)
}

/** What a chain of failures began with: an activity wraps what it has thrown. */
function rootOf(error: Error): Error {
  return error.cause instanceof Error ? rootOf(error.cause) : error
}

/**
 * The refusal that a payment answered an update with; any other error is thrown again. That Temporal has no room is none:
 * it says so as well where it is asked for the result of a command that it has accepted.
 */
function refusalOf(error: unknown): CommandAnswer {
  const failure = error instanceof WorkflowUpdateFailedError ? rootOf(error) : null
  if (failure instanceof ApplicationFailure) {
    const { type, message } = failure
    if (typeof type === 'string' && isErrorCode(type)) return { kind: 'refused', code: type, message }
  }
  throw error
}

function timer<T>(milliseconds: number, value: T): { done: Promise<T>; cancel(): void } {
  const { promise, resolve } = Promise.withResolvers<T>()
  const timeout = setTimeout(() => resolve(value), milliseconds)
  return { done: promise, cancel: () => clearTimeout(timeout) }
}
