/**
 * The test clock of sandbox payments. A payment's clock is the wall clock plus its offset, which is in the record. Advancing
 * the clock adds to the offset; nothing takes from it, so the clock never goes back. A live payment has no offset.
 */

const DAY_MS = 24 * 60 * 60 * 1000

/** How far one call may advance a clock: longer than any authorization, dispute or retry schedule. */
export const ADVANCE_MAX_DAYS = 90
export const ADVANCE_MAX_MS = ADVANCE_MAX_DAYS * DAY_MS

/** How far the clock of a payment is ahead of the wall clock, in ms; absent or 0 for a payment that was never moved. */
export interface ClockOffset {
  clockOffsetMs?: number
}

/**
 * The instant that it is for a payment, in epoch ms.
 *
 * @param payment null before its first attempt.
 */
export function paymentTime(payment: ClockOffset | null, wallTime: number): number {
  return wallTime + (payment?.clockOffsetMs ?? 0)
}

/**
 * The instant of the wall clock at an instant of a payment's clock, both in epoch ms. What several payments have in common,
 * such as the velocity of a card, is kept by the wall clock.
 */
export function wallTime(payment: ClockOffset, at: number): number {
  return at - (payment.clockOffsetMs ?? 0)
}

/** An advance that was begun, as the record keeps it until the next one. */
export interface ClockMove {
  /** The instant of the payment's clock that it moves to, in epoch ms. */
  target: number
  /** No other advance begins before this instant of the wall clock, in epoch ms. */
  heldUntil: number
  /** The idempotency key of its request; null without one. A repeated request goes on to the same target. */
  key: string | null
}
