import type { Router } from '@koa/router'
import type { ApiMiddleware, ApiState } from './context.ts'
import type { Access } from './middleware/authenticate.ts'

export interface EndpointAccess {
  method: string
  /** As the router has it: `/cards/:id`. */
  path: string
  /** Null for a route without authentication. */
  access: Access | null
}

const ACCESS = Symbol('access')

/** Attaches the access rule to the middleware that guards a route, for the router. */
export function withAccess(guard: ApiMiddleware, access: Access): ApiMiddleware {
  return Object.assign(guard, { [ACCESS]: access })
}

/** All endpoints of a router with their access rules. */
export function accessesOf({ stack }: Router<ApiState>): EndpointAccess[] {
  return stack.flatMap(({ methods, path, stack: layers }) => {
    const access = accessIn(layers)
    return methods.filter((method) => method !== 'HEAD').map((method) => ({ method, path: String(path), access }))
  })
}

/** Whether clients may call this method at this address. */
export function isOpenToClients(router: Router<ApiState>, path: string, method: string): boolean {
  const { pathAndMethod } = router.match(path, method)
  return pathAndMethod.some(({ stack }) => accessIn(stack)?.isOpenToClients === true)
}

function accessIn(layers: readonly unknown[]): Access | null {
  for (const layer of layers) {
    const { [ACCESS]: access } = layer as { [ACCESS]?: Access }
    if (access !== undefined) return access
  }
  return null
}
