import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { Environment } from '../../domain/environment.ts'
import { type AddressKind, canonicalAddress, classifyAddress } from './address.ts'
import { createDnsResolver, type ResolvedAddress, type ResolveHost, resolveWithSystem } from './resolve-host.ts'
import { mayReach, readTarget, type TargetFault, type TargetRule } from './target-problem.ts'

export type { ResolvedAddress, ResolveHost } from './resolve-host.ts'

export type Refusal = TargetFault['reason'] | 'dns_lookup_failed'

export type TargetCheck =
  /** The checked addresses. The check covers no other address, not even of the same name. */
  { kind: 'allowed'; url: URL; addresses: ResolvedAddress[] } | { kind: 'refused'; reason: Refusal }

/**
 * Decides whether a merchant's URL may be connected to, so that the service cannot be used to reach its own network
 * (server-side request forgery). All addresses of the name are checked; one forbidden address refuses the target, and so
 * does a name without addresses. Never throws.
 */
export interface TargetGuard {
  check(url: string, environment: Environment): Promise<TargetCheck>
}

export interface TargetGuardOptions extends TargetRule {
  /** By default the machine's name servers, or the operating system where private targets are allowed. */
  resolve?: ResolveHost
  /** The addresses of this machine; by default those of its network interfaces. */
  ownAddresses?: () => readonly string[]
}

/**
 * Addresses passed on for each family. A name may have thousands, and one delivery must not try all of them on behalf of an
 * attacker.
 */
const ADDRESSES_PER_FAMILY_MAX = 4

export function createTargetGuard(options: TargetGuardOptions): TargetGuard {
  const resolve = options.resolve ?? (options.allowPrivateTargets ? resolveWithSystem : createDnsResolver())
  const ownAddresses = options.ownAddresses ?? addressesOfInterfaces

  return {
    async check(text, environment) {
      const target = readTarget(text, environment, options)
      if ('reason' in target) return refused(target.reason)
      const { url, host } = target
      const addresses = isIP(host) === 0 ? await addressesOf(host, resolve) : [{ address: host, family: isIP(host) }]
      if (addresses.length === 0) return refused('dns_lookup_failed')
      const isOwn = ownershipOf(ownAddresses)
      if (!addresses.every(({ address }) => mayReach(kindOf(address, isOwn), options)))
        return refused('forbidden_target')
      return { kind: 'allowed', url, addresses: firstOfEachFamily(addresses) }
    },
  }
}

function refused(reason: Refusal): TargetCheck {
  return { kind: 'refused', reason }
}

/** A public address of this machine reaches services on all its interfaces, from behind any firewall. */
function kindOf(address: string, isOwn: (address: string) => boolean): AddressKind {
  const kind = classifyAddress(address)
  return kind === 'public' && isOwn(address) ? 'private' : kind
}

/** Reads the system's addresses once, and only if there is a public one to compare. */
function ownershipOf(ownAddresses: () => readonly string[]): (address: string) => boolean {
  let own: ReadonlySet<string | null> | undefined
  return (address) => {
    own ??= new Set(ownAddresses().map(canonicalAddress))
    return own.has(canonicalAddress(address))
  }
}

function addressesOfInterfaces(): string[] {
  return Object.values(networkInterfaces()).flatMap((addresses = []) => addresses.map(({ address }) => address))
}

/** The resolver's answer, not trusted: any other value than a list is no answer, and the family is read from the text. */
async function addressesOf(host: string, resolve: ResolveHost): Promise<ResolvedAddress[]> {
  try {
    const answers: readonly unknown[] = Array.from(await resolve(host))
    return answers.map(addressIn).map((address) => ({ address, family: isIP(address) }))
  } catch {
    return []
  }
}

/** An answer without an address becomes an invalid text, so that it is refused and not skipped. */
function addressIn(answer: unknown): string {
  const isAddress = typeof answer === 'object' && answer !== null && 'address' in answer
  return isAddress && typeof answer.address === 'string' ? answer.address : ''
}

function firstOfEachFamily(addresses: readonly ResolvedAddress[]): ResolvedAddress[] {
  const places = new Map<number, number>()
  return addresses.filter(({ family }) => {
    const place = places.get(family) ?? 0
    places.set(family, place + 1)
    return place < ADDRESSES_PER_FAMILY_MAX
  })
}
