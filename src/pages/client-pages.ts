import { ApiError } from '../http/api-error.ts'
import type { ApiContext, ApiMiddleware } from '../http/context.ts'
import { type ClientFile, readClientFiles } from '../http/files/client-files.ts'
import { heldFiles } from '../http/files/held-file.ts'
import { invalidField } from '../http/input/input.ts'

export interface ClientPagesDeps {
  /**
   * The origins whose pages may show the card form of a project in a frame, such as `https://shop.example`; none listed
   * allows all. The project's id is without the prefix of the sandbox.
   */
  pageOrigins(projectId: string): Promise<readonly string[]>
  clientFiles?: () => ReadonlyMap<string, ClientFile>
}

/** As clients name it: the prefix tells the environment. */
const PROJECT_ID = /^(test-)?proj_\w{1,64}$/

/** A source of a content security policy: nothing in it may begin another source or directive. */
const SOURCE = /^[^\s;,]+$/

/** Merchants ask for the script without a hash in its name, and get a new one within minutes. */
const FRESH_FOR_SECONDS = 300
const YEAR_SECONDS = 365 * 24 * 60 * 60

/** A page among the files: what it may do beyond running its own script, and its other headers. */
interface Page {
  rights(projectId: string): readonly string[]
  headers: Readonly<Record<string, string>>
}

const PAGES: Readonly<Record<string, Page>> = {
  'card-form.html': {
    rights: () => ["style-src 'self'", "connect-src 'self'"],
    // So that pages which isolate themselves can show it.
    headers: { 'Cross-Origin-Embedder-Policy': 'require-corp' },
  },
  // Nobody knows the addresses of all banks.
  'bank-frame.html': { rights: (projectId) => [`frame-src 'self' ${anyPage(projectId).join(' ')}`], headers: {} },
}

/**
 * The library for browsers, and its pages: `GET /js/v1/:file`. Needs no key. Scripts may be loaded by pages of every origin,
 * also with a hash that the page insists on, and by pages that isolate themselves.
 */
export function clientFile({ pageOrigins, clientFiles = readClientFiles }: ClientPagesDeps): ApiMiddleware {
  // Read once, at the first request.
  let files: ReadonlyMap<string, ClientFile> | undefined
  const send = heldFiles()
  return async (ctx) => {
    files ??= clientFiles()
    const { file: name = '' } = ctx.params
    const file = files.get(name)
    if (file === undefined) throw new ApiError('request.route-not-found')
    const page = PAGES[name]
    ctx.set('Cross-Origin-Resource-Policy', 'cross-origin')
    if (page === undefined) {
      await send(ctx, name, file)
      ctx.set(fileHeaders(file))
    } else {
      // Its headers depend on the project, so no cache may answer with those of another one.
      ctx.set(await headersOf(ctx, page))
      ctx.type = file.type
      ctx.body = file.body
    }
  }

  async function headersOf(ctx: ApiContext, { rights, headers }: Page): Promise<Record<string, string>> {
    const projectId = projectIn(ctx)
    const listed = await pageOrigins(projectId.replace(/^test-/, ''))
    return { ...headers, ...pageHeaders(rights(projectId), frameAncestors(projectId, listed)) }
  }
}

/** In the sandbox any page, as for a try on a developer's machine; in live any page that cannot be changed on its way. */
function anyPage(projectId: string): readonly string[] {
  return projectId.startsWith('test-') ? ['*'] : ['https:']
}

/** The pages that may show a page of ours. Every page around them counts, so that a shop in a foreign frame has none. */
function frameAncestors(projectId: string, listed: readonly string[]): readonly string[] {
  if (listed.length === 0) return anyPage(projectId)
  return projectId.startsWith('test-') ? listed : listed.filter((origin) => origin.startsWith('https:'))
}

function fileHeaders({ isImmutable }: ClientFile): Record<string, string> {
  return {
    'Access-Control-Allow-Origin': '*',
    'Cache-Control': isImmutable
      ? `public, max-age=${YEAR_SECONDS}, immutable`
      : `public, max-age=${FRESH_FOR_SECONDS}`,
  }
}

/** @throws ApiError for an address without a project. */
function projectIn(ctx: ApiContext): string {
  const { project } = ctx.query
  if (typeof project === 'string' && PROJECT_ID.test(project)) return project
  throw invalidField('project', 'must be the id of the project, proj_… or test-proj_…')
}

/** A page runs its own script, and is shown where the merchant wants it. */
function pageHeaders(rights: readonly string[], ancestors: readonly string[]): Record<string, string> {
  const valid = ancestors.filter((source) => SOURCE.test(source))
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    ...rights,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    // The page that pays an invoice, at this very origin, shows them as well.
    ["frame-ancestors 'self'", ...valid].join(' '),
  ]
  return { 'Cache-Control': 'no-cache', 'Content-Security-Policy': policy.join('; ') }
}
