import assert from 'node:assert/strict'
import type { GatewayCommand, StepResult } from '../../../activities/payment/attempt.ts'
import type { CommandAnswer, IdempotencyClaim, ScheduleCaptureCommand } from '../../../domain/command.ts'
import { makeIdentifier } from '../../../domain/identifiers.ts'
import { IdempotencyKeyEntity } from '../../../src/persistence/entities/idempotency-key.ts'
import { ProjectEntity } from '../../../src/persistence/entities/project.ts'
import { auditPayment } from '../../support/payment-audit.ts'
import { readBooks } from '../../support/payment-books.ts'
import { ModelPayment, type ModelWorld } from './model-payment.ts'
import { type Amount, type Fault, LINE_AMOUNTS, type Plan, type Step } from './model-steps.ts'
import { type Entry, linesTotal, type Terms, VALIDITY_MS } from './reference-books.ts'

/** Enough for every answer that is ever told: the latest comes with the fourth look-up. */
const LOOK_UPS_MAX = 5

/** A request that was made, so that it can come again. */
type Request =
  | { command: GatewayCommand; terms: Terms }
  | { command: ScheduleCaptureCommand; terms: { kind: 'schedule'; lines: number[] | null } }

type LaterTerms = Exclude<Terms, { kind: 'authorize' }>

/** What happens to one payment, step by step, from the first request until nothing is awaited. */
export class ModelSequence {
  readonly #world: ModelWorld
  readonly #payment: ModelPayment
  readonly #requests: Request[] = []
  /** The operation that has a key; of a refusal nothing is kept, and the key is free again. */
  readonly #keys = new Map<string, string>()
  #claims = 0

  static async begin(world: ModelWorld): Promise<ModelSequence> {
    const { actor, acceptsPartialApprovals } = world
    const em = actor.deps.orm.em.fork()
    await em.nativeUpdate(ProjectEntity, { id: actor.projectId }, { acceptsPartialApprovals })
    const invoiceId = await actor.makeInvoice()
    const lines = await actor.makeLines(invoiceId, LINE_AMOUNTS)
    return new ModelSequence(world, new ModelPayment(world, { invoiceId, lines }))
  }

  private constructor(world: ModelWorld, payment: ModelPayment) {
    this.#world = world
    this.#payment = payment
  }

  async act(step: Step): Promise<void> {
    await this.#act(step)
    if (step.do !== 'wait' || step.wakes) await this.#payment.wake()
  }

  /** All that can be found out is found out, and all time passes; then nothing may be open, nor any book disagree. */
  async end(): Promise<void> {
    const payment = this.#payment
    await payment.hearNotifications()
    await this.#resync()
    payment.at = Math.max(payment.at, payment.books.endsAt ?? 0) + 1
    await payment.wake()
    await this.#resync()
    await payment.hearNotifications()
    // What staff have closed is looked up for a week, and then left to itself.
    payment.at += VALIDITY_MS + 1
    for (const entry of [...payment.books.underWay.values()]) await payment.lookUp(entry)
    await payment.wake()
    assert.equal(payment.books.underWay.size, 0, 'something is under way for ever')
    assert.equal(payment.books.remaining, 0, 'money is held for ever')
    await this.#audit()
  }

  #act(step: Step): Promise<void> {
    switch (step.do) {
      case 'authorize':
      case 'sell':
        return this.#authorize(step)
      case 'capture':
      case 'increment':
      case 'void':
      case 'refund':
        return this.#ask(step)
      case 'schedule':
        return this.#schedule(step)
      case 'repeat':
        return this.#repeat(step)
      case 'look up':
        return this.#onOpen(step.which, (entry) => this.#payment.lookUp(entry))
      case 'resolve':
        return this.#onOpen(step.which, (entry) => this.#payment.resolve(entry, step.truthfully), false)
      case 'hear notifications':
        return this.#payment.hearNotifications()
      case 'wait':
        this.#payment.at += step.ms
        return Promise.resolve()
    }
  }

  async #authorize(step: Extract<Step, { do: 'authorize' | 'sell' }>): Promise<void> {
    const { build, makeSource } = this.#world.actor
    const isKnownToFail = this.#payment.books.authorized > 0 || this.#payment.books.isBlocked
    if (isKnownToFail && !step.insists) return
    const idempotency = this.#claim(step.keyed)
    const source = await makeSource(step.scenario)
    const values =
      step.do === 'sell'
        ? { capture: build.capture(step.amount, { isFinal: step.isFinal, idempotency }) }
        : { incremental: step.incremental, mayFallBackToSale: step.fallback, ...this.#planned(step.plan) }
    const command = build.authorize(source, { ...values, idempotency })
    await this.#request({ command, terms: { kind: 'authorize', captureAt: command.autoCaptureAt } }, step.fault)
  }

  async #ask(step: Extract<Step, { do: 'capture' | 'increment' | 'void' | 'refund' }>): Promise<void> {
    const terms = this.#termsOf(step)
    const { at, books } = this.#payment
    if (books.amountToAsk(terms, at) === null && !step.insists) return
    await this.#request({ command: this.#commandFor(terms, this.#claim(step.keyed)), terms }, step.fault)
  }

  #termsOf(step: Extract<Step, { do: 'capture' | 'increment' | 'void' | 'refund' }>): LaterTerms {
    const { remaining, refundable } = this.#payment.books
    if (step.do === 'increment') return { kind: 'increment', amount: step.amount }
    if (step.do === 'void') return { kind: 'void', amount: amountOf(step.amount, remaining) }
    const { lines } = step
    const most = step.do === 'refund' ? refundable : remaining
    const amount = lines === null ? amountOf(step.amount, most) : linesTotal(lines)
    if (step.do === 'refund') return { kind: 'refund', amount, lines }
    return { kind: 'capture', amount, lines, isFinal: step.isFinal, wantsRest: step.wantsRest }
  }

  #commandFor(terms: LaterTerms, idempotency: IdempotencyClaim | null): GatewayCommand {
    const { build } = this.#world.actor
    switch (terms.kind) {
      case 'increment':
        return build.increment(terms.amount, { idempotency })
      case 'void':
        return build.void(terms.amount, { idempotency })
      case 'refund':
        return build.refund(terms.amount, { idempotency, detailIds: this.#idsOf(terms.lines) })
      case 'capture': {
        const { amount, lines, isFinal, wantsRest } = terms
        return build.capture(amount, { idempotency, detailIds: this.#idsOf(lines), isFinal, wantsRest })
      }
    }
  }

  async #schedule({ plan, keyed, insists }: Extract<Step, { do: 'schedule' }>): Promise<void> {
    const { at, books } = this.#payment
    if (!insists && !books.maySchedule(null, at)) return
    const { autoCaptureAt, ...values } = this.#planned(plan)
    const command = this.#world.actor.build.schedule(autoCaptureAt, { ...values, idempotency: this.#claim(keyed) })
    await this.#request({ command, terms: { kind: 'schedule', lines: plan?.lines ?? null } }, 'none')
  }

  async #repeat({ which, as }: Extract<Step, { do: 'repeat' }>): Promise<void> {
    const payment = this.#payment
    const request = this.#requests.at(-1 - (which % Math.max(this.#requests.length, 1)))
    if (request === undefined) return
    const { command } = request
    if (as === 'request') return this.#request(this.#anew(request), 'none')
    // A run does not begin a sale again whose capture may be done.
    if (command.kind === 'authorize' && command.capture !== null) return
    const again = () => this.#world.actor.step(payment.invoiceId, command, { at: payment.at })
    const entry = payment.books.underWay.get(command.operationId)
    if (entry !== undefined && !entry.isClosed) return payment.lookUp(entry, again)
    if (!payment.hasBegun(command.operationId)) return this.#request(request, 'none')
    const result = await again()
    assert.match(result.answer.kind, /done|declined/, 'what has ended is answered otherwise when it comes again')
    payment.adopt(result)
  }

  /** A request as it reaches the payment, with or without its key's having been used before. */
  async #request(request: Request, fault: Fault): Promise<void> {
    const payment = this.#payment
    const { command } = request
    if (!this.#requests.includes(request)) this.#requests.push(request)
    const key = command.idempotency?.id
    const owner = key === undefined ? undefined : this.#keys.get(key)
    if (owner !== undefined && owner !== command.operationId) {
      const result = await this.#world.actor.step(payment.invoiceId, command, { at: payment.at })
      assert.equal(result.answer.kind, 'duplicate', 'a key has done its work twice')
      payment.adopt(result)
      return
    }
    const answer = await this.#executeCommand(request, fault)
    if (key === undefined) return
    if (isKept(answer)) this.#keys.set(key, command.operationId)
    else this.#keys.delete(key)
  }

  async #executeCommand(request: Request, fault: Fault): Promise<CommandAnswer> {
    const payment = this.#payment
    if (request.terms.kind === 'schedule')
      return (await this.#agree(request.command as ScheduleCaptureCommand, request.terms)).answer
    const command = request.command as GatewayCommand
    const result = await payment.ask(command, request.terms, fault)
    if (command.kind !== 'authorize') return result.answer
    const { books } = payment
    if (result.answer.kind === 'done' && command.capture === null && books.captured === 0)
      assert.equal(books.agreed.at, command.autoCaptureAt, 'the authorization has forgotten its capture')
    return (await payment.goOn(command, result)).answer
  }

  async #agree(command: ScheduleCaptureCommand, { lines }: { lines: number[] | null }): Promise<StepResult> {
    const payment = this.#payment
    const { autoCaptureAt: at, autoCaptureAmountMinor: amount } = command
    const isAllowed = payment.books.maySchedule(at === null ? null : { at, amount, lines }, payment.at)
    const result = await this.#world.actor.step(payment.invoiceId, command, { at: payment.at })
    assert.match(result.answer.kind, isAllowed ? /done/ : /refused|done/, 'a capture cannot be agreed on')
    // One that stands as it is wanted is agreed on, whatever else there is to say.
    payment.adopt(result, { mayReschedule: isAllowed })
    if (result.answer.kind === 'done') assert.equal(payment.books.agreed.at, at, 'another instant was agreed on')
    if (isAllowed && amount !== null) assert.equal(payment.books.agreed.amount, amount, 'another amount was agreed on')
    return result
  }

  /** Look-ups for as long as they tell anything; what none tells, staff find out. */
  async #resync(): Promise<void> {
    const payment = this.#payment
    const { activities, referenceOf } = this.#world.actor
    for (let round = 0; round < LOOK_UPS_MAX; round += 1) {
      for (const entry of [...payment.books.underWay.values()])
        if (payment.books.underWay.has(entry.id)) await payment.lookUp(entry)
      for (const { operationId, reverses } of payment.payment?.attemptsInFlight ?? []) {
        const input = { payment: referenceOf(payment.invoiceId), operationId, at: payment.at }
        if (reverses !== null) payment.adopt(await activities.lookUp(input))
      }
      await payment.wake()
    }
    for (const entry of payment.books.held(...ALL_TYPES)) {
      await payment.resolve(entry, true)
      await payment.wake()
    }
  }

  async #audit(): Promise<void> {
    const { orm } = this.#world.actor.deps
    const { invoiceId } = this.#payment
    const books = (await readBooks({ orm, execute: this.#world.actor.execute }, [invoiceId])).get(invoiceId)
    assert.deepEqual(books === undefined ? [] : auditPayment(books), [])
    const ids = [...this.#keys.keys()]
    assert.equal(
      await orm.em.fork().count(IdempotencyKeyEntity, { id: { $in: ids }, completedAt: null }),
      0,
      'a key is open',
    )
  }

  async #onOpen(which: number, act: (entry: Entry) => Promise<void>, isClosedToo = true): Promise<void> {
    const open = [...this.#payment.books.underWay.values()].filter(({ isClosed }) => isClosedToo || !isClosed)
    const entry = open.at(-1 - (which % Math.max(open.length, 1)))
    if (entry !== undefined) await act(entry)
  }

  #anew({ command, ...rest }: Request): Request {
    const { randomBytes } = this.#world.actor.deps
    const operationId = makeIdentifier('operation', randomBytes)
    const again = { ...command, operationId }
    if (again.kind === 'refund') again.refundId = makeIdentifier('refund', randomBytes)
    if (again.kind === 'authorize' && again.capture !== null)
      again.capture = { ...again.capture, operationId: makeIdentifier('operation', randomBytes) }
    return { ...rest, command: again } as Request
  }

  #planned(plan: Plan | null) {
    if (plan === null) return { autoCaptureAt: null, autoCaptureAmountMinor: null, autoCaptureDetailIds: null }
    return {
      autoCaptureAt: this.#payment.at + plan.inMs,
      autoCaptureAmountMinor: plan.lines === null ? plan.amount : linesTotal(plan.lines),
      autoCaptureDetailIds: this.#idsOf(plan.lines),
    }
  }

  #idsOf(lines: readonly number[] | null): string[] | null {
    return lines?.map((line) => this.#payment.lines[line] ?? '') ?? null
  }

  #claim(isKeyed: boolean): IdempotencyClaim | null {
    if (!isKeyed) return null
    this.#claims += 1
    const id = Buffer.from(`${this.#payment.invoiceId} ${this.#claims}`).toString('hex').slice(-64).padStart(64, '0')
    return { id, requestHash: 'a'.repeat(64), requestId: `req_${this.#claims}` }
  }
}

function amountOf(amount: Amount, most: number): number | null {
  return amount === null || typeof amount === 'number' ? amount : Math.ceil(most * amount.share)
}

const ALL_TYPES = ['authorization', 'increment_authorization', 'capture', 'void', 'refund'] as const

/** What fails is kept like what succeeds; of what is merely not allowed now nothing is. */
function isKept(answer: CommandAnswer): boolean {
  return answer.kind !== 'refused' || answer.code === 'gateway.expired'
}
