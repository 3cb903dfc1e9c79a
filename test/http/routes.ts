import { routesOf } from '../../src/http/app.ts'
import type { AppDeps } from '../../src/http/dependencies.ts'
import { createLogger } from '../../src/logger.ts'

export interface Route {
  method: string
  /** As the router has it: `/cards/:id`. */
  path: string
}

/** Where gateways tell what they have to tell: for no merchant, and tested apart. */
const OF_GATEWAYS = '/gateways/:name/notifications/:configuration_id'

/** Every endpoint for merchants, as the router has it, so that a test of all of them leaves none out. */
export function apiRoutes(): Route[] {
  const logger = createLogger({ level: 'silent', process: 'test' })
  return routesOf({ logger } as AppDeps)
    .stack.flatMap(({ path, methods }) =>
      methods.filter((method) => method !== 'HEAD').map((method) => ({ method, path: String(path) })),
    )
    .filter(({ path }) => path !== OF_GATEWAYS)
}

/** The addresses that need no key. */
const PUBLIC: readonly string[] = ['/', '/error-codes', '/health/live', '/health/ready']

export const isPublic = ({ path }: Route): boolean => PUBLIC.includes(path)

/** True where the address names an object; the first digits of a card and a gateway are none of a project's own. */
export const namesAnObject = ({ path }: Route): boolean => /:(?!iin$|name\/)/.test(path)

export const takesBody = ({ method }: Route): boolean => method === 'POST' || method === 'PUT'

/** Asking a gateway again takes no fields, nor does a test of a webhook endpoint, nor the choice of a version of the rules. */
export const takesFields = (route: Route): boolean =>
  takesBody(route) && !/\/(sync-with-psp|test|activate)$/.test(route.path)

export const changesSomething = ({ method }: Route): boolean => method !== 'GET'

export const movesMoney = ({ method, path }: Route): boolean =>
  method !== 'GET' && /\/(authorize|capture|three-d-s|increment_authorization|void|refunds|sync-with-psp)$/.test(path)
