import type { Router } from '@koa/router'
import type { ApiState } from '../../src/http/context.ts'
import type { AppDeps } from '../../src/http/dependencies.ts'
import { factsOf, type RouteFacts } from '../../src/http/route-access.ts'
import { createApp } from '../../src/processes/app.ts'
import { PRODUCTION_WAITS } from '../../src/waits.ts'

interface OpenRoute {
  method: string
  path: string
  facts: readonly RouteFacts[]
}

/** The routes of all routers of the service that are answered without a key or a session. */
export function openRoutes(): OpenRoute[] {
  const { middleware } = createApp({ logger: { child: () => null }, waits: PRODUCTION_WAITS } as unknown as AppDeps)
  const routers = middleware.flatMap((one) => (one as { router?: Router<ApiState> }).router ?? [])
  return routers
    .flatMap(({ stack }) => stack)
    .map(({ methods, path, stack }) => ({
      method: methods.find((one) => one !== 'HEAD') ?? '',
      path: String(path),
      facts: stack.map(factsOf),
    }))
    .filter(({ facts }) => facts.every(({ access, people }) => access === undefined && people === undefined))
}
