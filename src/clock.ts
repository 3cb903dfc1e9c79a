/**
 * Wall-clock time, handed in wherever it is read, so that a test can stop it. That of the service is `createDatabaseClock`.
 * Deadlines of payments use workflow time instead.
 */
export interface Clock {
  now(): Date
}

/** That of this machine, for programs that stand on no database, and for commands. */
export const systemClock: Clock = { now: () => new Date() }
