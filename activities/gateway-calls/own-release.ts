import type { Outcome } from '../../domain/operation.ts'
import type { Attempt } from '../steps/begin-attempt.ts'

const NOT_SENT_YET = 'It could not be sent to the gateway yet, and will be.'

/**
 * The outcome of a call, where a release that nobody but us has asked for is not over because it could not be sent: at the end
 * of an authorization, or of one that the payment does not stand on. A merchant would be told, and ask again; here it stays
 * open, and every look-up that does not find it sends it again.
 */
export function keepOwnReleaseOpen(outcome: Outcome, attempt: Attempt): Outcome {
  const isNotSent = outcome.kind === 'declined' && outcome.isNotSent === true
  return isNotSent && isOwnRelease(attempt) ? { kind: 'unknown', reason: NOT_SENT_YET } : outcome
}

function isOwnRelease({ operation: { type, actor } }: Attempt): boolean {
  return type === 'void' && actor === 'scheduler'
}
