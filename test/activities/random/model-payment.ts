import assert from 'node:assert/strict'
import type { StepResult, StoredPayment } from '../../../activities/payment/attempt.ts'
import { type GatewayCommand, OPERATION_OF } from '../../../activities/payment/attempt.ts'
import { beginAttempt } from '../../../activities/payment/begin-attempt.ts'
import type { AuthorizeCommand } from '../../../domain/command.ts'
import { activeAttempts, nextDue, type Payment } from '../../../domain/payment.ts'
import {
  type NotificationDispatcherOptions,
  postDueNotifications,
} from '../../../src/gateways/simulator/notification-dispatcher.ts'
import {
  type LoggedNotification,
  type LoggedRequest,
  readSimulatorLog,
} from '../../../src/gateways/simulator/read-log.ts'
import { OperationEntity } from '../../../src/persistence/entities/operation.ts'
import { storeNotifications } from '../../../src/persistence/queries/payments/gateway-notifications.ts'
import type { PaymentActor } from '../../support/payment-actor.ts'
import { type FaultyGateway, type Heard, heardOf } from './faulty-gateway.ts'
import type { Fault } from './model-steps.ts'
import { type Entry, linesTotal, ReferenceBooks, type Terms, VALIDITY_MS } from './reference-books.ts'

/** When the first request of every payment comes, in epoch ms of workflow time. */
const BEGINS_AT = Date.parse('2026-11-21T09:00:00.000Z')
/** The simulator tells the last step of a dispute a moment after the first; to us it is always late enough. */
const DISPATCHER_AHEAD_MS = 60 * 60 * 1000
/** How long a step that never arrived is sent again, and from when on a capture is made under another reference. */
const FRESH_MS = 5 * 60 * 1000
const MADE_ANEW_AFTER_MS = 10 * 60 * 1000
/** More than can be due at once; beyond it the clock asks for something for ever. */
const WAKES_MAX = 20

export interface ModelWorld {
  actor: PaymentActor
  gateway: FaultyGateway
  acceptsPartialApprovals: boolean
}

/** One payment of the product, with a bookkeeper's notes of it: what is done is done to both, and compared each time. */
export class ModelPayment {
  readonly books = new ReferenceBooks()
  readonly invoiceId: string
  readonly lines: string[]
  at = BEGINS_AT
  payment: Payment | null = null
  readonly #world: ModelWorld
  readonly #postDue: () => Promise<number>
  /** Refunds that were approved, by reference. */
  readonly #refunds = new Map<string, number>()
  readonly #begun = new Set<string>()
  /** Disputes that wait until it is known whether the money was taken. */
  readonly #early: LoggedNotification[] = []

  constructor(world: ModelWorld, { invoiceId, lines }: { invoiceId: string; lines: string[] }) {
    this.#world = world
    this.invoiceId = invoiceId
    this.lines = lines
    const { orm, clock } = world.actor.deps
    const { execute } = world.actor
    const dispatcherClock = { now: () => new Date(clock.now().getTime() + DISPATCHER_AHEAD_MS) }
    const post: NotificationDispatcherOptions['post'] = async (notification, gatewayConfigurationId) => {
      const account = { gatewayConfigurationId, projectId: world.actor.projectId, sandbox: true }
      await storeNotifications(orm.em.fork(), account, [notification], clock.now())
    }
    this.#postDue = () => postDueNotifications({ execute, clock: dispatcherClock, post })
  }

  hasBegun(operationId: string): boolean {
    return this.#begun.has(operationId)
  }

  /** A request for a step, by a merchant: it reaches the gateway if and only if the books allow it, and for their amount. */
  ask(command: GatewayCommand, terms: Terms, fault: Fault): Promise<StepResult> {
    return this.#ask(command, this.books.amountToAsk(terms, this.at), fault, this.at)
  }

  async #ask(command: GatewayCommand, expected: number | null, fault: Fault, asOf: number): Promise<StepResult> {
    const { gateway } = this.#world
    const when = { at: this.at, asOf }
    gateway.plan(fault)
    if (fault === 'died') await beginAttempt(this.actor.deps, this.actor.stepOf(this.invoiceId, command, when))
    const result = await this.actor.step(this.invoiceId, command, when)
    const wasFaulty = fault !== 'none' && fault !== 'died' && !gateway.isPlanned
    gateway.plan('none')
    const { answer } = result
    const request = await this.requestOf(command.operationId)
    const [unknown] = this.books.held('authorization')
    // A worker that has died may have given up the authorization before; the next one then finds nothing left to do.
    const isGivenUp = answer.kind === 'done' || (fault === 'died' && answer.kind === 'unchanged')
    if (command.kind === 'void' && unknown !== undefined && isGivenUp) {
      assert.ok(command.amountMinor === null || command.amountMinor === unknown.amountMinor, 'a part was given up')
      assert.equal(request, null, 'the gateway was asked to void what nobody knows yet')
      this.books.giveUp(unknown)
      this.adopt(result, { mayReschedule: true })
      return result
    }
    if (expected === null) {
      assert.match(answer.kind, /refused|unchanged|pending/, `${command.kind} went through`)
      assert.equal(request, null, `the gateway was asked for a ${command.kind} that is not allowed`)
      this.adopt(result)
      return result
    }
    assert.doesNotMatch(answer.kind, /refused|unchanged|duplicate/, `${command.kind} of ${expected} did not go through`)
    const entry = this.#entryOf(command, expected)
    this.#begun.add(entry.id)
    if (command.kind === 'authorize') this.books.incremental = command.incremental
    this.books.begin(entry)
    if (request !== null)
      assert.equal(request.amountMinor, expected, `the gateway was asked for another ${command.kind}`)
    // That a repeated call was not taken up says nothing about the first one.
    const isOpen = wasFaulty || (fault === 'died' && request === null)
    const heard = this.#hear(entry, isOpen ? { kind: 'open' } : heardOf(request, entry))
    assert.equal(
      answer.kind,
      { approved: 'done', declined: 'declined', open: 'pending' }[heard],
      `${command.kind} is answered`,
    )
    this.adopt(result, { mayReschedule: command.kind === 'authorize' || (heard !== 'open' && endsSchedules(entry)) })
    return result
  }

  /** The capture that follows the authorization of a sale in the same request. */
  async goOn(sale: AuthorizeCommand, authorized: StepResult): Promise<StepResult> {
    const followed = await this.actor.goOn(this.invoiceId, sale, authorized, { at: this.at })
    if (followed === null) return authorized
    const { command, result } = followed
    // A sale takes no more than its own authorization was approved for.
    const isOwn = authorized.answer.kind === 'done' && command.amountMinor !== null
    const amount = isOwn ? Math.min(command.amountMinor ?? 0, this.books.remaining) : command.amountMinor
    const terms: Terms = { ...command, kind: 'capture', amount, lines: null }
    const expected = this.books.amountToAsk(terms, this.at)
    if (expected === null) {
      // What another request has authorized may be less than this one wants to take.
      assert.equal(authorized.answer.kind, 'unchanged', 'a sale got stuck between authorization and capture')
      assert.equal(result.answer.kind, 'refused')
      this.adopt(result)
      return result
    }
    const entry = this.#entryOf(command, expected)
    this.#begun.add(entry.id)
    this.books.begin(entry)
    const heard = this.#hear(entry, heardOf(await this.requestOf(entry.id), entry))
    assert.equal(result.answer.kind, { approved: 'done', declined: 'declined', open: 'pending' }[heard])
    this.adopt(result, { mayReschedule: true })
    return result
  }

  /** What became of a step is asked, by a look-up or by another worker that does the step again. */
  async lookUp(entry: Entry, again?: () => Promise<StoredPayment>): Promise<void> {
    const payment = this.actor.referenceOf(this.invoiceId)
    const before = await this.requestOf(entry.id)
    const look = again ?? (() => this.actor.activities.lookUp({ payment, operationId: entry.id, at: this.at }))
    const ageMs = this.at - entry.begunAt
    const stored = await look()
    if (before === null) await this.#followAnew(entry, ageMs)
    const after = await this.requestOf(entry.id)
    const heard: Heard = after === null ? this.#hearOfNothing(entry, ageMs) : heardOf(after, entry)
    if (entry.isClosed) this.#hearLate(entry, heard, stored.payment)
    else this.#hear(entry, heard)
    this.adopt(stored, { mayReschedule: heard.kind !== 'open' && endsSchedules(entry) })
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
   * What a look-up tells of a step that never reached the gateway, and was not sent by it either: it is too late for it. One
   * that staff have closed is sent by nobody.
   */
  #hearOfNothing({ type, isClosed }: Entry, ageMs: number): Heard {
    if (isClosed || ageMs < FRESH_MS) return { kind: 'open' }
    const isTooLate = type !== 'capture' || this.books.isTooLateToCapture(this.at)
    return isTooLate ? { kind: 'declined', isPassing: true } : { kind: 'open' }
  }

  /**
   * Staff end a step, with what the gateway did or as if it had failed. Of the void at the end of an authorization they know
   * that the money is free.
   */
  async resolve(entry: Entry, truthfully: boolean): Promise<void> {
    const outcome = (await this.requestOf(entry.id))?.outcome
    const isKnown = outcome?.kind === 'approved' && outcome.amountMinor === entry.amountMinor && outcome.isSale !== true
    const isApproved = entry.isExpiry || (truthfully && isKnown)
    const gatewayOperationId = isKnown && isApproved ? outcome.gatewayOperationId : null
    const stored = await this.actor.activities.resolveAttempt({
      payment: this.actor.referenceOf(this.invoiceId),
      resolution: {
        operationId: entry.id,
        outcome: isApproved ? 'approved' : 'declined',
        gatewayOperationId,
        reason: 'a test',
      },
      at: this.at,
    })
    if (isApproved) this.#hear(entry, { kind: 'approved', amountMinor: entry.amountMinor, isSale: false })
    else this.books.close(entry)
    this.adopt(stored, { mayReschedule: true })
  }

  /** Every notification that the gateway has by now is posted and applied. */
  async hearNotifications(): Promise<void> {
    const { invoiceId } = this
    const { notifications } = await readSimulatorLog(this.actor.execute, { invoiceId })
    while ((await this.#postDue()) > 0);
    if (this.payment === null) return
    const payment = this.actor.referenceOf(invoiceId)
    const stored = await this.actor.activities.applyNotifications({ payment, at: this.at })
    const heard = [...this.#early.splice(0), ...notifications.filter(({ deliveredAt }) => deliveredAt === null)]
    // What has become of calls is booked before the disputes about the money that they moved.
    const isRefund = ({ kind }: LoggedNotification) => kind === 'refund-failed'
    for (const notification of [...heard.filter(isRefund), ...heard.filter((one) => !isRefund(one))])
      this.#hearNotification(notification, stored.payment)
    this.adopt(stored)
  }

  /** Does all that our own clock asks for by now. */
  async wake(): Promise<void> {
    for (let wakes = 0; ; wakes += 1) {
      const due = this.payment === null ? null : nextDue(this.payment)
      if (due === null || due.at > this.at) return
      assert.ok(wakes < WAKES_MAX, `the clock asks for the ${due.kind} for ever`)
      const { build, activities } = this.actor
      if (due.kind === 'reverse-orphan') {
        this.adopt(await this.actor.step(this.invoiceId, build.reverseOrphan(due.orphan.operationId), { at: this.at }))
      } else if (due.kind === 'expiry-announcement') {
        this.adopt(await activities.announceExpiry({ payment: this.actor.referenceOf(this.invoiceId), at: this.at }))
      } else {
        const expected = this.books.due()
        assert.equal(due.kind, expected?.kind, 'the clock asks for something else than was agreed on')
        if (due.kind === 'auto-capture') assert.ok(due.at >= (this.books.agreed.at ?? Number.NaN), 'captured early')
        else assert.ok(due.at >= (this.books.endsAt ?? Number.NaN), 'expired early')
        const command =
          due.kind === 'expiry'
            ? build.expiry()
            : { ...build.scheduledCapture(due.amountMinor, due.detailIds), isFinal: due.isFinal }
        await this.#ask(command, expected?.amount ?? null, 'none', due.at)
      }
    }
  }

  /** Takes over what the product says, and holds it against the books. */
  adopt({ payment }: StoredPayment, { mayReschedule = false } = {}): void {
    const { books } = this
    const { authorizedMinor, capturedMinor, voidedMinor, refundedMinor, attemptsInFlight } = payment
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
  #hear(entry: Entry, heard: Heard): Heard['kind'] {
    if (heard.kind === 'open') return 'open'
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
  #hearLate(entry: Entry, heard: Heard, payment: Payment): void {
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
    else if (heard.kind === 'approved')
      assert.ok(
        payment.needsAttention || payment.orphans.some(({ operationId }) => operationId === entry.id),
        'an approval that came too late went unseen',
      )
  }

  #hearNotification(notification: LoggedNotification, { needsAttention }: Payment): void {
    const { books } = this
    const { kind, reference } = notification
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
      this.#early.push(notification)
      return
    }
    if (books.captured === 0) {
      assert.ok(needsAttention, 'a dispute went unseen')
      return
    }
    if (kind === 'chargeback-created' && books.dispute === 'none') books.dispute = 'open'
    if (kind === 'chargeback-won') books.dispute = 'won'
    if (kind === 'chargeback-lost') books.dispute = 'lost'
  }

  #entryOf(command: GatewayCommand, amountMinor: number): Entry {
    const named = 'detailIds' in command ? command.detailIds?.map((id) => this.lines.indexOf(id)) : null
    const isAll = command.kind === 'capture' && command.amountMinor === null
    const lines = named ?? (isAll ? this.books.agreed.lines : null) ?? []
    return {
      id: command.operationId,
      command: command.operationId,
      type: OPERATION_OF[command.kind],
      amountMinor,
      begunAt: this.at,
      isFinal: command.kind === 'capture' && command.isFinal,
      lines: linesTotal(lines) === amountMinor ? lines : [],
      isExpiry: command.kind === 'void' && command.reason !== null,
      isClosed: false,
    }
  }
}

/** The steps whose end may be the end of what was agreed on for later. */
function endsSchedules({ type }: Entry): boolean {
  return type === 'authorization' || type === 'capture' || type === 'void'
}
