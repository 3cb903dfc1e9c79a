import type { Outcome } from '../../domain/operation.ts'
import { OperationEntity } from '../../src/persistence/entities/operation.ts'
import type { PaymentActivityDeps } from '../dependencies.ts'
import type { Attempt } from '../steps/begin-attempt.ts'

const NOT_SENT_YET = 'It could not be sent to the gateway yet, and will be.'

/**
 * The outcome of a call, where a release that nobody but us has asked for is not over because it could not be sent: at the end
 * of an authorization, or of one that the payment does not stand on. A merchant would be told, and ask again; here it stays
 * open, and every look-up of it sends it again until the gateway has heard of it.
 */
export function keepOwnReleaseOpen(outcome: Outcome, attempt: Attempt): Outcome {
  const isNotSent = outcome.kind === 'declined' && outcome.isNotSent === true
  return isNotSent && isOwnRelease(attempt) ? { kind: 'unknown', reason: NOT_SENT_YET } : outcome
}

/** Whether the attempt was kept open so. A gateway that cannot be asked for it, since it has no look-up, is sent it again. */
export async function isKeptOpen({ orm }: Pick<PaymentActivityDeps, 'orm'>, attempt: Attempt): Promise<boolean> {
  if (!isOwnRelease(attempt)) return false
  const { id: attemptOperationId, projectId, sandbox } = attempt.operation
  const result = { attemptOperationId, projectId, sandbox, outcome: 'unknown', errorMessage: NOT_SENT_YET } as const
  return (await orm.em.fork().count(OperationEntity, result)) > 0
}

function isOwnRelease({ operation: { type, actor } }: Attempt): boolean {
  return type === 'void' && actor === 'scheduler'
}
