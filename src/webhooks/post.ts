import { type ClientRequest, Agent as HttpAgent, type IncomingHttpHeaders, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { nextTick } from 'node:process'
import { urlToHttpOptions } from 'node:url'
import type { ResolvedAddress } from './target-guard.ts'

/** The result of an HTTP exchange: an answer with the beginning of its body, or the reason for none. */
export type Exchange =
  | { kind: 'answered'; status: number; headers: IncomingHttpHeaders; body: Buffer }
  | { kind: 'unanswered'; reason: 'timeout' | 'connection_failed' | 'tls_failed' | 'invalid_response' }

/**
 * Bytes read of an answer's body before the connection is closed. Only the status counts; reading a little lets an ordinary
 * receiver finish its answer.
 */
const RESPONSE_BYTES_MAX = 4096

/**
 * How long to try each of several addresses before the next one. Node's default of 250 ms gives up on receivers at the
 * other end of the world.
 */
const ADDRESS_TIMEOUT_MS = 2_000

export interface PostRequest {
  url: URL
  /** The only addresses to connect to, whatever the name resolves to by now. */
  addresses: readonly ResolvedAddress[]
  headers: Record<string, string>
  body: string
  /** Aborts the exchange at any point. */
  signal: AbortSignal
}

/**
 * Posts a body over a connection of its own and follows no redirect. Never rejects. A received status counts, even if the
 * rest of the answer is missing.
 */
export function post({ url, addresses, headers, body, signal }: PostRequest): Promise<Exchange> {
  const isSecure = url.protocol === 'https:'
  const send = isSecure ? requestHttps : requestHttp
  const Agent = isSecure ? HttpsAgent : HttpAgent
  return new Promise((resolve) => {
    const request = send({
      ...urlToHttpOptions(url),
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      // Its own agent: a kept connection could come from another check of addresses.
      agent: new Agent({ keepAlive: false, autoSelectFamilyAttemptTimeout: ADDRESS_TIMEOUT_MS }),
      lookup: pinnedLookup(addresses),
      // Explicit, since the environment can tell Node to accept all certificates.
      rejectUnauthorized: true,
      signal,
    })
    const failureOf = watchForFailure(request, signal)
    let answer: { status: number; headers: IncomingHttpHeaders } | null = null
    const chunks: Buffer[] = []
    const finish = (error?: NodeJS.ErrnoException) =>
      resolve(
        answer === null
          ? { kind: 'unanswered', reason: failureOf(error) }
          : { kind: 'answered', ...answer, body: Buffer.concat(chunks) },
      )
    request.on('response', (response) => {
      answer = { status: response.statusCode ?? 0, headers: response.headers }
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        bytes += chunk.length
        if (bytes > RESPONSE_BYTES_MAX) request.destroy()
      })
      response.on('error', finish)
      response.on('close', finish)
    })
    // Node reports a switch of protocols separately; here it is an answer like any other.
    request.on('upgrade', ({ statusCode: status = 0, headers }, socket) => {
      answer = { status, headers }
      socket.destroy()
    })
    request.on('error', finish)
    request.on('close', finish)
    request.end(body)
  })
}

/**
 * Answers Node's look-up with the checked addresses. Not synchronously, as for a real look-up: an address without a route
 * fails within the connect call, and TLS must have set up its socket by then.
 */
function pinnedLookup(addresses: readonly ResolvedAddress[]): LookupFunction {
  return (_hostname, options, callback) => {
    const [first] = addresses
    if (options.all) nextTick(callback, null, [...addresses])
    else nextTick(callback, null, first?.address ?? '', first?.family)
  }
}

/** Tracks the progress of an exchange, because the same error code has different meanings at different points. */
function watchForFailure(request: ClientRequest, signal: AbortSignal) {
  let isInHandshake = false
  request.on('socket', (socket) => {
    if (!('encrypted' in socket)) return
    socket.once('connect', () => {
      isInHandshake = true
    })
    socket.once('secureConnect', () => {
      isInHandshake = false
    })
  })
  return (error?: NodeJS.ErrnoException) => {
    if (signal.aborted) return 'timeout'
    if (isInHandshake) return 'tls_failed'
    // Codes of Node's HTTP parser.
    return error?.code?.startsWith('HPE_') ? 'invalid_response' : 'connection_failed'
  }
}
