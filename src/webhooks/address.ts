import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * Where an address leads: `public` to the internet, `private` into this machine or its network, `forbidden` to what
 * no webhook has any business with, such as a cloud's metadata service or a range without a meaning.
 */
export type AddressKind = 'public' | 'private' | 'forbidden'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** This machine and its network, in the words of ipaddr.js, which knows IANA's special-purpose address registries. */
const PRIVATE: readonly string[] = ['loopback', 'private', 'carrierGradeNat', 'uniqueLocal']

/** What these registries do not tell, and what stays refused wherever private targets are allowed. */
const FORBIDDEN = [
  '100.100.100.200/32', // Metadata service of Alibaba Cloud.
  '161.26.0.0/16', // Services that IBM Cloud shows to its machines only.
  '166.8.0.0/14', // Service endpoints that IBM Cloud shows to its machines only.
  '168.63.129.16/32', // Control channel of Azure's machines.
  'fd00:42::42/128', // Metadata service of Scaleway.
  'fd00:100::100:200/128', // Metadata service of Alibaba Cloud.
  'fd00:a9fe:a9fe::/48', // Metadata service of Akamai.
  'fd00:c1::a9fe:a9fe/128', // Metadata service of Oracle Cloud.
  'fd00:ec2::/32', // Metadata, credentials, names and time of AWS.
  'fd20:ce::254/128', // Metadata service of Google Cloud.
  '3ffe::/16', // The experimental 6bone, given back to IANA (RFC 3701).
].map(ipaddr.parseCIDR)

/** All of IPv6 that IANA has given out for use on the internet; the rest is special or means nothing yet. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96')

/**
 * Tells where an address leads. An IPv6 address that stands for an IPv4 address (IPv4-mapped, NAT64) is judged as
 * that address.
 *
 * @param address as a resolver writes it; what is no address, or one with a zone, is `forbidden`.
 */
export function classifyAddress(address: string): AddressKind {
  const read = readAddress(address)
  if (read === null || ipaddr.subnetMatch(read, { forbidden: FORBIDDEN }, 'other') === 'forbidden') return 'forbidden'
  if (read instanceof ipaddr.IPv6 && isIsatap(read)) return 'forbidden'
  const range = read.range()
  if (PRIVATE.includes(range)) return 'private'
  const isGiven = range === 'unicast' && (read instanceof ipaddr.IPv4 || read.match(GLOBAL_UNICAST))
  return isGiven ? 'public' : 'forbidden'
}

/**
 * The one notation of what an address leads to: dotted IPv4, also for the IPv6 addresses that stand for one, and
 * otherwise all eight groups in hexadecimal. Null for what is no address, and for one with a zone.
 */
export function canonicalAddress(address: string): string | null {
  return readAddress(address)?.toNormalizedString() ?? null
}

/** Where an IPv4 address stands in the last 32 bits of one of IPv6 (RFC 4291, RFC 6052), it is that address. */
function readAddress(text: string): Address | null {
  if (isIP(text) === 0 || text.includes('%')) return null
  // ipaddr.js takes `::1.2.3.4` for an IPv4 address, which Node does not connect to: it is given hexadecimal groups only.
  const address = ipaddr.process(isIP(text) === 4 ? text : new URL(`http://[${text}]/`).hostname.slice(1, -1))
  if (address instanceof ipaddr.IPv4 || !address.match(NAT64)) return address
  return new ipaddr.IPv4(address.toByteArray().slice(-4))
}

/**
 * An ISATAP address hides an IPv4 address in its second half under any prefix, and the tunnel's end sends what comes
 * to it there (RFC 5214). The two bits that may be set say whether the IPv4 address is unique, and a group.
 */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return parts[5] === 0x5efe && ((parts[4] ?? 0) & 0xfcff) === 0
}
