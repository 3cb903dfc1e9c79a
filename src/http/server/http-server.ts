import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { RandomBytes } from '../../../domain/identifiers.ts'
import type { Reach } from '../middleware/security-headers.ts'
import { timesSent } from '../repeated-headers.ts'
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

/** A request waits 30 s for its answer at most; what takes longer is cut off. */
const DRAIN_MS = 35_000
/** How often connections that have become idle are closed while draining. */
const IDLE_SWEEP_MS = 100

export interface HttpServerOptions extends Reach {
  randomBytes: RandomBytes
  limits?: HttpLimits
  /** How many proxies stand in front, as for `AppDeps`; default: 0. */
  trustedProxies?: number
}

export interface HttpServer {
  server: Server
  /** Takes no new requests and finishes those it has; what takes longer than it may is cut off. */
  drain(): Promise<void>
}

/** The words of Node's parser for what is wrong; whatever else it says is no HTTP. */
const PROBLEMS: Readonly<Record<string, Unreadable>> = {
  HPE_HEADER_OVERFLOW: 'too-large',
  HPE_INVALID_METHOD: 'unknown-method',
  ERR_HTTP_REQUEST_TIMEOUT: 'late',
}

/** A server that gives nobody more of itself than the limits say, and answers what is no request like every error. */
export function createHttpServer(handle: RequestListener, options: HttpServerOptions): HttpServer {
  const { randomBytes, limits = HTTP_LIMITS, trustedProxies = 0 } = options
  const answerTo = (problem: Unreadable): RawAnswer => answerUnreadable(problem, randomBytes, options)
  const refused = new WeakSet<Duplex>()
  let isDraining = false

  function take(request: IncomingMessage, response: ServerResponse): void {
    // HTTP/0.9 has no headers, and so neither a caller nor an answer that says what it is.
    if (request.httpVersionMajor < 1) return void request.socket.end(wireOf(answerTo('no-http')))
    noteRequest(connections.get(request.socket), response, limits)
    if (isDraining) response.setHeader('Connection', 'close')
    const problem = problemOf(request, limits)
    if (problem === null) return void handle(request, response)
    const { status, headers, body } = answerTo(problem)
    response.writeHead(status, headers).end(body)
  }

  /** Answers what the parser has given up on, where an answer cannot be taken for that to another request. */
  function refuse({ code = '' }: NodeJS.ErrnoException, socket: Duplex & { bytesRead?: number }): void {
    if (refused.has(socket)) return
    refused.add(socket)
    const problem = PROBLEMS[code] ?? 'no-http'
    const connection = connections.get(socket)
    const unanswered = [...(connection?.unanswered ?? [])]
    const owed = unanswered.filter(isOwed)
    // An answer is on its way, or was given already while the rest of its request is still coming.
    const isAnswered = unanswered.length === 0 && connection?.latest?.complete === false
    const isBegun = isAnswered || unanswered.some(({ headersSent }) => headersSent)
    // What came before still gets its answer, which is the last one. What comes too late may yet become a request.
    if (owed.length > 0 && problem !== 'late') endAfter(socket, owed, limits)
    // Who has sent nothing gets nothing: it is a connection that was opened ahead of time.
    else if (!socket.writable || socket.bytesRead === 0 || owed.length > 0 || isBegun) socket.destroy()
    // What comes late must not be carried out after its refusal; what is no request can be read to its end.
    else if (problem === 'late') socket.end(wireOf(answerTo(problem)), () => socket.destroy())
    else endWith(socket, wireOf(answerTo(problem)), limits)
  }

  const server = createServer(settingsOf(limits), take)
  const connections = trackConnections(server, limits)
  server.maxHeadersCount = 0
  server.maxConnections = limits.connectionsMax
  // Behind a proxy all connections are the proxy's, which has to give each caller its share.
  if (trustedProxies === 0) shareByAddress(server, limits.connectionsOfAddressMax)
  server.timeout = limits.idleSocketTimeoutMs
  server.on('clientError', refuse)
  // RFC 9110, section 10.1.1, lets a server ignore an expectation that it does not know; Node would answer by itself.
  server.on('checkExpectation', take)
  // Who announces more than any route takes is answered without it.
  server.on('checkContinue', (request, response) => {
    if (Number(request.headers['content-length'] ?? 0) <= limits.expectedBytesMax) response.writeContinue()
    take(request, response)
  })
  return {
    server,
    drain() {
      isDraining = true
      return drain(server, connections, limits)
    },
  }
}

async function drain(
  server: Server,
  connections: ReadonlyMap<Duplex, Connection>,
  { requestTimeoutMs }: HttpLimits,
): Promise<void> {
  for (const response of [...connections.values()].flatMap(({ unanswered }) => [...unanswered])) {
    if (!response.headersSent) response.setHeader('Connection', 'close')
  }
  const closed = once(server, 'close')
  server.close()
  const begun = performance.now()
  // A server that is closing looks after no timeouts any more, and takes a connection without a request for a busy one.
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
    // Never what Node calls lenient: two readings of one request are how one is smuggled past a proxy.
    insecureHTTPParser: false,
    // Asked for here, since Node's own answer has neither body nor headers.
    requireHostHeader: false,
    noDelay: true,
  }
}

/**
 * What a parser lets through and this service does not. RFC 9112, section 3.2, has every request of HTTP/1.1 name its
 * host; nothing else is done with it: no address is ever made of it.
 */
function problemOf(request: IncomingMessage, { headersMax }: HttpLimits): Unreadable | null {
  if (request.rawHeaders.length / 2 > headersMax) return 'too-large'
  return request.httpVersion === '1.1' && timesSent(request, 'host') === 0 ? 'no-http' : null
}
