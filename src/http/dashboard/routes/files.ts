import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { ApiError } from '../../api-error.ts'
import type { ApiMiddleware } from '../../context.ts'
import type { AppDeps } from '../../dependencies.ts'
import { type ClientFile, readDashboardFiles } from '../../pages/client-files.ts'

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
  const packed = new Map<string, Promise<Buffer>>()
  return async (ctx) => {
    const { file: name = '' } = ctx.params
    if (name === PAGE) throw new ApiError('request.route-not-found')
    const { body, type } = file(name)
    ctx.set('Cache-Control', `public, max-age=${YEAR_SECONDS}, immutable`)
    ctx.type = type
    if (ctx.acceptsEncodings('gzip', 'identity') === 'gzip') {
      ctx.set('Content-Encoding', 'gzip')
      ctx.body = await packedOnce(name, body)
    } else ctx.body = body
  }

  /** To pack the script takes longer than to send it, and everybody who signs in loads it. */
  function packedOnce(name: string, body: Buffer): Promise<Buffer> {
    const made = packed.get(name) ?? pack(body, { level: 9 })
    packed.set(name, made)
    return made
  }
}

const pack = promisify<Buffer, object, Buffer>(gzip)

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
