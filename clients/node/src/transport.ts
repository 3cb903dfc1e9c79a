import { randomUUID } from 'node:crypto'
import { type Configuration, checkLimits } from './configuration.ts'
import { ConnectionError, errorOf, HoldfastError } from './errors.ts'
import { type Answered, answered, LastResponse } from './last-response.ts'
import { List, type Page } from './list.ts'
import type { ListParams, RequestOptions } from './options.ts'
import { pauseBefore, wait } from './retry.ts'

export const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const
export type Method = (typeof METHODS)[number]

/** Method and path, such as `GET /invoices/{id}`. Messages name it, and no id. */
type Route = `${Method} /${string}`

interface Exchange {
  route: Route
  url: string
  init: { method: string; headers: Headers; body?: string }
  idempotencyKey: string | null
  timeoutMs: number
  signal: AbortSignal | undefined
}

type Fields = Record<string, unknown>

/** Sends requests until they are answered, each mutation under one idempotency key. */
export class Transport {
  readonly #configuration: Configuration

  constructor(configuration: Configuration) {
    this.#configuration = configuration
  }

  /**
   * @param key where the answer has the object that is asked for; without it the whole answer is.
   * @throws HoldfastError for every answer but a success, and without one; what aborted the signal of the options.
   */
  async call<T extends object>(
    route: Route,
    ids: readonly string[],
    params: object | undefined,
    options: RequestOptions = {},
    key?: string,
  ): Promise<Answered<T>> {
    const exchange = this.#exchangeOf(route, ids, params, options)
    const maxRetries = options.maxRetries ?? this.#configuration.maxRetries
    checkLimits({ timeoutMs: exchange.timeoutMs, maxRetries })
    for (let retry = 1; ; retry += 1) {
      try {
        const { body, lastResponse } = await this.#attempt(exchange)
        return answered((key === undefined ? body : body[key]) as T, lastResponse)
      } catch (error) {
        if (!(error instanceof HoldfastError) || retry > maxRetries) throw error
        const pause = pauseBefore(retry, error)
        if (pause === null) throw error
        await wait(pause, exchange.signal)
      }
    }
  }

  list<T extends { id: string }>(
    route: Route,
    ids: readonly string[],
    params: ListParams | undefined,
    options: RequestOptions | undefined,
    key: string,
  ): List<T> {
    return new List<T>(params, async (query) => {
      const { [key]: data, success: _, lastResponse, ...about } = await this.call<Fields>(route, ids, query, options)
      return answered({ ...about, data }, lastResponse) as Page<T>
    })
  }

  #exchangeOf(route: Route, ids: readonly string[], params: object | undefined, options: RequestOptions): Exchange {
    const [method = '', path = ''] = route.split(' ')
    const remaining = [...ids]
    const address = path.replaceAll(/\{\w+\}/g, () => segmentOf(remaining.shift()))
    const changes = method !== 'GET'
    const idempotencyKey = changes ? (options.idempotencyKey ?? randomUUID()) : null
    const headers = new Headers(options.headers)
    for (const [name, value] of this.#configuration.headers) headers.set(name, value)
    if (idempotencyKey !== null) headers.set('Idempotency-Key', idempotencyKey)
    if (changes) headers.set('Content-Type', 'application/json')
    return {
      route,
      url: `${this.#configuration.apiUrl}${address}${changes ? '' : queryOf(params)}`,
      init: { method, headers, ...(changes ? { body: JSON.stringify(params ?? {}) } : {}) },
      idempotencyKey,
      timeoutMs: options.timeoutMs ?? this.#configuration.timeoutMs,
      signal: options.signal,
    }
  }

  /** @throws HoldfastError for every answer but a success, and without one. */
  async #attempt(exchange: Exchange): Promise<{ body: Fields; lastResponse: LastResponse }> {
    const { idempotencyKey } = exchange
    const { status, headers, text } = await this.#answerTo(exchange)
    const lastResponse = new LastResponse(status, headers, idempotencyKey)
    const isSuccess = status >= 200 && status < 300
    const body = parse(isSuccess ? text : this.#configuration.redact(text))
    if (!isSuccess) throw errorOf(body, lastResponse)
    // A proxy or a network with a page of its own may answer for the service.
    if (body?.success !== true) throw this.#lost(exchange, 'another server has answered', lastResponse)
    return { body, lastResponse }
  }

  async #answerTo(exchange: Exchange): Promise<{ status: number; headers: Headers; text: string }> {
    const { url, init, timeoutMs, signal } = exchange
    signal?.throwIfAborted()
    const controller = new AbortController()
    const abort = () => controller.abort()
    const timer = setTimeout(abort, timeoutMs)
    signal?.addEventListener('abort', abort, { once: true })
    try {
      // The credentials are for this address and no other.
      const response = await this.#configuration.fetch(url, { ...init, redirect: 'manual', signal: controller.signal })
      return { status: response.status, headers: response.headers, text: await response.text() }
    } catch (error) {
      signal?.throwIfAborted()
      throw this.#lost(exchange, controller.signal.aborted ? `no answer within ${timeoutMs} ms` : reasonOf(error))
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    }
  }

  /** Only the reason is kept of what `fetch` has thrown: one of another library may hold the request with its secret. */
  #lost({ route, idempotencyKey }: Exchange, reason: string, lastResponse?: LastResponse): ConnectionError {
    const told = this.#configuration.redact(reason)
    const advice =
      idempotencyKey === null
        ? ''
        : ' It may have been carried out: call again with the idempotency key of this error, which does it once.'
    return new ConnectionError(`${route} was not answered: ${told}.${advice}`, { idempotencyKey, lastResponse })
  }
}

/** An id as a part of the path. One that is empty or dots would name another address. */
function segmentOf(id: string | undefined): string {
  if (typeof id !== 'string' || /^\.{0,2}$/.test(id)) throw new TypeError('An id must be a text that is not empty.')
  return encodeURIComponent(id)
}

function queryOf(params: object = {}): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(params))
    for (const item of [value].flat()) if (item !== undefined && item !== null) query.append(name, String(item))
  return query.size === 0 ? '' : `?${query}`
}

function parse(text: string): Fields | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Fields) : null
  } catch {
    return null
  }
}

/** `fetch` says only that it has failed; why is in the cause. */
function reasonOf(error: unknown): string {
  const { cause = error } = error as { cause?: unknown }
  const { code, message } = cause as { code?: unknown; message?: unknown }
  return String(code ?? message ?? 'the connection failed')
}
