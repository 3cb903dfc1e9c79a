import type { IdempotencyClaim } from '../../../domain/command.ts'
import { type ErrorCode, PAYMENT_FAILED, statusOf } from '../../../domain/errors.ts'
import { ApiError, unauthenticated } from '../../http/api-error.ts'
import type { ApiContext } from '../../http/context.ts'
import { claimKey } from '../../idempotency/record.ts'
import { presentPaymentAnswer } from '../../objects/payment-answer.ts'
import type { EntityManager } from '../../persistence/orm.ts'
import type { Scope } from '../../persistence/queries/scope.ts'
import type { ExecutedCommand } from './execute-command.ts'

/** The request field that a refusal is about, by error code. */
export type FieldOf = Partial<Record<ErrorCode, string>>

/**
 * Translates the answer of a payment into the API's answer.
 *
 * @throws ApiError for a refusal, naming its field if it has one.
 */
export function respond(ctx: ApiContext, executed: ExecutedCommand, fieldOf: FieldOf): void {
  const { answer } = executed
  if (answer.kind === 'duplicate') throw new ApiError('request.still-processing')
  if (answer.kind === 'refused' && statusOf(answer.code) !== PAYMENT_FAILED) {
    const { code, message, field } = answer
    if (code === 'request.authentication.invalid') throw unauthenticated({ message })
    const name = fieldOf[code]
    const invalid = field ?? (name === undefined ? null : { name, message })
    throw new ApiError(code, { message, ...(invalid && { invalidFields: [invalid] }) })
  }
  const { status, body } = presentPaymentAnswer({ ...executed, requestId: ctx.state.requestId })
  if ('error_type' in body) ctx.state.errorType = String(body.error_type)
  ctx.status = status
  ctx.body = body
}

/**
 * Keeps the answer of a step whose key no attempt claims. A repetition moves no money, so of equal requests the first to end
 * keeps its answer.
 */
export async function keepFirst(
  em: EntityManager,
  scope: Scope,
  { idempotency, name, now }: { idempotency: IdempotencyClaim | null; name: string; now: Date },
  keep: (em: EntityManager, claim: IdempotencyClaim) => Promise<void>,
): Promise<void> {
  if (idempotency === null) return
  await em.fork().transactional(async (inner) => {
    if ((await claimKey(inner, scope, idempotency, name, now)) === 'claimed') await keep(inner, idempotency)
  })
}
