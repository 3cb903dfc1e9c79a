import { isIP, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Middleware } from 'koa'

/** Replaces invalid addresses from proxies by the address of the connection. */
export function clientAddress(): Middleware {
  return (ctx, next) => {
    const plain = withoutPort(ctx.ip)
    ctx.request.ip = isIP(plain) === 0 ? (ctx.socket.remoteAddress ?? '') : plain
    return next()
  }
}

/**
 * The address that identifies a caller: for IPv6 the network of 64 bits, since a subscriber has all its addresses (RFC
 * 6177). IPv4 written as IPv6 is IPv4.
 */
export function addressBlock(ip: string): string {
  const [plain = ''] = ip.split('%')
  if (!isIPv6(plain)) return plain
  // The URL parser writes hexadecimal only: ipaddr.js would read the deprecated `::192.0.2.1` as IPv4.
  const address = ipaddr.process(new URL(`http://[${plain}]`).hostname.slice(1, -1))
  if (!('parts' in address)) return address.toString()
  const network = address.parts.slice(0, 4).map((group) => group.toString(16))
  return `${network.join(':')}::/64`
}

/** Removes brackets and port from `192.0.2.1:443` and `[2001:db8::1]:443`. */
function withoutPort(text: string): string {
  return text.replace(/^\[([^\]]*)\](?::\d+)?$/, '$1').replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
}
