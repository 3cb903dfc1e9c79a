const MINUTE_US = 60_000_000

/** Something that was admitted; the instant in microseconds of a clock that only goes forward. */
export interface Admitted {
  atUs: number
  /** How many requests it was. */
  count: number
}

/**
 * How close a bucket came to what it may admit, over all windows of time from one admitted request to another: the
 * largest `admitted - limit - limit · t/60`, t being the window's seconds. Above 1 the limit was broken.
 *
 * A window from request i to request j is judged by the difference of two numbers that belong to j and to i alone, so
 * that one pass with the smallest so far finds the worst of all pairs. Whole numbers throughout: exact while what was
 * admitted lies within some hours.
 *
 * @param admitted in the order of their instants.
 */
export function worstWindow(admitted: readonly Admitted[], limit: number): number {
  const originUs = admitted[0]?.atUs ?? 0
  let [total, smallest, worst] = [0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  let previousUs = originUs
  for (const { atUs, count } of admitted) {
    if (atUs < previousUs) throw new Error('What was admitted is not in the order of time.')
    previousUs = atUs
    const refilled = limit * (atUs - originUs)
    smallest = Math.min(smallest, total * MINUTE_US - refilled)
    total += count
    worst = Math.max(worst, total * MINUTE_US - refilled - smallest)
  }
  return worst / MINUTE_US - limit
}
