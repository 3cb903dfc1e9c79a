import type { ParameterizedContext } from 'koa'
import type { ApiState } from '../context.ts'

/** What `holdfast listen` and `holdfast logs tail` read every second, and the name under which they do. */
const POLLED: readonly string[] = ['/events', '/api-requests']
const POLLS_AS = 'holdfast-cli-follow/'

/**
 * Whether the command line only looks whether there is something new. Its requests would be most of the request log, so it
 * does not show them. Anybody can take that name: therefore only a reading that succeeded, and none in live, where the log may
 * be all that tells a merchant what a stolen key has read.
 */
export function isPolling(ctx: ParameterizedContext<ApiState>): boolean {
  const { caller } = ctx.state
  if (caller?.kind !== 'key' || !caller.sandbox || ctx.method !== 'GET' || ctx.status !== 200) return false
  return POLLED.includes(ctx.path) && ctx.get('User-Agent').includes(POLLS_AS)
}
