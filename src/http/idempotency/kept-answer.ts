import type { IdempotencyClaim } from '../../../domain/command.ts'
import type { IdempotencyKeyRow } from '../../persistence/entities/idempotency-key.ts'
import type { KeptAnswer } from '../../persistence/queries/payments/idempotency-keys.ts'
import { ApiError } from '../api-error.ts'
import type { ApiContext } from '../context.ts'

/** Tells the merchant that the answer is that of an earlier request with the same key. */
const REPLAYED_HEADER = 'Idempotent-Replayed'

/** @throws ApiError where the key came with another body before. */
export function refuseOtherBody({ requestHash }: IdempotencyKeyRow, claim: IdempotencyClaim): void {
  if (requestHash === claim.requestHash) return
  throw new ApiError('request.idempotency-key.invalid', {
    message: 'This idempotency key came before with another body. Use a new one for another request.',
  })
}

/** The answer of a key; null while its request is still under way. */
export function keptAnswerOf({ status, body }: IdempotencyKeyRow): KeptAnswer | null {
  return status == null || body == null ? null : { status, body }
}

/** Answers with exactly the bytes that are kept. */
export function sendKeptAnswer(ctx: ApiContext, { status, body }: KeptAnswer, isReplayed: boolean): void {
  const { error_type: errorType } = JSON.parse(body) as { error_type?: string }
  if (errorType !== undefined) ctx.state.errorType = errorType
  ctx.status = status
  ctx.type = 'json'
  ctx.body = body
  if (isReplayed) ctx.set(REPLAYED_HEADER, 'true')
}
