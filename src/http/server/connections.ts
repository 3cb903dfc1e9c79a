import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { addressBlock } from '../client-address.ts'
import type { HttpLimits } from './limits.ts'

type RestLimits = Pick<HttpLimits, 'restBytesMax' | 'restTimeoutMs'>

/** What is open between a server and its callers. */
export interface Connections {
  /** Notes a request as it begins. */
  begin(request: IncomingMessage, response: ServerResponse): void
  /** The answers that are not done on a connection, in the order of their requests. */
  unansweredOn(socket: Duplex): ServerResponse[]
  /** The same on all of them. */
  unanswered(): ServerResponse[]
  /** True where the latest request is answered, and the rest of it still under way. */
  isTakingRest(socket: Duplex): boolean
  /** The connections on which no request that has arrived whole waits for its answer. */
  withoutWaiting(): Socket[]
  /** Ends a connection with the answers that are still owed on it. */
  endAfter(socket: Duplex, owed: readonly ServerResponse[]): void
  /** Ends a connection with words for which there is no request, and takes the rest for a moment. */
  endWith(socket: Duplex, words: string): void
}

/** True for an answer whose request has arrived whole. */
export const isOwed = ({ req }: ServerResponse): boolean => req.complete

/**
 * Closes connections of an address that has too many already, so that no address takes them all from the others. Of IPv6
 * the network of a subscriber is one address.
 */
export function shareByAddress(server: Server, most: number): void {
  const open = new Map<string, number>()
  server.on('connection', (socket) => {
    const address = addressBlock(socket.remoteAddress ?? '')
    const others = open.get(address) ?? 0
    if (others >= most) {
      socket.destroy()
      return
    }
    open.set(address, others + 1)
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1
      if (left === 0) open.delete(address)
      else open.set(address, left)
    })
  })
}

/** Follows the connections of a server from now on, and has each end gently. */
export function trackConnections(server: Server, limits: RestLimits): Connections {
  const sockets = new Set<Socket>()
  const unanswered = new Map<Duplex, Set<ServerResponse>>()
  const latest = new WeakMap<Duplex, IncomingMessage>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    endGently(socket, () => latest.get(socket), limits)
    socket.once('close', () => sockets.delete(socket))
  })
  const unansweredOn = (socket: Duplex): ServerResponse[] => [...(unanswered.get(socket) ?? [])]
  return {
    begin(request, response) {
      const { socket } = request
      endWhereUnread(request, response, limits)
      const responses = unanswered.get(socket) ?? new Set()
      latest.set(socket, request)
      unanswered.set(socket, responses.add(response))
      response.once('close', () => {
        responses.delete(response)
        if (responses.size === 0) unanswered.delete(socket)
      })
    },
    unansweredOn,
    unanswered: () => [...unanswered.values()].flatMap((responses) => [...responses]),
    withoutWaiting: () => [...sockets].filter((socket) => !unansweredOn(socket).some(isOwed)),
    isTakingRest: (socket) => unansweredOn(socket).length === 0 && latest.get(socket)?.complete === false,
    endAfter(socket, owed) {
      takeRest(socket, limits)
      endAfterAnswers(socket, owed)
    },
    endWith(socket, words) {
      socket.end(words)
      takeRest(socket, limits)
      destroyLate(socket, limits)
    },
  }
}

/**
 * An answer that begins before its request has arrived whole is the last one of its connection: without that Node would
 * read the rest of the body, however long it is, to get at the next request. A short body is usually just arriving.
 */
function endWhereUnread(request: IncomingMessage, response: ServerResponse, { restBytesMax }: RestLimits): void {
  const announced = Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY)
  const writeHead = response.writeHead.bind(response) as (...head: unknown[]) => ServerResponse
  response.writeHead = (...head: unknown[]) => {
    if (!request.complete && announced > restBytesMax) response.shouldKeepAlive = false
    return writeHead(...head)
  }
}

function endAfterAnswers(socket: Duplex, owed: readonly ServerResponse[]): void {
  const last = owed.at(-1)
  if (last?.headersSent === false) last.setHeader('Connection', 'close')
  let left = owed.length
  for (const response of owed) {
    response.once('close', () => {
      left -= 1
      if (left === 0) socket.end(() => socket.destroy())
    })
  }
}

/**
 * Node ends a connection with its last answer, whatever is still being sent to it, and what nobody reads makes the system
 * reset it: the caller may never see why it was refused. Some of the rest is taken and thrown away first, for a moment.
 */
function endGently(socket: Socket, requestOf: () => IncomingMessage | undefined, limits: RestLimits): void {
  const endAtOnce = socket.destroySoon.bind(socket)
  socket.destroySoon = () => {
    const request = requestOf()
    if (request === undefined || request.complete || socket.destroyed) {
      endAtOnce()
      return
    }
    socket.end()
    request.once('end', endAtOnce)
    request.resume()
    takeRest(socket, limits)
    destroyLate(socket, limits)
  }
}

/**
 * Reads on, and not without end: beyond the limit nothing more is taken from the system, which then lets the other side
 * send nothing more. Who listens to the bytes of a socket has Node count them here and not inside its parser.
 */
function takeRest(socket: Duplex & { bytesRead?: number }, { restBytesMax }: RestLimits): void {
  const before = socket.bytesRead ?? 0
  const stopAtLimit = () => {
    if ((socket.bytesRead ?? 0) - before > restBytesMax) socket.pause()
  }
  socket.on('data', stopAtLimit)
  // A request that flows has its socket go on by itself.
  socket.on('resume', stopAtLimit)
  socket.resume()
}

function destroyLate(socket: Duplex, { restTimeoutMs }: RestLimits): void {
  const late = setTimeout(() => socket.destroy(), restTimeoutMs)
  late.unref()
  socket.once('close', () => clearTimeout(late))
}
