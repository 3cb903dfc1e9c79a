import type { Router } from '@koa/router'
import { createApp } from '../../src/http/app.ts'
import type { AppDeps } from '../../src/http/dependencies.ts'

export interface Route {
  method: string
  /** As the router has it: `/cards/:id`. */
  path: string
}

/** Every endpoint there is, as the router has it, so that a test of all of them leaves none out. */
export function apiRoutes(): Route[] {
  const routers = createApp({} as AppDeps).middleware.flatMap((layer) =>
    'router' in layer ? [layer.router as Router] : [],
  )
  return routers.flatMap(({ stack }) =>
    stack.flatMap(({ path, methods }) =>
      methods.filter((method) => method !== 'HEAD').map((method) => ({ method, path: String(path) })),
    ),
  )
}

/** The addresses that need no key. */
const PUBLIC: readonly string[] = ['/', '/error-codes', '/health/live', '/health/ready']

export const isPublic = ({ path }: Route): boolean => PUBLIC.includes(path)

/** True where the address names an object; the first digits of a card are none of a project's own. */
export const namesAnObject = ({ path }: Route): boolean => path.includes(':') && path !== '/iins/:iin'

export const takesBody = ({ method }: Route): boolean => method === 'POST' || method === 'PUT'

/** Asking a gateway again takes no fields, nor does a test of a webhook endpoint. */
export const takesFields = (route: Route): boolean => takesBody(route) && !/\/(sync-with-psp|test)$/.test(route.path)

export const changesSomething = ({ method }: Route): boolean => method !== 'GET'

export const movesMoney = ({ method, path }: Route): boolean =>
  method !== 'GET' && /\/(authorize|capture|increment_authorization|void|refunds|sync-with-psp)$/.test(path)
