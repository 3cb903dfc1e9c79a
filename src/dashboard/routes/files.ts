import { ApiError } from '../../http/api-error.ts'
import type { ApiMiddleware } from '../../http/context.ts'
import type { AppDeps } from '../../http/dependencies.ts'
import { type ClientFile, readDashboardFiles } from '../../http/files/client-files.ts'
import { heldFiles } from '../../http/files/held-file.ts'

const PAGE = 'index.html'
const YEAR_SECONDS = 365 * 24 * 60 * 60

/** The page runs its own scripts, calls this origin, and stands in no frame. Charts may bring images as data. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

type Deps = Pick<AppDeps, 'dashboardFiles'>

/** The page of the dashboard; what it shows is behind the `#` of its address, and so never in a log. */
export function showDashboardPage(deps: Deps): ApiMiddleware {
  const file = fileOf(deps)
  return (ctx) => {
    const page = file(PAGE)
    ctx.set({
      'Content-Security-Policy': POLICY,
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
      'Cache-Control': 'no-cache',
      ETag: page.etag,
    })
    ctx.type = page.type
    ctx.status = 200
    if (ctx.fresh) ctx.status = 304
    else ctx.body = page.body
  }
}

/** A script, style, font or image of the page: its name has the hash of its content, so that it never changes. */
export function showDashboardFile(deps: Deps): ApiMiddleware {
  const file = fileOf(deps)
  const send = heldFiles()
  return async (ctx) => {
    const { file: name = '' } = ctx.params
    if (name === PAGE) throw new ApiError('request.route-not-found')
    await send(ctx, name, file(name))
    ctx.set('Cache-Control', `public, max-age=${YEAR_SECONDS}, immutable`)
  }
}

/** Read once, at the first request. */
function fileOf({ dashboardFiles = readDashboardFiles }: Deps): (name: string) => ClientFile {
  let files: ReadonlyMap<string, ClientFile> | undefined
  return (name) => {
    files ??= dashboardFiles()
    const file = files.get(name)
    if (file === undefined) throw new ApiError('request.route-not-found')
    return file
  }
}
