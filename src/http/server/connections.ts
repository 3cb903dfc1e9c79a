import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { networksOf } from '../client-address.ts'
import type { HttpLimits } from './limits.ts'

type RestLimits = Pick<HttpLimits, 'restBytesMax' | 'restTimeoutMs'>

/** A connection between a server and a caller. */
export interface Connection {
  socket: Socket
  /** The latest request. */
  latest: IncomingMessage | undefined
  /** The unfinished answers, in the order of their requests. */
  unanswered: Set<ServerResponse>
}

/** True for an answer whose request has arrived completely. */
export const isOwed = ({ req }: ServerResponse): boolean => req.complete

/**
 * Closes connections beyond an address's share, so that no address takes all of them. For IPv6 a whole site is one address:
 * four of its networks would have all connections.
 */
export function shareByAddress(server: Server, most: number): void {
  const open = new Map<string, number>()
  server.on('connection', (socket) => {
    const address = networksOf(socket.remoteAddress ?? '').at(-1)?.name ?? ''
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

/** Tracks the server's connections from now on, and makes each end gently. */
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

/** Records a request at its beginning. */
export function noteRequest(connection: Connection | undefined, response: ServerResponse, limits: RestLimits): void {
  const { req: request, shouldKeepAlive } = response
  if (connection !== undefined) connection.latest = request
  connection?.unanswered.add(response)
  response.once('close', () => connection?.unanswered.delete(response))
  const { 'content-length': length = 0, 'transfer-encoding': encoding } = request.headers
  if (encoding === undefined && Number(length) <= limits.restBytesMax) return
  // An answer before the end of a long body is the connection's last one: otherwise Node would read the whole body to reach
  // the next request. A short body is usually just arriving.
  response.shouldKeepAlive = false
  request.once('end', () => {
    response.shouldKeepAlive = shouldKeepAlive
  })
}

/** Ends a connection after its owed answers, which are sent in the order of their requests. */
export function endAfter(socket: Duplex, owed: readonly ServerResponse[], limits: RestLimits): void {
  const last = owed.at(-1)
  takeRest(socket, limits)
  if (last?.headersSent === false) last.setHeader('Connection', 'close')
  last?.once('close', () => socket.end(() => socket.destroy()))
}

/** Ends a connection with a text that answers no request, and reads the rest for a moment. */
export function endWith(socket: Duplex, words: string, limits: RestLimits): void {
  socket.end(words)
  takeRest(socket, limits)
  destroyLate(socket, limits)
}

/**
 * Node closes a connection after its last answer even while the caller still sends. The unread bytes then make the system
 * reset the connection, and the caller may never see the answer. So the rest is read and dropped for a moment first.
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
 * Reads on up to a limit: beyond it the socket pauses, and the system stops the sender. A listener for data makes Node
 * count the bytes here and not inside its parser.
 */
function takeRest(socket: Duplex & { bytesRead?: number }, { restBytesMax }: RestLimits): void {
  const before = socket.bytesRead ?? 0
  const stopAtLimit = () => {
    if ((socket.bytesRead ?? 0) - before > restBytesMax) socket.pause()
  }
  socket.on('data', stopAtLimit)
  // A flowing request resumes its socket by itself.
  socket.on('resume', stopAtLimit)
  socket.resume()
}

function destroyLate(socket: Duplex, { restTimeoutMs }: RestLimits): void {
  const late = setTimeout(() => socket.destroy(), restTimeoutMs)
  late.unref()
  socket.once('close', () => clearTimeout(late))
}
