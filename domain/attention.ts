import { activeAttempts, type Payment } from './payment.ts'

/** How long look-ups may explain a call without an answer by themselves, in ms; they mostly do within minutes. */
export const UNEXPLAINED_MS = 60 * 60 * 1000

/** Since when an outcome is unknown, in epoch ms; null while all are known. */
export function outcomeUnknownSince(payment: Pick<Payment, 'attemptsInFlight'>): number | null {
  // An authorization that waits for its customer is no secret of the gateway.
  const open = activeAttempts(payment).filter(({ awaitsCustomerUntil }) => awaitsCustomerUntil === undefined)
  return open.length === 0 ? null : Math.min(...open.map(({ begunAt }) => begunAt))
}

/**
 * Whether a person must look at a payment at `at` (workflow time in epoch ms): something happened that the record cannot
 * hold, or an outcome has been unknown for an hour. `persistence/queries/payments/attention.ts` says the same in SQL.
 */
export function needsAttention(payment: Pick<Payment, 'attemptsInFlight' | 'needsAttention'>, at: number): boolean {
  const since = outcomeUnknownSince(payment)
  return payment.needsAttention || (since !== null && at - since >= UNEXPLAINED_MS)
}
