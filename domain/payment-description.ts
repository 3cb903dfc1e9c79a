import type { Command, CommandAnswer, DecidedCommand, Resolution } from './command.ts'
import { ERRORS, isErrorCode } from './errors.ts'
import { formatAmount } from './money.ts'
import type { GatewayOperationType } from './operation.ts'
import { type AttemptInFlight, attemptOfCustomer, type Payment } from './payment.ts'

/** A command, or the attempt of one, as far as its outcome in words depends on it. */
export interface CommandSummary {
  kind: DecidedCommand['kind']
  /** Null where the command leaves the amount to the payment. */
  amountMinor: number | null
}

const NOUNS: Readonly<Record<DecidedCommand['kind'], string>> = {
  authorize: 'authorization',
  capture: 'capture',
  'schedule-capture': 'new schedule of the capture',
  increment: 'increment',
  void: 'void',
  refund: 'refund',
  'reverse-orphan': 'reversal of an unwanted authorization',
}

const KINDS: Readonly<Record<GatewayOperationType, DecidedCommand['kind']>> = {
  authorization: 'authorize',
  increment_authorization: 'increment',
  capture: 'capture',
  void: 'void',
  refund: 'refund',
}

export function summarizeCommand(command: Command | DecidedCommand): CommandSummary {
  switch (command.kind) {
    case 'pay':
      return command.call === 'capture'
        ? { kind: 'capture', amountMinor: command.amountMinor }
        : { kind: 'authorize', amountMinor: null }
    case 'authorize':
    case 'schedule-capture':
    case 'reverse-orphan':
      return { kind: command.kind, amountMinor: null }
    default:
      return { kind: command.kind, amountMinor: command.amountMinor }
  }
}

export function summarizeAttempt({ type, amountMinor, reverses }: AttemptInFlight): CommandSummary {
  return { kind: reverses === null ? KINDS[type] : 'reverse-orphan', amountMinor }
}

/** `EUR 10.00` */
export function amountText(amountMinor: number, currency: string): string {
  return `${currency} ${formatAmount(amountMinor, currency)}`
}

/** `2026-11-28 09:00:00 UTC` */
export function instantText(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

/**
 * What became of a command, for people who read a history: `captured EUR 10.00 of EUR 34.00, EUR 24.00 released`.
 *
 * @param before the payment before the command; null where it is not known. Amounts then are those of the whole payment.
 */
export function describeOutcome(
  asked: CommandSummary,
  answer: CommandAnswer,
  before: Payment | null,
  after: Payment,
): string {
  const noun = nounOf(asked, after)
  if (asked.kind === 'void' && after.expired && before?.expired !== true)
    return `the authorization expired, ${amountText(after.voidedMinor - (before?.voidedMinor ?? 0), after.currency)} released`
  switch (answer.kind) {
    case 'done':
      return describeDone(asked, before, after)
    case 'unchanged':
      return `nothing to do, the payment is ${after.status ?? 'not begun'}`
    case 'pending':
      return attemptOfCustomer(after) === null
        ? `the outcome of the ${noun} is not known yet, it will be looked up`
        : 'waits for the customer to authenticate with 3-D Secure'
    case 'duplicate':
      return `nothing was done, another ${noun} with the same idempotency key came first`
    case 'declined': {
      const again = asked.kind === 'capture' && after.autoCaptureRetryAt !== null ? after.autoCaptureRetryAt : null
      return `${noun} declined: ${reasonOf(answer.code)}${again === null ? '' : `; tried again at ${instantText(again)}`}`
    }
    case 'refused':
      return `${noun} refused, nothing was done: ${answer.message} (${answer.code})`
  }
}

function nounOf({ kind, amountMinor }: CommandSummary, { amountMinor: invoiced, currency }: Payment): string {
  const amount = kind === 'authorize' ? invoiced : amountMinor
  return amount === null ? NOUNS[kind] : `${NOUNS[kind]} of ${amountText(amount, currency)}`
}

function reasonOf(code: string): string {
  return isErrorCode(code) ? `${code} (${ERRORS[code].message})` : code
}

function describeDone({ kind, amountMinor }: CommandSummary, before: Payment | null, after: Payment): string {
  const amount = (minor: number) => amountText(minor, after.currency)
  /** What the command has moved of a total; the whole where the payment before it is not known. */
  const moved = (total: 'capturedMinor' | 'voidedMinor' | 'refundedMinor') =>
    before === null ? (amountMinor ?? after[total]) : after[total] - before[total]
  const inAll = (part: number, total: number) => (part === total ? '' : `, ${amount(total)} in all`)
  switch (kind) {
    case 'authorize': {
      const isPart = after.authorizedMinor < after.amountMinor
      const authorized = `authorized ${amount(after.authorizedMinor)}${isPart ? ` of ${amount(after.amountMinor)}` : ''}`
      return after.capturedMinor === 0 ? authorized : `${authorized}, captured ${amount(after.capturedMinor)}`
    }
    case 'capture': {
      const captured = moved('capturedMinor')
      const released = before === null ? 0 : after.voidedMinor - before.voidedMinor
      return (
        `captured ${amount(captured)} of ${amount(after.authorizedMinor)}` +
        inAll(captured, after.capturedMinor) +
        (released > 0 ? `, ${amount(released)} released` : '')
      )
    }
    case 'schedule-capture':
      return after.autoCaptureAt === null
        ? 'the scheduled capture is cancelled'
        : `${scheduleText(after)} at ${instantText(after.autoCaptureAt)}`
    case 'increment':
      return `authorized ${amount(amountMinor ?? 0)} more, ${amount(after.authorizedMinor)} in all`
    case 'void': {
      if (after.authorizedMinor === 0) return 'gave the authorization up; a late approval will be voided'
      const voided = moved('voidedMinor')
      return `voided ${amount(voided)} of ${amount(after.authorizedMinor)}${inAll(voided, after.voidedMinor)}`
    }
    case 'refund': {
      const refunded = moved('refundedMinor')
      return `refunded ${amount(refunded)} of ${amount(after.capturedMinor)}${inAll(refunded, after.refundedMinor)}`
    }
    case 'reverse-orphan':
      return `reversed an unwanted authorization${amountMinor === null ? '' : ` of ${amount(amountMinor)}`}`
  }
}

/** What support staff have decided about an attempt, with their reason. */
export function describeResolution({ operationId, outcome, reason }: Resolution): string {
  return `support staff resolved ${operationId} as ${outcome}: ${reason}`
}

/** `capture of EUR 20.00 scheduled`, or of all that remains. */
function scheduleText({ autoCaptureAmountMinor, currency }: Payment): string {
  const amount = autoCaptureAmountMinor === null ? 'all that remains' : amountText(autoCaptureAmountMinor, currency)
  return `capture of ${amount} scheduled`
}

/**
 * The state of a payment in one sentence: `completed: EUR 10.00 of EUR 34.00 captured, EUR 24.00 released`. What is not
 * known comes first, and what may be reserved is never said to be free.
 */
export function describeState(payment: Payment): string {
  const { status, currency, amountMinor, authorizedMinor, capturedMinor, voidedMinor, refundedMinor } = payment
  const amount = (minor: number) => amountText(minor, currency)
  if (status === null) return `${amount(amountMinor)} invoiced, nothing requested yet`
  const open = payment.attemptsInFlight.filter(({ awaitsCustomerUntil }) => awaitsCustomerUntil === undefined)
  const nounsOf = (attempts: readonly AttemptInFlight[]) =>
    attempts.map((attempt) => nounOf(summarizeAttempt(attempt), payment))
  const unknown = nounsOf(open.filter(({ isAbandoned }) => !isAbandoned))
  const closed = nounsOf(open.filter(({ isAbandoned }) => isAbandoned))
  const parts = [
    ...(authorizedMinor > 0
      ? [
          capturedMinor === 0
            ? `${amount(authorizedMinor)} authorized, nothing captured`
            : `${amount(capturedMinor)} of ${amount(authorizedMinor)} captured`,
        ]
      : open.length === 0
        ? [`nothing of ${amount(amountMinor)} authorized`]
        : []),
    ...(voidedMinor > 0 ? [`${amount(voidedMinor)} released`] : []),
    ...(refundedMinor > 0 ? [`${amount(refundedMinor)} refunded`] : []),
    ...closed.map((noun) => `the ${noun} closed without an outcome`),
  ]
  const state = `${status}${payment.expired ? ', expired' : ''}`
  if (unknown.length === 0) return `${state}: ${parts.join(', ')}`
  return [`outcome unknown: ${unknown.join(' and ')} (${state})`, ...parts].join(', ')
}
