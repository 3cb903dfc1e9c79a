import { isIP, isIPv6 } from 'node:net'
import type { Middleware } from 'koa'

/** What one subscriber is given: every address in it may be the same person's. Source: RFC 6177. */
const IPV6_NETWORK_GROUPS = 4

/** `::ffff:0:0/96`, in the spelling that a URL has for it: an IPv4 address in the clothes of IPv6. Source: RFC 4291. */
const MAPPED_IPV4 = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/

/** Replaces what cannot be an address, of what proxies say, by the address of the connection. */
export function clientAddress(): Middleware {
  return (ctx, next) => {
    const plain = withoutPort(ctx.ip)
    ctx.request.ip = isIP(plain) === 0 ? (ctx.socket.remoteAddress ?? '') : plain
    return next()
  }
}

/**
 * The address by which callers are told apart: of IPv6 the network of 64 bits, since a subscriber has all of its
 * addresses.
 */
export function addressBlock(ip: string): string {
  const [plain = ''] = ip.split('%')
  if (!isIPv6(plain)) return plain
  // Written by the parser of URLs, the only place where the platform has one spelling for each address.
  const normal = new URL(`http://[${plain}]`).hostname.slice(1, -1)
  const [, high, low] = MAPPED_IPV4.exec(normal) ?? []
  return high === undefined || low === undefined ? networkOf(normal) : ipv4Of(high, low)
}

function networkOf(normal: string): string {
  const [head = '', tail] = normal.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array<string>(8 - before.length - after.length).fill('0')
  return `${[...before, ...zeros, ...after].slice(0, IPV6_NETWORK_GROUPS).join(':')}::/64`
}

function ipv4Of(high: string, low: string): string {
  return [high, low]
    .map((group) => Number.parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.')
}

/** `192.0.2.1:443` and `[2001:db8::1]:443` without what is not the address. */
function withoutPort(text: string): string {
  return text.replace(/^\[([^\]]*)\](?::\d+)?$/, '$1').replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
}
