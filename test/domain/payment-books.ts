import type { GatewayOperationType } from '../../domain/operation.ts'
import type { ReportedResult } from '../../domain/payment-outcome.ts'
import type { StepCommand } from './payment-builders.ts'

/** One step as the books know it, from the moment it is begun. */
export interface Entry {
  id: string
  type: GatewayOperationType
  amountMinor: number
  isFinal: boolean
  isAbandoned: boolean
  /** True once the gateway has said that it needs time. */
  isOpen: boolean
  reverses: string | null
  /** What the sum was to be raised to. */
  targetTotalMinor: number | null
}

/**
 * What a bookkeeper notes who knows nothing of statuses and schedules: a few sums, and what is under way. It is written
 * apart from the domain on purpose, so that the two can be held against each other.
 */
export class Books {
  /** It was voided before anybody knew whether it was authorized. */
  isGivenUp = false
  authorized = 0
  captured = 0
  voided = 0
  refunded = 0
  readonly underWay = new Map<string, Entry>()
  readonly refunds: number[] = []
  readonly counted = { captures: 0, refunds: 0, refundsReversed: 0, increments: 0, incrementAttempts: 0 }

  /** What counts among the entries under way: neither given up by staff nor about another authorization. */
  held(...types: GatewayOperationType[]): Entry[] {
    const isHeld = ({ isAbandoned, reverses }: Entry) => !isAbandoned && reverses === null
    return [...this.underWay.values()].filter((entry) => isHeld(entry) && types.includes(entry.type))
  }

  get capturing(): number {
    return total(this.held('capture'))
  }

  get remaining(): number {
    return this.authorized - this.captured - this.voided - this.capturing
  }

  get refundable(): number {
    return this.captured - this.refunded - total(this.held('refund'))
  }

  /** Why the command must not run for this amount, or null. `at` is the instant by which its deadline is judged. */
  objection(command: StepCommand, amountMinor: number, { at, expiresAt }: { at: number; expiresAt: number | null }) {
    const isOver = expiresAt !== null && at > expiresAt
    switch (command.kind) {
      case 'authorize':
        if (this.authorized > 0) return 'money is authorized already'
        return this.held('authorization').length > 0 ? 'another authorization is open' : null
      case 'capture':
        if (this.held('authorization', 'increment_authorization', 'void').length > 0) return 'the sum is being changed'
        if (this.held('capture').some(({ isFinal }) => isFinal)) return 'a capture that releases the rest is open'
        if (isOver) return 'the authorization has ended'
        return 0 < amountMinor && amountMinor <= this.remaining ? null : 'there is not so much left'
      case 'increment':
        if (this.held('authorization', 'increment_authorization', 'void', 'capture').length > 0) return 'a step is open'
        if (this.captured > 0) return 'money was captured'
        if (this.counted.incrementAttempts >= 10) return 'it was raised ten times'
        return isOver || amountMinor <= 0 ? 'the authorization has ended, or nothing is added' : null
      case 'void':
        if (this.held('authorization', 'increment_authorization', 'void', 'capture').length > 0) return 'a step is open'
        if (this.authorized === 0) return amountMinor === 0 ? null : 'nothing is authorized'
        return 0 < amountMinor && amountMinor <= this.remaining ? null : 'there is not so much left'
      case 'refund':
        return 0 < amountMinor && amountMinor <= this.refundable ? null : 'there is not so much captured'
      case 'reverse-orphan':
        return [...this.underWay.values()].some(({ reverses }) => reverses === command.orphanOperationId)
          ? 'it is being released'
          : null
    }
  }

  begin(entry: Entry): void {
    if (this.underWay.has(entry.id)) throw new Error(`${entry.id} is under way already.`)
    this.underWay.set(entry.id, entry)
    if (entry.type === 'increment_authorization') this.counted.incrementAttempts += 1
  }

  /** The entry is over: booked in full where it was approved, else without a trace. */
  end(id: string, word: ReportedResult, { isBooked }: { isBooked: boolean }): void {
    const entry = this.underWay.get(id)
    if (entry === undefined) throw new Error(`${id} ended twice.`)
    this.underWay.delete(id)
    if (word.kind !== 'approved' || !isBooked || entry.reverses !== null) return
    switch (entry.type) {
      case 'authorization':
        this.authorized = word.amountMinor
        if (!word.isSale) return
        this.captured = word.amountMinor
        this.counted.captures += 1
        return
      case 'increment_authorization':
        this.authorized += entry.amountMinor
        this.counted.increments += 1
        return
      case 'capture':
        this.captured += entry.amountMinor
        this.counted.captures += 1
        if (entry.isFinal) this.voided = this.authorized - this.captured - this.capturing
        return
      case 'void':
        this.voided += entry.amountMinor
        return
      case 'refund':
        this.refunded += entry.amountMinor
        this.refunds.push(entry.amountMinor)
        this.counted.refunds += 1
    }
  }

  reverseRefund(which: number): number | null {
    const [amountMinor] = this.refunds.splice(which % Math.max(this.refunds.length, 1), 1)
    if (amountMinor === undefined) return null
    this.refunded -= amountMinor
    this.counted.refundsReversed += 1
    return amountMinor
  }
}

function total(entries: readonly Entry[]): number {
  return entries.reduce((sum, { amountMinor }) => sum + amountMinor, 0)
}
