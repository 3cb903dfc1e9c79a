import { isIP, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Middleware } from 'koa'
import { SITE_SHARE } from '../../domain/rate-limits.ts'
import type { Network } from '../rate-limit/buckets.ts'

/** Replaces invalid addresses from proxies by the address of the connection. */
export function clientAddress(): Middleware {
  return (ctx, next) => {
    const plain = withoutPort(ctx.ip)
    ctx.request.ip = isIP(plain) === 0 ? (ctx.socket.remoteAddress ?? '') : plain
    return next()
  }
}

/**
 * The networks towards whose limits a caller's requests count, the smallest first. IPv4 is one address; written as IPv6 it
 * is IPv4. For IPv6 it is the network of 64 bits, since a subscriber has all its addresses, and the site of 48 bits, of which
 * some subscribers have a part or all (RFC 6177).
 */
export function networksOf(ip: string): Network[] {
  const [plain = ''] = ip.split('%')
  if (!isIPv6(plain)) return [{ name: plain, share: 1 }]
  // The URL parser writes hexadecimal only: ipaddr.js would read the deprecated `::192.0.2.1` as IPv4.
  const address = ipaddr.process(new URL(`http://[${plain}]`).hostname.slice(1, -1))
  if (!('parts' in address)) return [{ name: address.toString(), share: 1 }]
  const groups = address.parts.map((group) => group.toString(16))
  return [
    { name: `${groups.slice(0, 4).join(':')}::/64`, share: 1 },
    { name: `${groups.slice(0, 3).join(':')}::/48`, share: SITE_SHARE },
  ]
}

/** Removes brackets and port from `192.0.2.1:443` and `[2001:db8::1]:443`. */
function withoutPort(text: string): string {
  return text.replace(/^\[([^\]]*)\](?::\d+)?$/, '$1').replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
}
