/**
 * How long the service waits before it gives up, in milliseconds, wherever a test of the giving up would wait as long. The
 * composition hands each room its part.
 */
export interface Waits {
  /** A merchant's request for the answer of its payment; clients and proxies commonly give up after 60 s. */
  answerMs: number
  /**
   * A request for its turn, where its process works on others, or Temporal takes no more commands of its payment at once.
   */
  turnMs: number
  /** A statement for a lock that another session holds, and a request for its turn at an object that others wait for. */
  lockMs: number
  /**
   * The withdrawal of a command for that command, where it is just beginning: longer than the database lets a transaction
   * idle, so that a frozen process no longer holds its locks.
   */
  beginningMs: number
  /**
   * A webhook for a permit of its host, in line: with the receiver's time to answer (10 s) and the database less than the time
   * of an attempt (`workflows/webhook.ts`).
   */
  permitMs: number
  /** A repeated payment request for the first one with its idempotency key: longer than a gateway usually takes. */
  idempotencyMs: number
  /** An advance of a test clock for another one of the same payment. */
  testClockMs: number
  /** A list with filters for the rows that meet them. */
  filterMs: number
  /** A dry run of rules for the payments that it decides one after the other; what is decided by then is its answer. */
  dryRunMs: number
  /** A person for the answer of a gateway to a test of an account, which has longer for a payment. */
  connectionTestMs: number
  /**
   * The workers of a version for those of the current one, before they take over: a Temporal that has just started knows of no
   * workers until they have asked it for work again.
   */
  takeoverMs: number
  /** A question about health for the answer of a server; load balancers commonly wait 5 s. */
  healthMs: number
}

export const PRODUCTION_WAITS: Waits = {
  answerMs: 30_000,
  turnMs: 5_000,
  lockMs: 5_000,
  beginningMs: 12_000,
  permitMs: 3_000,
  idempotencyMs: 5_000,
  testClockMs: 5_000,
  filterMs: 1_000,
  dryRunMs: 5_000,
  connectionTestMs: 10_000,
  takeoverMs: 8_000,
  healthMs: 2_000,
}
