import { channel } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { constants } from 'node:os'
import { CHOSEN_PORTS } from '../../src/embedded/ports.ts'

export interface Canary {
  /** Answers 200 on every address of this machine. */
  port: number
  /** How many connections arrived at the port. */
  arrivals(): number
  /** `Host` and path of the requests that arrived. */
  requests(): readonly string[]
  /** To which addresses this process has tried to connect, wherever they are, but not to servers of tests: `<address>:<port>`. */
  attempts(): readonly string[]
  /** Forgets what was counted. */
  clear(): void
  stop(): Promise<void>
}

const LOOPBACK = /^(127\.|::1$|::ffff:(127\.|7f00:))/i

/** A client that another test file has left in this process may connect to its server at any time. */
function isOfTests(address: string, port: number): boolean {
  return LOOPBACK.test(address) && port >= CHOSEN_PORTS.from && port < CHOSEN_PORTS.to
}

/** Has the attempt that is about to be made fail as on a machine without a network: no packet of a test leaves it. */
function keepInside(socket: Socket): void {
  const unreachable = () => -constants.errno.ENETUNREACH
  Object.assign((socket as unknown as { _handle: object })._handle, { connect: unreachable, connect6: unreachable })
}

/** Shows whether a connection was made, or tried at all: by a listener, and by what Node tells of its own sockets. */
export async function makeCanary(): Promise<Canary> {
  let arrivals = 0
  let requests: string[] = []
  let attempts: string[] = []
  const server = createServer((request, response) => {
    requests.push(`${request.headers.host}${request.url}`)
    response.end()
  }).on('connection', () => {
    arrivals += 1
  })
  // Of IPv6 and IPv4 both where the machine has IPv6, and of IPv4 otherwise.
  server.listen(0)
  await once(server, 'listening')
  const watch = (message: unknown) => {
    const { socket } = message as { socket: Socket }
    socket.on('connectionAttempt', (address, port) => {
      if (isOfTests(address, port)) return
      attempts.push(`${address}:${port}`)
      if (!LOOPBACK.test(address)) keepInside(socket)
    })
  }
  const sockets = channel('net.client.socket')
  sockets.subscribe(watch)
  return {
    port: (server.address() as AddressInfo).port,
    arrivals: () => arrivals,
    requests: () => requests,
    attempts: () => attempts,
    clear() {
      arrivals = 0
      requests = []
      attempts = []
    },
    async stop() {
      sockets.unsubscribe(watch)
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
