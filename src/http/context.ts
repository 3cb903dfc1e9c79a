import type { RouterContext, RouterMiddleware } from '@koa/router'
import type { Environment } from '../../domain/environment.ts'
import type { Scope } from '../persistence/queries/scope.ts'

/** The project on whose behalf a request is made; its secret key decided the environment. */
export interface Caller {
  projectId: string
  environment: Environment
  sandbox: boolean
}

/** What a request carries from one middleware to the next. Nothing of it is secret: the access log reads it. */
export interface ApiState {
  requestId: string
  caller?: Caller
  invoiceId?: string
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

/** Which rows the caller of a route may see. */
export function scopeOf(ctx: ApiContext): Scope {
  const { projectId, sandbox } = callerOf(ctx)
  return { projectId, sandbox }
}
