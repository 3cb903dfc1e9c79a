import assert from 'node:assert/strict'
import type { StepResult, StoredPayment } from '../../../activities/payment/attempt.ts'
import type { Command } from '../../../domain/command.ts'
import { chargebackStatus } from '../../../domain/dispute.ts'
import type { GatewayOperationType } from '../../../domain/operation.ts'
import { activeAttempts, nextDue, type Payment } from '../../../domain/payment.ts'
import { createSimulatedBank } from '../../../src/gateways/simulator/bank.ts'
import {
  type NotificationDispatcherOptions,
  postDueNotifications,
} from '../../../src/gateways/simulator/notification-dispatcher.ts'
import { type LoggedRequest, readSimulatorLog } from '../../../src/gateways/simulator/read-log.ts'
import { OperationEntity } from '../../../src/persistence/entities/operation.ts'
import { keepReturned } from '../../../src/persistence/queries/payments/customer-actions.ts'
import { storeNotifications } from '../../../src/persistence/queries/payments/gateway-notifications.ts'
import type { PaymentActor } from '../../support/payment-actor.ts'
import type { Account, Fault, FaultyGateway, Heard } from './faulty-gateway.ts'
import { type Entry, linesTotal, ReferenceBooks, type Terms, VALIDITY_MS } from './reference-books.ts'

/** When the first request of every payment comes, in epoch ms of workflow time. */
const BEGINS_AT = Date.parse('2026-11-21T09:00:00.000Z')
/** The simulator tells the last step of a dispute a moment after the first; to us it is always late enough. */
const DISPATCHER_AHEAD_MS = 60 * 60 * 1000
/** How long a step that never arrived is sent again, and from when on a capture is made under another reference. */
const FRESH_MS = 5 * 60 * 1000
const MADE_ANEW_AFTER_MS = 10 * 60 * 1000
/** How long a customer has to authenticate. */
const CUSTOMER_HAS_MS = 15 * 60 * 1000
/** The simulated bank takes this code for the right one. */
const RIGHT_CODE = { kind: 'code', code: '1234' } as const
/** More than can be due at once; beyond it the clock asks for something for ever. */
const WAKES_MAX = 20

const TYPES = {
  authorize: 'authorization',
  increment: 'increment_authorization',
  capture: 'capture',
  void: 'void',
  refund: 'refund',
} as const satisfies Record<Terms['kind'], GatewayOperationType>

const ANSWERS = { approved: 'done', declined: 'declined', open: 'pending' } as const

export interface ModelWorld {
  actor: PaymentActor
  gateway: FaultyGateway
  account: Account
  acceptsPartialApprovals: boolean
}

/** What is heard, or that the customer's time is over. */
type Judged = Exclude<Heard, { kind: 'never seen' }> | { kind: 'timed out' }

/** What the gateway tells of money beside the calls: a dispute, or a refund that failed after all. */
interface Notice {
  kind: string
  reference: string | null
  disputeId: string | null
  /** Null where it is about everything captured. */
  amountMinor: number | null
}

/** A request, and how it is made. */
interface Asking {
  terms: Terms
  fault: Fault
}

/** One payment of the product, with a bookkeeper's notes of it: what is done is done to both, and compared each time. */
export class ModelPayment {
  readonly books: ReferenceBooks
  readonly invoiceId: string
  readonly lines: string[]
  at = BEGINS_AT
  payment: Payment | null = null
  /** What the next call meets that no request of its own leads to: of our clock, or the capture of a sale. */
  hindrance: Fault = 'none'
  readonly #world: ModelWorld
  readonly #post: NotificationDispatcherOptions['post']
  readonly #postDue: () => Promise<number>
  /** Refunds that were approved, by reference. */
  readonly #refunds = new Map<string, number>()
  readonly #begun = new Set<string>()
  /** Disputes that wait until it is known whether the money was taken. */
  readonly #early: Notice[] = []
  /** Numbers the notifications of our disputes. */
  #disputeSteps = 0

  constructor(world: ModelWorld, { invoiceId, lines }: { invoiceId: string; lines: string[] }) {
    this.#world = world
    this.books = new ReferenceBooks(world.account)
    this.invoiceId = invoiceId
    this.lines = lines
    const { orm, clock } = world.actor.deps
    const { execute } = world.actor
    const dispatcherClock = { now: () => new Date(clock.now().getTime() + DISPATCHER_AHEAD_MS) }
    const post: NotificationDispatcherOptions['post'] = async (notification, gatewayConfigurationId) => {
      const account = { gatewayConfigurationId, projectId: world.actor.projectId, sandbox: true }
      await storeNotifications(orm.em.fork(), account, [notification], clock.now())
    }
    this.#post = post
    this.#postDue = () => postDueNotifications({ execute, clock: dispatcherClock, post })
  }

  hasBegun(operationId: string): boolean {
    return this.#begun.has(operationId)
  }

  /** A request for a step, by a merchant: it reaches the gateway if and only if the books allow it, and for their amount. */
  ask(command: Command, asking: Asking): Promise<StepResult> {
    return this.#ask(command, asking, this.books.amountToAsk(asking.terms, this.at), this.at)
  }

  async #ask(command: Command, { terms, fault }: Asking, expected: number | null, asOf: number, isExpiry = false) {
    const result = await this.#step(command, fault, asOf)
    const { answer } = result
    const request = await this.requestOf(command.operationId)
    const [unknown] = this.books.held('authorization')
    // A worker that has died may have given up the authorization before; the next one then finds nothing left to do.
    const isGivenUp = answer.kind === 'done' || (fault === 'died' && answer.kind === 'unchanged')
    if (terms.kind === 'void' && unknown !== undefined && isGivenUp) {
      assert.ok(terms.amount === null || terms.amount === unknown.amountMinor, 'a part was given up')
      assert.equal(request, null, 'the gateway was asked to void what nobody knows yet')
      this.books.giveUp(unknown)
      this.adopt(result, { mayReschedule: true })
      return result
    }
    if (expected === null) {
      assert.match(answer.kind, /refused|unchanged|pending/, `${terms.kind} went through`)
      assert.equal(request, null, `the gateway was asked for a ${terms.kind} that is not allowed`)
      this.adopt(result)
      return result
    }
    assert.doesNotMatch(answer.kind, /refused|unchanged|duplicate/, `${terms.kind} of ${expected} did not go through`)
    if (terms.kind === 'authorize') this.books.incremental = terms.incremental
    const entry = this.#begin(command.operationId, terms, expected, isExpiry)
    if (request !== null) assert.equal(request.amountMinor, expected, `the gateway was asked for another ${terms.kind}`)
    const heard = this.#hear(entry, this.#judge(entry, { isKnown: request !== null }))
    assert.equal(answer.kind, ANSWERS[heard], `${terms.kind} is answered`)
    this.adopt(result, { mayReschedule: terms.kind === 'authorize' || (heard !== 'open' && endsSchedules(entry)) })
    return result
  }

  /** One step as a worker does it, or as the next one does after it has died. */
  async #step(command: Command, fault: Fault, asOf = this.at): Promise<StepResult> {
    const when = { at: this.at, asOf }
    this.#world.gateway.plan(fault, this.at)
    if (fault === 'died') await this.actor.beginAndDie(this.invoiceId, command, when)
    return this.actor.step(this.invoiceId, command, when)
  }

  /** The capture that follows the authorization of a sale in the same request. */
  async goOn(
    command: Command,
    sale: { amount: number | null; lines: number[] | null; isFinal: boolean },
    authorized: StepResult,
  ) {
    this.#world.gateway.plan(this.#nextHindrance(), this.at)
    const followed = await this.actor.goOn(this.invoiceId, command, authorized, { at: this.at })
    if (followed === null) return authorized
    const { operationId, result } = followed
    // A sale takes no more than its authorization was approved for.
    const amount = sale.amount === null ? null : Math.min(sale.amount, this.books.remaining)
    const lines = amount === sale.amount ? sale.lines : null
    const terms: Terms = { kind: 'capture', amount, lines, isFinal: sale.isFinal, wantsRest: false }
    const expected = this.books.amountToAsk(terms, this.at)
    assert.ok(expected !== null, 'a sale got stuck between authorization and capture')
    const entry = this.#begin(operationId, terms, expected)
    const heard = this.#hear(entry, this.#judge(entry, { isKnown: true }))
    assert.equal(result.answer.kind, ANSWERS[heard], 'the capture of a sale is answered')
    this.adopt(result, { mayReschedule: true })
    return result
  }

  /** The customer does what the bank asks for, and may come back to the shop, which goes on with the authorization. */
  async authenticate({ returns, fault }: { returns: boolean; fault: Fault }): Promise<void> {
    const { actor, gateway } = this.#world
    const entry = this.books.held('authorization').find(({ customer }) => customer?.isBack === false)
    if (entry?.customer == null) return
    const action = await actor.openActionOf(this.invoiceId)
    assert.equal(action?.attemptId, entry.id, 'the customer is not asked to act')
    await createSimulatedBank({ execute: actor.execute, clock: actor.deps.clock }).answer(
      action.continuation,
      RIGHT_CODE,
    )
    await gateway.customerHasActed(entry.id, action.continuation)
    if (!returns) return
    await keepReturned(actor.deps.orm, { invoiceId: this.invoiceId, attemptId: entry.id }, {})
    entry.customer.isBack = this.at < entry.customer.until
    const result = await this.#step(actor.commandOf({ kind: 'continue', actionId: action.id }), fault)
    const heard = this.#hear(entry, this.#judge(entry, { isKnown: true }))
    assert.equal(result.answer.kind, ANSWERS[heard], 'the continuation is answered')
    this.adopt(result, { mayReschedule: heard !== 'open' })
  }

  /** What became of a step is asked, by a look-up or by another worker that does the step again. */
  async lookUp(entry: Entry, again?: () => Promise<StoredPayment>): Promise<void> {
    const payment = this.actor.referenceOf(this.invoiceId)
    const isKnown = (await this.requestOf(entry.id)) !== null
    const look = again ?? (() => this.actor.activities.lookUp({ payment, operationId: entry.id, at: this.at }))
    this.#world.gateway.plan('none', this.at)
    const ageMs = this.at - entry.begunAt
    const stored = await look()
    if (!isKnown) await this.#followAnew(entry, ageMs)
    const judged = this.#judge(entry, { isKnown, ageMs })
    if (entry.isClosed) this.#hearLate(entry, judged, stored.payment)
    else this.#hear(entry, judged)
    this.adopt(stored, { mayReschedule: judged.kind !== 'open' && endsSchedules(entry) })
  }

  /** A capture that never reached the gateway is made under another reference, from ten minutes on. */
  async #followAnew(entry: Entry, ageMs: number): Promise<void> {
    const { orm } = this.actor.deps
    const last = await orm.em
      .fork()
      .findOne(OperationEntity, { fallbackOf: entry.command }, { orderBy: { position: 'desc' } })
    if (last === null || last.id === entry.id) return
    assert.ok(entry.type === 'capture' && !entry.isClosed && ageMs >= MADE_ANEW_AFTER_MS, 'a step was made anew early')
    this.books.rename(entry, last.id)
    entry.begunAt = this.at
  }

  /**
   * What the product has to make of what was told of a step.
   *
   * @param isKnown whether the gateway has it, so that a look-up that does not find it is behind.
   */
  #judge(entry: Entry, { isKnown, ageMs = 0 }: { isKnown: boolean; ageMs?: number }): Judged {
    const { customer, isClosed, isExpiry } = entry
    // Where the gateway goes on by itself, a continuation that was not sent proves nothing. Our own void is sent later.
    const staysOpen = isExpiry || (customer !== null && this.#world.account.goesOnByItself)
    const heard = this.#world.gateway.heard(entry.id, { isExpiry, staysOpen })
    const isTimeOver = customer !== null && this.at >= customer.until
    if (heard === null) {
      assert.ok(customer !== null && (isClosed || isTimeOver), `nobody has asked for the ${entry.type}`)
      return { kind: 'declined', isPassing: false }
    }
    if (heard.kind === 'asks' && isClosed) return { kind: 'declined', isPassing: false }
    if (heard.kind === 'asks' && isTimeOver) return { kind: 'timed out' }
    if (heard.kind !== 'never seen') return heard
    // Of one that has arrived the books of the gateway are behind. One that staff have closed is sent by nobody.
    if (isKnown || isClosed || ageMs < Math.max(FRESH_MS, heard.lagMs)) return { kind: 'open' }
    const isTooLate = entry.type !== 'capture' || this.books.isTooLateToCapture(this.at)
    return isTooLate ? { kind: 'declined', isPassing: true } : { kind: 'open' }
  }

  /**
   * Staff end a step, with what the gateway did or as if it had failed. Of the void at the end of an authorization they know
   * that the money is free.
   */
  async resolve(entry: Entry, truthfully: boolean): Promise<void> {
    const outcome = (await this.requestOf(entry.id))?.outcome
    const { isSaleOnly } = this.#world.account
    // Staff say whether a call was approved, and the account whether that has taken the money.
    const isSayable = outcome?.kind === 'approved' && (isSaleOnly || outcome.isSale !== true)
    const isKnown = isSayable && outcome.amountMinor === entry.amountMinor
    const isApproved = entry.isExpiry || (truthfully && isKnown)
    const stored = await this.#settle(entry.id, isApproved, isKnown && isApproved ? outcome.gatewayOperationId : null)
    const isSale = isSaleOnly && entry.type === 'authorization'
    if (isApproved) this.#hear(entry, { kind: 'approved', amountMinor: entry.amountMinor, isSale })
    else this.books.close(entry)
    this.adopt(stored, { mayReschedule: true })
  }

  /** Staff find out what became of a reversal of our own. */
  async resolveReversal(operationId: string): Promise<void> {
    const outcome = (await this.requestOf(operationId))?.outcome
    this.adopt(await this.#settle(operationId, outcome?.kind === 'approved', null))
  }

  #settle(operationId: string, isApproved: boolean, gatewayOperationId: string | null): Promise<StoredPayment> {
    const outcome = isApproved ? 'approved' : 'declined'
    return this.actor.activities.resolveAttempt({
      payment: this.actor.referenceOf(this.invoiceId),
      resolution: { operationId, outcome, gatewayOperationId, reason: 'a test' },
      at: this.at,
    })
  }

  /** Every notification that the gateway has by now is posted and applied. */
  async hearNotifications(): Promise<void> {
    const { notifications } = await readSimulatorLog(this.actor.execute, { invoiceId: this.invoiceId })
    while ((await this.#postDue()) > 0);
    const posted = notifications.filter(({ deliveredAt }) => deliveredAt === null)
    await this.#apply(posted.map((one) => ({ ...one, disputeId: `${one.gatewayAuthorizationId}-dispute` })))
  }

  /** A step of a dispute, by the gateway's id of it, about a share of what is captured or about all of it. */
  async dispute({ id, step, share }: { id: string; step: 'created' | 'won' | 'lost'; share: number | null }) {
    if (this.payment?.status == null) return
    const amountMinor = share === null ? null : Math.max(1, Math.ceil(this.books.captured * share))
    const kind = `chargeback-${step}` as const
    this.#disputeSteps += 1
    const { invoiceId } = this
    const notification = {
      ...{ kind, disputeId: id, invoiceId, reference: null, amountMinor, reason: 'fraudulent' },
      ...{ gatewayNotificationId: `${invoiceId} ${this.#disputeSteps}`, gatewayAuthorizationId: null },
      currency: amountMinor === null ? null : this.books.asked.currency,
    }
    await this.#post(notification, await this.actor.gatewayConfigurationId())
    await this.#apply([{ kind, reference: null, disputeId: id, amountMinor }])
  }

  async #apply(notices: readonly Notice[]): Promise<void> {
    if (this.payment === null) return
    const payment = this.actor.referenceOf(this.invoiceId)
    this.#world.gateway.plan('none', this.at)
    const stored = await this.actor.activities.applyNotifications({ payment, at: this.at })
    const heard = [...this.#early.splice(0), ...notices]
    // What has become of calls is booked before the disputes about the money that they moved.
    const isRefund = ({ kind }: Notice) => kind === 'refund-failed'
    for (const notice of [...heard.filter(isRefund), ...heard.filter((one) => !isRefund(one))])
      this.#hearNotice(notice, stored.payment)
    this.adopt(stored)
  }

  /** Does all that our own clock asks for by now. */
  async wake(): Promise<void> {
    for (let wakes = 0; ; wakes += 1) {
      const due = this.payment === null ? null : nextDue(this.payment)
      if (due === null || due.at > this.at) return
      assert.ok(wakes < WAKES_MAX, `the clock asks for the ${due.kind} for ever`)
      const { build, activities } = this.actor
      if (due.kind === 'expiry-announcement') {
        this.adopt(await activities.announceExpiry({ payment: this.actor.referenceOf(this.invoiceId), at: this.at }))
        continue
      }
      const fault = this.#nextHindrance()
      if (due.kind === 'reverse-orphan') {
        this.adopt(await this.#step(build.reverseOrphan(due.orphan.operationId), fault))
        continue
      }
      const expected = this.books.due()
      assert.equal(due.kind, expected?.kind, 'the clock asks for something else than was agreed on')
      const amount = expected?.amount ?? null
      if (due.kind === 'expiry') {
        assert.ok(due.at >= (this.books.endsAt ?? Number.NaN), 'expired early')
        await this.#ask(build.expiry(), { terms: { kind: 'void', amount: null }, fault }, amount, due.at, true)
      } else {
        assert.ok(due.at >= (this.books.agreed.at ?? Number.NaN), 'captured early')
        const { amountMinor, detailIds, isFinal } = due
        const command = build.scheduledCapture(amountMinor, { detailIds, isFinal })
        const lines = detailIds?.map((id) => this.lines.indexOf(id)) ?? null
        const terms: Terms = { kind: 'capture', amount: amountMinor, lines, isFinal, wantsRest: true }
        await this.#ask(command, { terms, fault }, amount, due.at)
      }
    }
  }

  #nextHindrance(): Fault {
    const fault = this.hindrance
    this.hindrance = 'none'
    return fault
  }

  /** Takes over what the product says, and holds it against the books. */
  adopt({ payment }: StoredPayment, { mayReschedule = false } = {}): void {
    const { books } = this
    const { authorizedMinor, capturedMinor, voidedMinor, refundedMinor, attemptsInFlight, disputes = [] } = payment
    assert.deepEqual(
      { authorizedMinor, capturedMinor, voidedMinor, refundedMinor },
      {
        authorizedMinor: books.authorized,
        capturedMinor: books.captured,
        voidedMinor: books.voided,
        refundedMinor: books.refunded,
      },
    )
    const open = attemptsInFlight
      .filter(({ reverses }) => reverses === null)
      .map(({ operationId, amountMinor, isAbandoned }) => `${operationId} ${amountMinor} ${isAbandoned}`)
    const expected = [...books.underWay.values()].map(
      ({ id, amountMinor, isClosed }) => `${id} ${amountMinor} ${isClosed}`,
    )
    assert.deepEqual(open.sort(), expected.sort(), 'what is under way')
    assert.deepEqual(
      // Inquiries take no money.
      disputes
        .filter(({ id }) => chargebackStatus(disputes, id) !== undefined)
        .map(({ id, status, amountMinor }) => [id, { status, amountMinor }]),
      [...books.disputes],
      'what is disputed',
    )
    const { autoCaptureAt: at, autoCaptureAmountMinor: amount, autoCaptureDetailIds } = payment
    const agreed = { at, amount, lines: autoCaptureDetailIds?.map((id) => this.lines.indexOf(id)) ?? null }
    if (!mayReschedule) assert.deepEqual(agreed, books.agreed, 'what was agreed on has changed by itself')
    if (books.authorized > 0 && books.remaining + books.capturing === 0)
      assert.equal(agreed.at, null, 'a capture is ahead of which nothing is left')
    books.agreed = agreed
    this.payment = payment
  }

  async requestOf(reference: string): Promise<LoggedRequest | null> {
    return (await readSimulatorLog(this.actor.execute, { reference })).requests[0] ?? null
  }

  get actor(): PaymentActor {
    return this.#world.actor
  }

  /** @returns what the product is to answer. */
  #hear(entry: Entry, heard: Judged): keyof typeof ANSWERS {
    if (heard.kind === 'open') return 'open'
    if (heard.kind === 'asks') {
      entry.customer = { until: entry.customer?.until ?? this.at + CUSTOMER_HAS_MS, isBack: false }
      return 'open'
    }
    if (heard.kind === 'timed out') {
      this.books.close(entry)
      return 'declined'
    }
    const isUnwanted =
      heard.kind === 'approved' && heard.amountMinor < entry.amountMinor && !this.#world.acceptsPartialApprovals
    if (heard.kind === 'approved' && !isUnwanted) {
      if (entry.type === 'refund') this.#refunds.set(entry.id, entry.amountMinor)
      this.books.approve(entry, heard)
      return 'approved'
    }
    // A refusal of our void at the end of an authorization is only heard where it says that the money is free.
    if (entry.isExpiry) this.books.approve(entry, { amountMinor: entry.amountMinor, isSale: false })
    else this.books.decline(entry)
    return 'declined'
  }

  /** Of what staff have closed: an approval is booked, given back, or shown to them, or waits for another refund; a decline is no news. */
  #hearLate(entry: Entry, heard: Judged, payment: Payment): void {
    const { books } = this
    if (heard.kind === 'open') {
      if (this.at > entry.begunAt + VALIDITY_MS) books.underWay.delete(entry.id)
      return
    }
    const waits = payment.attemptsInFlight.some(({ operationId }) => operationId === entry.id)
    if (waits) {
      assert.ok(heard.kind === 'approved' && entry.type === 'refund', 'a late outcome waits')
      assert.ok(
        activeAttempts(payment).some(({ type }) => type === 'refund'),
        'a late refund waits for nothing',
      )
      return
    }
    books.underWay.delete(entry.id)
    const sumOf = (one: Payment) => one.authorizedMinor + one.capturedMinor + one.voidedMinor + one.refundedMinor
    const isBooked = this.payment !== null && sumOf(payment) !== sumOf(this.payment)
    if (heard.kind === 'approved') books.take(entry)
    if (isBooked) this.#hear({ ...entry, isClosed: false }, heard)
    else if (heard.kind === 'approved' && entry.type === 'authorization')
      assert.ok(
        payment.orphans.some(({ operationId }) => operationId === entry.id),
        'money that came too late is not given back',
      )
    else if (heard.kind === 'approved') assert.ok(payment.needsAttention, 'an approval that came too late went unseen')
  }

  #hearNotice(notice: Notice, { needsAttention }: Payment): void {
    const { books } = this
    const { kind, reference, disputeId, amountMinor } = notice
    if (kind === 'refund-failed') {
      const open = books.underWay.get(reference ?? '')
      if (open !== undefined) books.decline(open)
      const refunded = this.#refunds.get(reference ?? '')
      if (refunded !== undefined) books.takeRefundBack(reference ?? '', refunded)
      this.#refunds.delete(reference ?? '')
      return
    }
    // Money of which we do not know yet that it was taken may turn out to have been.
    const mayHaveTaken = [...books.underWay.values()].some(({ type }) => type === 'authorization' || type === 'capture')
    if (books.captured === 0 && mayHaveTaken) {
      this.#early.push(notice)
      return
    }
    if (books.captured === 0) {
      assert.ok(needsAttention, 'a dispute went unseen')
      return
    }
    const status = DISPUTES[kind]
    if (status !== undefined) books.dispute(disputeId ?? '', { status, amountMinor: amountMinor ?? books.captured })
  }

  #begin(id: string, terms: Terms, amountMinor: number, isExpiry = false): Entry {
    const named = 'lines' in terms ? terms.lines : null
    const lines = named ?? (terms.kind === 'capture' && terms.amount === null ? this.books.agreed.lines : null) ?? []
    const entry: Entry = {
      ...{ id, command: id, type: TYPES[terms.kind], amountMinor, begunAt: this.at },
      isFinal: terms.kind === 'capture' && terms.isFinal,
      lines: linesTotal(lines) === amountMinor ? lines : [],
      ...{ isExpiry, isClosed: false, customer: null },
    }
    this.#begun.add(id)
    this.books.begin(entry)
    return entry
  }
}

/** The notices of a dispute that move money, and where the dispute then stands. */
const DISPUTES: Readonly<Record<string, 'open' | 'won' | 'lost'>> = {
  'chargeback-created': 'open',
  'chargeback-won': 'won',
  'chargeback-lost': 'lost',
}

/** The steps whose end may be the end of what was agreed on for later. */
function endsSchedules({ type }: Entry): boolean {
  return type === 'authorization' || type === 'capture' || type === 'void'
}
