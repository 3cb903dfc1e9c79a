import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { addressBlock } from '../client-address.ts'
import type { HttpLimits } from './limits.ts'

type RestLimits = Pick<HttpLimits, 'restBytesMax' | 'restTimeoutMs'>

/** A connection between a server and a caller. */
export interface Connection {
  socket: Socket
  /** The request that came last. */
  latest: IncomingMessage | undefined
  /** The answers that are not done, in the order of their requests. */
  unanswered: Set<ServerResponse>
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
export function trackConnections(server: Server, limits: RestLimits): ReadonlyMap<Duplex, Connection> {
  const connections = new Map<Duplex, Connection>()
  server.on('connection', (socket) => {
    const connection = { socket, latest: undefined, unanswered: new Set<ServerResponse>() }
    connections.set(socket, connection)
    socket.once('close', () => connections.delete(socket))
    endGently(connection, limits)
  })
  return connections
}

/** Notes a request as it begins. */
export function noteRequest(connection: Connection | undefined, response: ServerResponse, limits: RestLimits): void {
  const { req: request, shouldKeepAlive } = response
  if (connection !== undefined) connection.latest = request
  connection?.unanswered.add(response)
  response.once('close', () => connection?.unanswered.delete(response))
  const { 'content-length': length = 0, 'transfer-encoding': encoding } = request.headers
  if (encoding === undefined && Number(length) <= limits.restBytesMax) return
  // An answer that begins before a long body has arrived is the last one of its connection: otherwise Node would read all
  // of the body to get at the next request. A short body is usually just arriving.
  response.shouldKeepAlive = false
  request.once('end', () => {
    response.shouldKeepAlive = shouldKeepAlive
  })
}

/** Ends a connection with the answers that are still owed on it; they are sent in the order of their requests. */
export function endAfter(socket: Duplex, owed: readonly ServerResponse[], limits: RestLimits): void {
  const last = owed.at(-1)
  takeRest(socket, limits)
  if (last?.headersSent === false) last.setHeader('Connection', 'close')
  last?.once('close', () => socket.end(() => socket.destroy()))
}

/** Ends a connection with words for which there is no request, and takes the rest for a moment. */
export function endWith(socket: Duplex, words: string, limits: RestLimits): void {
  socket.end(words)
  takeRest(socket, limits)
  destroyLate(socket, limits)
}

/**
 * Node ends a connection with its last answer, whatever is still being sent to it, and what nobody reads makes the system
 * reset it: the caller may never see why it was refused. Some of the rest is taken and thrown away first, for a moment.
 */
function endGently(connection: Connection, limits: RestLimits): void {
  const { socket } = connection
  const endAtOnce = socket.destroySoon.bind(socket)
  socket.destroySoon = () => {
    const { latest } = connection
    if (latest === undefined || latest.complete || socket.destroyed) {
      endAtOnce()
      return
    }
    socket.end()
    latest.once('end', endAtOnce)
    latest.resume()
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
