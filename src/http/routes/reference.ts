import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { ApiMiddleware } from '../context.ts'
import type { EndpointAccess } from '../route-access.ts'

const FRESH_FOR_SECONDS = 300

interface MadeDocument {
  text: Buffer
  compressed: Buffer
  etag: string
}

/**
 * The document of the interface: `GET /openapi.json`. Needs no key, and tools of any origin may read it. It is made and
 * compressed at the first request, since no process needs it to start, and kept.
 */
export function openApiFile(endpoints: () => readonly EndpointAccess[]): ApiMiddleware {
  let made: Promise<MadeDocument> | undefined
  return async (ctx) => {
    made ??= make(endpoints())
    const { text, compressed, etag } = await made
    ctx.set({
      'Access-Control-Allow-Origin': '*',
      'Cache-Control': `public, max-age=${FRESH_FOR_SECONDS}`,
      ETag: etag,
    })
    ctx.type = 'application/json; charset=utf-8'
    ctx.status = 200
    ctx.vary('Accept-Encoding')
    if (ctx.fresh) {
      ctx.status = 304
    } else if (ctx.acceptsEncodings('gzip', 'identity') === 'gzip') {
      ctx.set('Content-Encoding', 'gzip')
      ctx.body = compressed
    } else {
      ctx.body = text
    }
  }
}

async function make(endpoints: readonly EndpointAccess[]): Promise<MadeDocument> {
  const { openApiDocument } = await import('../openapi/document.ts')
  const text = Buffer.from(JSON.stringify(openApiDocument(endpoints)))
  const etag = `"${createHash('sha256').update(text).digest('base64url')}"`
  return { text, compressed: await promisify(gzip)(text), etag }
}
