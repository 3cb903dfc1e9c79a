import { BlockList, isIP } from 'node:net'

/**
 * Where an address leads: `public` to the internet, `private` into this machine or its network, `forbidden` to what
 * no webhook has any business with, such as a cloud's metadata service or a range without a meaning.
 */
export type AddressKind = 'public' | 'private' | 'forbidden'

/** This machine and its network: loopback, RFC 1918, shared address space (RFC 6598), unique local (RFC 4193). */
const PRIVATE = blockList(
  ['127.0.0.0/8', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10'],
  ['::1/128', 'fc00::/7'],
)

/**
 * What stays refused wherever private targets are allowed, and what is special within the public ranges.
 * Source: IANA's special-purpose address registries for IPv4 and IPv6, and the metadata addresses of the clouds.
 */
const FORBIDDEN = blockList(
  [
    '0.0.0.0/8', // This host on this network.
    '169.254.0.0/16', // Link-local, with the metadata services of most clouds.
    '100.100.100.200/32', // Metadata service of Alibaba Cloud.
    '161.26.0.0/16', // Services that IBM Cloud shows to its machines only.
    '166.8.0.0/14', // Service endpoints that IBM Cloud shows to its machines only.
    '168.63.129.16/32', // Control channel of Azure's machines.
    '192.0.0.0/24', // Protocol assignments, with the metadata service of Oracle Cloud.
    '192.0.2.0/24', // Documentation.
    '192.31.196.0/24', // AS112.
    '192.52.193.0/24', // Multicast tunnelling.
    '192.88.99.0/24', // 6to4 relays.
    '192.175.48.0/24', // AS112.
    '198.18.0.0/15', // Benchmarks.
    '198.51.100.0/24', // Documentation.
    '203.0.113.0/24', // Documentation.
    '224.0.0.0/4', // Multicast.
    '240.0.0.0/4', // Reserved, with the broadcast address.
  ],
  [
    'fd00:42::42/128', // Metadata service of Scaleway.
    'fd00:100::100:200/128', // Metadata service of Alibaba Cloud.
    'fd00:a9fe:a9fe::/48', // Metadata service of Akamai.
    'fd00:c1::a9fe:a9fe/128', // Metadata service of Oracle Cloud.
    'fd00:ec2::/32', // Metadata, credentials, names and time of AWS.
    'fd20:ce::254/128', // Metadata service of Google Cloud.
    '2001::/23', // Protocol assignments, with Teredo, whose addresses hide an IPv4 address.
    '2001:db8::/32', // Documentation.
    '2002::/16', // 6to4, whose addresses hide an IPv4 address and which is out of use.
    '2620:4f:8000::/48', // AS112.
    '3ffe::/16', // The experimental 6bone, given back to IANA (RFC 3701).
    '3fff::/20', // Documentation.
  ],
)

/** All that IANA has given out for use on the internet; the rest of IPv6 is special or means nothing yet. */
const GLOBAL_UNICAST = blockList([], ['2000::/3'])

/**
 * Tells where an address leads. An IPv6 address that stands for an IPv4 address (IPv4-mapped, NAT64) is judged as
 * that address.
 *
 * @param address as a resolver writes it; what is no address, or one with a zone, is `forbidden`.
 */
export function classifyAddress(address: string): AddressKind {
  const canonical = canonicalAddress(address)
  if (canonical === null) return 'forbidden'
  if (isIP(canonical) === 4) return classifyIPv4(canonical)
  if (FORBIDDEN.check(canonical, 'ipv6') || isIsatap(canonical)) return 'forbidden'
  if (PRIVATE.check(canonical, 'ipv6')) return 'private'
  return GLOBAL_UNICAST.check(canonical, 'ipv6') ? 'public' : 'forbidden'
}

/**
 * The one notation of what an address leads to: dotted IPv4, also for the IPv6 addresses that stand for one, and
 * otherwise all eight groups in hexadecimal. Null for what is no address, and for one with a zone.
 */
export function canonicalAddress(address: string): string | null {
  if (isIP(address) === 4) return address
  const groups = ipv6Groups(address)
  if (groups === null) return null
  return embeddedIPv4(groups) ?? groups.map((group) => group.toString(16)).join(':')
}

function classifyIPv4(address: string): AddressKind {
  if (FORBIDDEN.check(address, 'ipv4')) return 'forbidden'
  return PRIVATE.check(address, 'ipv4') ? 'private' : 'public'
}

/**
 * An ISATAP address hides an IPv4 address in its second half under any prefix, and the tunnel's end sends what comes
 * to it there (RFC 5214). The two bits that may be set say whether the IPv4 address is unique, and a group.
 */
function isIsatap(canonical: string): boolean {
  const [high = '', low] = canonical.split(':').slice(4)
  return low === '5efe' && (Number.parseInt(high, 16) & 0xfcff) === 0
}

/** The eight groups of an IPv6 address, or null for anything else. */
function ipv6Groups(address: string): number[] | null {
  const bracketed = `http://[${address}]/`
  if (isIP(address) !== 6 || !URL.canParse(bracketed)) return null
  // The URL parser writes every notation in the same form: groups in hexadecimal, at most one "::".
  const [head = '', tail] = new URL(bracketed).hostname.slice(1, -1).split('::')
  const parse = (part: string) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)))
  const first = parse(head)
  if (tail === undefined) return first
  const last = parse(tail)
  return [...first, ...new Array<number>(8 - first.length - last.length).fill(0), ...last]
}

/** The IPv4 address that stands in the last 32 bits under these two prefixes (RFC 4291, RFC 6052). */
function embeddedIPv4(groups: number[]): string | null {
  const prefix = groups.slice(0, 6).join(':')
  const isMapped = prefix === [0, 0, 0, 0, 0, 0xffff].join(':')
  const isNat64 = prefix === [0x64, 0xff9b, 0, 0, 0, 0].join(':')
  if (!isMapped && !isNat64) return null
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.')
}

function blockList(ipv4: readonly string[], ipv6: readonly string[]): BlockList {
  const list = new BlockList()
  const add = (subnets: readonly string[], family: 'ipv4' | 'ipv6') => {
    for (const subnet of subnets) {
      const [network = '', bits] = subnet.split('/')
      list.addSubnet(network, Number(bits), family)
    }
  }
  add(ipv4, 'ipv4')
  add(ipv6, 'ipv6')
  return list
}
