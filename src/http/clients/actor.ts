import { type ApiContext, callerOf } from '../context.ts'

/** Who is written down as having wanted a step of a payment. */
export function actorOf(ctx: ApiContext): 'merchant' | 'client' {
  return callerOf(ctx).kind === 'client' ? 'client' : 'merchant'
}
