import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { portTaken } from '../embedded/ports.ts'
import type { Shutdown } from '../shutdown.ts'

/** A request waits 30 s for its answer at most; what takes longer is cut off. */
const DRAIN_MS = 35_000
/** How often connections that have become idle are closed while draining. */
const IDLE_SWEEP_MS = 100

interface HttpServerOptions {
  host: string
  /** 0 takes any free port. */
  port: number
  shutdown: Shutdown
}

/**
 * Listens, and when the process stops takes no new requests and finishes those it has.
 *
 * @returns the port.
 * @throws StartupError when the port is taken.
 */
export async function listen(handle: RequestListener, { host, port, shutdown }: HttpServerOptions): Promise<number> {
  const server = createServer(handle)
  server.listen({ host, port })
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EADDRINUSE' ? portTaken(port, host, 'PORT') : error
  })
  shutdown.add({
    name: 'The API',
    stop: async () => {
      const closed = once(server, 'close')
      server.close()
      const idle = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS)
      const late = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
      await closed
      clearInterval(idle)
      clearTimeout(late)
    },
  })
  return (server.address() as AddressInfo).port
}
