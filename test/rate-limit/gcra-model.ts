/**
 * What `take_requests` of PostgreSQL does, said in another way: a request is admitted as long as the bucket, which holds
 * `limit` requests and refills as many a minute, has room for one more. It serves tests only; one of them proves the two equal.
 */

const MINUTE_US = 60_000_000

/** How long the bucket takes for one request, rounded up, so that rounding never admits more. */
export function intervalUsOf(limit: number): number {
  return Math.ceil(MINUTE_US / limit)
}

export interface ModelAnswer {
  /** So many of those that were asked for, the first ones. */
  admitted: number
  /** When the bucket will be full again. */
  arrivalUs: number
  /** After the last of them. */
  remaining: number
  moreInUs: number
}

/** Takes requests out of a bucket that will be full at `arrivalUs`, all at one instant. */
export function takeFromModel(arrivalUs: number, nowUs: number, limit: number, count = 1): ModelAnswer {
  const intervalUs = intervalUsOf(limit)
  const missingUs = Math.min(Math.max(arrivalUs - nowUs, 0), intervalUs * limit)
  const roomFor = Math.floor((intervalUs * limit - missingUs) / intervalUs)
  const admitted = Math.min(count, roomFor)
  const remaining = roomFor - admitted
  const stillMissingUs = missingUs + admitted * intervalUs
  return {
    admitted,
    arrivalUs: nowUs + stillMissingUs,
    remaining,
    moreInUs: stillMissingUs - (limit - remaining - 1) * intervalUs,
  }
}
