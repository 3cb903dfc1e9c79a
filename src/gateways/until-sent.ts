import { setTimeout as sleep } from 'node:timers/promises'
import { isPassing } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/operation.ts'

/** The pause before the first repetition; each one after it is twice as long. */
const FIRST_PAUSE_MS = 250

/**
 * Makes a call again that was certainly not processed, for a temporary reason such as a gateway that throttles. For the call
 * after the customer has authenticated: the customer would have to do that anew, and no other gateway can take it.
 *
 * @param until when the last one may begin, by `performance.now()`.
 */
export async function untilSent(call: () => Promise<Outcome>, until: number): Promise<Outcome> {
  let outcome = await call()
  for (let pauseMs = FIRST_PAUSE_MS; isHeldUp(outcome) && performance.now() + pauseMs < until; pauseMs *= 2) {
    await sleep(pauseMs)
    outcome = await call()
  }
  return outcome
}

function isHeldUp(outcome: Outcome): boolean {
  return outcome.kind === 'declined' && outcome.isNotSent === true && isPassing(outcome.code)
}
