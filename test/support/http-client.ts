import { checkAnswer } from './answer-check.ts'
import type { Exchange } from './canary/exchanges.ts'

/** The answer of the API. Its shape is what a test is there to find out. */
export interface Answer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: a test that reads a field that is not there fails by itself.
  body: any
}

export interface RequestOptions {
  headers?: Record<string, string>
  /** Sends the body as form fields, nested ones with dotted names. */
  form?: boolean
}

export interface HttpClient {
  get(path: string, options?: RequestOptions): Promise<Answer>
  /** An object is sent as JSON (or as a form), a string as it is. */
  post(path: string, body?: object | string, options?: RequestOptions): Promise<Answer>
  put(path: string, body?: object | string, options?: RequestOptions): Promise<Answer>
  delete(path: string, options?: RequestOptions): Promise<Answer>
}

/** A client of the API at this address, which holds every answer to the document; `record` is given every answer. */
export function createHttpClient(
  baseUrl: string,
  credentials: { username: string; password: string },
  record: (exchange: Exchange) => void = () => {},
): HttpClient {
  const { username, password } = credentials
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`

  async function send(path: string, init: { method: string; body?: string; headers: Record<string, string> }) {
    // Packing and unpacking would be a thirtieth of what a test takes; tests of the transport ask for it.
    const headers: Record<string, string> = { authorization, 'accept-encoding': 'identity', ...init.headers }
    const response = await fetch(new URL(path, baseUrl), { ...init, headers })
    const text = await response.text()
    const { method, body: sent = '' } = init
    record({ method, path, status: response.status, headers: response.headers, text, sent })
    const isJson = response.headers.get('content-type')?.includes('json') === true
    const body = isJson ? JSON.parse(text) : text
    if (isJson) checkAnswer({ method, path, authorization: headers.authorization ?? '', status: response.status, body })
    return { status: response.status, headers: response.headers, body }
  }

  const sendBody =
    (method: string) =>
    (path: string, body: object | string = {}, { headers = {}, form = false }: RequestOptions = {}) => {
      const contentType = form ? 'application/x-www-form-urlencoded' : 'application/json'
      return send(path, {
        method,
        body: typeof body === 'string' ? body : form ? formFields(body) : JSON.stringify(body),
        headers: { 'content-type': contentType, ...headers },
      })
    }

  return {
    get: (path, { headers = {} } = {}) => send(path, { method: 'GET', headers }),
    post: sendBody('POST'),
    put: sendBody('PUT'),
    delete: (path, { headers = {} } = {}) => send(path, { method: 'DELETE', headers }),
  }
}

/** `{ device: { channel: 'web' } }` as `device.channel=web`. */
function formFields(body: object): string {
  const fields = new URLSearchParams()
  const add = (prefix: string, value: unknown): void => {
    if (Array.isArray(value)) for (const [index, item] of value.entries()) add(`${prefix}[${index}]`, item)
    else if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value)) add(prefix === '' ? name : `${prefix}.${name}`, inner)
    } else if (value !== undefined) fields.append(prefix, value === null ? '' : String(value))
  }
  add('', body)
  return fields.toString()
}
