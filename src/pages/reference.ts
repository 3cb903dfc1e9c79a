import { once as nextOf } from 'node:events'
import { readFile } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import type { ErrorCode } from '../../domain/errors.ts'
import { ApiError } from '../http/api-error.ts'
import type { ApiContext, ApiMiddleware } from '../http/context.ts'
import type { AppDeps } from '../http/dependencies.ts'
import { type HeldFile, holdFile, sendHeldFile } from '../http/files/held-file.ts'
import { limitAddress } from '../http/middleware/limit-address.ts'
import { DOCS_PAGE_POLICY, noSuchPage } from './docs-pages.ts'
import { REFERENCE_FILES } from './reference/files.ts'
import { REFERENCE_POLICY } from './reference/reference-page.ts'
import { findShownPage, type ShownPage } from './shown-pages.ts'

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

/** The document of the interface and its page, made at the first request, since no process needs them to start. */
const made = once(async () => {
  const thread = new Worker(new URL('reference/thread.ts', import.meta.url))
  const [{ document, page, search }] = (await nextOf(thread, 'message')) as [
    Record<'document' | 'page' | 'search', string>,
  ]
  return {
    search: await holdFile(Buffer.from(search), 'application/json; charset=utf-8'),
    document: await holdFile(Buffer.from(document), 'application/json; charset=utf-8'),
    page: await holdFile(Buffer.from(page), 'text/html; charset=utf-8'),
  }
})

/** `GET /openapi.json`. It needs no key, and tools of any origin may read it. */
export function openApiFile(): ApiMiddleware {
  return async (ctx) => {
    ctx.set('Access-Control-Allow-Origin', '*')
    sendHeldFile(ctx, (await made()).document)
  }
}

/** The reference of the interface for people: `GET /docs`. It shows the document, and loads nothing from elsewhere. */
export function referenceOfService(): ApiMiddleware {
  return async (ctx) => {
    if (ctx.path.endsWith('/')) return ctx.redirect('../docs')
    ctx.set('Content-Security-Policy', REFERENCE_POLICY)
    sendHeldFile(ctx, (await made()).page)
  }
}

/** What its search looks through beside itself: `GET /docs/pages.json`. */
export function searchFile(): ApiMiddleware {
  return async (ctx) => {
    sendHeldFile(ctx, (await made()).search)
  }
}

/** A page beside it: `GET /docs/errors`, `GET /docs/test-cards`. */
export function docsPage(text: () => string): ApiMiddleware {
  const page = once(() => holdFile(Buffer.from(text()), 'text/html; charset=utf-8'))
  return async (ctx) => {
    if (ctx.path.endsWith('/')) return ctx.redirect(`../${ctx.path.split('/').at(-2)}`)
    ctx.set('Content-Security-Policy', DOCS_PAGE_POLICY)
    sendHeldFile(ctx, await page())
  }
}

const NOTHING_HERE = 'request.route-not-found' satisfies ErrorCode

/**
 * Tells a browser in a page that there is nothing at an address; everybody else is told as by the interface. Where its
 * address has asked for too much, it is refused as at the pages.
 */
export function nothingHere(deps: Pick<AppDeps, 'orm'>): ApiMiddleware {
  const limited = limitAddress(deps)
  return async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      const isUnknown = error instanceof ApiError && error.code === NOTHING_HERE
      if (!isUnknown || !isBrowser(ctx)) throw error
      await limited(ctx, async () => sendNoSuchPage(ctx, `${'../'.repeat(ctx.path.split('/').length - 2)}docs/`))
    }
  }
}

/** A program, also a script of a page, asks for JSON or for anything. */
const isBrowser = (ctx: ApiContext): boolean =>
  ctx.method === 'GET' && ctx.get('Authorization') === '' && ctx.accepts('json', 'html') === 'html'

/** @param up from the page to `/docs/` */
function sendNoSuchPage(ctx: ApiContext, up: string): void {
  ctx.set('Content-Security-Policy', DOCS_PAGE_POLICY)
  ctx.type = 'text/html; charset=utf-8'
  ctx.status = 404
  ctx.state.errorType = NOTHING_HERE
  ctx.body = noSuchPage(up)
}

/** Guides, and other pages of the repository: `GET /docs/:folder/:page`. Each is made at its first request. */
export function shownPages(text: (page: ShownPage) => string): ApiMiddleware {
  const pages = new Map<string, ApiMiddleware>()
  return (ctx, next) => {
    const found = findShownPage(`${ctx.params.folder}/${ctx.params.page}`)
    if (found === null) return sendNoSuchPage(ctx, '../')
    const page = pages.get(found.path) ?? docsPage(() => text(found))
    pages.set(found.path, page)
    return page(ctx, next)
  }
}

/** What the page loads, by name. */
const FILES = new Map<string, () => Promise<HeldFile>>(
  REFERENCE_FILES.map(({ name, type }) => [
    name,
    once(async () => holdFile(await readFile(new URL(`reference/${name}`, import.meta.url)), type)),
  ]),
)

/** The files of that page: `GET /docs/:file`. */
export function referenceFile(): ApiMiddleware {
  return async (ctx) => {
    const file = FILES.get(ctx.params.file ?? '')
    if (file === undefined) return sendNoSuchPage(ctx, '')
    sendHeldFile(ctx, await file())
  }
}
