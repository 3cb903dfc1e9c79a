import type { GatewayOperationType } from '../../../domain/operation.ts'
import { INVOICE_MINOR, LINE_AMOUNTS } from './model-steps.ts'

/** One step as the books know it, from the moment at which it is begun. */
export interface Entry {
  id: string
  /** Under which it was asked for; another id than its own where it is made under another reference. */
  command: string
  type: GatewayOperationType
  amountMinor: number
  begunAt: number
  /** Of a capture: whether it releases what it leaves. */
  isFinal: boolean
  lines: number[]
  /** Void at the end of the authorization: the money is free then also where the gateway says that it was released before. */
  isExpiry: boolean
  /** Closed by staff as if it had failed: it holds nothing any more. */
  isClosed: boolean
  /** Of an authorization that has asked for its customer: until when it waits, and whether the customer is back. */
  customer: { until: number; isBack: boolean } | null
}

/** What a request asks for. */
export type Terms =
  /** `amount`: what is to be captured of it, now or later. */
  | {
      kind: 'authorize'
      currency: string
      captureAt: number | null
      amount: number | null
      mayBeSale: boolean
      incremental: boolean
    }
  | { kind: 'capture'; amount: number | null; lines: number[] | null; isFinal: boolean; wantsRest: boolean }
  | { kind: 'increment'; amount: number }
  | { kind: 'void'; amount: number | null }
  | { kind: 'refund'; amount: number | null; lines: number[] | null }

/** A dispute, and how much of the captured money it is about. */
interface Dispute {
  status: 'open' | 'won' | 'lost'
  amountMinor: number
}

/** What is to be captured later, as it was agreed. */
export interface Agreed {
  at: number | null
  amount: number | null
  lines: number[] | null
}

export const linesTotal = (lines: readonly number[]) => lines.reduce((sum, line) => sum + (LINE_AMOUNTS[line] ?? 0), 0)

/** How long an authorization holds. */
export const VALIDITY_MS = 7 * 24 * 60 * 60 * 1000

const NOTHING_AGREED: Agreed = { at: null, amount: null, lines: null }

/**
 * A bookkeeper who knows nothing of statuses, rows and locks: a few sums, and what is under way. Written apart from the
 * product on purpose, so that the two can be held against each other.
 */
export class ReferenceBooks {
  /** What the invoice asks for, and in which currency. */
  asked = { amountMinor: INVOICE_MINOR, currency: 'EUR' }
  authorized = 0
  captured = 0
  voided = 0
  refunded = 0
  incremental = false
  isGivenUp = false
  incrementAttempts = 0
  endsAt: number | null = null
  agreed: Agreed = NOTHING_AGREED
  /** By the gateway's ids; money in an open dispute or a lost one is neither taken further nor given back. */
  readonly disputes = new Map<string, Dispute>()
  readonly #isSaleOnly: boolean
  readonly underWay = new Map<string, Entry>()
  readonly capturedLines = new Map<number, string>()
  readonly refundedLines = new Map<number, string>()

  constructor({ isSaleOnly }: { isSaleOnly: boolean }) {
    this.#isSaleOnly = isSaleOnly
  }

  held(...types: GatewayOperationType[]): Entry[] {
    return [...this.underWay.values()].filter((entry) => !entry.isClosed && types.includes(entry.type))
  }

  get capturing(): number {
    return total(this.held('capture'))
  }
  get refunding(): number {
    return total(this.held('refund'))
  }
  /** Reserved and not spoken for. */
  get remaining(): number {
    return this.authorized - this.captured - this.voided - this.capturing
  }
  get disputed(): number {
    return total([...this.disputes.values()].filter(({ status }) => status !== 'won'))
  }
  get refundable(): number {
    return Math.max(0, this.captured - this.refunded - this.refunding - this.disputed)
  }
  /** A step is open that may change the whole sum; none but a refund may pass it. */
  get isBlocked(): boolean {
    return this.held('authorization', 'increment_authorization', 'void').length > 0
  }

  /** For how much the gateway is asked; null where it must not be asked at all. */
  amountToAsk(terms: Terms, at: number): number | null {
    switch (terms.kind) {
      case 'authorize':
        return this.#authorizationToAsk(terms, at)
      case 'capture':
        return this.#captureToAsk(terms, at)
      case 'increment': {
        const isFresh = this.captured === 0 && this.remaining > 0 && this.capturing === 0
        const isAllowed = this.incremental && this.incrementAttempts < 10 && !this.#isOver(at)
        return !this.isBlocked && isFresh && isAllowed ? terms.amount : null
      }
      case 'void':
        if (this.isBlocked || this.capturing > 0) return null
        return within(terms.amount ?? this.remaining, this.remaining)
      case 'refund': {
        if (this.captured === 0) return null
        if (terms.lines?.some((line) => this.refundedLines.has(line) || !this.#isRefundedByLine(line))) return null
        return within(terms.amount ?? this.refundable, this.refundable)
      }
    }
  }

  #authorizationToAsk(terms: Extract<Terms, { kind: 'authorize' }>, at: number): number | null {
    if (this.isBlocked || this.isGivenUp || this.authorized > 0) return null
    const { captureAt } = terms
    if (captureAt !== null && (captureAt < at || captureAt > at + VALIDITY_MS)) return null
    const { amountMinor, currency } = this.asked
    if (terms.currency !== currency) return null
    const wanted = within(terms.amount ?? amountMinor, amountMinor)
    const isTooMuch = this.#isSaleOnly && (!terms.mayBeSale || wanted !== amountMinor)
    return wanted === null || isTooMuch ? null : amountMinor
  }

  /** Once a capture has named lines, the money of the others was not taken. */
  #isRefundedByLine(line: number): boolean {
    const isTaken = (taker: string | undefined) => taker !== undefined && !this.underWay.has(taker)
    return isTaken(this.capturedLines.get(line)) || ![...this.capturedLines.values()].some(isTaken)
  }

  #captureToAsk({ amount, lines, isFinal, wantsRest }: Extract<Terms, { kind: 'capture' }>, at: number): number | null {
    if (this.isBlocked || this.#isOver(at) || this.#isDisputed) return null
    const open = this.held('capture')
    // One that releases the rest has to know what the others have taken.
    if (open.length > 0 && (isFinal || amount === null || open.some((capture) => capture.isFinal))) return null
    // A repetition of a capture that was made is answered from the books.
    if (this.captured > 0 && amount === null && !wantsRest) return null
    if (this.captured > 0 && amount === this.captured && this.remaining + this.capturing === 0) return null
    const chosen = lines ?? (amount === null ? this.agreed.lines : null)
    const asked = amount ?? (this.agreed.lines === null ? null : this.agreed.amount) ?? this.remaining
    if (chosen !== null && (linesTotal(chosen) !== asked || chosen.some((line) => this.capturedLines.has(line))))
      return null
    return within(asked, this.remaining)
  }

  /** Whether a capture may be agreed on for later; `plan` null drops the one that there is. */
  maySchedule(plan: { at: number; amount: number | null; lines: number[] | null } | null, at: number): boolean {
    const isOpen = !this.isBlocked && this.capturing === 0 && this.remaining > 0
    if (!isOpen || this.#isOver(at)) return false
    if (plan === null) return true
    // An instant that has passed is the payment's own, or a mistake.
    if (this.#isDisputed || (plan.at < at && plan.at !== this.agreed.at)) return false
    const areFree = plan.lines === null || !plan.lines.some((line) => this.capturedLines.has(line))
    return plan.at <= (this.endsAt ?? 0) && areFree && within(plan.amount ?? this.remaining, this.remaining) !== null
  }

  /** What our own clock has to do on the payment next, and for how much. */
  due(): { kind: 'auto-capture' | 'expiry'; amount: number } | null {
    if (this.isBlocked || this.capturing > 0 || this.remaining <= 0 || this.endsAt === null) return null
    const { at, amount } = this.agreed
    if (at !== null && at <= this.endsAt && !this.#isDisputed)
      return { kind: 'auto-capture', amount: Math.min(amount ?? this.remaining, this.remaining) }
    return { kind: 'expiry', amount: this.remaining }
  }

  begin(entry: Entry): void {
    if (this.underWay.has(entry.id)) throw new Error(`${entry.id} was begun twice`)
    this.underWay.set(entry.id, entry)
    if (entry.type === 'increment_authorization') this.incrementAttempts += 1
    this.take(entry)
  }

  /** It goes on under another reference, with the lines that it has. */
  rename(entry: Entry, id: string): void {
    for (const [line, taker] of this.capturedLines) if (taker === entry.id) this.capturedLines.set(line, id)
    this.underWay.delete(entry.id)
    entry.id = id
    this.underWay.set(id, entry)
  }

  /** The lines of an entry are its own, but for those that another one has. */
  take({ id, type, lines }: Entry): void {
    const taken = type === 'refund' ? this.refundedLines : this.capturedLines
    for (const line of lines) if (!taken.has(line)) taken.set(line, id)
  }

  /** It was approved for `amountMinor`: of an authorization that may be less than was asked. */
  approve(entry: Entry, { amountMinor, isSale }: { amountMinor: number; isSale: boolean }) {
    this.underWay.delete(entry.id)
    switch (entry.type) {
      case 'authorization':
        this.authorized = amountMinor
        this.captured = isSale ? amountMinor : 0
        this.endsAt = entry.begunAt + VALIDITY_MS
        break
      case 'increment_authorization':
        this.authorized += entry.amountMinor
        break
      case 'capture':
        this.captured += entry.amountMinor
        if (entry.isFinal) this.voided += this.remaining
        break
      case 'void':
        this.voided += entry.amountMinor
        break
      case 'refund':
        this.refunded += entry.amountMinor
    }
  }

  decline(entry: Entry): void {
    this.underWay.delete(entry.id)
    this.#free(entry.id)
  }

  /** The merchant has voided what nobody knew yet: the invoice is not paid any more. */
  giveUp(entry: Entry): void {
    this.close(entry)
    this.isGivenUp = true
  }

  /** Staff end it as if it had failed; what the gateway says of it later is another matter. */
  close(entry: Entry): void {
    this.#free(entry.id)
    this.underWay.set(entry.id, { ...entry, isClosed: true })
  }

  takeRefundBack(id: string, amountMinor: number): void {
    this.refunded -= amountMinor
    this.#free(id)
  }

  #free(id: string): void {
    for (const taken of [this.capturedLines, this.refundedLines])
      for (const [line, taker] of taken) if (taker === id) taken.delete(line)
  }

  /** A step of a dispute, with which no capture is ahead. What is lost stays lost; what is won may still be lost. */
  dispute(id: string, { status, amountMinor }: Dispute): void {
    const known = this.disputes.get(id)?.status
    if (known === undefined || known === 'open' || status === 'lost') this.disputes.set(id, { status, amountMinor })
    if (this.#isDisputed && this.agreed.at !== null) this.agreed = NOTHING_AGREED
  }

  get #isDisputed(): boolean {
    return [...this.disputes.values()].some(({ status }) => status !== 'won')
  }

  /** Its authorization has ended, or its money is in dispute. */
  isTooLateToCapture(at: number): boolean {
    return this.#isOver(at) || this.#isDisputed
  }

  #isOver(at: number): boolean {
    return this.endsAt !== null && at > this.endsAt
  }
}

function within(amount: number, most: number): number | null {
  return 0 < amount && amount <= most ? amount : null
}

function total(entries: readonly { amountMinor: number }[]): number {
  return entries.reduce((sum, { amountMinor }) => sum + amountMinor, 0)
}
