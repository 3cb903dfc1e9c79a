import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Router } from '@koa/router'
import Koa, { type Context } from 'koa'
import type { ApiState } from '../../../src/http/context.ts'
import { compression } from '../../../src/http/middleware/compression.ts'
import { errors } from '../../../src/http/middleware/errors.ts'
import { securityHeaders } from '../../../src/http/middleware/security-headers.ts'
import { type ClientPagesDeps, clientFile } from '../../../src/pages/client-pages.ts'
import { captureLog } from '../../../test/support/captured-log.ts'
import { FakeApi, type FakeReply, type FakeRequest } from './fake-api.ts'

export const PROJECT = 'test-proj_1'

export interface Site {
  /** Its origin. */
  url: string
  stop(): Promise<void>
}

/** The built files, served by the real route, without the rest of the API. */
export function createFilesApp(deps: ClientPagesDeps): Koa<ApiState> {
  const app = new Koa<ApiState>()
  app.use((ctx, next) => {
    ctx.state.requestId = 'req_1'
    return next()
  })
  // A request whose answer a test loses on its way.
  app.on('error', () => {})
  app.use(compression())
  app.use(securityHeaders({}))
  app.use(errors(captureLog().logger))
  const router = new Router<ApiState>({ sensitive: true })
  router.get('/js/v1/:file', clientFile(deps))
  app.use(router.routes())
  return app
}

/** What goes wrong with a request on its way. */
export type NetworkFault = 'lost request' | 'lost answer' | FakeReply | null

export interface ApiSite extends Site {
  api: FakeApi
  /** Everything that has arrived for the API, with the addresses of its pages. */
  seen: { method: string; path: string; origin: string | undefined; body: string }[]
  fault(request: FakeRequest): NetworkFault
  /** How the bank behaves: asks for a code, does nothing, or refuses to be shown in a frame. */
  bank: 'asks' | 'silent' | 'refuses frames'
  /** Where a full page of the bank ends. */
  returnUrl: string
}

/** The API of a test at an origin of its own, and the page of a bank at another one. */
export async function startApiSite(bankUrl: string, deps: ClientPagesDeps): Promise<ApiSite> {
  const app = createFilesApp(deps)
  const server = await listen('127.0.0.1', (request, response) => void app.callback()(request, response))
  const site: ApiSite = {
    ...server,
    api: new FakeApi(server.url),
    seen: [],
    fault: () => null,
    bank: 'asks',
    returnUrl: '',
  }
  app.use(async (ctx) => {
    ctx.set({
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Allow-Headers': '*, Authorization',
      'Access-Control-Max-Age': '60',
    })
    if (ctx.method === 'OPTIONS') {
      ctx.status = 204
      return
    }
    const body = await textOf(ctx)
    site.seen.push({ method: ctx.method, path: ctx.url, origin: ctx.get('Origin') || undefined, body })
    if (ctx.path.startsWith('/three-d-s/')) showBank(ctx, site, bankUrl)
    else answer(ctx, site, body)
  })
  return site
}

function answer(ctx: Context, site: ApiSite, body: string): void {
  if (ctx.get('Authorization') !== `Basic ${Buffer.from(`${PROJECT}:`).toString('base64')}`) {
    ctx.status = 401
    ctx.body = { success: false, error_type: 'request.authentication.invalid', message: 'No.' }
    return
  }
  const headers = ctx.headers as FakeRequest['headers']
  const request: FakeRequest = { method: ctx.method, path: ctx.url, headers, body: body === '' ? {} : JSON.parse(body) }
  const fault = site.fault(request)
  if (fault === 'lost request') return void ctx.req.socket.destroy()
  const reply = fault === null || fault === 'lost answer' ? site.api.handle(request) : fault
  if (fault === 'lost answer') return void ctx.req.socket.destroy()
  ctx.status = reply.status
  ctx.body = reply.body
}

/** The page that an action names sends the browser on to the bank; the return page tells whoever shows it. */
function showBank(ctx: Context, site: ApiSite, bankUrl: string): void {
  ctx.set('Content-Security-Policy', "default-src 'none'; script-src 'unsafe-inline'")
  const [, , invoiceId = '', act = '', end] = ctx.path.split('/')
  const value = `${site.url}/three-d-s/${invoiceId}/${act}`
  if (end !== 'return') {
    const attempt = site.api.invoice(invoiceId).attempt
    const step = attempt?.script.steps?.[attempt.step] ?? 'redirect'
    ctx.redirect(`${bankUrl}/${step}?${new URLSearchParams({ back: `${value}/return`, how: site.bank })}`)
    return
  }
  const token = site.api.returnToken(value)
  const message = JSON.stringify({ type: 'service.three-d-s', action: value, token })
  const next = JSON.stringify(`${site.returnUrl}?${new URLSearchParams({ token, invoice_id: invoiceId })}`)
  ctx.type = 'html'
  ctx.body = `<!doctype html><title>Back</title><script>
    if (parent === window) location.replace(${next})
    else parent.postMessage(${message}, '*')
  </script>`
}

/** A bank: a fingerprint comes back by itself, a challenge when the code is sent. */
export function startBankSite(): Promise<Site> {
  return listen('127.0.0.3', (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://bank')
    const back = searchParams.get('back') ?? ''
    const how = searchParams.get('how')
    if (how === 'refuses frames') response.setHeader('X-Frame-Options', 'DENY')
    response.setHeader('Content-Type', 'text/html; charset=utf-8')
    const isHidden = pathname === '/fingerprint'
    const script = isHidden && how !== 'silent' ? '<script>document.forms[0].submit()</script>' : ''
    response.end(`<!doctype html><html lang="en"><head><title>Bank</title>
      <meta name="viewport" content="width=device-width, initial-scale=1"></head>
      <body style="font: 16px system-ui; margin: 24px"><h1>Your bank</h1>
      <form method="post" action="${back}">
      <p>Shop <strong>€29.00</strong></p>
      <p><label>Code <input name="code" inputmode="numeric" style="font: inherit"></label></p>
      <button style="font: inherit">Confirm</button></form>${script}</body></html>`)
  })
}

export interface ShopSite extends Site {
  /** The pages by path. */
  pages: Map<string, { html: string; headers?: Record<string, string> }>
  /** Everything that the merchant's server is sent. */
  seen: string[]
}

/** A merchant's server at an origin of its own, which remembers whatever it is told. */
export async function startShopSite(): Promise<ShopSite> {
  const pages: ShopSite['pages'] = new Map()
  const seen: string[] = []
  const site = await listen('localhost', (request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString()
    })
    request.on('end', () => {
      seen.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)} ${body}`)
      const page = pages.get((request.url ?? '').replace(/\?.*/, ''))
      response.statusCode = page === undefined ? 404 : 200
      const [, ending = ''] = /\.(\w+)$/.exec(request.url ?? '') ?? []
      const type = { js: 'text/javascript', css: 'text/css' }[ending] ?? 'text/html'
      for (const [name, value] of Object.entries(page?.headers ?? {})) response.setHeader(name, value)
      response.setHeader('Content-Type', `${type}; charset=utf-8`)
      response.end(page?.html ?? '')
    })
  })
  return { ...site, pages, seen }
}

type Listener = Parameters<typeof createServer>[1]

async function listen(host: string, listener: Listener): Promise<Site> {
  const server: Server = createServer(listener as never)
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${host}:${port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function textOf({ req }: Context): Promise<string> {
  let text = ''
  for await (const chunk of req) text += (chunk as Buffer).toString()
  return text
}
