import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { RandomBytes } from '../../../domain/identifiers.ts'
import type { Reach } from '../middleware/security-headers.ts'
import { timesSent } from '../repeated-headers.ts'
import { serviceAddress } from '../service-address.ts'
import {
  type Connection,
  endAfter,
  endWith,
  isOwed,
  noteRequest,
  shareByAddress,
  trackConnections,
} from './connections.ts'
import { HTTP_LIMITS, type HttpLimits } from './limits.ts'
import { answerUnreadable, type RawAnswer, type Unreadable, wireOf } from './unreadable-request.ts'

/** A request waits at most 30 s for its answer; longer ones are cut off. */
export const DRAIN_MS = 35_000
/** The interval for closing idle connections while draining. */
const IDLE_SWEEP_MS = 100

export interface HttpServerOptions extends Reach {
  randomBytes: RandomBytes
  /** As for `AppDeps`. */
  publicUrl?: string | undefined
  limits?: HttpLimits
  /** How many proxies are in front, as for `AppDeps`; 0 by default. */
  trustedProxies?: number
}

export interface HttpServer {
  server: Server
  /** From now on each connection ends with its next answer; until then everything is served as ever. */
  leave(): void
  /** Takes no new requests and finishes the running ones; those beyond the limit are cut off. */
  drain(): Promise<void>
}

/** The error codes of Node's parser; all others mean invalid HTTP. */
const PROBLEMS: Readonly<Record<string, Unreadable>> = {
  HPE_HEADER_OVERFLOW: 'too-large',
  HPE_INVALID_METHOD: 'unknown-method',
  ERR_HTTP_REQUEST_TIMEOUT: 'late',
}

/** A server that enforces the limits for each caller, and answers unreadable requests like all errors. */
export function createHttpServer(handle: RequestListener, options: HttpServerOptions): HttpServer {
  const { randomBytes, limits = HTTP_LIMITS, trustedProxies = 0 } = options
  const answerTo = (problem: Unreadable, socket: Duplex): RawAnswer => {
    const service = serviceAddress(options, { socket: socket as Socket })
    return answerUnreadable(problem, { randomBytes, reach: options, service })
  }
  const refused = new WeakSet<Duplex>()
  let isLeaving = false

  function take(request: IncomingMessage, response: ServerResponse): void {
    // HTTP/0.9 has no headers, and so neither a caller nor an answer with a status.
    if (request.httpVersionMajor < 1) return void request.socket.end(wireOf(answerTo('no-http', request.socket)))
    noteRequest(connections.get(request.socket), response, limits)
    if (isLeaving) response.setHeader('Connection', 'close')
    const problem = problemOf(request, limits)
    if (problem === null) return void handle(request, response)
    const { status, headers, body } = answerTo(problem, request.socket)
    response.writeHead(status, headers).end(body)
  }

  /** Answers a request that the parser has rejected, unless the caller could take the answer for another request's. */
  function refuse({ code = '' }: NodeJS.ErrnoException, socket: Duplex & { bytesRead?: number }): void {
    if (refused.has(socket)) return
    refused.add(socket)
    const problem = PROBLEMS[code] ?? 'no-http'
    const connection = connections.get(socket)
    const unanswered = [...(connection?.unanswered ?? [])]
    const owed = unanswered.filter(isOwed)
    // The request has its answer, or gets it now, while the rest of it still arrives.
    const isAnswered = unanswered.length === 0 && connection?.latest?.complete === false
    const isBegun = isAnswered || unanswered.some(({ headersSent }) => headersSent)
    // Earlier requests still get their answers, which are the last ones. A late request may still become complete.
    if (owed.length > 0 && problem !== 'late') endAfter(socket, owed, limits)
    // A connection without any bytes gets no answer: the caller opened it ahead of time.
    else if (!socket.writable || socket.bytesRead === 0 || owed.length > 0 || isBegun) socket.destroy()
    // A late request must not run after its refusal, so nothing more is read. An invalid one can be read to its end.
    else if (problem === 'late') socket.end(wireOf(answerTo(problem, socket)), () => socket.destroy())
    else endWith(socket, wireOf(answerTo(problem, socket)), limits)
  }

  const server = createServer(settingsOf(limits), take)
  const connections = trackConnections(server, limits)
  server.maxHeadersCount = 0
  server.maxConnections = limits.connectionsMax
  // Behind a proxy all connections come from the proxy, which must give each caller its share.
  if (trustedProxies === 0) shareByAddress(server, limits.connectionsOfAddressMax)
  server.timeout = limits.idleSocketTimeoutMs
  server.on('clientError', refuse)
  // RFC 9110, section 10.1.1, lets a server ignore an unknown expectation; Node would answer by itself.
  server.on('checkExpectation', take)
  // A body larger than any route accepts is not asked for.
  server.on('checkContinue', (request, response) => {
    if (Number(request.headers['content-length'] ?? 0) <= limits.expectedBytesMax) response.writeContinue()
    take(request, response)
  })

  function leave(): void {
    isLeaving = true
    for (const response of [...connections.values()].flatMap(({ unanswered }) => [...unanswered])) {
      if (!response.headersSent) response.setHeader('Connection', 'close')
    }
  }

  return {
    server,
    leave,
    drain() {
      leave()
      return drain(server, connections, limits)
    },
  }
}

async function drain(
  server: Server,
  connections: ReadonlyMap<Duplex, Connection>,
  { requestTimeoutMs }: HttpLimits,
): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  const begun = performance.now()
  // A closing server checks no timeouts, and counts a connection without a request as busy.
  const sweep = () => {
    server.closeIdleConnections()
    const isLate = performance.now() - begun > requestTimeoutMs
    for (const { socket, unanswered } of connections.values())
      if ((isLate || socket.bytesRead === 0) && ![...unanswered].some(isOwed)) socket.destroy()
  }
  sweep()
  const idle = setInterval(sweep, IDLE_SWEEP_MS)
  const late = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
  await closed
  clearInterval(idle)
  clearTimeout(late)
}

function settingsOf(limits: HttpLimits) {
  return {
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: limits.timeoutSweepMs,
    maxHeaderSize: limits.headerBytesMax,
    // Never lenient: two readings of one request allow smuggling it past a proxy.
    insecureHTTPParser: false,
    // Checked here, since Node's own answer has neither body nor headers.
    requireHostHeader: false,
    noDelay: true,
  }
}

/**
 * A problem of a request that the parser accepts and this service does not. RFC 9112, section 3.2, requires a host in every
 * HTTP/1.1 request; the service does not use it, and builds no address from it.
 */
function problemOf(request: IncomingMessage, { headersMax }: HttpLimits): Unreadable | null {
  if (request.rawHeaders.length / 2 > headersMax) return 'too-large'
  return request.httpVersion === '1.1' && timesSent(request, 'host') === 0 ? 'no-http' : null
}
