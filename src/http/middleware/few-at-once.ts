import { createKeyedSemaphore } from '../../keyed-semaphore.ts'
import { ApiError } from '../api-error.ts'
import { type ApiMiddleware, callerOf } from '../context.ts'

/**
 * For calls that keep the database busy for seconds: so many of one person, or of one key, at once in this process. A place is
 * free again when its answer is over, or its caller has gone.
 *
 * @param refusal the sentence for one call more.
 */
export function fewAtOnce(permits: number, refusal: string): ApiMiddleware {
  const places = createKeyedSemaphore({ permits, waitMs: 0 })
  return async (ctx, next) => {
    const { personId, apiKeyId, projectId } = callerOf(ctx)
    const release = await places.acquire(personId ?? apiKeyId ?? projectId)
    if (release === null) throw new ApiError('request.still-processing', refusal)
    if (ctx.res.closed) release()
    else ctx.res.once('close', release)
    await next()
  }
}
