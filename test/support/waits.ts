import type { Waits } from '../../src/waits.ts'

/** For tests of a wait that ends without what is waited for. */
export const TEST_WAITS: Waits = {
  answerMs: 50,
  turnMs: 50,
  lockMs: 50,
  beginningMs: 50,
  permitMs: 50,
  idempotencyMs: 50,
  testClockMs: 50,
  filterMs: 50,
  dryRunMs: 50,
  connectionTestMs: 50,
  takeoverMs: 50,
  healthMs: 50,
}
