import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { Environment } from '../../domain/environment.ts'
import { classifyAddress } from './address.ts'

export interface ResolvedAddress {
  address: string
  family: number
}

/** Gives all addresses of a host name; rejects where there are none. */
export type ResolveHost = (hostname: string) => Promise<ResolvedAddress[]>

/** Why a target is not even connected to. */
export type Refusal = 'invalid_url' | 'https_required' | 'dns_lookup_failed' | 'forbidden_target'

export type TargetCheck =
  /** The addresses that were checked. Connecting to any other, also of the same name, is not covered. */
  { kind: 'allowed'; url: URL; addresses: ResolvedAddress[] } | { kind: 'refused'; reason: Refusal }

/**
 * Decides whether a URL that a merchant named may be connected to, so that nobody can make this service talk to its
 * own network (server-side request forgery). Every address of the name is checked, and one bad address refuses the
 * target; a name that cannot be resolved is refused. Never throws.
 */
export interface TargetGuard {
  check(url: string, environment: Environment): Promise<TargetCheck>
}

/** The operating system's resolver, which also knows `localhost` and the hosts file. */
const resolveWithSystem: ResolveHost = (hostname) => lookup(hostname, { all: true, order: 'verbatim' })

/**
 * @param options.allowPrivateTargets also allows loopback and private networks; only for a machine where everything
 *   is embedded and belongs to one person. Metadata services and other special ranges stay refused.
 */
export function createTargetGuard(options: { allowPrivateTargets: boolean; resolve?: ResolveHost }): TargetGuard {
  const { allowPrivateTargets, resolve = resolveWithSystem } = options

  const mayConnect = ({ address }: ResolvedAddress) => {
    const kind = classifyAddress(address)
    return kind === 'public' || (kind === 'private' && allowPrivateTargets)
  }

  return {
    async check(text, environment) {
      if (!URL.canParse(text)) return refused('invalid_url')
      // The URL parser turns every notation of an IPv4 address (decimal, octal, hexadecimal) into the dotted one.
      const url = new URL(text)
      if (url.protocol !== 'https:' && url.protocol !== 'http:') return refused('invalid_url')
      if (!hasReadableCredentials(url)) return refused('invalid_url')
      if (url.protocol === 'http:' && environment !== 'sandbox') return refused('https_required')
      const addresses = await addressesOf(url, resolve)
      if (addresses.length === 0) return refused('dns_lookup_failed')
      return addresses.every(mayConnect) ? { kind: 'allowed', url, addresses } : refused('forbidden_target')
    },
  }
}

function refused(reason: Refusal): TargetCheck {
  return { kind: 'refused', reason }
}

/** A user name and password in a URL are sent as Basic authentication, for which their percent signs must decode. */
function hasReadableCredentials({ username, password }: URL): boolean {
  try {
    decodeURIComponent(username + password)
    return true
  } catch {
    return false
  }
}

async function addressesOf(url: URL, resolve: ResolveHost): Promise<ResolvedAddress[]> {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const family = isIP(host)
  if (family !== 0) return [{ address: host, family }]
  return resolve(host).catch(() => [])
}
