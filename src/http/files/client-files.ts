import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** Both are made by `scripts/build-clients.mjs`. */
const BUILT = new URL('../../../clients/browser/dist/', import.meta.url)
const DASHBOARD = new URL('../../../clients/dashboard/dist/', import.meta.url)

export interface ClientFile {
  body: Buffer
  type: string
  etag: string
  /** The name has the hash of the content, so that it never changes. */
  isImmutable: boolean
}

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  json: 'application/json; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
  // Of TypeScript's declarations; there is no registered type.
  ts: 'text/plain; charset=utf-8',
}

/** What is built, and served: no other file of the folder. */
const NAME = /^(holdfast|card-form|bank-frame|hosted-page|integrity)(\.[0-9a-f]{16})?\.(js|mjs|css|html|json|d\.ts)$/

/** The page, and what it loads: each with the hash of its content in its name. */
const DASHBOARD_NAME = /^(?:index\.html|[\w-]+\.[0-9a-f]{16}\.(js|css|svg|woff2))$/

/**
 * The files that browsers load, by name. They are small and are kept in memory.
 *
 * @throws Error where they were not built.
 */
export function readClientFiles(folder: URL = BUILT): ReadonlyMap<string, ClientFile> {
  return readFiles(folder, NAME, 'card-form.html')
}

/** The files of the dashboard, by name; the same. */
export function readDashboardFiles(folder: URL = DASHBOARD): ReadonlyMap<string, ClientFile> {
  return readFiles(folder, DASHBOARD_NAME, 'index.html')
}

function readFiles(folder: URL, served: RegExp, page: string): ReadonlyMap<string, ClientFile> {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => served.test(name)) : []
  if (!names.includes(page)) throw new Error(`Run \`node scripts/build-clients.mjs\`: ${page} is not built.`)
  return new Map(names.map((name) => [name, readClientFile(folder, name)]))
}

function readClientFile(folder: URL, name: string): ClientFile {
  const body = readFileSync(new URL(name, folder))
  const hash = /\.([0-9a-f]{16})\.\w+$/.exec(name)?.[1]
  const [ending = ''] = /\w+$/.exec(name) ?? []
  return {
    body,
    type: TYPES[ending] ?? 'application/octet-stream',
    etag: `"${createHash('sha256').update(body).digest('base64url')}"`,
    isImmutable: hash !== undefined,
  }
}
