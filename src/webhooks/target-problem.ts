import { isIP } from 'node:net'
import type { Environment } from '../../domain/environment.ts'
import { namesHost } from '../../domain/web-address.ts'
import { type AddressKind, classifyAddress } from './address.ts'

export interface TargetRule {
  /**
   * Also allows loopback and private networks; only for a machine with embedded servers that belongs to one person.
   * Metadata services and other special ranges stay refused.
   */
  allowPrivateTargets: boolean
}

/** A fault in a URL, found without a name look-up: a stable word, and a message for the person who entered it. */
export interface TargetFault {
  reason: 'invalid_url' | 'https_required' | 'forbidden_target'
  message: string
}

/** A well-formed URL. Its host is an address, or a name whose addresses must still be checked. */
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
 * Parsers disagree about these: Node's drops tabs and line breaks and reads a backslash as a slash, others do not. A URL
 * must mean the same in every check and every list.
 */
const AMBIGUOUS = /[\s\p{Cc}\\]/u

/** RFC 1123, and underscores, which some host names have; a final dot is cut off before. */
const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$/

/**
 * Names that no public resolver answers: of this machine (RFC 6761), of the link (RFC 6762), of a home (RFC 8375), of
 * private networks and clouds' metadata services (`internal`, reserved by ICANN in 2024). A name without a dot is completed
 * by the machine's search list, which leads into its network.
 */
const LOCAL_NAME = /^[^.]+$|\.(localhost|localdomain|local|internal|home\.arpa)$/

/**
 * Checks a URL as it is entered, without a name look-up. Returns the end of a sentence that begins with the field, or null.
 * A URL without a problem may still be refused at sending, because its name resolves elsewhere by then. Credentials are
 * refused here, because lists and logs show URLs.
 */
export function targetProblem(text: string, environment: Environment, rule: TargetRule): string | null {
  const target = readTarget(text, environment, rule)
  if ('reason' in target) return target.message
  if (!namesHost(text)) return FAULTS.form.message
  const { username, password } = target.url
  return username === '' && password === '' ? null : FAULTS.credentials.message
}

/** The target of a URL, or the fault that forbids it whatever its name resolves to. */
export function readTarget(text: string, environment: Environment, rule: TargetRule): ReadableTarget | TargetFault {
  if (AMBIGUOUS.test(text)) return FAULTS.characters
  // The URL parser converts all notations of IPv4 (decimal, octal, hexadecimal) to the dotted one.
  if (!URL.canParse(text)) return FAULTS.form
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return FAULTS.scheme
  if (!hasReadableCredentials(url)) return FAULTS.credentials
  if (url.protocol === 'http:' && environment !== 'sandbox') return FAULTS.plainHttp
  // Node would connect to the scheme's default port instead.
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

/** A user name and password in a URL become Basic authentication, so their percent-encoding must be valid. */
function hasReadableCredentials({ username, password }: URL): boolean {
  try {
    decodeURIComponent(username + password)
    return true
  } catch {
    return false
  }
}
