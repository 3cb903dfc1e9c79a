/**
 * When a webhook that was not accepted is sent again.
 */

/** The seconds after the start of the first attempt between which a retry starts, both included. */
export interface RetryWindow {
  minSeconds: number
  maxSeconds: number
}

/** Row n - 1 is retry n. A thirteenth would exceed three days. */
export const RETRY_WINDOWS: readonly RetryWindow[] = [
  { minSeconds: 2, maxSeconds: 3 },
  { minSeconds: 8, maxSeconds: 10 },
  { minSeconds: 23, maxSeconds: 30 },
  { minSeconds: 64, maxSeconds: 85 },
  { minSeconds: 175, maxSeconds: 233 },
  { minSeconds: 477, maxSeconds: 637 },
  { minSeconds: 1_300, maxSeconds: 1_733 },
  { minSeconds: 3_536, maxSeconds: 4_714 },
  { minSeconds: 9_613, maxSeconds: 12_817 },
  { minSeconds: 26_133, maxSeconds: 34_844 },
  { minSeconds: 71_038, maxSeconds: 94_718 },
  { minSeconds: 193_105, maxSeconds: 257_473 },
]

/** Retries after the first attempt; the webhook is abandoned when the last one fails. */
export const RETRIES_MAX = RETRY_WINDOWS.length

/** How an attempt is called where people read it; 0 is the first. */
export function nameOfAttempt(attempt: number): string {
  return attempt === 0 ? 'first attempt' : `retry ${attempt} of ${RETRIES_MAX}`
}

/** The randomness takes at most a quarter off a wait: the minima of the table are three quarters of its maxima. */
const SHORTEST_SHARE = 0.75

/**
 * Plans all retries of one delivery: the wait before retry n is e^n seconds times a random factor from 0.75 to 1,
 * counted from the instant planned for the one before. The sums of these waits are the table above, so every
 * plan, rounded to the second, lies inside it.
 *
 * @param random gives numbers from 0 to 1, like `Math.random`; drawn from once per retry.
 * @returns for each retry its start in whole milliseconds after the start of the first attempt, ascending.
 */
export function planRetries(random: () => number): number[] {
  let offsetMs = 0
  return RETRY_WINDOWS.map((_, index) => {
    const longestWaitMs = Math.exp(index + 1) * 1000
    offsetMs += longestWaitMs * (SHORTEST_SHARE + (1 - SHORTEST_SHARE) * random())
    return Math.round(offsetMs)
  })
}

/** The end of a retry's row of the table, in epoch ms like the start of the first attempt. */
function latestRetryInstant(retry: number, firstAttemptAt: number): number {
  return firstAttemptAt + (RETRY_WINDOWS[retry - 1]?.maxSeconds ?? 0) * 1000
}

/**
 * When a retry is due: as planned, or later where the receiver asked for it (`Retry-After`), but never later than its
 * row of the table allows.
 *
 * @param retry 1 to 12.
 * @param instants in epoch ms: the start of the first attempt, the plan, and what the receiver asked for, if it did.
 */
export function retryInstant(
  retry: number,
  { firstAttemptAt, plannedAt, askedFor }: { firstAttemptAt: number; plannedAt: number; askedFor: number | null },
): number {
  if (askedFor === null) return plannedAt
  return Math.max(plannedAt, Math.min(askedFor, latestRetryInstant(retry, firstAttemptAt)))
}

/** The first wait for a permit: a receiver that is quick has answered a crowd within some hundred milliseconds. */
const PERMIT_WAIT_MIN_MS = 250
/** The longest: a receiver that is well again gets what waits for it within a minute. */
const PERMIT_WAIT_MAX_MS = 60_000

/**
 * How long an attempt that found no permit waits before it asks again: doubled each time, and spread, so that thousands
 * that wait for one dead receiver do not all come back at once.
 *
 * @param asked how often it has asked, from 1.
 * @param random gives numbers from 0 to 1, like `Math.random`.
 */
export function permitWait(asked: number, random: () => number): number {
  const longest = Math.min(PERMIT_WAIT_MIN_MS * 2 ** (asked - 1), PERMIT_WAIT_MAX_MS)
  return Math.round(longest * (1 - random() / 2))
}

/**
 * Waits between look-ups of an unknown outcome, in seconds; the last one repeats. Most lost answers are known a second
 * later, the rest when a gateway is back or its day is booked: from 1 s to 24 h, and for as long as it takes.
 */
export const LOOK_UP_DELAYS_SECONDS: readonly number[] = [1, 5, 30, 120, 600, 3600, 6 * 3600, 24 * 3600]

/**
 * Waits before a scheduled capture that failed for a passing reason is tried again, in seconds; the last one repeats until
 * the authorization ends. A gateway in trouble is back within minutes, or is in maintenance for hours.
 */
export const CAPTURE_RETRY_DELAYS_SECONDS: readonly number[] = [10, 60, 300, 900, 3600]

/**
 * How long an outcome that nobody knows is looked up before staff are asked to look at it: the sum of the waits above, up
 * to the first whole day.
 */
export const UNRESOLVED_AFTER_LOOK_UPS = LOOK_UP_DELAYS_SECONDS.length

/**
 * Waits before the run of an overdue payment is asked again to look at the record, in seconds; the last one repeats. Temporal
 * keeps what it was asked, so that a second time helps only where the run was lost as well.
 */
export const PICK_UP_DELAYS_SECONDS: readonly number[] = [120, 300, 900]
