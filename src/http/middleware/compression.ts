import type { Middleware } from 'koa'
import compress from 'koa-compress'
import type { ApiContext, ApiState } from '../context.ts'

/** Below it an answer is a packet or two anyway. */
const COMPRESSED_FROM_BYTES = 1024

/** Compresses longer answers with gzip where the caller takes it, which every HTTP library undoes by itself. */
export function compression(): Middleware<ApiState> {
  return compress({ threshold: COMPRESSED_FROM_BYTES, encodingPreference: ['gzip', 'identity'] })
}

/**
 * Sends this answer as it is. What tells a secret beside texts of the caller's choice would show by its compressed length,
 * guess by guess, what they have in common. Source: BREACH, https://breachattack.com.
 */
export function neverCompressed(ctx: ApiContext): void {
  Object.assign(ctx, { compress: false })
}
