import type { Clock } from '../../src/clock.ts'

export interface AdjustableClock extends Clock {
  advance(milliseconds: number): void
}

/** A clock that shows one instant until it is told otherwise. */
export function fixedClock(instant = '2026-11-21T09:00:00.000Z'): AdjustableClock {
  let now = Date.parse(instant)
  return {
    now: () => new Date(now),
    advance(milliseconds) {
      now += milliseconds
    },
  }
}

/**
 * A clock that runs with the machine's and can be put forward. Whole stacks need it: their workflows live on the
 * server's clock, and a command whose deadline was read from a stopped one would come too late.
 */
export function runningClock(): AdjustableClock {
  let ahead = 0
  return {
    now: () => new Date(Date.now() + ahead),
    advance(milliseconds) {
      ahead += milliseconds
    },
  }
}
