import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** How long the rest of what nobody wants is taken and thrown away, so that the answer arrives before the end. */
export const LINGER_MS = 1_000

/** What is open between a server and its callers. */
export interface Connections {
  /** Notes a request as it begins. */
  begin(request: IncomingMessage, response: ServerResponse): void
  /** The answers that are not done on a connection, in the order of their requests. */
  unansweredOn(socket: Duplex): ServerResponse[]
  /** The same on all of them. */
  unanswered(): ServerResponse[]
  /** The connections on which no request that has arrived whole waits for its answer. */
  withoutWaiting(): Socket[]
}

/** True for an answer whose request has arrived whole. */
export const isOwed = ({ req }: ServerResponse): boolean => req.complete

/** Follows the connections of a server from now on, and has each end gently. */
export function trackConnections(server: Server): Connections {
  const sockets = new Set<Socket>()
  const unanswered = new Map<Duplex, Set<ServerResponse>>()
  const latest = new WeakMap<Duplex, IncomingMessage>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    endGently(socket, () => latest.get(socket))
    socket.once('close', () => sockets.delete(socket))
  })
  const unansweredOn = (socket: Duplex): ServerResponse[] => [...(unanswered.get(socket) ?? [])]
  return {
    begin(request, response) {
      const { socket } = request
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
  }
}

/** Ends a connection with the answers that are still owed on it. */
export function endAfter(socket: Duplex, owed: readonly ServerResponse[]): void {
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
 * reset it: the caller may never see why it was refused. The rest is taken and thrown away first, for a moment.
 */
function endGently(socket: Socket, requestOf: () => IncomingMessage | undefined): void {
  const endAtOnce = socket.destroySoon.bind(socket)
  socket.destroySoon = () => {
    const request = requestOf()
    if (request === undefined || request.complete || socket.destroyed) {
      endAtOnce()
      return
    }
    socket.end()
    request.once('end', endAtOnce)
    const late = setTimeout(() => socket.destroy(), LINGER_MS)
    late.unref()
    socket.once('close', () => clearTimeout(late))
  }
}
