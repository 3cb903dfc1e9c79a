import { lookup, Resolver } from 'node:dns/promises'

export interface ResolvedAddress {
  address: string
  family: number
}

/** Resolves all addresses of a host name; rejects where there are none. */
export type ResolveHost = (hostname: string) => Promise<ResolvedAddress[]>

export interface DnsWaits {
  /** For one server at first; the second try waits twice as long. */
  queryMs: number
  /** For the addresses of the other family, once those of one are known. */
  otherFamilyMs: number
}

/**
 * With the usual one or two name servers both tries fit into the 10 s of a delivery. Broken name servers answer for IPv4 and
 * never for IPv6; their hosts are reached all the same.
 */
export const DNS_WAITS: DnsWaits = { queryMs: 1_500, otherFamilyMs: 1_000 }

const QUERY_TRIES = 2

/**
 * The operating system's resolver, with `localhost`, the hosts file and the search list. It runs few look-ups of a process
 * at once, and a slow one blocks its place until it ends.
 */
export const resolveWithSystem: ResolveHost = (hostname) => lookup(hostname, { all: true, order: 'verbatim' })

/**
 * Queries only the machine's name servers. Any number of look-ups run at once, so a name with dead servers delays no other.
 * A name is used as it is, without a search list.
 *
 * @param servers as `address` or `address:port`; by default those of the machine.
 */
export function createDnsResolver({
  servers,
  waits: { queryMs, otherFamilyMs } = DNS_WAITS,
}: {
  servers?: readonly string[]
  waits?: DnsWaits
} = {}): ResolveHost {
  return async (hostname) => {
    // A resolver for each name follows the machine's current settings and can be cancelled alone.
    const resolver = new Resolver({ timeout: queryMs, tries: QUERY_TRIES })
    if (servers) resolver.setServers(servers)
    const ipv4 = resolver.resolve4(hostname)
    const ipv6 = resolver.resolve6(hostname)
    const patience = Promise.any([ipv4, ipv6]).then(
      () => setTimeout(() => resolver.cancel(), otherFamilyMs),
      () => undefined,
    )
    const [four, six] = await Promise.allSettled([ipv4, ipv6])
    clearTimeout(await patience)
    if (four.status === 'rejected' && six.status === 'rejected') throw four.reason
    return [...inFamily(4, four), ...inFamily(6, six)]
  }
}

function inFamily(family: 4 | 6, answer: PromiseSettledResult<string[]>): ResolvedAddress[] {
  return answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : []
}
