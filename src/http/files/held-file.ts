import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { ApiContext } from '../context.ts'

/** A file that anybody may load without a key: compressed once, so that nobody can have that done again and again. */
export interface HeldFile {
  type: string
  body: Buffer
  compressed: Buffer
  etag: string
}

const FRESH_FOR_SECONDS = 300

export async function holdFile(body: Buffer, type: string): Promise<HeldFile> {
  const etag = `"${createHash('sha256').update(body).digest('base64url')}"`
  return { type, body, compressed: await promisify(gzip)(body), etag }
}

/** Sends files by their names, each made at its first request. */
export function heldFiles(): (ctx: ApiContext, name: string, file: { body: Buffer; type: string }) => Promise<void> {
  const held = new Map<string, Promise<HeldFile>>()
  return async (ctx, name, { body, type }) => {
    const made = held.get(name) ?? holdFile(body, type)
    held.set(name, made)
    sendHeldFile(ctx, await made)
  }
}

export function sendHeldFile(ctx: ApiContext, { type, body, compressed, etag }: HeldFile): void {
  ctx.set({ 'Cache-Control': `public, max-age=${FRESH_FOR_SECONDS}`, ETag: etag })
  ctx.vary('Accept-Encoding')
  ctx.type = type
  ctx.status = 200
  if (ctx.fresh) {
    ctx.status = 304
  } else if (ctx.acceptsEncodings('gzip', 'identity') === 'gzip') {
    ctx.set('Content-Encoding', 'gzip')
    ctx.body = compressed
  } else {
    ctx.body = body
  }
}
