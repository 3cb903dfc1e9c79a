import type { Middleware } from 'koa'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { ApiState } from '../http/context.ts'

/** From a cached answer to the 30 s for which a payment waits. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/**
 * Measures every request. Labels have the route and never the address, so that their number is that of the routes, and no
 * id and no secret gets into them.
 */
export function createRequestMetrics(registry: Registry): Middleware<ApiState> {
  const registers = [registry]
  const duration = new Histogram({
    name: 'holdfast_http_request_duration_seconds',
    help: 'Time from a request to its answer, by route, method and class of the status',
    labelNames: ['route', 'method', 'status'],
    buckets: SECONDS,
    registers,
  })
  const underWay = new Gauge({
    name: 'holdfast_http_requests_under_way',
    help: 'Requests that wait for their answer',
    registers,
  })
  const refused = new Counter({
    name: 'holdfast_http_requests_refused_total',
    help: 'Requests that a limit has refused, by limit',
    labelNames: ['limit'],
    registers,
  })
  return async (ctx, next) => {
    const startedAt = performance.now()
    underWay.inc()
    try {
      await next()
    } finally {
      underWay.dec()
      const { usage, lackedPlace } = ctx.state
      if (usage?.isAllowed === false) refused.inc({ limit: usage.kind })
      if (lackedPlace !== undefined) refused.inc({ limit: `places_${lackedPlace}` })
      duration.observe(
        {
          route: String(ctx._matchedRoute ?? 'none'),
          method: ctx.method,
          status: `${Math.trunc(ctx.status / 100)}xx`,
        },
        (performance.now() - startedAt) / 1000,
      )
    }
  }
}
