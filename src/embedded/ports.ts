import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { StartupError } from '../startup-error.ts'

/** Embedded servers are reachable from this machine only. */
export const LOOPBACK = '127.0.0.1'

/** True when nothing listens on the port of this address and this process may listen there. */
export async function isPortFree(port: number, host: string = LOOPBACK): Promise<boolean> {
  return (await listenFailure(port, host)) === undefined
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

/**
 * Below the ports that a system gives out by itself (Linux: from 32768 on), so that no other program is given ours in the
 * moment before we use it, or while a server of ours is away.
 */
export const CHOSEN_PORTS = { from: 20_000, to: 32_000 }

/** As many taken ones in a row are no chance. */
const CHOICES_MAX = 100

/** A port on loopback that is free now; nothing reserves it. */
export async function freePort(): Promise<number> {
  for (let choice = 0; choice < CHOICES_MAX; choice += 1) {
    const port = randomInt(CHOSEN_PORTS.from, CHOSEN_PORTS.to)
    if (await isPortFree(port)) return port
  }
  throw new StartupError('No free port is left on 127.0.0.1.')
}

/**
 * @param variable the environment variable that chooses another port, named in the sentence.
 * @throws StartupError when the port is taken, or the address is none of this machine's.
 */
export async function requireFreePort(port: number, host: string, variable: string): Promise<void> {
  if (port === 0) return
  const failure = await listenFailure(port, host)
  if (failure !== undefined) throw cannotListen(failure, { port, host, variable })
}

/** The settings of which two instances on a machine need one each, as people are told. */
export const SECOND_INSTANCE = 'set DATA_DIR, PORT and TEMPORAL_UI_PORT for a second instance'
const PORTS_OF_AN_INSTANCE = ['PORT', 'TEMPORAL_UI_PORT']

/**
 * The one sentence about an address on which nobody can listen, often because of another program, which may be another
 * instance.
 *
 * @param failure Node's word for why.
 */
export function cannotListen(
  failure: string,
  { port, host, variable }: { port: number; host: string; variable: string },
): StartupError {
  if (failure !== 'EADDRINUSE') {
    const hostVariable = variable === 'METRICS_PORT' ? 'METRICS_HOST' : 'HOST'
    return new StartupError(
      `Cannot listen on port ${port} of ${host} (${failure}); check ${hostVariable} and ${variable}.`,
    )
  }
  const second = PORTS_OF_AN_INSTANCE.includes(variable) ? `, or ${SECOND_INSTANCE}` : ''
  return new StartupError(
    `Port ${port} on ${host} is taken by another program; end that program or set ${variable} to a free port${second}.`,
  )
}

/** Node's word for why nobody can listen. */
export const failureOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? 'unknown'

/** The same for an address; undefined where one can. */
async function listenFailure(port: number, host: string): Promise<string | undefined> {
  const server = createServer()
  try {
    server.listen({ port, host })
    await once(server, 'listening')
    return undefined
  } catch (error) {
    return failureOf(error)
  } finally {
    server.close()
  }
}
