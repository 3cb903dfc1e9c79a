import { LOOK_UP_DELAYS_SECONDS } from './backoff.ts'
import type { AttemptInFlight, Payment } from './payment.ts'

type LookUps = Pick<AttemptInFlight, 'lookUpsMade' | 'nextLookUpAt'>

/** The look-up state of a new attempt, which begins at `from` (epoch ms). */
export function firstLookUp(from: number): LookUps {
  return { lookUpsMade: 0, nextLookUpAt: from + delayMs(0) }
}

/**
 * The payment after a look-up of an attempt. Only a due look-up counts. An extra one that a merchant requests, or the
 * second run of the same one, does not move the schedule; the same payment object is returned then.
 */
export function lookedUp(payment: Payment, operationId: string, at: number): Payment {
  const isDue = (attempt: AttemptInFlight) => attempt.operationId === operationId && at >= attempt.nextLookUpAt
  if (!payment.attemptsInFlight.some(isDue)) return payment
  const next = (attempt: AttemptInFlight): AttemptInFlight => {
    if (!isDue(attempt)) return attempt
    const lookUpsMade = attempt.lookUpsMade + 1
    return { ...attempt, lookUpsMade, nextLookUpAt: at + delayMs(lookUpsMade) }
  }
  return { ...payment, attemptsInFlight: payment.attemptsInFlight.map(next) }
}

/**
 * The payment whose attempt waits for the customer until then. It is looked up at the end of that time and not before: the
 * gateway would only say that the customer has to act.
 */
export function awaitCustomer(payment: Payment, operationId: string, until: number): Payment {
  const waiting = { awaitsCustomerUntil: until, lookUpsMade: 0, nextLookUpAt: until }
  return withAttempt(payment, operationId, (attempt) => ({ ...attempt, ...waiting }))
}

/**
 * The payment whose attempt does not wait for the customer any more: the customer has answered, or the gateway decides
 * without one. Its look-ups begin at `at` (epoch ms). Any other payment is returned as it is.
 */
export function endWait(payment: Payment, operationId: string, at: number): Payment {
  return withAttempt(payment, operationId, (attempt) => withoutWait(attempt, at))
}

/** The attempt after staff or the merchant have closed it. One that waits for the customer is ended at the gateway soon. */
export function closedAttempt(attempt: AttemptInFlight, at: number): AttemptInFlight {
  return { ...withoutWait(attempt, at), isAbandoned: true }
}

function withoutWait(attempt: AttemptInFlight, at: number): AttemptInFlight {
  const { awaitsCustomerUntil, ...others } = attempt
  return awaitsCustomerUntil === undefined ? attempt : { ...others, ...firstLookUp(at) }
}

function withAttempt(
  payment: Payment,
  operationId: string,
  change: (attempt: AttemptInFlight) => AttemptInFlight,
): Payment {
  const attemptsInFlight = payment.attemptsInFlight.map((attempt) =>
    attempt.operationId === operationId ? change(attempt) : attempt,
  )
  return { ...payment, attemptsInFlight }
}

export interface NextLookUp {
  operationId: string
  at: number
  number: number
  /** The authorization waits for its customer until then. */
  isForCustomer: boolean
}

/** The attempt to look up next, with the number of that look-up; null if nothing is in flight. */
export function nextLookUp({ attemptsInFlight }: Pick<Payment, 'attemptsInFlight'>): NextLookUp | null {
  const [first] = attemptsInFlight.toSorted((one, other) => one.nextLookUpAt - other.nextLookUpAt)
  if (first === undefined) return null
  return {
    operationId: first.operationId,
    at: first.nextLookUpAt,
    number: first.lookUpsMade + 1,
    isForCustomer: first.awaitsCustomerUntil !== undefined,
  }
}

function delayMs(lookUpsMade: number): number {
  return (LOOK_UP_DELAYS_SECONDS[Math.min(lookUpsMade, LOOK_UP_DELAYS_SECONDS.length - 1)] ?? 0) * 1000
}

/** What an attempt is begun with; a reversal of an orphan names its attempt. */
type BegunWith = Pick<AttemptInFlight, 'operationId' | 'type' | 'amountMinor' | 'isSale' | 'begunAt'> &
  Partial<Pick<AttemptInFlight, 'isFinal' | 'reverses' | 'isAbandoned'>>

/**
 * An attempt as its payment keeps it until its outcome is final.
 *
 * @param at from when it is looked up, in epoch ms
 */
export function attemptInFlight(facts: BegunWith, at = facts.begunAt): AttemptInFlight {
  return { isFinal: false, isAbandoned: false, reverses: null, ...facts, ...firstLookUp(at) }
}
