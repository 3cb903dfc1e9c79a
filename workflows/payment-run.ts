import {
  ApplicationFailure,
  allHandlersFinished,
  condition,
  setCurrentDetails,
  upsertSearchAttributes,
  uuid4,
} from '@temporalio/workflow'
import type { StepInput, StepResult } from '../activities/index.ts'
import { LOOK_UP_DELAYS_SECONDS } from '../domain/backoff.ts'
import type { AuthorizeCommand, CaptureCommand, Command, CommandAnswer, VoidCommand } from '../domain/command.ts'
import { decide, saleGoesOn } from '../domain/decision.ts'
import { formatAmount } from '../domain/money.ts'
import { nextDue, type Payment } from '../domain/payment.ts'
import { SEARCH_ATTRIBUTES } from '../domain/search-attributes.ts'
import { lookUps, steps } from './activity-options.ts'
import type { PaymentReference } from './inputs.ts'
import { describePayment } from './payment-details.ts'
import { SerialQueue } from './serial-queue.ts'

/** Something that the clock asks for. */
interface Wake {
  at: number
  summary: string
  act: () => Promise<unknown>
}

/** The state of one run of a payment's workflow: the last copy of the payment, and the steps in line. */
export class PaymentRun {
  readonly #reference: PaymentReference
  readonly #queue = new SerialQueue()
  /** Commands by operation id, so that one that arrives as input and as update is carried out once. */
  readonly #commands = new Map<string, Promise<CommandAnswer>>()
  #payment: Payment | null = null
  #lookUpsMade = 0
  #lastLookUpAt = 0
  #publishedStatus: Payment['status'] = null

  constructor(reference: PaymentReference) {
    this.#reference = reference
  }

  execute(command: Command): Promise<CommandAnswer> {
    const known = this.#commands.get(command.operationId)
    if (known !== undefined) return known
    const answer = this.#queue.run(() => this.#carryOut(command))
    this.#commands.set(command.operationId, answer)
    return answer
  }

  /** Takes the payment from PostgreSQL, in its turn; what is open or due there is then waited for here. */
  readRecord(): Promise<void> {
    return this.#queue.run(async () => {
      const { payment, gatewayName } = await steps.loadPayment(this.#reference)
      this.#adopt(payment, gatewayName)
    })
  }

  /** Refuses what is plainly illegal before it enters the history. In doubt it lets pass: the step decides. */
  refuseEarly(command: Command): void {
    if (this.#payment === null || !this.#queue.isIdle) return
    const decision = decide(this.#payment, command, Date.now())
    if (decision.kind === 'answer' && decision.answer.kind === 'refused') {
      throw ApplicationFailure.nonRetryable(decision.answer.message, decision.answer.code)
    }
  }

  /** Ends with the payment as it stands then. */
  async untilNothingIsAwaited(): Promise<Payment> {
    for (;;) {
      await condition(() => this.#queue.isIdle)
      if (this.#payment === null) await this.readRecord()
      const wake = this.#nextWake()
      if (wake === null) {
        if (allHandlersFinished() && this.#payment !== null) return this.#payment
        await condition(() => allHandlersFinished() || !this.#queue.isIdle)
      } else if (wake.at <= Date.now()) {
        await this.#queue.run(wake.act)
      } else {
        // The timer stays armed through commands that do not move it: an increment leaves both deadlines alone.
        const hasMoved = () => this.#queue.isIdle && this.#nextWake()?.at !== wake.at
        await condition(hasMoved, wake.at - Date.now(), { summary: wake.summary })
      }
    }
  }

  async #carryOut(command: Command, asOf = Date.now()): Promise<CommandAnswer> {
    switch (command.kind) {
      case 'authorize':
        return this.#authorize(command, asOf)
      case 'capture':
        return this.#capture(command, command.operationId, asOf)
      case 'schedule-capture':
        return this.#settle(await steps.scheduleCapture(this.#step(command, asOf)))
      case 'increment':
        return this.#settle(
          await steps.incrementAuthorization.executeWithOptions(this.#titled('increment by', command), [
            this.#step(command, asOf),
          ]),
        )
      case 'void':
        return this.#settle(
          await steps.voidAuthorization.executeWithOptions(this.#titled('void', command), [this.#step(command, asOf)]),
        )
    }
  }

  /** A sale is an authorization and, once approved, its capture; its caller hears of the last of them. */
  async #authorize(command: AuthorizeCommand, asOf: number): Promise<CommandAnswer> {
    const answers = { operationId: command.operationId, unlessSaleGoesOn: command.capture !== null }
    const answer = this.#settle(
      await steps.authorize.executeWithOptions(
        { summary: command.capture === null ? 'authorize' : 'authorize, to capture at once' },
        [{ ...this.#step(command, asOf), answers }],
      ),
    )
    if (command.capture === null || this.#payment === null || !saleGoesOn(answer, this.#payment)) return answer
    return this.#capture(command.capture, command.operationId, Date.now())
  }

  async #capture(command: CaptureCommand, answersTo: string, asOf: number): Promise<CommandAnswer> {
    const step = { ...this.#step(command, asOf), answers: { operationId: answersTo, unlessSaleGoesOn: false } }
    return this.#settle(await steps.capture.executeWithOptions(this.#titled('capture', command), [step]))
  }

  /** What the clock asks for next, on the payment as it is now. */
  #nextWake(): Wake | null {
    const payment = this.#payment
    if (payment === null) return null
    if (payment.attemptInFlight !== null) return this.#nextLookUp(payment.attemptInFlight.operationId)
    const due = nextDue(payment)
    if (due === null) return null
    return due.kind === 'auto-capture'
      ? {
          at: due.at,
          summary: 'until the scheduled capture',
          act: () => this.#carryOut(scheduledCapture(due.amountMinor), due.at),
        }
      : { at: due.at, summary: 'until the authorization expires', act: () => this.#carryOut(expiryVoid(), due.at) }
  }

  #nextLookUp(operationId: string): Wake {
    const delay = LOOK_UP_DELAYS_SECONDS[Math.min(this.#lookUpsMade, LOOK_UP_DELAYS_SECONDS.length - 1)] ?? 0
    return {
      at: this.#lastLookUpAt + delay * 1000,
      summary: `until look-up ${this.#lookUpsMade + 1} of an unknown outcome`,
      act: async () => {
        this.#lookUpsMade += 1
        this.#lastLookUpAt = Date.now()
        this.#settle(await lookUps.lookUp({ payment: this.#reference, operationId, at: Date.now() }))
      },
    }
  }

  #settle({ answer, payment, gatewayName }: StepResult): CommandAnswer {
    this.#adopt(payment, gatewayName)
    return answer
  }

  #adopt(payment: Payment, gatewayName: string | null): void {
    if (payment.attemptInFlight?.operationId !== this.#payment?.attemptInFlight?.operationId) {
      this.#lookUpsMade = 0
      this.#lastLookUpAt = Date.now()
    }
    this.#payment = payment
    setCurrentDetails(describePayment(payment, gatewayName))
    if (payment.status === null || payment.status === this.#publishedStatus) return
    this.#publishedStatus = payment.status
    upsertSearchAttributes([
      { key: SEARCH_ATTRIBUTES.paymentStatus, value: payment.status },
      { key: SEARCH_ATTRIBUTES.gatewayName, value: gatewayName },
      {
        key: SEARCH_ATTRIBUTES.authorizationExpiresAt,
        value: payment.authorizationExpiresAt === null ? null : new Date(payment.authorizationExpiresAt),
      },
    ])
  }

  #step<C extends Command>(command: C, asOf: number): StepInput<C> {
    const answers = { operationId: command.operationId, unlessSaleGoesOn: false }
    return { payment: this.#reference, command, at: Date.now(), asOf, answers }
  }

  #titled(verb: string, { amountMinor }: { amountMinor: number | null }): { summary: string } {
    const currency = this.#payment?.currency
    const amount =
      amountMinor === null || currency === undefined
        ? 'all that remains'
        : `${currency} ${formatAmount(amountMinor, currency)}`
    return { summary: `${verb} ${amount}` }
  }
}

/** Our own steps are never late: they are begun when they are due, and tried until they end. */
const NO_DEADLINE = Number.MAX_SAFE_INTEGER

function ownOperation() {
  return { operationId: `tr_op_${uuid4().replaceAll('-', '')}`, actor: 'scheduler', deadline: NO_DEADLINE } as const
}

function scheduledCapture(amountMinor: number): CaptureCommand {
  return { kind: 'capture', ...ownOperation(), amountMinor }
}

function expiryVoid(): VoidCommand {
  return { kind: 'void', ...ownOperation(), amountMinor: null, reason: 'authorization_expired' }
}
