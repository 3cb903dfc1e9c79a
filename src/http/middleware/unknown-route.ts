import { nearestName } from '../../../domain/nearest-name.ts'
import { ApiError } from '../api-error.ts'
import type { ApiMiddleware } from '../context.ts'
import type { Endpoint } from '../endpoint.ts'

/** Answers requests that no route took: their address or method is wrong, and the nearest right one is named. */
export function unknownRoute(endpoints: readonly Pick<Endpoint, 'httpMethod' | 'path'>[]): ApiMiddleware {
  const methodsAt = Map.groupBy(endpoints, ({ path }) => path.replaceAll(/:\w+/g, '{id}'))
  const addresses = [...methodsAt.keys()]
  return (ctx) => {
    const allowed = [...new Set((ctx.matched ?? []).flatMap(({ methods }) => methods))]
    if (allowed.length === 0) {
      const nearest = nearestName(withoutIds(ctx.path), addresses)
      const methods = methodsAt
        .get(nearest ?? '')
        ?.map(({ httpMethod }) => httpMethod)
        .sort()
      const message = `There is nothing at this address. Did you mean ${methods?.join(' or ')} ${nearest}?`
      throw new ApiError('request.route-not-found', nearest === undefined ? {} : message)
    }
    const headers = { Allow: [...allowed, 'OPTIONS'].sort().join(', ') }
    if (ctx.method !== 'OPTIONS') {
      const taken = allowed
        .filter((method) => method !== 'HEAD')
        .sort()
        .join(' and ')
      throw new ApiError('request.method-not-allowed', {
        message: `This address takes ${taken}, not ${ctx.method}.`,
        headers,
      })
    }
    ctx.set(headers)
    ctx.status = 204
  }
}

/** An id is a prefix and a long rest, or what somebody has left in place of one, such as `{id}`, `:id` and `iv_…`. */
const withoutIds = (path: string): string =>
  path
    .split('/')
    .map((part) => (/^(?:[a-z_]+_[0-9A-Za-z]{16,}|[:{<].*|[a-z]{2,4}_\W+)$/.test(part) ? '{id}' : part))
    .join('/')
    .replace(/(?<=.)\/$/, '')
