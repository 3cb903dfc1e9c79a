import { inTurn } from '../../persistence/in-turn.ts'
import { countOpenRequest, type Usage } from '../../rate-limit/buckets.ts'
import { rateExceeded } from '../api-error.ts'
import { networksOf } from '../client-address.ts'
import type { ApiContext, ApiMiddleware } from '../context.ts'
import type { AppDeps } from '../dependencies.ts'
import { withFacts } from '../route-access.ts'

/**
 * Whom a crowd behind the same address does not keep out: the name, which nobody can invent, of what a request counts towards
 * once its address has asked too much; null for everybody else.
 */
export type Spares = (ctx: ApiContext) => string | null | Promise<string | null>

/**
 * Limits what an address may ask of the routes that are answered without a key, so that no address keeps the process busy.
 * A flood of one address, or of one site of IPv6, waits for its own buckets on few connections.
 *
 * @throws ApiError 429 after too many.
 */
export function limitAddress({ orm }: Pick<AppDeps, 'orm'>, spares: Spares = () => null): ApiMiddleware {
  const limit: ApiMiddleware = async (ctx, next) => {
    const networks = networksOf(ctx.ip)
    const count = async (): Promise<Usage> => {
      const ofAddress = await countOpenRequest(orm.em.fork(), networks)
      const own = ofAddress.isAllowed ? null : await spares(ctx)
      return own === null ? ofAddress : countOpenRequest(orm.em.fork(), [{ name: own, share: 1 }])
    }
    refuseBeyond(ctx, await inTurn(orm.em, `open ${networks.at(-1)?.name}`, count))
    await next()
  }
  return withFacts(limit, { limitsAddress: true })
}

/**
 * Refuses a request that an address has made too often; only then its answer shows this limit.
 *
 * @throws ApiError 429.
 */
export function refuseBeyond(ctx: ApiContext, usage: Usage): void {
  if (usage.isAllowed) return
  ctx.state.usage = usage
  throw rateExceeded(usage)
}
