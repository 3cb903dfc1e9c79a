import { isIPv6 } from 'node:net'

/** What one subscriber is given: every address in it may be the same person's. Source: RFC 6177. */
const IPV6_NETWORK_GROUPS = 4

/**
 * The address by which callers are told apart: of IPv6 the network of 64 bits, since whoever has one address has them all.
 */
export function addressBlock(ip: string): string {
  const plain = ip.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
  if (!isIPv6(plain)) return plain
  // Written out by the parser of URLs, the only place where the platform normalizes an address.
  const normal = new URL(`http://[${plain}]`).hostname.slice(1, -1)
  const [head = '', tail] = normal.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0')
  const groups = tail === undefined ? before : [...before, ...zeros, ...after]
  return `${groups.slice(0, IPV6_NETWORK_GROUPS).join(':')}::/64`
}
