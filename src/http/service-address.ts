import type { IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'
import { isThisMachine, OWN_NAMES } from '../this-machine.ts'
import type { AppDeps } from './dependencies.ts'

/** What a request says of where it has arrived. Of one that cannot be read only the connection is known. */
interface Arrival {
  socket: Partial<Pick<IncomingMessage['socket'], 'localAddress' | 'localPort'>>
  headers?: Pick<IncomingMessage['headers'], 'host'>
}

/**
 * The address of the service in answers and for its own pages, without a slash: `PUBLIC_URL`, else where the connection has
 * arrived. Anybody may choose what they send as `Host`, so it only chooses among the names of that very place: a page that
 * was opened at `localhost` goes on there.
 */
export function serviceAddress({ publicUrl }: Pick<AppDeps, 'publicUrl'>, { socket, headers }: Arrival): string {
  if (publicUrl !== undefined) return publicUrl
  const { localAddress = '127.0.0.1', localPort = 80 } = socket
  const address = localAddress.replace(/^::ffff:/, '')
  const names = [address, ...(isThisMachine(address) ? OWN_NAMES : [])]
  const [arrived = '', ...others] = names.map((name) => originOf(name, localPort))
  return others.find((origin) => origin === `http://${headers?.host?.toLowerCase()}`) ?? arrived
}

/** As browsers write it: without port 80. */
const originOf = (name: string, port: number) => new URL(`http://${isIPv6(name) ? `[${name}]` : name}:${port}`).origin

/** The origin of the service's own pages. */
export function ownOrigin(deps: Pick<AppDeps, 'publicUrl'>, arrival: Arrival): string {
  return new URL(serviceAddress(deps, arrival)).origin
}
