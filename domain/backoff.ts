/**
 * When a webhook that was not accepted is sent again.
 */

/** Retries after the first attempt; the webhook is abandoned when the last one fails. A thirteenth would exceed three days. */
export const RETRIES_MAX = 12

/** How an attempt is called where people read it; 0 is the first. */
export function nameOfAttempt(attempt: number): string {
  return attempt === 0 ? 'first attempt' : `retry ${attempt} of ${RETRIES_MAX}`
}

/** The randomness takes at most a quarter off a wait. */
const SHORTEST_SHARE = 0.75

/** The longest wait before each retry, in milliseconds: e^n seconds before retry n. */
const LONGEST_WAITS_MS: readonly number[] = Array.from(
  { length: RETRIES_MAX },
  (_, index) => Math.exp(index + 1) * 1000,
)

/**
 * Plans all retries of one delivery: the wait before retry n is its longest wait times a random factor from 0.75 to 1,
 * counted from the instant planned for the one before.
 *
 * @param random gives numbers from 0 to 1, like `Math.random`; drawn from once per retry.
 * @returns for each retry its start in whole milliseconds after the start of the first attempt, ascending.
 */
export function planRetries(random: () => number): number[] {
  let offsetMs = 0
  return LONGEST_WAITS_MS.map((longestWaitMs) => {
    offsetMs += longestWaitMs * (SHORTEST_SHARE + (1 - SHORTEST_SHARE) * random())
    return Math.round(offsetMs)
  })
}

/** The last instant of a retry in any plan, to the second, in epoch ms like the start of the first attempt. */
function latestRetryInstant(retry: number, firstAttemptAt: number): number {
  const longestMs = LONGEST_WAITS_MS.slice(0, retry).reduce((sum, wait) => sum + wait, 0)
  return firstAttemptAt + Math.round(longestMs / 1000) * 1000
}

/**
 * When a retry is due: as planned, or later where the receiver asked for it (`Retry-After`), but never later than any
 * plan has it.
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
