import type { Payload } from '@temporalio/common'
import { withoutSecrets } from '../../domain/secret-text.ts'

const REDACTED = '[redacted]'

/**
 * The fields that support staff do not see, wherever in a payload they are: who somebody is, where somebody lives or is, and
 * what proves or opens something. Names are compared in lower case and without separators. What staff need is in no such
 * field: amounts, statuses, codes, ids, dates and our own words.
 */
const PERSONAL_OR_SECRET: ReadonlySet<string> = new Set([
  ...['name', 'firstname', 'lastname', 'fullname', 'holder', 'holdername', 'cardholder', 'cardholdername'],
  ...['email', 'phone', 'phonenumber', 'mobile', 'birthdate', 'dateofbirth', 'taxid', 'vatid', 'iban'],
  ...[
    'address',
    'address1',
    'address2',
    'address3',
    'street',
    'line1',
    'line2',
    'city',
    'zip',
    'zipcode',
    'postalcode',
  ],
  ...[
    'billing',
    'shipping',
    'billingaddress',
    'shippingaddress',
    'customer',
    'payer',
    'device',
    'browser',
    'useragent',
  ],
  ...['ip', 'ipaddress', 'latitude', 'longitude', 'number', 'cardnumber', 'pan', 'cvc', 'cvc2', 'cvv', 'securitycode'],
  ...['cavv', 'xid', 'authenticationvalue', 'cryptogram', 'signature', 'secret', 'clientsecret', 'secretkey', 'apikey'],
  ...['credentials', 'password', 'token', 'accesstoken', 'metadata', 'url', 'webhookurl', 'returnurl', 'body'],
])

/**
 * What the SDK answers the UI about a workflow. A name there is that of a handler, and the UI shows an error in place of the
 * page where two are the same.
 */
const DEFINITIONS: ReadonlySet<string> = new Set(['queryDefinitions', 'signalDefinitions', 'updateDefinitions'])

/** In a text, such as the message of a failure. It begins where a word does, so that no word is searched twice. */
const EMAIL_ADDRESS = /(?<![^\s@"<>])[^\s@"<>]+@[^\s@"<>]+\.[^\s@"<>]+/g

/** Deeper than anything of ours. */
const DEPTH_MAX = 100

/** A decrypted payload as support staff may see it. What is no JSON, such as bytes, is replaced as a whole. */
export function redactPayload(payload: Payload): Payload {
  const encoding = Buffer.from(payload.metadata?.encoding ?? []).toString()
  if (encoding === 'binary/null' || encoding === 'binary/encrypted') return payload
  const value = encoding === 'json/plain' ? redact(parsed(payload)) : REDACTED
  return { metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from(JSON.stringify(value)) }
}

function parsed({ data }: Payload): unknown {
  try {
    return JSON.parse(Buffer.from(data ?? []).toString())
  } catch {
    return REDACTED
  }
}

function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return withoutSecrets(value).replace(EMAIL_ADDRESS, REDACTED)
  if (typeof value !== 'object' || value === null) return value
  if (depth === DEPTH_MAX) return REDACTED
  if (Array.isArray(value)) return value.map((inner) => redact(inner, depth + 1))
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, redactField(name, inner, depth + 1)]))
}

/** An absent value stays visible as absent. */
function redactField(name: string, value: unknown, depth: number): unknown {
  if (DEFINITIONS.has(name) && Array.isArray(value)) return value.map((inner) => redactDefinition(inner, depth))
  const isHidden = PERSONAL_OR_SECRET.has(name.toLowerCase().replace(/[^a-z0-9]/g, ''))
  return isHidden && value !== null && value !== '' ? REDACTED : redact(value, depth)
}

function redactDefinition(definition: unknown, depth: number): unknown {
  const name = (definition as { name?: unknown } | null)?.name
  const redacted = redact(definition, depth)
  return typeof name === 'string' ? { ...(redacted as object), name: redact(name) } : redacted
}
