import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { cannotListen, failureOf } from '../embedded/ports.ts'
import type { Shutdown } from '../shutdown.ts'

interface Address {
  host: string
  port: number
  /** The environment variable that chooses another port, named in the error. */
  variable: string
}

/**
 * Has a server listen on its address.
 *
 * @returns the port.
 * @throws StartupError when the port is taken, or the address is none of this machine's.
 */
export async function listen(server: Server, address: Address): Promise<number> {
  const { host, port } = address
  server.listen({ host, port })
  await once(server, 'listening').catch((error: unknown) => {
    throw cannotListen(failureOf(error), address)
  })
  return (server.address() as AddressInfo).port
}

/** The same until the process stops, for a server beside the interface: no request there is worth waiting for. */
export async function listenUntilStop(
  server: Server,
  { name, shutdown, ...address }: Address & { name: string; shutdown: Shutdown },
): Promise<number> {
  const port = await listen(server, address)
  shutdown.add({
    name,
    async stop() {
      server.close()
      server.closeAllConnections()
    },
  })
  return port
}
