import { once as nextOf } from 'node:events'
import { readFile } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { ApiError } from '../http/api-error.ts'
import type { ApiMiddleware } from '../http/context.ts'
import { type HeldFile, holdFile, sendHeldFile } from '../http/files/held-file.ts'
import { REFERENCE_PAGE, REFERENCE_POLICY, REFERENCE_SCRIPT, REFERENCE_STYLE } from './reference-page.ts'

/** Makes a value at its first use. One that could not be made is made anew at the next. */
function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined
      throw error
    })
    return made
  }
}

/**
 * The document of the interface: `GET /openapi.json`. Needs no key, and tools of any origin may read it. It is made at the
 * first request, since no process needs it to start.
 */
export function openApiFile(): ApiMiddleware {
  const document = once(async () => {
    const thread = new Worker(new URL('../api/document-thread.ts', import.meta.url))
    const [text] = (await nextOf(thread, 'message')) as [string]
    return holdFile(Buffer.from(text), 'application/json; charset=utf-8')
  })
  return async (ctx) => {
    ctx.set('Access-Control-Allow-Origin', '*')
    sendHeldFile(ctx, await document())
  }
}

const SCRIPT = 'text/javascript; charset=utf-8'
const STYLE = 'text/css; charset=utf-8'

const ofLibrary = (address: string, type: string) => async () => holdFile(await readFile(new URL(address)), type)

/** What the page of the reference loads, by name. */
const FILES = new Map<string, () => Promise<HeldFile>>([
  ['swagger-ui-bundle.js', once(ofLibrary(import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js'), SCRIPT))],
  ['swagger-ui.css', once(ofLibrary(import.meta.resolve('swagger-ui-dist/swagger-ui.css'), STYLE))],
  ['reference.js', once(() => holdFile(Buffer.from(REFERENCE_SCRIPT), SCRIPT))],
  ['reference.css', once(() => holdFile(Buffer.from(REFERENCE_STYLE), STYLE))],
])

/** The reference of the interface for people: `GET /docs`. It shows the document, and loads nothing from elsewhere. */
export function referencePage(): ApiMiddleware {
  const page = once(() => holdFile(Buffer.from(REFERENCE_PAGE), 'text/html; charset=utf-8'))
  return async (ctx) => {
    // The addresses in the page are relative, so that it works under any path that a proxy puts in front.
    if (ctx.path.endsWith('/')) return ctx.redirect('../docs')
    ctx.set('Content-Security-Policy', REFERENCE_POLICY)
    sendHeldFile(ctx, await page())
  }
}

/** The files of that page: `GET /docs/:file`. */
export function referenceFile(): ApiMiddleware {
  return async (ctx) => {
    const file = FILES.get(ctx.params.file ?? '')
    if (file === undefined) throw new ApiError('request.route-not-found')
    sendHeldFile(ctx, await file())
  }
}
