import type { GatewayOperationType, LookUp, Outcome } from '../../../domain/operation.ts'

/**
 * Placeholder's answer to a step, with the status of its HTTP answer: approved, declined with a code of `domain/errors.ts`,
 * action required, pending, or unknown. A state that is not in its documentation is unknown, never a success, and so is an
 * approval that does not say what was approved.
 */
export function outcomeOf(type: GatewayOperationType, _status: number, _answer: unknown): Outcome {
  return { kind: 'unknown', reason: `placeholder: what the answer to ${type} means is not written yet` }
}

/** What a look-up was answered with. That a call was never seen is to be said only where Placeholder says so for certain. */
export function findingOf(type: GatewayOperationType, _status: number, _answer: unknown): LookUp {
  return { kind: 'unreachable', reason: `placeholder: what a look-up of ${type} means is not written yet` }
}
