import type { ApiMiddleware } from '../context.ts'
import type { AppDeps } from '../dependencies.ts'
import { retrieve } from '../lists/retrieve.ts'

export function retrieveGatewayConfiguration(deps: Pick<AppDeps, 'orm' | 'clock'>): ApiMiddleware {
  return retrieve(deps, 'gateway_configuration')
}
