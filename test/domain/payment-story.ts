import assert from 'node:assert/strict'
import type { AuthorizeCommand, Command } from '../../domain/command.ts'
import { decide, saleGoesOn, withinApproved } from '../../domain/decision.ts'
import type { DisputeStep } from '../../domain/dispute.ts'
import { type Change, type Due, newPayment, nextDue, type Payment, reschedule } from '../../domain/payment.ts'
import { applyDispute, giveUpAuthorization, reverseRefund } from '../../domain/payment-outcome.ts'
import type { EventName } from '../../domain/webhook-event.ts'
import { Books, type Entry } from './payment-books.ts'
import {
  AT,
  abandon,
  begin,
  captureCommand,
  expiryCommand,
  factsOf,
  hear,
  OPERATION_OF,
  reverseOrphanCommand,
  type Said,
  type StepCommand,
  wordOf,
} from './payment-builders.ts'
import { expectSoundness } from './payment-soundness.ts'

/** What the gateway answers at once; `nothing` is a worker that ends before it hears. */
export type Answer = Said | 'nothing'

/** A payment that lives through commands, words, notices and time, with its books kept beside it and compared after each. */
export class Story {
  payment: Payment
  at = AT
  readonly books = new Books()
  readonly fired: EventName[] = []
  hadDispute = false
  #steps = 0

  constructor(invoice: Pick<Payment, 'amountMinor' | 'incremental' | 'capabilities' | 'authorizationValidityMs'>) {
    const payment = newPayment({ ...invoice, currency: 'EUR', payableUntil: null })
    this.payment = { ...payment, ...invoice }
  }

  command(command: Command, answer: Answer): void {
    if (command.kind === 'schedule-capture') this.#schedule(command)
    else if (this.payment.amountMinor > 0 || command.kind !== 'authorize') this.#ask(command, answer)
    // A verification reserves nothing, so nothing of it is sold, nor approved in part.
    else this.#ask({ ...command, capture: null }, typeof answer === 'string' ? answer : 'approved')
  }

  #ask(command: StepCommand, answer: Answer): void {
    if (command.kind === 'authorize' && !this.#canSell(command)) return
    const own = { ...command, operationId: this.#nextId() }
    const isBegun = this.#executeCommand(own, answer, this.at)
    const isApproved = answer === 'approved' || (typeof answer === 'object' && 'approved' in answer)
    if (own.kind === 'authorize' && own.capture !== null) this.#goOn(own, isBegun && isApproved)
  }

  /** The word on one of the steps under way, if there is one. */
  word(which: number, said: Said): void {
    const entry = this.#underWay(which)
    if (entry === undefined) return
    // Only authorizations are approved in another way than asked.
    const isApplicable = typeof said === 'string' || (entry.type === 'authorization' && entry.amountMinor > 0)
    this.#hear(entry, isApplicable ? said : 'approved')
  }

  abandon(which: number): void {
    const entry = this.#underWay(which)
    if (entry === undefined) return
    const isOpenAuthorization = entry.type === 'authorization' && !entry.isAbandoned
    const { incrementAttempts } = this.payment
    this.#adopt(abandon(this.payment, entry.id, this.at))
    entry.isAbandoned = true
    assert.equal(this.payment.incrementAttempts, incrementAttempts)
    if (isOpenAuthorization) assert.equal(this.payment.status, 'failed')
    this.verify()
  }

  notice(step: DisputeStep): void {
    if (this.payment.status === null) return
    this.hadDispute = true
    this.#adopt(applyDispute(this.payment, step))
    this.verify()
  }

  refundFails(which: number): void {
    const amountMinor = this.books.reverseRefund(which)
    if (amountMinor === null) return
    this.#adopt(reverseRefund(this.payment, amountMinor))
    this.verify()
  }

  /** Time passes, and what is due by then is done, once. */
  wait(ms: number, said: Said): void {
    this.at += ms
    this.wake(said)
  }

  /** Does what is due by now, once; says whether anything was. */
  wake(said: Said): boolean {
    const due = nextDue(this.payment)
    if (due === null || due.at > this.at) return false
    if (due.kind === 'expiry-announcement')
      this.#adopt({ payment: { ...this.payment, expiryAnnounced: true }, fires: [] })
    else this.#executeDue(due, said)
    this.verify()
    return true
  }

  /** Everything is heard of, and all time passes: nothing may be reserved, nor awaited of the clock, after that. */
  end(said: Said): void {
    for (const entry of [...this.books.underWay.values()]) this.#hear(entry, said)
    this.at = Math.max(this.at, this.payment.authorizationExpiresAt ?? 0) + 1
    let turns = 0
    while (this.wake('failed-in-passing')) {
      turns += 1
      assert.ok(turns < 10, 'the clock asks for something for ever')
    }
    assert.equal(nextDue(this.payment), null)
    assert.equal(this.books.remaining, 0, 'money stays reserved for ever')
  }

  verify(): void {
    expectSoundness(this)
  }

  #schedule(command: Extract<Command, { kind: 'schedule-capture' }>): void {
    const decision = decide(this.payment, command, this.at)
    if (decision.kind !== 'proceed') return
    assert.ok(decision.amountMinor <= this.books.remaining)
    assert.ok(this.at <= (this.payment.authorizationExpiresAt ?? 0), 'scheduled after the end')
    this.#adopt({ payment: reschedule(this.payment, command), fires: [] })
    this.verify()
  }

  /** No gateway is chosen for a sale that could not be captured there. */
  #canSell({ capture }: AuthorizeCommand): boolean {
    const { capabilities, amountMinor } = this.payment
    if (capture === null) return true
    const isWhole = (capture.amountMinor ?? amountMinor) >= amountMinor
    return (isWhole || capabilities.partialCapture) && (capture.isFinal || capabilities.multipleCaptures)
  }

  /** A sale goes on to its capture only on its own approval, and then is not refused what was approved. */
  #goOn({ capture, actor }: AuthorizeCommand, isApproved: boolean): void {
    if (capture === null || !isApproved || !saleGoesOn({ actor }, { kind: 'done' }, this.payment)) return
    const command = { ...withinApproved(capture, this.payment), operationId: this.#nextId() }
    assert.ok(this.#executeCommand(command, 'approved', this.at), 'a sale got stuck')
  }

  #executeDue(due: Exclude<Due, { kind: 'expiry-announcement' }>, said: Said): void {
    const operationId = this.#nextId()
    const { remaining } = this.books
    switch (due.kind) {
      case 'reverse-orphan':
        this.#insist(reverseOrphanCommand(due.orphan.operationId, { operationId }), said, this.at)
        break
      case 'auto-capture': {
        const { amountMinor, detailIds } = due
        // Lines are captured whole or not at all.
        if (detailIds !== null) assert.equal(amountMinor, this.payment.autoCaptureAmountMinor)
        assert.ok(due.at >= (this.payment.autoCaptureAt ?? Number.NaN), 'captured early')
        const command = captureCommand(amountMinor, { operationId, detailIds, actor: 'scheduler', wantsRest: true })
        this.#insist(command, said, due.at)
        break
      }
      case 'expiry':
        assert.ok(this.at >= (this.payment.authorizationExpiresAt ?? Number.NaN), 'expired early')
        // The money is free at the end of an authorization, whatever the gateway says of our void.
        this.#insist({ ...expiryCommand(), operationId }, 'approved', due.at)
        assert.ok(this.books.voided >= remaining && this.books.remaining === 0)
    }
  }

  /** What the clock asks for must never be refused: it would be due again at once, for ever. */
  #insist(command: StepCommand, said: Said, asOf: number): void {
    assert.ok(this.#executeCommand(command, said, asOf), `what is due was refused: ${command.kind}`)
  }

  #executeCommand(command: StepCommand, answer: Answer, asOf: number): boolean {
    const decision = decide(this.payment, command, asOf)
    this.#expectNoNeedlessRefusal(command, decision.kind === 'proceed')
    if (decision.kind === 'answer') return false
    if (decision.kind === 'give up') return this.#giveUp(command, decision.operationId)
    if (decision.kind === 'continue') throw new Error('No customer answers in this story.')
    const { amountMinor } = decision
    const { authorizationExpiresAt: expiresAt } = this.payment
    assert.equal(this.books.objection(command, amountMinor, { at: asOf, expiresAt }), null)
    const begun = begin(this.payment, command, asOf)
    const { operationId: id, isFinal, reverses } = begun.attempt
    const targetTotalMinor = command.kind === 'increment' ? this.books.authorized + amountMinor : null
    const entry: Entry = {
      id,
      type: OPERATION_OF[command.kind],
      amountMinor,
      isFinal,
      isAbandoned: false,
      isOpen: false,
      reverses,
      targetTotalMinor,
    }
    this.books.begin(entry)
    this.#adopt(begun)
    this.verify()
    if (answer !== 'nothing') this.#hear(entry, answer, command.actor === 'scheduler')
    return true
  }

  /** The plainest wishes must come true, or refusing everything would pass. */
  /** A void of what nobody knows yet: nothing is sent, and what turns out approved is given back. */
  #giveUp({ kind }: StepCommand, operationId: string): false {
    const [entry] = this.books.held('authorization')
    assert.ok(kind === 'void' && entry?.id === operationId, 'something else than an open authorization was given up')
    this.#adopt(giveUpAuthorization(this.payment, operationId, this.at))
    entry.isAbandoned = true
    this.books.isGivenUp = true
    this.verify()
    return false
  }

  #expectNoNeedlessRefusal(command: StepCommand, proceeds: boolean): void {
    const { books, payment, at } = this
    const isQuiet = books.held('authorization', 'increment_authorization', 'void', 'capture').length === 0
    const isInTime = at <= (payment.authorizationExpiresAt ?? 0)
    if (!('amountMinor' in command) || !isQuiet) return
    const { kind, amountMinor } = command
    if (kind === 'capture' && command.isFinal && books.captured === 0 && amountMinor === books.remaining && isInTime)
      assert.equal(proceeds, books.remaining > 0, `a needless word on ${kind}`)
    if (kind === 'void' && amountMinor === books.remaining && books.authorized > 0)
      assert.equal(proceeds, books.remaining > 0, `a needless word on ${kind}`)
    if (kind === 'refund' && amountMinor === books.captured && books.refunded === 0 && !this.hadDispute)
      assert.equal(
        proceeds,
        books.captured > 0 && books.refundable === books.captured && payment.capabilities.refund,
        'a needless word on refund',
      )
  }

  #hear(entry: Entry, said: Said, isScheduled = false): void {
    const before = this.payment
    const word = wordOf(said, entry.amountMinor)
    const facts = { ...factsOf(before, entry.id, isScheduled), targetTotalMinor: entry.targetTotalMinor }
    const change = hear(before, entry.id, said, this.at, facts)
    this.#adopt(change)
    if (word.kind === 'open') {
      entry.isOpen = true
      this.verify()
      return
    }
    const isBooked = !entry.isAbandoned || hasMovedMoney(before, this.payment)
    // Late money is booked, or given back, or shown to staff; nothing is not money.
    if (word.kind === 'approved' && !isBooked && entry.reverses === null && word.amountMinor > 0) {
      // A void can give back what is reserved, and not what was taken.
      const isGivenBack = !word.isSale && this.payment.orphans.some((one) => one.operationId === entry.id)
      const isSeen = this.payment.needsAttention || isGivenBack
      assert.ok(isSeen, 'an approval went unseen')
    }
    if (entry.isAbandoned && word.kind === 'declined') assert.deepEqual(change.fires, [])
    this.books.end(entry.id, word, { isBooked })
    this.verify()
  }

  #adopt({ payment, fires }: Change): void {
    this.payment = Object.freeze(payment)
    this.fired.push(...fires)
  }

  #underWay(which: number): Entry | undefined {
    const entries = [...this.books.underWay.values()]
    return entries[which % Math.max(entries.length, 1)]
  }

  #nextId(): string {
    this.#steps += 1
    return `tr_op_${this.#steps}`
  }
}

function hasMovedMoney(before: Payment, after: Payment): boolean {
  const names = ['authorizedMinor', 'capturedMinor', 'voidedMinor', 'refundedMinor'] as const
  return names.some((name) => before[name] !== after[name])
}
