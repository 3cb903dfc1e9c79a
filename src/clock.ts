/** Wall-clock time, handed in wherever it is read, so that a test can stop it. Deadlines of payments use workflow time instead. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }
