import { maskCardNumbers } from './card-numbers.ts'

const REDACTED = '[redacted]'

/** Deeper than any body that a route accepts; what is refused for its depth is logged up to here. */
const DEPTH_MAX = 8

/**
 * Names whose values are nobody's business, in small letters and without separators: the number and the security code
 * of a card by all their common names, what is on its magnetic stripe, and whatever proves who somebody is.
 */
const SECRET_NAME =
  /^(?:number|.*cardnumber|.*accountnumber|pan|.*(?:cvc|cvv|cvn|csc|cid|cav)\d?|.*securitycode|.*verification(?:code|value)|pin|track\d?(?:data)?|authorization|.*secret.*|.*password.*|.*passphrase.*|.*privatekey.*|.*apikey.*)$/

/** Fields of a card that say nothing that must not be kept; a misspelt security code may be in any other. */
const CARD_FIELDS_KEPT: readonly string[] = ['exp_month', 'exp_year', 'preferred_scheme', 'metadata', 'device']

/**
 * Our own secrets inside a longer text: the result of an authentication, the client secret of an invoice, a secret key,
 * a signing secret.
 */
const SECRET_TEXT = /\b(gway_req_|ivs_|key_(?:live|sandbox|test)_|whsec_)[0-9A-Za-z+/=_-]+/g

/** A copy of a JSON value without card numbers, security codes and secrets, whose texts PostgreSQL can keep. */
export function redact(value: unknown): unknown {
  return redactAt(value, 0)
}

/** The same for the body of a route that takes a card. */
export function redactCard(body: unknown): unknown {
  if (!isObject(body)) return redact(body)
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      const isKept = CARD_FIELDS_KEPT.some((kept) => name === kept || name.startsWith(`${kept}.`))
      return [redactText(name), isKept ? redactNamed(name, value, 1) : hidden(value)]
    }),
  )
}

/** A text without what may be a card number and without secrets of ours. */
export function redactText(text: string): string {
  return maskCardNumbers(storable(text).replace(SECRET_TEXT, `$1${REDACTED}`))
}

function redactAt(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return redactText(value)
  if (typeof value === 'number') return redactNumber(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth === DEPTH_MAX) return '[nested too deeply]'
  if (Array.isArray(value)) return value.map((inner) => redactAt(inner, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [redactText(name), redactNamed(name, inner, depth + 1)]),
  )
}

function redactNamed(name: string, value: unknown, depth: number): unknown {
  return isSecretName(name) ? hidden(value) : redactAt(value, depth)
}

/** `card.number` and `card[number]` mean the number of the card. */
function isSecretName(name: string): boolean {
  const last = name.split(/[.[\]]/).findLast((step) => step !== '') ?? ''
  return SECRET_NAME.test(last.toLowerCase().replace(/[^a-z0-9]/g, ''))
}

/** That nothing was given may be seen. */
function hidden(value: unknown): unknown {
  return value === null || value === undefined || value === '' ? value : REDACTED
}

/** A card number may have been sent as a JSON number. */
function redactNumber(value: number): number | string {
  const text = String(value)
  const masked = maskCardNumbers(text)
  return masked === text ? value : masked
}

/** PostgreSQL keeps neither NUL nor half a character; one of them would cost the whole batch. */
function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD')
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
