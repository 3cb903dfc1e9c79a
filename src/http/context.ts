import type { RouterContext, RouterMiddleware } from '@koa/router'
import { movesMoney } from '../../domain/block-reason.ts'
import type { Author } from '../../domain/command.ts'
import type { Environment } from '../../domain/environment.ts'
import type { Permission } from '../../domain/permission.ts'
import type { EntityManager } from '../persistence/orm.ts'
import type { FoundRow } from '../persistence/queries/lists/list-entity.ts'
import type { Scope } from '../persistence/queries/scope.ts'
import type { Usage } from '../rate-limit/buckets.ts'
import { ApiError } from './api-error.ts'
import type { SignedIn } from './people/signed-in.ts'

export interface Caller {
  /**
   * `key`: the merchant, whose secret key decides the environment. `person`: one of the merchant's people, by a page of the
   * dashboard. `client`: the merchant's customer.
   */
  kind: 'key' | 'person' | 'client'
  projectId: string
  environment: Environment
  sandbox: boolean
  /** Null but for a key. */
  apiKeyId: string | null
  /** Absent but for a person. */
  personId?: string
  /** Those of the key, or of the person's role; a client has none, and may use the routes that are open to clients. */
  permissions: readonly Permission[]
  /** True in a suspended project: no new money moves. */
  isSuspended: boolean
  /** Whether clients may capture and increment existing authorizations. */
  allowsClientCaptures: boolean
  /** Whether clients may set options that override rules of the networks. */
  allowsClientOverrides: boolean
  /** Whether clients may choose the captured amount of an invoice. */
  allowsClientAmounts: boolean
}

/** `waiting`: for what waits for a payment. `working`: for everything else, which stands in line where none is free. */
export type PlaceKind = 'waiting' | 'working'

/** The state that middleware passes on for a request. It holds no secret: the access log reads it. */
export interface ApiState {
  requestId: string
  caller?: Caller
  /** The usage of the limit that the request counted towards, if any. */
  usage?: Usage
  /** The only fields of the body that the request log keeps, where the others are personal or secret. */
  logs?: readonly string[]
  /** The kind of place that the request did not get. */
  lackedPlace?: PlaceKind
  invoiceId?: string
  /** The id in the address, once its object was found. */
  objectId?: string
  /** The person of a call of the dashboard. */
  signedIn?: SignedIn
  /**
   * Refuses a person who has lost session or role since the request was admitted; of a key and a client there is none.
   *
   * @param em where both are to stay as they are until its database transaction ends.
   */
  stillAdmitted?: (em?: EntityManager) => Promise<void>
  /** The row named in the address, if it was read with the caller's admission; null where there is none. */
  found?: FoundRow | null
  /** The `error_type` of an error answer. */
  errorType?: string
}

export type ApiContext = RouterContext<ApiState>
export type ApiMiddleware = RouterMiddleware<ApiState>

/** The caller of a route behind `authenticate`. */
export function callerOf(ctx: ApiContext): Caller {
  const { caller } = ctx.state
  if (caller === undefined) throw new Error('A route asks for its caller without authenticating it.')
  return caller
}

/** True for the merchant: its server with a secret key, or one of its people. */
export function isMerchant(ctx: ApiContext): boolean {
  return callerOf(ctx).kind !== 'client'
}

/** Who asks a payment for something, as its operations record it. */
export function authorOf(ctx: ApiContext): Author {
  const { kind, personId } = callerOf(ctx)
  return { actor: kind === 'client' ? 'client' : 'merchant', ...(personId !== undefined && { personId }) }
}

/** The rows that the caller may see. */
export function scopeOf(ctx: ApiContext): Scope {
  const { projectId, sandbox } = callerOf(ctx)
  return { projectId, sandbox }
}

/**
 * Refuses a command that would move money of a suspended project. The payment checks again under its lock: see
 * `domain/block-reason.ts`.
 *
 * @throws ApiError 403.
 */
export function refuseWhileSuspended(ctx: ApiContext, command: Parameters<typeof movesMoney>[0]): void {
  if (callerOf(ctx).isSuspended && movesMoney(command)) throw new ApiError('request.project-suspended')
}
