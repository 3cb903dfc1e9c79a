import { isIPv6, type Socket } from 'node:net'
import type { AppDeps } from './dependencies.ts'

/**
 * The address of the service in an answer, without a slash: `PUBLIC_URL`, else where the connection has arrived. Never what
 * the caller sends as `Host`, which anybody may choose.
 */
export function serviceAddress(
  { publicUrl }: Pick<AppDeps, 'publicUrl'>,
  { localAddress = '127.0.0.1', localPort = 80 }: Partial<Pick<Socket, 'localAddress' | 'localPort'>>,
): string {
  if (publicUrl !== undefined) return publicUrl
  const address = localAddress.replace(/^::ffff:/, '')
  return `http://${isIPv6(address) ? `[${address}]` : address}:${localPort}`
}
