import { HoldfastError } from '../errors.ts'
import type { Card, Client, Form } from '../published.ts'
import type { PagePayment } from './payment.ts'

/** What the page shows; see `views.ts`. */
export interface Views {
  show(view: 'form' | 'busy' | 'paid' | 'processing' | 'lost' | 'closed'): void
  /** Shows a problem above the form; null shows none. */
  problem(message: string | null): void
  /** While the payment is made, the form takes no input; after five seconds it says that the bank is slow. */
  working(isWorking: boolean): void
  /** Goes back to the shop in a moment, unless the customer stays. */
  leaveSoon(): void
  /** Shows the card form in its place. */
  mount(): Promise<Form>
}

export interface CheckoutDeps {
  client: Pick<Client, 'tokenize' | 'pay' | 'resume'>
  views: Views
  wait(milliseconds: number): Promise<void>
}

/** Between two looks for an outcome, each of which lasts about a minute; the pause doubles up to the longest one. */
const FIRST_PAUSE_MS = 5_000
const LONGEST_PAUSE_MS = 5 * 60_000

/** What the customer can do after an error. */
type After =
  | { kind: 'processing' | 'lost' | 'closed' }
  /** `message` is null where the form shows it itself; `isOtherCardNeeded`: this one was refused. */
  | { kind: 'form'; message: string | null; isOtherCardNeeded: boolean }

/** The codes of a try that did not get as far as the card. */
const CARD_MAY_STAY = /^(customer\.cancell?ed$|card\.canceled-by-client$|request\.|server\.)/

export function nextAfter(error: unknown): After {
  // A defect of the page: what has become of the payment has to be looked up.
  if (!(error instanceof HoldfastError)) return { kind: 'processing' }
  const { code, message, fields } = error
  if (code === 'payment.pending') return { kind: 'processing' }
  if (code === 'network') return { kind: 'lost' }
  if (code === 'request.validation.invalid-state') return { kind: 'closed' }
  const isShownByForm = Object.keys(fields).length > 0
  const isOtherCardNeeded = !isShownByForm && !CARD_MAY_STAY.test(code)
  return { kind: 'form', message: isShownByForm ? null : message, isOtherCardNeeded }
}

/** The payment of one page: what the customer does, what becomes of it, and what is shown next. */
export class Checkout {
  readonly #payment: PagePayment
  readonly #deps: CheckoutDeps
  #form: Form | null = null
  /** What a new try after a lost connection does. */
  #tryAgain: () => Promise<void>
  #isWorking = false

  constructor(payment: PagePayment, deps: CheckoutDeps) {
    this.#payment = payment
    this.#deps = deps
    this.#tryAgain = () => this.#showForm()
  }

  async start(): Promise<void> {
    if (this.#payment.view === 'busy') await this.#resume()
    if (this.#payment.view === 'form') await this.#showForm()
  }

  /** The customer has sent the form. A second click meanwhile does nothing. */
  async submit(): Promise<void> {
    const form = this.#form
    if (form === null) return
    await this.#working(async () => this.#pay(await this.#deps.client.tokenize(form)))
  }

  async retry(): Promise<void> {
    const tryAgain = this.#tryAgain
    await tryAgain()
  }

  async #pay(card: Card): Promise<void> {
    const { client } = this.#deps
    const { invoiceId, authorizeOnly } = this.#payment
    this.#tryAgain = () => {
      this.#deps.views.show('form')
      return this.#working(() => this.#pay(card))
    }
    await client.pay(invoiceId, card, { authorize_only: authorizeOnly })
    this.#succeed()
  }

  /** Goes on with a payment that was begun before, here or by the server of the merchant. */
  async #resume(): Promise<void> {
    const { client, views } = this.#deps
    views.show('busy')
    this.#tryAgain = () => this.#resume()
    try {
      const paid = await client.resume(this.#payment.invoiceId)
      if (paid === null) await this.#showForm()
      else this.#succeed()
    } catch (error) {
      await this.#goOn(error)
    }
  }

  async #showForm(message: string | null = null): Promise<void> {
    const { views } = this.#deps
    views.show('form')
    if (message !== null) views.problem(message)
    if (this.#form !== null) return
    this.#tryAgain = () => this.#showForm(message)
    try {
      this.#form = await views.mount()
      this.#form.on('submit', () => void this.submit())
    } catch (error) {
      await this.#goOn(error)
    }
  }

  async #working(run: () => Promise<void>): Promise<void> {
    const { views } = this.#deps
    if (this.#isWorking) return
    this.#isWorking = true
    this.#tryAgain = () => {
      views.show('form')
      return this.submit()
    }
    views.problem(null)
    views.working(true)
    const failed = await run().then(
      () => null,
      (error: unknown) => ({ error }),
    )
    this.#isWorking = false
    views.working(false)
    if (failed !== null) await this.#goOn(failed.error)
  }

  async #goOn(error: unknown): Promise<void> {
    const { views } = this.#deps
    const next = nextAfter(error)
    if (next.kind === 'processing') return this.#awaitOutcome()
    if (next.kind !== 'form') return views.show(next.kind)
    await this.#showForm(next.message)
    if (!next.isOtherCardNeeded) return
    // Most often only a digit is wrong. The code is asked for anew, as the rules of the card schemes want.
    this.#form?.clear('cvc')
    this.#form?.focus('number')
  }

  /** Looks again and again what has become of the payment. The customer is not offered to pay meanwhile. */
  async #awaitOutcome(): Promise<void> {
    const { client, views, wait } = this.#deps
    views.show('processing')
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      await wait(pause)
      const ending = await client.resume(this.#payment.invoiceId).then(
        (paid) => ({ paid }),
        (error: unknown) => ({ error }),
      )
      // Nothing has arrived, so that nothing was paid.
      if ('paid' in ending) return ending.paid === null ? views.show('lost') : this.#succeed()
      const { kind } = nextAfter(ending.error)
      if (kind !== 'processing' && kind !== 'lost') return this.#goOn(ending.error)
    }
  }

  #succeed(): void {
    const { views } = this.#deps
    views.show('paid')
    views.leaveSoon()
  }
}
