/** The retry schedules of webhooks, look-ups and scheduled captures. */

/** Retries after the first attempt; the delivery fails with the last one. A thirteenth would exceed three days. */
export const RETRIES_MAX = 12

/** The name of an attempt for people; 0 is the first. */
export function nameOfAttempt(attempt: number): string {
  return attempt === 0 ? 'first attempt' : `retry ${attempt} of ${RETRIES_MAX}`
}

/** Jitter shortens a wait by at most a quarter. */
const SHORTEST_SHARE = 0.75

/** The longest wait before each retry, in milliseconds: e^n seconds before retry n. */
const LONGEST_WAITS_MS: readonly number[] = Array.from(
  { length: RETRIES_MAX },
  (_, index) => Math.exp(index + 1) * 1000,
)

/**
 * Plans all retries of one delivery. The wait before retry n is its longest wait times a random factor from 0.75 to 1,
 * counted from the planned instant of the retry before.
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

/** When a delivery that is never accepted has had its last retry in any plan; in epoch ms, by the start of its first attempt. */
export function givenUpBy(firstAttemptAt: number): number {
  return latestRetryInstant(RETRIES_MAX, firstAttemptAt)
}

/**
 * When a retry is due: as planned, or later if the endpoint asked for that (`Retry-After`), but not later than without
 * jitter.
 *
 * @param retry 1 to 12.
 * @param instants in epoch ms: the start of the first attempt, the planned instant, and the instant of `Retry-After`, if any.
 */
export function retryInstant(
  retry: number,
  { firstAttemptAt, plannedAt, askedFor }: { firstAttemptAt: number; plannedAt: number; askedFor: number | null },
): number {
  if (askedFor === null) return plannedAt
  return Math.max(plannedAt, Math.min(askedFor, latestRetryInstant(retry, firstAttemptAt)))
}

/** The first wait for a permit: a fast endpoint answers all its open requests within some hundred milliseconds. */
const PERMIT_WAIT_MIN_MS = 250
/** The longest wait: an endpoint that has recovered gets its waiting deliveries within a minute. */
const PERMIT_WAIT_MAX_MS = 60_000

/**
 * How long an attempt without a permit waits before it asks again. The wait doubles each time and has jitter, so that
 * thousands of attempts to one dead endpoint do not return at once.
 *
 * @param asked how often it has asked, from 1.
 * @param random gives numbers from 0 to 1, like `Math.random`.
 */
export function permitWait(asked: number, random: () => number): number {
  const longest = Math.min(PERMIT_WAIT_MIN_MS * 2 ** (asked - 1), PERMIT_WAIT_MAX_MS)
  return Math.round(longest * (1 - random() / 2))
}

/**
 * Waits between look-ups of an unknown outcome, in seconds; the last one repeats without limit. Most lost answers are known
 * after a second, the others once the gateway is back or has closed its day.
 */
export const LOOK_UP_DELAYS_SECONDS: readonly number[] = [1, 5, 30, 120, 600, 3600, 6 * 3600, 24 * 3600]

/**
 * Waits before a scheduled capture that failed for a temporary reason is repeated, in seconds; the last one repeats until
 * the authorization ends. A gateway failure lasts minutes, maintenance lasts hours.
 */
export const CAPTURE_RETRY_DELAYS_SECONDS: readonly number[] = [10, 60, 300, 900, 3600]

/** Waits before a reconciliation that failed is tried again, in seconds; the last one repeats until it is done. */
export const RECONCILIATION_DELAYS_SECONDS: readonly number[] = [60, 300, 900, 3600]

/**
 * Waits before an overdue payment's workflow gets another resync signal, in seconds; the last one repeats. Temporal keeps
 * signals, so another one helps only if the run was lost.
 */
export const PICK_UP_DELAYS_SECONDS: readonly number[] = [120, 300, 900]
