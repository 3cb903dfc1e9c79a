import {
  ApplicationFailure,
  allHandlersFinished,
  CancellationScope,
  condition,
  setCurrentDetails,
  upsertSearchAttributes,
  uuid4,
  workflowInfo,
} from '@temporalio/workflow'
import type { StepInput, StepResult, StepTime, StoredPayment } from '../activities/index.ts'
import { needsAttention } from '../domain/attention.ts'
import type {
  CaptureCommand,
  Command,
  PayCommand,
  ResyncRequest,
  ReverseOrphanCommand,
  VoidCommand,
} from '../domain/command.ts'
import { decide } from '../domain/decision.ts'
import { nextLookUp } from '../domain/look-up.ts'
import { type Due, nextDue, type Payment } from '../domain/payment.ts'
import {
  amountText,
  type CommandSummary,
  describeOutcome,
  describeResolution,
  describeState,
  summarizeAttempt,
  summarizeCommand,
} from '../domain/payment-description.ts'
import { SEARCH_ATTRIBUTES } from '../domain/search-attributes.ts'
import { lookUps, steps } from './activity-options.ts'
import type { PaymentReference, PaymentWorkflowInput } from './inputs.ts'
import type { ClockReading, ResyncAnswer, UpdateAnswer } from './messages.ts'
import { describePayment, type PaymentSummary, type RunFacts, summarizePayment } from './payment-details.ts'
import { SerialQueue } from './serial-queue.ts'

/** A step that the workflow's timer starts. */
interface Wake {
  at: number
  summary: string
  act: () => Promise<unknown>
}

/** The answer to a command, with the same in words. */
type Answered = Pick<UpdateAnswer, 'summary' | 'answer'>

/** Staff search by this status for payments that look-ups did not resolve, or that need attention. */
const NEEDS_ATTENTION = 'needs-attention'

/**
 * For so long a run takes its copy of the payment for the record. Where PostgreSQL was set back and booked again meanwhile
 * (docs/operations.md), a run that stayed open has not heard of it.
 */
const COPY_COUNTS_MS = 60_000

/** A gateway whose answer was just lost may still be recording the call. */
const BEFORE_LOOK_UP_MS = 1_000

/** One run of a payment's workflow: its last copy of the payment, and its queue of steps. */
export class PaymentRun {
  readonly #reference: PaymentReference
  readonly #queue = new SerialQueue()
  /** Commands by operation id. A command that arrives as input and as an update is executed once. */
  readonly #commands = new Map<string, Promise<Answered>>()
  #payment: Payment | null = null
  /** What became of the last step of this run, in words; null before its first, or where the record has changed since. */
  #lastOutcome: string | null = null
  /** The workflow run that made an attempt of this payment before this run began; null if there is none. */
  #earlierRunId: string | null = null
  /** When the copy was read, in epoch ms. */
  #readAt = 0
  /**
   * How far the payment's clock is ahead of the clock of this run, in ms: the time that was skipped before the run began.
   * Null until the first step has read it. Live payments have no other clock.
   */
  #clockAheadMs: number | null

  constructor(reference: PaymentReference, clockAheadMs?: number) {
    this.#reference = reference
    this.#clockAheadMs = reference.environment === 'live' ? 0 : (clockAheadMs ?? null)
  }

  async answer(command: Command): Promise<UpdateAnswer> {
    const { summary, answer } = await this.execute(command)
    return { summary, operationId: command.operationId, answer }
  }

  execute(command: Command): Promise<Answered> {
    const known = this.#commands.get(command.operationId)
    if (known !== undefined) return known
    const answer = this.#inTurn(() => this.#executeInTurn(command))
    this.#commands.set(command.operationId, answer)
    return answer
  }

  /**
   * Voids the payment because somebody has cancelled the workflow, if it only holds reserved money. Otherwise nothing is done,
   * and the details say why; the run goes on either way.
   */
  cancel(): Promise<Answered> {
    return this.#inTurn(() => this.#executeInTurn(cancellationVoid()))
  }

  /** A cancelled workflow must still execute its steps: money is at stake. */
  #inTurn<T>(step: () => Promise<T>): Promise<T> {
    return this.#queue.run(() => CancellationScope.nonCancellable(step))
  }

  /** Records staff's finding, applies notifications, and reads the payment from PostgreSQL, after the steps in the queue. */
  resync({ lookUpNow, resolution }: ResyncRequest): Promise<ResyncAnswer> {
    return this.#inTurn(async () => {
      const payment = this.#reference
      if (resolution !== null) {
        const stored = await steps.resolveAttempt({ payment, resolution, ...this.#time() })
        this.#adopt(stored, describeResolution(resolution))
      }
      this.#adopt(await steps.applyNotifications({ payment, ...this.#time() }))
      const attempts = lookUpNow ? (this.#payment?.attemptsInFlight ?? []) : []
      for (const { operationId } of attempts) await this.#lookUp(operationId)
      const state = this.#payment === null ? 'nothing is known yet' : describeState(this.#payment)
      return { summary: resolution === null ? state : `${describeResolution(resolution)}; ${state}` }
    })
  }

  /** Refuses a clearly illegal command before it enters the history. In doubt the step decides. */
  refuseEarly(command: Command): void {
    // An earlier request with the same key may have the answer, which only the record has.
    if (this.#payment === null || !this.#queue.isIdle || command.idempotency !== null || command.kind === 'pay') return
    if (this.#now() - this.#readAt > COPY_COUNTS_MS) return
    const decision = decide(this.#payment, command, this.#now())
    if (decision.kind === 'answer' && decision.answer.kind === 'refused') {
      throw ApplicationFailure.nonRetryable(decision.answer.message, decision.answer.code)
    }
  }

  /** Resolves when everything that is due has happened. Steps that become due later are not waited for. */
  async untilNothingIsDue(): Promise<ClockReading> {
    const nextAt = () => this.#nextWake()?.at ?? null
    await condition(
      () => this.#payment !== null && this.#queue.isIdle && (nextAt() ?? Number.POSITIVE_INFINITY) > this.#now(),
    )
    return { now: this.#now(), nextAt: nextAt(), runId: workflowInfo().runId }
  }

  /** The next run has the clock of this one: Temporal keeps the time that was skipped in it. */
  clockOfNextRun(): Pick<PaymentWorkflowInput, 'clockAheadMs'> {
    const clockAheadMs = this.#clockAheadMs ?? 0
    return clockAheadMs === 0 ? {} : { clockAheadMs }
  }

  /** Resolves with the end of the payment when nothing is awaited, or with null if a new run should continue. */
  async untilNothingIsAwaited(): Promise<PaymentSummary | null> {
    for (;;) {
      await this.#queue.untilIdle()
      if (this.#payment === null) await this.#inTurn(() => this.#load())
      if (mayGoOnInANewRun() && this.#queue.isIdle) return null
      const wake = this.#nextWake()
      if (wake === null) {
        if (allHandlersFinished() && this.#payment !== null) return summarizePayment(this.#payment, this.#runFacts())
        await condition(() => allHandlersFinished() || !this.#queue.isIdle)
      } else if (wake.at <= this.#now()) {
        await this.#inTurn(wake.act)
      } else {
        // The timer stays armed through commands that do not move it: an increment leaves both deadlines alone.
        const hasMoved = () => this.#queue.isIdle && (this.#nextWake()?.at !== wake.at || mayGoOnInANewRun())
        await condition(hasMoved, wake.at - this.#now(), { summary: wake.summary })
      }
    }
  }

  async #load(): Promise<void> {
    this.#adopt(await steps.loadPayment(this.#reference))
  }

  /** The payment's clock, in epoch ms. */
  #now(): number {
    return Date.now() + (this.#clockAheadMs ?? 0)
  }

  #time(): StepTime {
    return { at: this.#now(), ...(this.#clockAheadMs === null && { lacksOffset: true }) }
  }

  async #executeInTurn(command: Command, asOf = this.#now()): Promise<Answered> {
    const step = <C extends Command>(of: C) => [this.#step(of, asOf)] as [StepInput<C>]
    const end = (result: StepResult) => this.#end(summarizeCommand(command), result)
    switch (command.kind) {
      case 'pay':
        return this.#pay(command, asOf)
      case 'capture':
        return end(await steps.capture.executeWithOptions(this.#titled('capture', command), step(command)))
      case 'schedule-capture':
        return end(await steps.scheduleCapture(...step(command)))
      case 'increment':
        return end(
          await steps.incrementAuthorization.executeWithOptions(this.#titled('increment by', command), step(command)),
        )
      case 'void':
        return end(await steps.voidAuthorization.executeWithOptions(this.#titled('void', command), step(command)))
      case 'refund':
        return end(await steps.refund.executeWithOptions(this.#titled('refund', command), step(command)))
      case 'reverse-orphan':
        return end(await steps.reverseOrphan(...step(command)))
    }
  }

  /**
   * A call of `authorize` or `capture`. A sale goes on to its capture once its authorization is approved, and the caller gets
   * the answer of the last step.
   */
  async #pay(command: PayCommand, asOf: number): Promise<Answered> {
    const { call, summary: title } = titleOf(command, this.#payment)
    const step = this.#step(command, asOf)
    const result = await steps[call].executeWithOptions({ summary: title }, [step])
    const authorized = this.#end(result.meant ?? summarizeCommand(command), result)
    if (result.goesOn !== true) return authorized
    const amountMinor = this.#payment?.autoCaptureAmountMinor ?? null
    const captured = await steps.capture.executeWithOptions(this.#titled('capture', { amountMinor }), [
      { ...this.#step(command, this.#now()), isSecondStep: true },
    ])
    const { summary, answer } = this.#end(captured.meant ?? { kind: 'capture', amountMinor }, captured)
    return { summary: `${authorized.summary}; ${summary}`, answer }
  }

  /** The next timed step of the payment: a look-up, or a step that becomes due. */
  #nextWake(): Wake | null {
    if (this.#payment === null) return null
    const due = nextDue(this.#payment)
    const lookUp = nextLookUp(this.#payment)
    const dueWake = due === null ? null : this.#wakeFor(due)
    if (lookUp === null) return dueWake
    const at = Math.max(lookUp.at, this.#readAt + BEFORE_LOOK_UP_MS)
    if (dueWake !== null && dueWake.at <= at) return dueWake
    return {
      at,
      summary: lookUp.isForCustomer
        ? 'until the 3-D Secure authentication times out'
        : `until look-up ${lookUp.number} of an unknown outcome`,
      act: () => this.#lookUp(lookUp.operationId),
    }
  }

  #wakeFor(due: Due): Wake {
    switch (due.kind) {
      case 'auto-capture':
        return {
          at: due.at,
          summary: 'until the scheduled capture',
          act: () => this.#executeInTurn(scheduledCapture(due), due.at),
        }
      case 'expiry-announcement':
        return {
          at: due.at,
          summary: 'until a day before the authorization expires',
          act: async () => this.#adopt(await steps.announceExpiry({ payment: this.#reference, at: this.#now() })),
        }
      case 'expiry':
        return {
          at: due.at,
          summary: 'until the authorization expires',
          act: () => this.#executeInTurn(expiryVoid(), due.at),
        }
      case 'reverse-orphan':
        return {
          at: due.at,
          summary: due.orphan.retry === undefined ? 'at once' : 'until an unwanted authorization is reversed again',
          act: () => this.#executeInTurn(reverseOrphan(due.orphan.operationId)),
        }
    }
  }

  async #lookUp(operationId: string): Promise<void> {
    const attempt = this.#payment?.attemptsInFlight.find((one) => one.operationId === operationId)
    const result = await lookUps.lookUp({ payment: this.#reference, operationId, at: this.#now() })
    if (attempt === undefined) this.#adopt(result)
    else this.#end(summarizeAttempt(attempt), result)
  }

  #end(asked: CommandSummary, result: StepResult): Answered {
    const { answer } = result
    const summary = describeOutcome(asked, answer, this.#payment, result.payment)
    this.#adopt(result, summary)
    return { summary, answer }
  }

  /** @param outcome of the step in words; absent for a step that only reads the record or adds to it. */
  #adopt({ payment, gatewayName, earlierRunId }: StoredPayment, outcome?: string): void {
    const before = this.#payment
    if (before === null && earlierRunId !== undefined && earlierRunId !== workflowInfo().runId)
      this.#earlierRunId = earlierRunId
    const hasChanged = before !== null && describeState(before) !== describeState(payment)
    this.#lastOutcome = outcome ?? (hasChanged ? null : this.#lastOutcome)
    this.#payment = payment
    this.#clockAheadMs ??= payment.clockOffsetMs ?? 0
    this.#readAt = this.#now()
    setCurrentDetails(
      describePayment(payment, { ...this.#runFacts(), gatewayName, invoiceId: this.#reference.invoiceId }),
    )
    this.#publish(payment, gatewayName)
  }

  #runFacts(): RunFacts {
    return { lastOutcome: this.#lastOutcome, earlierRunId: this.#earlierRunId }
  }

  /** Updates the search attributes that have changed, for the list of workflows that support staff see. */
  #publish(payment: Payment, gatewayName: string | null): void {
    const status = needsAttention(payment, this.#now()) ? NEEDS_ATTENTION : payment.status
    if (status === null) return
    const { amountMinor, authorizationExpiresAt } = payment
    const expiresAt = authorizationExpiresAt === null ? null : new Date(authorizationExpiresAt)
    const shown = new Map(
      workflowInfo()
        .typedSearchAttributes.getAll()
        .map(({ key, value }) => [key.name, value]),
    )
    const changed = [
      { key: SEARCH_ATTRIBUTES.paymentStatus, value: status },
      { key: SEARCH_ATTRIBUTES.gatewayName, value: gatewayName },
      { key: SEARCH_ATTRIBUTES.amountMinor, value: amountMinor },
      { key: SEARCH_ATTRIBUTES.authorizationExpiresAt, value: expiresAt },
    ].filter(({ key, value }) => shown.get(key.name)?.valueOf() !== value?.valueOf())
    if (changed.length > 0) upsertSearchAttributes(changed)
  }

  #step<C extends Command>(command: C, asOf: number): StepInput<C> {
    return { payment: this.#reference, command, ...this.#time(), asOf, runId: workflowInfo().runId }
  }

  #titled(verb: string, { amountMinor }: { amountMinor: number | null }): { summary: string } {
    return { summary: `${verb} ${amountOrRest(amountMinor, this.#payment)}` }
  }
}

/** How the history names the first step of a call: by its words, since the record says what it means. */
function titleOf(
  { call, source, authorizeOnly, autoCaptureAt, cancelsAutoCapture, amountMinor, captureType }: PayCommand,
  payment: Payment | null,
): { call: 'authorize' | 'capture' | 'scheduleCapture'; summary: string } {
  const movesSchedule =
    autoCaptureAt !== null || (cancelsAutoCapture === true && amountMinor === null && captureType === null)
  if (source === null && movesSchedule) return { call: 'scheduleCapture', summary: 'schedule the capture' }
  if (source === null && call === 'capture')
    return { call: 'capture', summary: `capture ${amountOrRest(amountMinor, payment)}` }
  const isSale = autoCaptureAt === null && (call === 'capture' ? authorizeOnly !== true : authorizeOnly === false)
  return { call: 'authorize', summary: isSale ? 'authorize, to capture at once' : 'authorize' }
}

/** \`EUR 10.00\` */
function amountOrRest(amountMinor: number | null, payment: Payment | null): string {
  return amountMinor === null || payment === null ? 'all that remains' : amountText(amountMinor, payment.currency)
}

/** A run takes at most 2,000 updates, and its history is limited. The server suggests in time when to begin a new run. */
function mayGoOnInANewRun(): boolean {
  return workflowInfo().continueAsNewSuggested && allHandlersFinished()
}

/** Our own steps are never too late: they begin when due and are retried until they end. */
const NO_DEADLINE = Number.MAX_SAFE_INTEGER

function ownOperation() {
  return {
    operationId: `tr_op_${uuid4().replaceAll('-', '')}`,
    actor: 'scheduler',
    deadline: NO_DEADLINE,
    idempotency: null,
  } as const
}

function scheduledCapture({ amountMinor, detailIds, isFinal }: Extract<Due, { kind: 'auto-capture' }>): CaptureCommand {
  return { kind: 'capture', ...ownOperation(), amountMinor, detailIds, isFinal }
}

function expiryVoid(): VoidCommand {
  return { kind: 'void', ...ownOperation(), amountMinor: null, reason: 'authorization_expired' }
}

function cancellationVoid(): VoidCommand {
  return { kind: 'void', ...ownOperation(), actor: 'staff', amountMinor: null, reason: 'workflow_cancelled' }
}

function reverseOrphan(orphanOperationId: string): ReverseOrphanCommand {
  return { kind: 'reverse-orphan', ...ownOperation(), orphanOperationId }
}
