import type { Failure } from '../errors.ts'
import type { PaymentResult } from '../published.ts'
import { type Answer, type CustomerAction, failureOf, readInvoiceReply, readPaymentReply } from './answer.ts'
import type { ApiClient, Clock, Outcome, Unanswered } from './api.ts'
import type { Memory } from './memory.ts'
import { canceledByCustomer, fingerprintTimedOut } from './sources.ts'

/** More actions than this are a bank or a gateway going round in circles. */
const ACTIONS_MAX = 6
/** How long an outcome that nobody has to act for is waited for. */
const WAIT_FOR_OUTCOME_MS = 60_000
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 8_000

const CANCELED = 'customer.canceled'
/** The other codes by which gateways say the same. */
const CANCELED_TOO: readonly string[] = ['customer.cancelled', 'card.canceled-by-client']

/** How an action of the customer has ended. */
export type ActionEnd =
  /** The bank's page is back. An empty token stands for the source by which the payment was begun. */
  | { kind: 'returned'; token: string }
  | { kind: 'fingerprint timed out' }
  /** The customer has closed the window. */
  | { kind: 'canceled' }
  /** The customer has had the window open for longer than an authentication lasts. */
  | { kind: 'expired' }
  /** This page cannot carry the action out. */
  | { kind: 'impossible'; detail: string }

export interface FlowDeps {
  api: ApiClient
  clock: Clock
  memory: Memory
  /** Shows the action to the customer until it has ended. */
  act(action: CustomerAction): Promise<ActionEnd>
}

export interface Payment {
  invoiceId: string
  /** Null after a return to a page that remembers nothing. */
  source: string | null
  card: string | null
  /** The options; null after a return to a page that remembers none, which then decides nothing about the capture. */
  fields: Readonly<Record<string, unknown>> | null
  clientSecret: string | null
}

interface Failed {
  kind: 'failed'
  failure: Failure
}

export type Ending = { kind: 'paid'; result: PaymentResult } | Failed

/**
 * Pays an invoice: asks the API, lets the customer act as long as it wants that, and ends with the result or one failure.
 * Where the connection is lost the invoice tells what has become of the payment.
 */
export function pay(payment: Payment & { source: string }, deps: FlowDeps): Promise<Ending> {
  const { invoiceId, source, card, fields } = payment
  const before = deps.memory.recall(invoiceId)
  const remember = (step: string | null) =>
    deps.memory.remember(invoiceId, { source, card, fields: fields ?? {}, step })
  const act: FlowDeps['act'] = (action) => {
    remember(action.value)
    return deps.act(action)
  }
  return remembering(payment, deps, async () => {
    remember(null)
    const isSameCard = card !== null && card === before?.card
    const flow = new Flow(payment, { ...deps, act }, { source, step: isSameCard ? before.step : null })
    return flow.follow(await flow.send(source))
  })
}

/**
 * Goes on with a payment on a page that was loaded since.
 *
 * @param token by which the bank's page has come back; null without one.
 * @returns null where nothing has been tried for the invoice.
 */
export async function resume(payment: Payment, token: string | null, deps: FlowDeps): Promise<Ending | null> {
  const flow = new Flow(payment, deps, null)
  const found = await flow.look()
  if (found.kind === 'untouched') return null
  return remembering(payment, deps, async () => {
    if (found.kind !== 'open') return flow.follow(found)
    const answer = token === null ? await flow.state() : await flow.send(token)
    // The token of a step that is over: what is asked for now is another one.
    return flow.follow(isRefusedToken(answer) ? await flow.state() : answer)
  })
}

async function remembering({ invoiceId }: Payment, { memory }: FlowDeps, run: () => Promise<Ending>): Promise<Ending> {
  const ending = await run()
  memory.forget(invoiceId)
  return ending
}

const failsWith = (answer: Answer, code: string) => answer.kind === 'failed' && answer.failure.code === code

/** True where another source of the same invoice is being authenticated. */
const isBusyWithOther = (answer: Answer) => failsWith(answer, 'card.pending-3ds')
const isRefusedToken = (answer: Answer) => failsWith(answer, 'request.source.invalid')
const isCanceled = (answer: Answer) => failsWith(answer, CANCELED)

/** How the customer of this page pays. */
interface Entered {
  source: string
  /** The step that this tab has shown for the same card before it was loaded again; null where it knows of none. */
  step: string | null
}

/** The steps of one payment: what is sent, what the answers mean, and what the customer is shown in between. */
class Flow {
  readonly #payment: Payment
  readonly #deps: FlowDeps
  readonly #path: string
  readonly #headers: Readonly<Record<string, string>>
  /** Null where the page goes on with what is open, whatever the customer pays with. */
  readonly #entered: Entered | null
  /** True as soon as a request may have arrived that begins or continues the payment. */
  #hasBegun: boolean

  constructor(payment: Payment, deps: FlowDeps, entered: Entered | null) {
    this.#payment = payment
    this.#deps = deps
    this.#path = `/invoices/${encodeURIComponent(payment.invoiceId)}`
    this.#headers = payment.clientSecret === null ? {} : { 'X-Service-Client-Secret': payment.clientSecret }
    this.#entered = entered
    this.#hasBegun = entered === null
  }

  /** Goes on with this source; an empty one stands for the one by which the payment was begun. */
  async send(source: string): Promise<Answer> {
    const wanted = source === '' ? this.#payment.source : source
    return wanted === null ? this.state() : this.#read(await this.#post(wanted))
  }

  /** Where the payment stands, with the action that is open, of whichever source. */
  async state(): Promise<Answer> {
    return this.#read(await this.#askState())
  }

  /** Where the payment stands by its invoice. */
  async look(): Promise<Answer> {
    const outcome = await this.#deps.api.get(`${this.#path}?expand[]=transaction`)
    if (outcome.kind === 'answered') return readInvoiceReply(this.#payment.invoiceId, outcome.reply)
    return this.#hasBegun ? this.#unknownOutcome() : this.#connectionLost()
  }

  /**
   * Ends an authentication that the customer does not want to go on with.
   *
   * @returns a failure of the code `customer.canceled`, or what has become of the payment before.
   */
  async cancel({ value }: CustomerAction): Promise<Answer> {
    const answer = await this.send(canceledByCustomer(value))
    if (answer.kind !== 'failed' || isUnknown(answer.failure)) return answer
    const canceled: Answer = { kind: 'failed', failure: { ...answer.failure, code: CANCELED } }
    if (answer.failure.code === CANCELED || CANCELED_TOO.includes(answer.failure.code)) return canceled
    // The step was over already: the payment may have been made by it.
    const found = await this.look()
    return found.kind === 'failed' && !isUnknown(found.failure) ? canceled : found
  }

  /** Has the customer act until nothing is left to do. */
  async follow(first: Answer): Promise<Ending> {
    let answer = first
    for (let actions = 0; ; actions += 1) {
      if (answer.kind === 'failed' && answer.isRefusal) answer = await this.#unlessMade(answer)
      if (answer.kind === 'open') answer = await this.#awaitOutcome()
      if (isBusyWithOther(answer) && actions < ACTIONS_MAX) {
        answer = await this.#replaceOther(answer)
        continue
      }
      if (answer.kind !== 'action') return this.#endingOf(answer)
      const { action } = answer
      if (actions === ACTIONS_MAX) return this.#giveUp(action)
      answer = await this.#afterAction(action, await this.#deps.act(action))
    }
  }

  /**
   * Another source is being authenticated, in another tab or before this page was loaded again. Unless this tab has shown that
   * step for the same card, the customer does not want it any more: it ends, and this source is asked.
   */
  async #replaceOther(busy: Answer): Promise<Answer> {
    if (this.#entered === null) return busy
    const { source, step } = this.#entered
    const open = await this.state()
    if (open.kind !== 'action' || open.action.value === step) return open
    const canceled = await this.cancel(open.action)
    return isCanceled(canceled) ? this.send(source) : canceled
  }

  /** A refused call says nothing of the payment, which another tab may have made: the invoice is asked before the page says no. */
  async #unlessMade(refused: Answer): Promise<Answer> {
    const found = await this.look()
    const isMade = found.kind === 'paid' || (found.kind === 'open' && !found.isWaiting)
    return isMade || (found.kind === 'failed' && isUnknown(found.failure)) ? found : refused
  }

  async #afterAction(action: CustomerAction, end: ActionEnd): Promise<Answer> {
    switch (end.kind) {
      case 'returned':
        return this.send(end.token)
      case 'fingerprint timed out':
        return this.send(fingerprintTimedOut(action.value))
      case 'canceled':
        return this.cancel(action)
      case 'expired':
        return this.#cancelAs('card.expired-3ds', 'The customer did not finish the authentication in time.', action)
      case 'impossible':
        return this.#failed('request.action.not-supported', end.detail)
    }
  }

  /** The bank or the gateway goes round in circles. */
  async #giveUp(action: CustomerAction): Promise<Ending> {
    const detail = `The payment asked for more than ${ACTIONS_MAX} actions of the customer.`
    const last = await this.#cancelAs('card.failed-3ds-technical', detail, action)
    return this.#endingOf(last.kind === 'open' ? await this.#awaitOutcome() : last)
  }

  /** Tells the API that nothing more will come, so that another card can be tried at once. */
  async #cancelAs(code: string, detail: string, action: CustomerAction): Promise<Answer> {
    const answer = await this.cancel(action)
    return isCanceled(answer) ? this.#failed(code, detail) : answer
  }

  /** Waits for an outcome for which nobody has to act. */
  async #awaitOutcome(): Promise<Answer> {
    const { clock } = this.#deps
    const end = clock.now() + WAIT_FOR_OUTCOME_MS
    for (let pause = FIRST_PAUSE_MS; clock.now() + pause <= end; pause = Math.min(1.5 * pause, LONGEST_PAUSE_MS)) {
      await clock.wait(pause)
      const found = await this.#find()
      if (found.kind !== 'open') return found
    }
    return this.#unknownOutcome()
  }

  async #read(outcome: Outcome): Promise<Answer> {
    this.#hasBegun ||= outcome.kind === 'answered' || outcome.wasSent
    return outcome.kind === 'answered'
      ? readPaymentReply(this.#payment.invoiceId, outcome.reply)
      : this.#afterSilence(outcome)
  }

  /** The request may have arrived or not: the invoice tells. */
  async #afterSilence({ last, again }: Unanswered): Promise<Answer> {
    let found = await this.#find()
    if (last === null && tellsNothing(found)) {
      // The very request has one outcome, however often it arrives.
      this.#hasBegun = true
      const reply = await again()
      if (reply !== null) return readPaymentReply(this.#payment.invoiceId, reply)
      found = await this.#find()
    }
    if (found.kind !== 'untouched') return found
    // Nothing has arrived, so nothing was paid, and the invoice takes one payment only.
    return last === null
      ? this.#connectionLost()
      : { kind: 'failed', failure: failureOf(this.#payment.invoiceId, last) }
  }

  /**
   * Where the payment stands, with the action that is open. The page that pays asks with its own source, so that it is not given
   * the action of another one.
   */
  async #find(): Promise<Answer> {
    const found = await this.look()
    if (found.kind !== 'open' || !found.isWaiting) return found
    const outcome = await (this.#entered === null ? this.#askState() : this.#post(this.#entered.source))
    return outcome.kind === 'answered' ? readPaymentReply(this.#payment.invoiceId, outcome.reply) : found
  }

  #post(source: string): Promise<Outcome> {
    const { fields } = this.#payment
    // Without its options the call must not decide whether the payment is captured.
    const verb = fields === null ? 'three-d-s' : 'capture'
    const body = { ...fields, source, ...(fields === null ? {} : { enable_three_d_s_2: true }) }
    return this.#deps.api.post(`${this.#path}/${verb}`, body, this.#headers)
  }

  #askState(): Promise<Outcome> {
    return this.#deps.api.post(`${this.#path}/authorize`, { enable_three_d_s_2: true }, this.#headers)
  }

  #endingOf(answer: Answer): Ending {
    if (answer.kind === 'paid' || answer.kind === 'failed') return answer
    return answer.kind === 'untouched' ? this.#connectionLost() : this.#unknownOutcome()
  }

  #failed(code: string, detail: string): Failed {
    return { kind: 'failed', failure: { code, detail, invoiceId: this.#payment.invoiceId } }
  }

  #unknownOutcome(): Failed {
    return this.#failed('payment.pending', 'The outcome is not known yet. A webhook will tell it; do not pay again.')
  }

  #connectionLost(): Failed {
    return this.#failed('network', 'The API could not be reached. Nothing was paid.')
  }
}

/** An invoice without a try says nothing of a request that may be on its way, nor does the failure of an earlier card. */
function tellsNothing(found: Answer): boolean {
  return found.kind === 'untouched' || (found.kind === 'failed' && !isUnknown(found.failure))
}

/** Nobody knows what has become of the payment. */
function isUnknown({ code }: Failure): boolean {
  return code === 'payment.pending' || code === 'network'
}
