import type { Middleware } from 'koa'
import compress from 'koa-compress'
import type { ApiContext, ApiState } from '../context.ts'

/** A shorter answer fits a packet or two anyway. */
const COMPRESSED_FROM_BYTES = 1024

/** Compresses longer answers with gzip if the caller accepts it; every HTTP library decompresses them by itself. */
export function compression(): Middleware<ApiState> {
  return compress({ threshold: COMPRESSED_FROM_BYTES, encodingPreference: ['gzip', 'identity'] })
}

/**
 * Sends this answer uncompressed. In an answer with a secret and text chosen by the caller, the compressed length would
 * reveal the secret guess by guess. Source: BREACH, https://breachattack.com.
 */
export function neverCompressed(ctx: ApiContext): void {
  Object.assign(ctx, { compress: false })
}
