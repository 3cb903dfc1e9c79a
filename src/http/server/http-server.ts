import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { RandomBytes } from '../../../domain/identifiers.ts'
import type { Reach } from '../middleware/security-headers.ts'
import { timesSent } from '../repeated-headers.ts'
import { type Connections, isOwed, shareByAddress, trackConnections } from './connections.ts'
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

/** A server that gives nobody more of itself than the limits say, and answers what is no request like every error. */
export function createHttpServer(handle: RequestListener, options: HttpServerOptions): HttpServer {
  const { randomBytes, limits = HTTP_LIMITS, trustedProxies = 0 } = options
  const answerTo = (problem: Unreadable): RawAnswer => answerUnreadable(problem, randomBytes, options)
  let isDraining = false

  function take(request: IncomingMessage, response: ServerResponse): void {
    if (request.httpVersionMajor < 1) {
      // HTTP/0.9 has no headers, and so neither a caller nor an answer that says what it is.
      request.socket.end(wireOf(answerTo('no-http')))
      return
    }
    connections.begin(request, response)
    if (isDraining) response.setHeader('Connection', 'close')
    const problem = problemOf(request, limits)
    if (problem === null) handle(request, response)
    else send(response, answerTo(problem))
  }

  const server = createServer(settingsOf(limits), take)
  const connections = trackConnections(server, limits)
  server.maxHeadersCount = 0
  server.maxConnections = limits.connectionsMax
  // Behind a proxy all connections are the proxy's, which has to give each caller its share.
  if (trustedProxies === 0) shareByAddress(server, limits.connectionsOfAddressMax)
  server.timeout = limits.idleSocketTimeoutMs
  server.on('clientError', refuseWith(connections, answerTo))
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

async function drain(server: Server, connections: Connections, { requestTimeoutMs }: HttpLimits): Promise<void> {
  for (const response of connections.unanswered()) {
    if (!response.headersSent) response.setHeader('Connection', 'close')
  }
  const closed = once(server, 'close')
  server.close()
  const begun = performance.now()
  // A server that is closing looks after no timeouts any more, and takes a connection without a request for a busy one.
  const sweep = () => {
    server.closeIdleConnections()
    const isLate = performance.now() - begun > requestTimeoutMs
    for (const socket of connections.withoutWaiting()) if (isLate || socket.bytesRead === 0) socket.destroy()
  }
  sweep()
  const idle = setInterval(sweep, IDLE_SWEEP_MS)
  const late = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
  await closed
  clearInterval(idle)
  clearTimeout(late)
}

/** Answers what the parser has given up on, where an answer cannot be taken for that to another request. */
function refuseWith(connections: Connections, answerTo: (problem: Unreadable) => RawAnswer) {
  const refused = new WeakSet<Duplex>()
  return ({ code }: NodeJS.ErrnoException, socket: Duplex & { bytesRead?: number }): void => {
    if (refused.has(socket)) return
    refused.add(socket)
    const problem = problemNamed(code)
    const unanswered = connections.unansweredOn(socket)
    const owed = unanswered.filter(isOwed)
    // What came before still gets its answer, which is the last one. What comes too late may yet become a request.
    if (owed.length > 0 && problem !== 'late') connections.endAfter(socket, owed)
    // Who has sent nothing gets nothing: it is a connection that was opened ahead of time.
    else if (!socket.writable || socket.bytesRead === 0 || owed.length > 0) socket.destroy()
    else if (unanswered.some(({ headersSent }) => headersSent) || connections.isTakingRest(socket)) socket.destroy()
    // What comes late must not be carried out after its refusal; what is no request can be read to its end.
    else if (problem === 'late') socket.end(wireOf(answerTo(problem)), () => socket.destroy())
    else connections.endWith(socket, wireOf(answerTo(problem)))
  }
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

/** The words of Node's parser for what is wrong. */
const PROBLEMS: Readonly<Record<string, Unreadable>> = {
  HPE_HEADER_OVERFLOW: 'too-large',
  HPE_INVALID_METHOD: 'unknown-method',
  ERR_HTTP_REQUEST_TIMEOUT: 'late',
}

function problemNamed(code = ''): Unreadable {
  return PROBLEMS[code] ?? 'no-http'
}

function send(response: ServerResponse, { status, headers, body }: RawAnswer): void {
  response.writeHead(status, headers).end(body)
}
