/**
 * The Generic Cell Rate Algorithm: a bucket of requests that refills all the time, kept as one instant. Source of the
 * rule: the specification, section 8; source of the algorithm: ITU-T I.371, virtual scheduling.
 *
 * All instants are whole microseconds since the epoch, which a number holds exactly until the year 2255.
 */

const MINUTE_US = 60_000_000

/** A bucket after it was asked. */
export interface GcraResult {
  isAllowed: boolean
  /** When the bucket will be full again; all that is kept of it. A refused request takes nothing out. */
  theoreticalArrivalUs: number
  /** How many requests the bucket would admit now, after this one. Never below 0. */
  remaining: number
  /** How long to wait for as many as were asked for; 0 where they were admitted. */
  retryAfterUs: number
  /** How long until the bucket is full. */
  fullInUs: number
}

/**
 * How long the bucket takes for one request, rounded up, so that rounding never admits more: at most 1 % less at the
 * highest limit there is (600,000 a minute).
 */
export function emissionIntervalUs(limit: number): number {
  return Math.ceil(MINUTE_US / limit)
}

/**
 * Takes requests out of a bucket that holds `limit` of them and refills `limit` a minute. In any window of t seconds it
 * admits at most limit + limit · t/60 + 1, where t counts every step forward of the clock and no step back. Where the
 * limit changes, the bucket stays as full as it was, in parts: what it admits from then on keeps to the new limit, and
 * a window that spans the change keeps to the highest limit in it, give or take what rounding the interval up makes of
 * the buckets: 1 % at the most, and nothing where both limits divide the minute.
 *
 * @param theoreticalArrivalUs what the last call returned; 0 for a bucket that was never used, which is full.
 * @param limit requests a minute, from 1 to 600,000.
 * @param cost how many requests to take: all of them or none.
 */
export function gcra(theoreticalArrivalUs: number, nowUs: number, limit: number, cost = 1): GcraResult {
  const intervalUs = emissionIntervalUs(limit)
  const capacityUs = intervalUs * limit
  // A bucket is never emptier than empty: a clock that was set back by an hour would lock it for as long.
  const arrivalUs = Math.min(Math.max(theoreticalArrivalUs, nowUs), nowUs + capacityUs)
  const nextUs = arrivalUs + intervalUs * cost
  const isAllowed = nextUs <= nowUs + capacityUs
  const keptUs = isAllowed ? nextUs : arrivalUs
  return {
    isAllowed,
    theoreticalArrivalUs: keptUs,
    remaining: Math.floor((nowUs + capacityUs - keptUs) / intervalUs),
    retryAfterUs: isAllowed ? 0 : nextUs - nowUs - capacityUs,
    fullInUs: keptUs - nowUs,
  }
}
