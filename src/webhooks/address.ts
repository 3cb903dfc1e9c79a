import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * The kind of an address: `public` on the internet, `private` on this machine or its network, `forbidden` for addresses
 * that no webhook may reach, such as a cloud's metadata service or an unassigned range.
 */
export type AddressKind = 'public' | 'private' | 'forbidden'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** This machine and its network, by ipaddr.js, which knows IANA's special-purpose address registries. */
const PRIVATE: readonly string[] = ['loopback', 'private', 'carrierGradeNat', 'uniqueLocal']

/** Addresses missing from these registries. They stay refused even where private targets are allowed. */
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

/** The IPv6 space that IANA has assigned to the internet; the rest is special or unassigned. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96')

/**
 * Classifies an address. An IPv6 address that stands for an IPv4 address (IPv4-mapped, NAT64) is judged as that one.
 *
 * @param address as a resolver writes it; any other text, or one with a zone, is `forbidden`.
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
 * The canonical notation of an address: dotted IPv4, also for IPv6 addresses that stand for one, otherwise all eight groups
 * in hexadecimal. Null for a text that is no address, and for an address with a zone.
 */
export function canonicalAddress(address: string): string | null {
  return readAddress(address)?.toNormalizedString() ?? null
}

/** An IPv6 address with an IPv4 address in its last 32 bits (RFC 4291, RFC 6052) is that address. */
function readAddress(text: string): Address | null {
  if (isIP(text) === 0 || text.includes('%')) return null
  // ipaddr.js reads `::1.2.3.4` as IPv4, Node does not. So ipaddr.js gets hexadecimal groups only.
  const address = ipaddr.process(isIP(text) === 4 ? text : new URL(`http://[${text}]/`).hostname.slice(1, -1))
  if (address instanceof ipaddr.IPv4 || !address.match(NAT64)) return address
  return new ipaddr.IPv4(address.toByteArray().slice(-4))
}

/**
 * An ISATAP address contains an IPv4 address in its second half, under any prefix, and the tunnel's end forwards to it (RFC
 * 5214). The two optional bits say whether the IPv4 address is unique, and a group.
 */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return parts[5] === 0x5efe && ((parts[4] ?? 0) & 0xfcff) === 0
}
