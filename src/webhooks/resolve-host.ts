import { lookup, Resolver } from 'node:dns/promises'

export interface ResolvedAddress {
  address: string
  family: number
}

/** Gives all addresses of a host name; rejects where there are none. */
export type ResolveHost = (hostname: string) => Promise<ResolvedAddress[]>

/**
 * How long one server is waited for at first; the second try waits twice as long. With the usual one or two servers
 * both fit into the 10 s of a delivery.
 */
const QUERY_TIMEOUT_MS = 1_500
const QUERY_TRIES = 2

/**
 * How long the addresses of one family wait for those of the other. Broken name servers answer for IPv4 and let
 * questions for IPv6 run into the void; their hosts are reached all the same.
 */
const OTHER_FAMILY_WAIT_MS = 1_000

/**
 * The operating system's resolver, which also knows `localhost`, the hosts file and the search list. Few of its
 * look-ups run at once in a process, and each holds its place until it ends.
 */
export const resolveWithSystem: ResolveHost = (hostname) => lookup(hostname, { all: true, order: 'verbatim' })

/**
 * Asks the name servers of the machine themselves, and nothing but them. Any number of look-ups run at once, so a
 * name whose servers are dead delays no other, and a name is taken as it is, never completed by a search list.
 *
 * @param options.servers as `address` or `address:port`; those of the machine when absent.
 */
export function createDnsResolver(options: { servers?: readonly string[] } = {}): ResolveHost {
  return async (hostname) => {
    // A resolver of its own for each name follows the machine's settings and can be cancelled alone.
    const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: QUERY_TRIES })
    if (options.servers) resolver.setServers(options.servers)
    const ipv4 = resolver.resolve4(hostname)
    const ipv6 = resolver.resolve6(hostname)
    const patience = Promise.any([ipv4, ipv6]).then(
      () => setTimeout(() => resolver.cancel(), OTHER_FAMILY_WAIT_MS),
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
