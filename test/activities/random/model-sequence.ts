import assert from 'node:assert/strict'
import type { StepResult } from '../../../activities/payment/attempt.ts'
import type { Command, CommandAnswer, IdempotencyClaim } from '../../../domain/command.ts'
import { formatAmount } from '../../../domain/money.ts'
import { IdempotencyKeyEntity } from '../../../src/persistence/entities/idempotency-key.ts'
import { ProjectEntity } from '../../../src/persistence/entities/project.ts'
import { updateInvoice } from '../../../src/persistence/queries/invoices/invoices.ts'
import { openPayment } from '../../../src/persistence/queries/payments/open-payment.ts'
import type { Call, LaterCapture } from '../../support/payment-actor.ts'
import { auditPayment } from '../../support/payment-audit.ts'
import { readBooks } from '../../support/payment-books.ts'
import type { Fault } from './faulty-gateway.ts'
import { ModelPayment, type ModelWorld } from './model-payment.ts'
import { type Amount, LINE_AMOUNTS, type Plan, type Step } from './model-steps.ts'
import { type Entry, linesTotal, type Terms, VALIDITY_MS } from './reference-books.ts'

/** Enough for every answer that is ever told: the latest comes with the fourth look-up. */
const LOOK_UPS_MAX = 5

/** A request that was made, so that it can come again. */
interface Request {
  call: Exclude<Call, { kind: 'continue' }>
  command: Command
  /** What it asks for, as the books count; null for a capture that is agreed on. */
  terms: Terms | null
}

type LaterStep = Extract<Step, { do: 'capture' | 'increment' | 'void' | 'refund' }>

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

  /** All that can be found out is found out, and all time passes; then nothing may be open, nor any ledger disagree. */
  async end(): Promise<void> {
    const payment = this.#payment
    payment.hindrance = 'none'
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
    await this.#resync()
    assert.equal(payment.books.underWay.size, 0, 'something is under way for ever')
    assert.equal(payment.books.remaining, 0, 'money is held for ever')
    assert.deepEqual(payment.payment?.orphans ?? [], [], 'an orphan is never given back')
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
      case 'another tab':
        return this.#askInAnotherTab(step)
      case 'authenticate':
        return this.#payment.authenticate(step)
      case 'change the invoice':
        return this.#changeInvoice(step)
      case 'dispute':
        return this.#payment.dispute({ id: step.id, step: step.step, share: step.share })
      case 'hinder the next':
        this.#payment.hindrance = step.fault
        return Promise.resolve()
      case 'hear notifications':
        return this.#payment.hearNotifications()
      case 'wait':
        this.#payment.at += step.ms
        return Promise.resolve()
    }
  }

  async #authorize(step: Extract<Step, { do: 'authorize' | 'sell' }>): Promise<void> {
    const { asked, authorized, isBlocked } = this.#payment.books
    if ((authorized > 0 || isBlocked) && !step.insists) return
    const source = await this.#world.actor.makeSource(step.scenario)
    const { currency } = asked
    const call: Call & { kind: 'authorize' } =
      step.do === 'sell'
        ? {
            ...{ kind: 'authorize', source, currency, incremental: false, mayFallBackToSale: false, later: null },
            sale: { amount: step.amount, isFinal: step.isFinal },
          }
        : {
            ...{ kind: 'authorize', source, currency, incremental: step.incremental, sale: null },
            ...{ mayFallBackToSale: step.fallback, later: this.#planned(step.plan) },
          }
    await this.#request(this.#make(call, null, step.keyed), step.fault)
  }

  /** What a call for an authorization means now; null where it moves a capture. */
  #meaningOf({ currency, incremental, later, sale, mayFallBackToSale }: Call & { kind: 'authorize' }): Terms | null {
    const { authorized, captured } = this.#payment.books
    const amount = (sale ?? later)?.amount ?? null
    if (authorized > 0 && sale !== null)
      return { kind: 'capture', amount, lines: null, isFinal: sale.isFinal, wantsRest: !sale.isFinal }
    if (authorized > 0 && captured === 0 && later !== null) return null
    const captureAt = later?.at ?? null
    return {
      kind: 'authorize',
      currency,
      incremental,
      captureAt,
      amount,
      mayBeSale: (mayFallBackToSale && captureAt === null) || sale !== null,
    }
  }

  async #ask(step: LaterStep): Promise<void> {
    const terms = this.#termsOf(step)
    const { at, books } = this.#payment
    if (books.amountToAsk(terms, at) === null && !step.insists) return
    const call = 'lines' in terms ? { ...terms, lines: this.#idsOf(terms.lines) } : terms
    await this.#request(this.#make(call, terms, step.keyed), step.fault)
  }

  #termsOf(step: LaterStep): Exclude<Terms, { kind: 'authorize' }> {
    const { remaining, refundable } = this.#payment.books
    if (step.do === 'increment') return { kind: 'increment', amount: step.amount }
    if (step.do === 'void') return { kind: 'void', amount: amountOf(step.amount, remaining) }
    const { lines } = step
    const most = step.do === 'refund' ? refundable : remaining
    const amount = lines === null ? amountOf(step.amount, most) : linesTotal(lines)
    if (step.do === 'refund') return { kind: 'refund', amount, lines }
    return { kind: 'capture', amount, lines, isFinal: step.isFinal, wantsRest: step.wantsRest || !step.isFinal }
  }

  async #schedule({ plan, keyed, insists }: Extract<Step, { do: 'schedule' }>): Promise<void> {
    const { at, books } = this.#payment
    if (!insists && !books.maySchedule(null, at)) return
    await this.#request(this.#make({ kind: 'schedule', later: this.#planned(plan) }, null, keyed), 'none')
  }

  #make(call: Request['call'], terms: Terms | null, isKeyed: boolean): Request {
    return { call, terms, command: this.#commandOf(call, this.#claim(isKeyed)) }
  }

  /** A call that names no currency is read in that of the invoice. */
  #commandOf(call: Call, idempotency: IdempotencyClaim | null): Command {
    const command = this.#world.actor.commandOf(call, idempotency)
    const { currency } = this.#payment.books.asked
    return command.kind === 'pay' && call.kind !== 'authorize' ? { ...command, currency } : command
  }

  /** The merchant asks for something else, as the interface allows it after a failure. */
  async #changeInvoice({ amountMinor, currency }: Extract<Step, { do: 'change the invoice' }>): Promise<void> {
    const { books, payment, invoiceId } = this.#payment
    if (payment?.status !== 'failed' || books.isBlocked) return
    const { orm, clock } = this.#world.actor.deps
    await orm.em.fork().transactional(async (em) => {
      const locked = await openPayment(em, { projectId: this.#world.actor.projectId, sandbox: true, invoiceId })
      if (locked === null) throw new Error('The invoice is gone.')
      await updateInvoice(em, locked, { amountMinor, currency, updatedAt: clock.now() }, null)
    })
    books.asked = { amountMinor, currency }
  }

  async #repeat({ which, as }: Extract<Step, { do: 'repeat' }>): Promise<void> {
    const payment = this.#payment
    const request = this.#requests.at(-1 - (which % Math.max(this.#requests.length, 1)))
    if (request === undefined) return
    const { call, command, terms } = request
    const anew = this.#commandOf(call, command.idempotency)
    if (as === 'request') return this.#request({ call, terms, command: anew }, 'none')
    // A run does not begin a sale again whose capture may be done.
    if (call.kind === 'authorize' && call.sale !== null) return
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
    const { answer } = await this.#executeCommand(request, fault)
    if (key === undefined) return
    if (!isKept(answer)) {
      this.#keys.delete(key)
      return
    }
    this.#keys.set(key, command.operationId)
    if (owner === undefined && answer.kind !== 'pending') await this.#compareKept(key)
  }

  /** The answer that is kept under a key shows the money as it is now. */
  async #compareKept(key: string): Promise<void> {
    const { books, payment } = this.#payment
    const kept = await this.#world.actor.deps.orm.em.fork().findOneOrFail(IdempotencyKeyEntity, { id: key })
    const { transaction } = JSON.parse(kept.body ?? '{}') as { transaction?: Record<string, string> }
    if (transaction === undefined) return
    const { authorized, captured, refunded, voided, disputed } = books
    for (const [name, amount] of Object.entries({ authorized, captured, refunded, voided, disputed }))
      assert.equal(
        transaction[`${name}_amount`],
        formatAmount(amount, payment?.currency ?? ''),
        `${name}, as it is kept`,
      )
  }

  /** A client without rights, to which a payment that has begun is not its own: it moves nothing, whatever it names. */
  async #askInAnotherTab({ sells, sameCard }: { sells: boolean; sameCard: boolean }, isBetweenSteps = false) {
    const payment = this.#payment
    const { actor } = this.#world
    const { books } = payment
    if (books.authorized === 0 && books.held('authorization').length === 0) return
    const first = this.#requests.findLast(({ command }) => command.kind === 'pay' && command.source !== null)?.command
    const source = sameCard && first?.kind === 'pay' && first.source ? first.source : await actor.makeSource('approved')
    const options = { currency: books.asked.currency, incremental: false, mayFallBackToSale: false, later: null }
    const sale = sells ? { amount: null, isFinal: true } : null
    const command = { ...actor.commandOf({ kind: 'authorize', source, sale, ...options }), actor: 'client' } as Command
    const result = await actor.step(payment.invoiceId, command, { at: payment.at })
    assert.match(result.answer.kind, isBetweenSteps ? /unchanged/ : /refused|unchanged|pending/, 'another tab has paid')
    assert.equal(await payment.requestOf(command.operationId), null, 'the gateway was asked by another tab')
    payment.adopt(result)
  }

  async #executeCommand({ call, command, terms: asked }: Request, fault: Fault): Promise<StepResult> {
    const payment = this.#payment
    const terms = call.kind === 'authorize' ? this.#meaningOf(call) : asked
    if (call.kind === 'schedule' || (call.kind === 'authorize' && terms === null))
      return this.#agree(command, call.later, call.kind === 'authorize' && call.incremental)
    if (terms === null) throw new Error('The books do not know the request.')
    const result = await payment.ask(command, { terms, fault })
    if (call.kind !== 'authorize' || terms.kind !== 'authorize') return result
    const { books } = payment
    // A capture whose instant has come is made in the same request, like that of a sale.
    const { sale, later } = call
    if (result.goesOn === true) await this.#askInAnotherTab({ sells: true, sameCard: true }, true)
    if (sale !== null) return payment.goOn(command, { ...sale, lines: null }, result)
    if (later !== null && result.goesOn === true) {
      const lines = later.lines?.map((id) => payment.lines.indexOf(id)) ?? null
      return payment.goOn(command, { amount: later.amount, lines, isFinal: true }, result)
    }
    if (result.answer.kind === 'done' && books.captured === 0)
      assert.equal(books.agreed.at, call.later?.at ?? null, 'the authorization has forgotten its capture')
    return result
  }

  async #agree(command: Command, later: LaterCapture | null, incremental: boolean): Promise<StepResult> {
    const payment = this.#payment
    const lines = later?.lines?.map((id) => payment.lines.indexOf(id)) ?? null
    const isRaisable = payment.books.incremental || !incremental
    const isAllowed = isRaisable && payment.books.maySchedule(later && { ...later, lines }, payment.at)
    const result = await this.#world.actor.step(payment.invoiceId, command, { at: payment.at })
    const [allowed, otherwise] =
      later === null ? [/done|unchanged/, /refused|done|unchanged|pending/] : [/done/, /refused|done|unchanged/]
    assert.match(result.answer.kind, isAllowed ? allowed : otherwise, 'a capture cannot be agreed on')
    // One that stands as it is wanted is agreed on, whatever else there is to say.
    payment.adopt(result, { mayReschedule: isAllowed })
    const { agreed } = payment.books
    if (result.answer.kind === 'done') assert.equal(agreed.at, later?.at ?? null, 'another instant was agreed on')
    const amount = later?.amount ?? null
    if (isAllowed && amount !== null) assert.equal(agreed.amount, amount, 'another amount was agreed on')
    return result
  }

  /** Look-ups for as long as they tell anything; what none tells, staff find out. */
  async #resync(): Promise<void> {
    const payment = this.#payment
    const { activities, referenceOf } = this.#world.actor
    for (let round = 0; round < LOOK_UPS_MAX; round += 1) {
      for (const entry of [...payment.books.underWay.values()])
        if (payment.books.underWay.has(entry.id)) await payment.lookUp(entry)
      for (const { operationId } of this.#reversals()) {
        const input = { payment: referenceOf(payment.invoiceId), operationId, at: payment.at }
        payment.adopt(await activities.lookUp(input))
      }
      await payment.wake()
    }
    for (const { operationId } of this.#reversals()) await payment.resolveReversal(operationId)
    for (const entry of payment.books.held(...ALL_TYPES)) {
      await payment.resolve(entry, true)
      await payment.wake()
    }
  }

  #reversals() {
    return (this.#payment.payment?.attemptsInFlight ?? []).filter((one) => one.reverses !== null && !one.isAbandoned)
  }

  /** The record agrees with itself, with what was told, and with the gateway, which is left with no money of nobody. */
  async #audit(): Promise<void> {
    const { orm } = this.#world.actor.deps
    const { invoiceId } = this.#payment
    const books = (await readBooks({ orm, execute: this.#world.actor.execute }, [invoiceId])).get(invoiceId)
    if (books === undefined) return
    assert.deepEqual(auditPayment(books), [])
    const { transaction, requests, authorizations } = books
    for (const held of authorizations) {
      const of = requests.filter((one) => one.gatewayAuthorizationId === held.gatewayAuthorizationId)
      const isOurs = held.gatewayAuthorizationId === transaction.gatewayAuthorizationId
      const isKnown = of.some(({ reference }) => this.#world.gateway.hasToldApproved(reference))
      const isFree = held.capturedMinor + held.voidedMinor === held.authorizedMinor
      const isBack = isFree && held.refundedMinor === held.capturedMinor
      const wasRefused = of.some(({ type, outcome }) => type !== 'authorization' && outcome.kind === 'declined')
      if (!isOurs && isKnown)
        assert.ok(isBack || (wasRefused && transaction.needsAttention), 'the gateway is left with the money of nobody')
    }
    const ids = [...this.#keys.keys()]
    const open = await orm.em.fork().count(IdempotencyKeyEntity, { id: { $in: ids }, completedAt: null })
    assert.equal(open, 0, 'a key is open')
  }

  async #onOpen(which: number, act: (entry: Entry) => Promise<void>, isClosedToo = true): Promise<void> {
    const open = [...this.#payment.books.underWay.values()].filter(({ isClosed }) => isClosedToo || !isClosed)
    const entry = open.at(-1 - (which % Math.max(open.length, 1)))
    if (entry !== undefined) await act(entry)
  }

  #planned(plan: Plan | null): LaterCapture | null {
    if (plan === null) return null
    const amount = plan.lines === null ? plan.amount : linesTotal(plan.lines)
    return { at: this.#payment.at + plan.inMs, amount, lines: this.#idsOf(plan.lines) }
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
