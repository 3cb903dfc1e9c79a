import { type ClientRequest, Agent as HttpAgent, type IncomingHttpHeaders, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { nextTick } from 'node:process'
import { urlToHttpOptions } from 'node:url'
import type { ResolvedAddress } from './target-guard.ts'

/** What came of one HTTP exchange: an answer with the beginning of its body, or why there was none. */
export type Exchange =
  | { kind: 'answered'; status: number; headers: IncomingHttpHeaders; body: Buffer }
  | { kind: 'unanswered'; reason: 'timeout' | 'connection_failed' | 'tls_failed' | 'invalid_response' }

/**
 * What is read of an answer's body before the connection is closed. The status alone decides; reading a little lets
 * an ordinary receiver finish its answer undisturbed.
 */
const RESPONSE_BYTES_MAX = 4096

/**
 * How long one of several addresses may take to connect before the next is tried. Node's own quarter of a second
 * gives up on receivers at the other end of the world.
 */
const ADDRESS_TIMEOUT_MS = 2_000

export interface PostRequest {
  url: URL
  /** The only addresses that are connected to, whatever the name resolves to by now. */
  addresses: readonly ResolvedAddress[]
  headers: Record<string, string>
  body: string
  /** Ends the exchange, at whatever point it is. */
  signal: AbortSignal
}

/**
 * Posts a body over a connection of its own and follows no redirect. Never rejects. A status that has arrived counts,
 * also where the rest of the answer does not follow.
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
      // An agent of its own: a connection that is kept could have been made for another check than this one.
      agent: new Agent({ keepAlive: false, autoSelectFamilyAttemptTimeout: ADDRESS_TIMEOUT_MS }),
      lookup: pinnedLookup(addresses),
      // Whatever the environment says: Node can be told to trust everybody.
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
    // An answer like any other, though Node gives it apart: nobody asked for another protocol.
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
 * Answers Node's question for the addresses of the name with those that were checked. Not at once, as no look-up does: an
 * address without a route fails in the call that connects, and TLS must have set up its socket by then.
 */
function pinnedLookup(addresses: readonly ResolvedAddress[]): LookupFunction {
  return (_hostname, options, callback) => {
    const [first] = addresses
    if (options.all) nextTick(callback, null, [...addresses])
    else nextTick(callback, null, first?.address ?? '', first?.family)
  }
}

/** Follows how far the exchange gets, because the same error code means different things at different points. */
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
    // The codes of Node's HTTP parser.
    return error?.code?.startsWith('HPE_') ? 'invalid_response' : 'connection_failed'
  }
}
