import { nameOfAttempt } from './backoff.ts'
import { instantText } from './payment-description.ts'

/** How far the delivery of an event to one target is. */
export interface DeliveryState {
  /** Its host, and its endpoint's id if there is one. */
  target: string
  status: 'pending' | 'delivered' | 'failed'
  /** Attempts made, including those of a lost run. */
  attempts: number
  /** `HTTP 503`, or why there was no answer; empty before the first attempt. */
  lastAnswer: string
  /** ISO 8601. */
  nextAttemptAt: string | null
}

/** A delivery in words, for people who read a history. */
export function describeDelivery({ target, status, attempts, lastAnswer, nextAttemptAt }: DeliveryState): string {
  const answer = lastAnswer === '' ? '' : `, the last: ${lastAnswer}`
  const made = attempts === 1 ? '1 attempt' : `${attempts} attempts`
  switch (status) {
    case 'delivered': {
      const by = attempts > 1 ? nameOfAttempt(attempts - 1) : `the ${nameOfAttempt(0)}`
      return `${target}: delivered by ${by}${lastAnswer === '' ? '' : `, ${lastAnswer}`}`
    }
    case 'failed':
      return `${target}: failed after ${made}${answer}; nothing more is sent`
    case 'pending':
      if (attempts === 0) return `${target}: the first attempt is due`
      return `${target}: not delivered by ${made}${answer}; ${nameOfAttempt(attempts)}${
        nextAttemptAt === null ? '' : ` at ${instantText(Date.parse(nextAttemptAt))}`
      }`
  }
}

/** What is said of all deliveries of an event: the worst of them, which support staff search for; null while none has failed. */
export function worstOf(states: readonly DeliveryState[]): 'retrying' | 'failed' | null {
  if (states.some(({ status, attempts }) => status === 'pending' && attempts > 0)) return 'retrying'
  return states.some(({ status }) => status === 'failed') ? 'failed' : null
}
