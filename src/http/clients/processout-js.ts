/**
 * What ProcessOut's library for browsers, processout.js 1.9.8, sends beside the interface and waits for: a page that uses it
 * changes the host and nothing else. Only clients are answered so, and none of it says anything that the interface has no
 * name for.
 */
import { type ApiContext, type ApiMiddleware, isMerchant } from '../context.ts'
import { readCredentials } from '../credentials.ts'
import { CLIENT_SECRET_HEADER, wrongClientSecret } from './client-secret.ts'

export const LIBRARY_SECRET_HEADER = 'X-ProcessOut-Client-Secret'

/** The headers that it sends. */
export const LIBRARY_HEADERS: readonly string[] = [LIBRARY_SECRET_HEADER, 'X-ProcessOut-JS-Version']

/**
 * It repeats its headers in the query, for browsers that send none. They have no effect: who asks, and with which key, is said
 * in headers only, since addresses are logged on their way here.
 */
const PARAMETERS: readonly string[] = [
  'legacyrequest',
  'project_id',
  'x-Content-Type',
  'x-API-Version',
  'x-Authorization',
  'x-Idempotency-Key',
  'x-ProcessOut-JS-Version',
]

/** Takes its parameters out of the query of a client. Those of a secret key are unknown ones like any other. */
export function withoutLibraryParameters(): ApiMiddleware {
  return (ctx, next) => {
    // Most requests have no query, and a client has an empty secret.
    if (ctx.querystring !== '' && readCredentials(ctx.get('Authorization'))?.secret === '') {
      const query = new URLSearchParams(ctx.querystring)
      const given = PARAMETERS.filter((name) => query.has(name))
      for (const name of given) query.delete(name)
      if (given.length > 0) ctx.querystring = query.toString()
    }
    return next()
  }
}

/** The fields of `device` that it repeats outside of it, as its older versions sent nothing else. */
const DEVICE_FIELDS: readonly string[] = [
  'request_origin',
  'app_color_depth',
  'app_language',
  'app_screen_height',
  'app_screen_width',
  'app_timezone_offset',
  'app_java_enabled',
]

/**
 * Gives what it sends in a body, and the client secret, the names of the interface.
 *
 * @param names the fields of the endpoint.
 */
export function takeLibraryFields(names: readonly string[]): ApiMiddleware {
  const hasDevice = names.some((name) => name === 'device' || name.startsWith('device.'))
  const hasCode = names.includes('cvc2')
  return (ctx, next) => {
    if (!isMerchant(ctx)) {
      takeSecret(ctx)
      const { fields } = ctx.request
      if (fields !== undefined && hasDevice) moveDevice(fields)
      if (fields !== undefined && hasCode) moveCode(fields)
    }
    return next()
  }
}

type Fields = NonNullable<ApiContext['request']['fields']>

function moveDevice(fields: Fields): void {
  const given = DEVICE_FIELDS.filter((name) => name in fields)
  if (given.length === 0) return
  fields.device ??= Object.fromEntries(given.map((name) => [name, fields[name]]))
  for (const name of given) delete fields[name]
}

/** Beside `cvc2` it stays, and is refused: either could be meant. */
function moveCode(fields: Fields): void {
  if (fields.cvc === undefined || 'cvc2' in fields) return
  fields.cvc2 = fields.cvc
  delete fields.cvc
}

/** @throws ApiError where the header of the interface has another one. */
function takeSecret(ctx: ApiContext): void {
  const sent = ctx.get(LIBRARY_SECRET_HEADER)
  if (sent === '') return
  const own = ctx.get(CLIENT_SECRET_HEADER)
  if (own !== '' && own !== sent) throw wrongClientSecret(`differs from the one in the header ${CLIENT_SECRET_HEADER}`)
  ctx.req.headers[CLIENT_SECRET_HEADER.toLowerCase()] = sent
}

/** What it waits for while it shows the page of a bank. @param token the source by which the payment goes on. */
export function checkoutMessage(token: string): string {
  return JSON.stringify({ namespace: 'processout.checkout', action: 'success', data: token })
}
