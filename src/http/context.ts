import type { RouterContext, RouterMiddleware } from '@koa/router'
import { movesMoney } from '../../domain/block-reason.ts'
import type { Command } from '../../domain/command.ts'
import type { Environment } from '../../domain/environment.ts'
import type { Permission } from '../../domain/permission.ts'
import type { FoundRow } from '../persistence/queries/lists/list-entity.ts'
import type { Scope } from '../persistence/queries/scope.ts'
import type { Usage } from '../rate-limit/buckets.ts'
import { ApiError } from './api-error.ts'

export interface Caller {
  /** `key`: by the merchant, whose secret key decided the environment. `client`: by the merchant's customer. */
  kind: 'key' | 'client'
  projectId: string
  environment: Environment
  sandbox: boolean
  /** Null where a client calls. */
  apiKeyId: string | null
  /** Of the key; a client has none, and may use the routes that are open to clients. */
  permissions: readonly Permission[]
  /** While it is true, no new money moves. */
  isSuspended: boolean
  /** Whether clients may capture and increment what is authorized. */
  allowsClientCaptures: boolean
  /** Whether clients may set what overrides a rule of the networks. */
  allowsClientOverrides: boolean
  /** Whether clients may say how much of an invoice is captured. */
  allowsClientAmounts: boolean
}

/** What a request carries from one middleware to the next. It holds no secret: the access log reads it. */
export interface ApiState {
  requestId: string
  caller?: Caller
  /** What is left of the limit that the request counted towards; not there where it counted towards none. */
  usage?: Usage
  invoiceId?: string
  /** The row that the address names, where it was read as the caller was admitted; null where there is none. */
  found?: FoundRow | null
  /** The `error_type` of the answer, where it has one. */
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

/** Who is recorded as having asked for a step of a payment. */
export function actorOf(ctx: ApiContext): 'merchant' | 'client' {
  return callerOf(ctx).kind === 'client' ? 'client' : 'merchant'
}

/** Which rows the caller of a route may see. */
export function scopeOf(ctx: ApiContext): Scope {
  const { projectId, sandbox } = callerOf(ctx)
  return { projectId, sandbox }
}

/**
 * Refuses what would move money of a suspended project. The payment asks again under its lock: see
 * `domain/block-reason.ts`.
 *
 * @throws ApiError 403.
 */
export function refuseWhileSuspended(ctx: ApiContext, command: Pick<Command, 'kind'>): void {
  if (callerOf(ctx).isSuspended && movesMoney(command)) throw new ApiError('request.project-suspended')
}
