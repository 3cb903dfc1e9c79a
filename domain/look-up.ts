import { LOOK_UP_DELAYS_SECONDS, UNRESOLVED_AFTER_LOOK_UPS } from './backoff.ts'
import type { AttemptInFlight, Payment } from './payment.ts'

type LookUps = Pick<AttemptInFlight, 'lookUpsMade' | 'nextLookUpAt'>

/** The look-ups of an attempt that nobody has looked up yet, from an instant on, in epoch ms. */
export function firstLookUp(from: number): LookUps {
  return { lookUpsMade: 0, nextLookUpAt: from + delayMs(0) }
}

/**
 * The payment after its gateway was asked about an attempt. Only a look-up that was due counts: a merchant who asks for
 * more of them, and the second run of the same one, leave the schedule as it is: then the same payment is returned.
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

/** The attempt that is looked up first, and which look-up of it that will be; null where nothing is in flight. */
export function nextLookUp({
  attemptsInFlight,
}: Pick<Payment, 'attemptsInFlight'>): { operationId: string; at: number; number: number } | null {
  const [first] = attemptsInFlight.toSorted((one, other) => one.nextLookUpAt - other.nextLookUpAt)
  if (first === undefined) return null
  return { operationId: first.operationId, at: first.nextLookUpAt, number: first.lookUpsMade + 1 }
}

/** Whether an outcome is still not known after all the waits of the schedule. What staff have closed, they know of. */
export function isUnresolved({ attemptsInFlight }: Pick<Payment, 'attemptsInFlight'>): boolean {
  return attemptsInFlight.some(
    ({ lookUpsMade, isAbandoned }) => !isAbandoned && lookUpsMade >= UNRESOLVED_AFTER_LOOK_UPS,
  )
}

function delayMs(lookUpsMade: number): number {
  return (LOOK_UP_DELAYS_SECONDS[Math.min(lookUpsMade, LOOK_UP_DELAYS_SECONDS.length - 1)] ?? 0) * 1000
}
