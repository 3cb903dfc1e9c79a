import { isIP } from 'node:net'
import type { Environment } from '../../domain/environment.ts'
import { type AddressKind, classifyAddress } from './address.ts'

export interface TargetRule {
  /**
   * Also allows loopback and private networks; only for a machine where everything is embedded and belongs to one
   * person. Metadata services and other special ranges stay refused.
   */
  allowPrivateTargets: boolean
}

/** What is wrong with a URL, before any name is looked up: the stable word, and what to tell whoever entered it. */
export interface TargetFault {
  reason: 'invalid_url' | 'https_required' | 'forbidden_target'
  message: string
}

/** A URL whose text is in order. Its host is an address, or a name whose addresses are still to be checked. */
interface ReadableTarget {
  url: URL
  /** Without the brackets of an IPv6 address. */
  host: string
}

const FAULTS = {
  form: { reason: 'invalid_url', message: 'must be an absolute address, such as https://shop.example/webhooks' },
  characters: { reason: 'invalid_url', message: 'must not contain spaces, control characters or backslashes' },
  scheme: { reason: 'invalid_url', message: 'must begin with https:// or, in the sandbox, http://' },
  hostName: { reason: 'invalid_url', message: 'must name a host of letters, digits, hyphens and single dots' },
  port: { reason: 'invalid_url', message: 'must name a port from 1 to 65535' },
  credentials: { reason: 'invalid_url', message: 'must not contain a user name or password' },
  plainHttp: { reason: 'https_required', message: 'must be https in the live environment' },
  localName: { reason: 'forbidden_target', message: 'must name a host on the public internet' },
  address: { reason: 'forbidden_target', message: 'must not lead to a private, local or reserved address' },
} as const satisfies Record<string, TargetFault>

/**
 * Parsers disagree about these: Node's drops a tab and a line break and takes a backslash for a slash, others keep
 * them. A URL must mean the same to everyone who checks it or reads it in a list.
 */
const AMBIGUOUS = /[\s\p{Cc}\\]/u

/** RFC 1123, with the underscore that the names of some hosts hold; a dot at the end is cut off before. */
const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$/

/**
 * Names that no public resolver answers: of this machine (RFC 6761), of the link (RFC 6762), of a home (RFC 8375), of
 * private networks and the metadata services of clouds (`internal`, reserved by ICANN in 2024). One without a dot is
 * completed by the search list of a machine, which leads into its network.
 */
const LOCAL_NAME = /^[^.]+$|\.(localhost|localdomain|local|internal|home\.arpa)$/

/**
 * What to tell at once to whoever enters a URL for webhooks, without looking up its name: the end of a sentence that
 * begins with the field, or null. A URL without a problem may still be refused when it is sent to, because its name
 * leads somewhere by then. Credentials are refused here, because URLs are shown in lists and logs.
 */
export function targetProblem(text: string, environment: Environment, rule: TargetRule): string | null {
  const target = readTarget(text, environment, rule)
  if ('reason' in target) return target.message
  const { username, password } = target.url
  return username === '' && password === '' ? null : FAULTS.credentials.message
}

/** The target that a URL names, or why none may be reached by it, whatever its name resolves to. */
export function readTarget(text: string, environment: Environment, rule: TargetRule): ReadableTarget | TargetFault {
  if (AMBIGUOUS.test(text)) return FAULTS.characters
  // The URL parser turns every notation of an IPv4 address (decimal, octal, hexadecimal) into the dotted one.
  if (!URL.canParse(text)) return FAULTS.form
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return FAULTS.scheme
  if (!hasReadableCredentials(url)) return FAULTS.credentials
  if (url.protocol === 'http:' && environment !== 'sandbox') return FAULTS.plainHttp
  // Node would connect to the scheme's own port instead.
  if (url.port === '0') return FAULTS.port
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const fault = isIP(host) === 0 ? nameFault(host, rule) : addressFault(host, rule)
  return fault ?? { url, host }
}

export function mayReach(kind: AddressKind, { allowPrivateTargets }: TargetRule): boolean {
  return kind === 'public' || (kind === 'private' && allowPrivateTargets)
}

function addressFault(address: string, rule: TargetRule): TargetFault | null {
  return mayReach(classifyAddress(address), rule) ? null : FAULTS.address
}

function nameFault(host: string, rule: TargetRule): TargetFault | null {
  const name = host.replace(/\.$/, '')
  if (!HOST_NAME.test(name)) return FAULTS.hostName
  return LOCAL_NAME.test(name) && !mayReach('private', rule) ? FAULTS.localName : null
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
