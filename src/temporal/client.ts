import { setTimeout as sleep } from 'node:timers/promises'
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
import { type ErrorCode, hasFormOfCode } from '../../domain/errors.ts'
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
import { PRODUCTION_WAITS, type Waits } from '../waits.ts'
import { endRun, findFailingRun } from './stuck-runs.ts'
import type { TaskQueues } from './task-queues.ts'
import { paymentWorkflowId } from './workflow-ids.ts'

/** How many updates of one payment are sent to Temporal at once; it refuses the eleventh in flight on one workflow. */
const AT_ONCE_MAX = 8

/** The payment's reference, and the title that support staff see. */
export interface PaymentDescription extends PaymentReference {
  amountMinor: number
  currency: string
  orderId: string | null
}

export interface PaymentClient<Rows> {
  /**
   * Has a payment execute a command and waits at most `waitMs` for the answer, by default `answerMs`. On `no-answer` the
   * command has begun if its operation's row exists; otherwise it will not begin after its deadline.
   */
  send(
    payment: PaymentDescription,
    command: MerchantCommand,
    waitMs?: number,
  ): Promise<CommandAnswered<Rows> | 'no-answer'>
  /** Where the history of a payment is in Temporal. */
  workflowOf(environment: Environment, invoiceId: string): { namespace: string; workflowId: string }
}

export interface PaymentResyncer {
  /**
   * Has a payment resync with its record, in a new run where none is open. A repeated call with the same `reason` does
   * nothing as long as the run is open, so that a call every minute adds nothing to its history. Gives up after 30 s.
   */
  resync(payment: PaymentDescription, reason: string, request?: ResyncRequest): Promise<void>
}

interface TemporalDeps {
  temporal: Record<Environment, Client>
  taskQueues: TaskQueues
  /** True where a worker of this process shares the clients' connection, so that it can execute a start eagerly. */
  eager: boolean
}

const TOO_MANY: CommandAnswer = {
  kind: 'refused',
  code: 'request.still-processing',
  message: 'Too many requests on this payment at once. Try again shortly.',
}

/** The commands of merchants; a payment reverses orphans by itself. */
export type MerchantCommand = Exclude<Command, { kind: 'reverse-orphan' }>

const UPDATES = {
  capture: captureUpdate.name,
  'schedule-capture': captureUpdate.name,
  increment: incrementUpdate.name,
  void: voidUpdate.name,
  refund: refundUpdate.name,
} as const satisfies Record<Exclude<MerchantCommand['kind'], 'pay'>, string>

/** The update that carries a command: a call of an endpoint has its name. */
function updateOf(command: MerchantCommand): string {
  if (command.kind !== 'pay') return UPDATES[command.kind]
  return command.call === 'capture' ? captureUpdate.name : authorizeUpdate.name
}

interface PaymentClientDeps<Rows> extends TemporalDeps {
  pendingAnswers: PendingAnswers<Rows>
  sign: Sign
  waits: Pick<Waits, 'answerMs' | 'turnMs'>
  logger: Logger
}

export function createPaymentClient<Rows>({
  pendingAnswers,
  sign,
  waits,
  logger,
  ...deps
}: PaymentClientDeps<Rows>): PaymentClient<Rows> {
  const turns = createKeyedSemaphore({ permits: AT_ONCE_MAX, waitMs: waits.turnMs })

  /** A lost answer proves nothing about the command: the caller looks in the record whether it began. */
  function noAnswer(error: unknown): 'no-answer' {
    if (!isLostAnswer(error)) throw error
    logger.warn({ err: error }, 'A payment did not answer a command')
    return 'no-answer'
  }

  return {
    async send(payment, command, waitMs = waits.answerMs) {
      const leave = await turns.acquire(payment.invoiceId)
      if (leave === null) return { answer: TOO_MANY, rows: null }
      const waiting = pendingAnswers.expect(command.operationId)
      const outOfTime = timer<'no-answer'>(waitMs, 'no-answer')
      // Without a deadline the client would call Temporal for as long as no worker takes the command.
      const sent = deps.temporal[payment.environment].withDeadline(Date.now() + waitMs, () =>
        dispatch(deps, payment, signCommand(sign, payment, command)),
      )
      // An answer within the process arrives before Temporal's: until then the update is in flight there and keeps its
      // permit.
      sent.then(leave, leave)
      const answered = sent.then((answer) => (answer === null ? waiting.answer : { answer, rows: null }))
      try {
        return await Promise.race([waiting.answer, answered.catch(noAnswer), outOfTime.done])
      } finally {
        waiting.forget()
        outOfTime.cancel()
      }
    },
    workflowOf: (environment, invoiceId) => ({
      namespace: deps.temporal[environment].options.namespace,
      workflowId: paymentWorkflowId(invoiceId),
    }),
  }
}

/** Null where the answer comes through `pendingAnswers`. */
async function dispatch(
  deps: TemporalDeps,
  payment: PaymentDescription,
  command: MerchantCommand,
): Promise<CommandAnswer | null> {
  if (deps.eager && command.kind === 'pay' && command.source !== null && (await startEagerly(deps, payment, command)))
    return null
  return update(deps, payment, command)
}

/** True if this process executes the first workflow task; it then answers through `pendingAnswers`. */
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
 * Sends a command as an update. A run that has it as its input already gives both the same answer. Requests with the same
 * idempotency key share one update. Its answer does not count if it belongs to another operation: it may be a refusal,
 * which is not kept, or older than the key's 72 hours. The command is then sent again under its own operation id, and the
 * record decides, under its lock, whether the key has an answer.
 */
async function update(
  deps: Omit<TemporalDeps, 'eager'>,
  payment: PaymentDescription,
  command: MerchantCommand,
): Promise<CommandAnswer> {
  const { idempotency, operationId } = command
  const updateAs = (id: string) =>
    updateWithStart<UpdateAnswer, [Command]>(deps, payment, { name: updateOf(command), id, args: [command] })
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
      temporal[payment.environment].withDeadline(Date.now() + PRODUCTION_WAITS.answerMs, async () =>
        updateWithStart<void, [ResyncRequest]>({ temporal, taskQueues }, payment, {
          name: resyncUpdate.name,
          id: `resync-${reason}${await closedRunOf(temporal[payment.environment], payment)}`,
          args: [request],
        }),
      ),
  }
}

/**
 * A suffix for the id of an update. A closed run still answers finished updates, even one that was terminated before it did
 * its work; with another id a new run takes the update.
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

/** gRPC status, https://grpc.io/docs/guides/status-codes/ */
const FAILED_PRECONDITION = 9

/** How Temporal names the failure of an update whose run has ended before it. */
const RUN_HAS_ENDED = 'AcceptedUpdateCompletedWorkflow'

/** Temporal tries a failed task again at once, and waits itself for an answer. */
const FIRST_WAIT_MS = 100

/**
 * Sends an update to the open run of a payment, or to a new one, and again until the caller's deadline where a run has not
 * done it: its task has failed, or it has ended. A run whose code cannot go on is ended, such as one that a later version has
 * begun, which was taken back. The next one finds in the record how far the command has come.
 */
export async function updateWithStart<Result, Args extends unknown[]>(
  deps: Omit<TemporalDeps, 'eager'>,
  payment: PaymentDescription,
  update: { name: string; id: string; args: Args },
): Promise<Result> {
  const client = deps.temporal[payment.environment]
  // With a defect each run fails: few are begun and ended until the deadline.
  for (let waitMs = FIRST_WAIT_MS; ; waitMs *= 2) {
    try {
      return await updateOnce<Result, Args>(deps, payment, update)
    } catch (error) {
      if (!isUndone(error)) throw error
      const failing = await findFailingRun(client, paymentWorkflowId(payment.invoiceId))
      if (failing !== null) await endRun(client, failing, TAKES_NO_COMMAND)
      await sleep(waitMs)
    }
  }
}

const TAKES_NO_COMMAND = 'The run failed and took no command; a new one goes on from the record.'

/** Whether a run has failed to do an update that the next task, or the next run, may do. */
function isUndone(error: unknown): boolean {
  if (error instanceof WorkflowUpdateFailedError)
    return error.cause instanceof ApplicationFailure && error.cause.type === RUN_HAS_ENDED
  return isGrpcServiceError(error) && Number(error.code) === FAILED_PRECONDITION
}

async function updateOnce<Result, Args extends unknown[]>(
  { temporal, taskQueues }: Omit<TemporalDeps, 'eager'>,
  payment: PaymentDescription,
  { name, id, args }: { name: string; id: string; args: Args },
): Promise<Result> {
  const startWorkflowOperation = new WithStartWorkflowOperation<typeof paymentWorkflow>('paymentWorkflow', {
    ...startOptions(payment, taskQueues),
    workflowIdConflictPolicy: 'USE_EXISTING',
    args: [referenceOf(payment)],
  })
  // The handle is not used; its unhandled rejection would end the process.
  startWorkflowOperation.workflowHandle().catch(() => {})
  return temporal[payment.environment].workflow.executeUpdateWithStart<typeof paymentWorkflow, Result, Args>(name, {
    startWorkflowOperation,
    updateId: id,
    args,
  })
}

/** A summary has at most 400 bytes in Temporal, and a character up to 4. */
const ORDER_LENGTH_MAX = 80

export function startOptions(payment: PaymentDescription, taskQueues: TaskQueues) {
  const { projectId, environment, invoiceId, amountMinor, currency } = payment
  // Many people may read Temporal, and a merchant's order id may contain a card number by mistake.
  const orderId = payment.orderId === null ? null : withoutSecrets(payment.orderId)
  const reference = orderId === null ? '' : ` · order ${orderId.slice(0, ORDER_LENGTH_MAX)}`
  return {
    workflowId: paymentWorkflowId(invoiceId),
    taskQueue: taskQueues.payments,
    priority: { fairnessKey: projectId },
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
 * The SDK's errors for a lost answer: Temporal is unreachable or too slow, or no run has done the update in time.
 */
const LOST = [
  ServiceError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
] as const

/** True for an error that only reports a missing answer, and says nothing about the call itself. */
export function isLostAnswer(error: unknown): boolean {
  return LOST.some((kind) => error instanceof kind) || isGrpcServiceError(error)
}

/** The first cause of a failure: an activity wraps the errors that it throws. */
function rootOf(error: Error): Error {
  return error.cause instanceof Error ? rootOf(error.cause) : error
}

/**
 * The refusal with which a payment answered an update; other errors are thrown again. Temporal's own "resource exhausted"
 * is no refusal: it also comes while waiting for the result of an accepted command.
 */
export function refusalOf(error: unknown): Extract<CommandAnswer, { kind: 'refused' }> {
  const failure = error instanceof WorkflowUpdateFailedError ? rootOf(error) : null
  if (failure instanceof ApplicationFailure) {
    const { type, message } = failure
    if (typeof type === 'string' && hasFormOfCode(type)) return { kind: 'refused', code: type as ErrorCode, message }
  }
  throw error
}

/** Keeps no process from its end. */
function timer<T>(milliseconds: number, value: T): { done: Promise<T>; cancel(): void } {
  const { promise, resolve } = Promise.withResolvers<T>()
  const timeout = setTimeout(() => resolve(value), milliseconds).unref()
  return { done: promise, cancel: () => clearTimeout(timeout) }
}
