import type { Router } from '@koa/router'
import type { Permission } from '../../domain/permission.ts'
import type { Role } from '../../domain/role.ts'
import type { BodyLimits } from './bodies/fields.ts'
import type { ApiMiddleware, ApiState, Caller, PlaceKind } from './context.ts'
import type { ResourceName } from './expansion/resources.ts'

/** The callers of a route. */
export interface Access {
  /** The permission that a secret key needs. */
  permission: Permission
  /** True where clients may call, who name the project and have no secret. */
  isOpenToClients?: boolean
  /** True where the route counts towards the secondary limit. */
  isSecondary?: boolean
  /** The object that `id` in the address names, where it is read in the statement that admits the secret key. */
  reads?: ResourceName | 'payment'
  /** The query parameters besides `expand`. */
  query?: readonly string[]
}

/** Whether a role lets a person make a call of the dashboard about a project. */
export type MayOfRole = (role: Role, caller: Pick<Caller, 'sandbox'>) => boolean

/** What the middleware of a route does, as data: for the document of the interface, and for tests of its rules. */
export interface RouteFacts {
  /** Whom the guard of the route lets in. */
  access?: Access
  /** Whom the guard lets in of the people of the dashboard: by their role, or whoever is signed in. */
  people?: MayOfRole | 'signed in' | 'half signed in'
  /** True where the requests of an address are limited, since nobody else is known who asks. */
  limitsAddress?: true
  /** The limits of the body that the route reads. */
  body?: BodyLimits
  /** The kind of place that a request needs among those of its process. */
  place?: PlaceKind
  /** True where an answer is kept under its idempotency key. */
  keepsAnswers?: true
}

const FACTS = Symbol('facts')

/** Attaches what a middleware does to it, for the router. */
export function withFacts(middleware: ApiMiddleware, facts: RouteFacts): ApiMiddleware {
  return Object.assign(middleware, { [FACTS]: facts })
}

/** The facts of one middleware. */
export function factsOf(middleware: unknown): RouteFacts {
  return (middleware as { [FACTS]?: RouteFacts })[FACTS] ?? {}
}

/** Whether clients may call this method at this address. */
export function isOpenToClients(router: Router<ApiState>, path: string, method: string): boolean {
  const { pathAndMethod } = router.match(path, method)
  return pathAndMethod.some(({ stack }) => accessIn(stack)?.isOpenToClients === true)
}

function accessIn(layers: readonly unknown[]): Access | null {
  return layers.map((layer) => factsOf(layer).access).find((access) => access !== undefined) ?? null
}
