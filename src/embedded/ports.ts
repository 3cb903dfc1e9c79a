import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { StartupError } from './startup-error.ts'

/** Embedded servers are reachable from this machine only. */
export const LOOPBACK = '127.0.0.1'

/** True when nothing listens on the port of this address and this process may listen there. */
export async function isPortFree(port: number, host: string = LOOPBACK): Promise<boolean> {
  return (await tryToListen(port, host)) !== undefined
}

/** True when a server accepts connections on this port of loopback. */
export async function isListening(port: number): Promise<boolean> {
  const socket = connect({ port, host: LOOPBACK })
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

/** A port on loopback that is free now; nothing reserves it. */
export async function freePort(): Promise<number> {
  const port = await tryToListen(0, LOOPBACK)
  if (port === undefined) throw new StartupError('No free port is left on 127.0.0.1.')
  return port
}

/**
 * @param variable the environment variable that chooses another port, named in the sentence.
 * @throws StartupError when the port is taken, or the address is none of this machine's.
 */
export async function requireFreePort(port: number, host: string, variable: string): Promise<void> {
  if (port === 0) return
  const failure = await listenFailure(port, host)
  if (failure === 'EADDRINUSE') throw portTaken(port, host, variable)
  if (failure !== undefined)
    throw new StartupError(`Nobody can listen on port ${port} of ${host} (${failure}); check HOST and ${variable}.`)
}

/** The one sentence about a port that another program has. */
export function portTaken(port: number, host: string, variable: string): StartupError {
  return new StartupError(
    `Port ${port} on ${host} is taken by another program; end that program or set ${variable} to a free port.`,
  )
}

/** Node's word for why nobody can listen there; undefined where one can. */
async function listenFailure(port: number, host: string): Promise<string | undefined> {
  const server = createServer()
  try {
    server.listen({ port, host })
    await once(server, 'listening')
    return undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown'
  } finally {
    server.close()
  }
}

async function tryToListen(port: number, host: string): Promise<number | undefined> {
  const server = createServer()
  try {
    server.listen({ port, host })
    await once(server, 'listening')
    return (server.address() as { port: number }).port
  } catch {
    return undefined
  } finally {
    server.close()
  }
}
