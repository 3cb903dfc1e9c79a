import { isPartOfNumber, maskCardNumbers, withoutSecrets } from '../../../domain/secret-text.ts'

const REDACTED = '[redacted]'

/** Deeper than any accepted body; one refused for its depth is logged down to here. */
const DEPTH_MAX = 8

/** The limit of most routes' bodies. Further entries are dropped: each takes time. */
const ENTRIES_MAX = 1000

/** The limit of a whole body. The rest of a text is dropped before the search for card numbers. */
const TEXT_MAX = 16_384

/** A longer word is no credential whose beginning is harmless. */
const WORD_MAX = 64

/** The limit of all texts together. */
const CHARACTERS_MAX = 4 * TEXT_MAX

/** What may still be copied of a value. */
interface Room {
  entries: number
  characters: number
}

const wholeRoom = (): Room => ({ entries: ENTRIES_MAX, characters: CHARACTERS_MAX })

/**
 * Names of secret values, in lower case and without separators: the common names of card number, security code, magnetic
 * stripe, an issuer's proof of an authentication (`cavv`, in version 1 with `xid`) and credentials.
 */
const SECRET_NAME =
  /^(?:number|pan|xid|pin|track\d?(?:data)?|x?authorization|credentials?)$|(?:cardnumber|accountnumber|(?:cvc|cvv|cvn|csc|cid|cav)\d?|securitycode|verification(?:code|value)|cavv|authenticationvalue|cryptogram|hmackey|notificationkey)$|secret|password|passphrase|privatekey|apikey/

/** In lower case and without separators. */
const plainName = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '')

/** Whether a field of this name holds what no log may hold. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(plainName(name))
}

/** Personal parts of other bodies, in lower case and without separators. */
const PERSONAL_NAME = /^(?:shipping|billing|device|externalfraudtools|information)$/

/** True if a value is personal, by its path; the channel of a device is not. */
function isPersonal(steps: readonly string[]): boolean {
  if (steps.at(-2) === 'device' && steps.at(-1) === 'channel') return false
  return steps.some((step) => PERSONAL_NAME.test(step))
}

/** Query parameters without personal data in lists of people. A filter could name a person. */
const PAGING: readonly string[] = ['limit', 'order', 'start_after', 'end_before', 'expand']

/** A copy of a JSON value that PostgreSQL can store, without card numbers, security codes, secrets and personal data. */
export function redact(value: unknown): unknown {
  return redactAt(firstEntries(value, wholeRoom(), 0), 0)
}

/** The same for a request body. @param kept the only fields that are kept, where the body is personal. */
export function redactBody(kept: readonly string[] | undefined, given: unknown): unknown {
  if (kept === undefined) return redact(given)
  const body = firstEntries(given, wholeRoom(), 0)
  if (!isObject(body)) return hidden(body)
  return mapFields(body, (name, value) => {
    const [first = '', ...inner] = name.split(/[.[]/)
    const isPlain = inner.length === 0 && typeof value !== 'object'
    return kept.includes(first) && (isPlain || first === 'device') ? redactNamed(name, value, 1) : hidden(value)
  })
}

/** The same for a query. A filter on people keeps its field name only. */
export function redactQuery(isPersonalRoute: boolean, query: Record<string, unknown>): Record<string, unknown> {
  if (!isPersonalRoute) return mapFields(query, (name, value) => redactNamed(name, value, 1))
  return mapFields(query, (name, value) => {
    if (PAGING.some((kept) => name === kept || name.startsWith(`${kept}[`))) return redactNamed(name, value, 1)
    return /^filter(?:\[|$)/.test(name) ? [value].flat().map(filterField) : hidden(value)
  })
}

function filterField(written: unknown): string {
  const [field] = /^\s*\w+\s*(?=[:<>])/.exec(String(written)) ?? ['']
  return `${redactText(field)}:${REDACTED}`
}

/** The same for a text. */
export function redactText(text: string): string {
  return withoutSecrets(storable(text))
}

/** The first entries of a value, with the number of dropped ones. */
function firstEntries(value: unknown, room: Room, depth: number): unknown {
  if (typeof value === 'string') return beginningOf(value, room)
  if (typeof value !== 'object' || value === null || depth === DEPTH_MAX) return value
  const entries = Object.entries(value)
  const copied: [string, unknown][] = []
  for (const [name, inner] of entries) {
    if (room.entries === 0 || room.characters <= 0) break
    room.entries -= 1
    copied.push([beginningOf(name, room), firstEntries(inner, room, depth + 1)])
  }
  if (copied.length < entries.length) copied.push(['…', `[${entries.length - copied.length} more]`])
  return Array.isArray(value) ? copied.map(([, inner]) => inner) : Object.fromEntries(copied)
}

/** Cuts a text between words and outside of digit groups, since half a card number has no check digit. */
function beginningOf(text: string, room: Room): string {
  room.characters -= Math.min(text.length, TEXT_MAX)
  if (text.length <= TEXT_MAX) return text
  const before = text.slice(0, TEXT_MAX)
  let end = before.length - (/\s\S*$/.exec(before.slice(-WORD_MAX))?.[0].length ?? 0)
  while (end > 0 && isPartOfNumber(text.charAt(end - 1))) end -= 1
  return `${before.slice(0, end)}…`
}

function redactAt(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return redactText(value)
  if (typeof value === 'number') return redactNumber(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth === DEPTH_MAX) return '[nested too deeply]'
  if (Array.isArray(value)) return value.map((inner) => redactAt(inner, depth + 1))
  return mapFields(value as Record<string, unknown>, (name, inner) => redactNamed(name, inner, depth + 1))
}

/** Longer than any field name with all its steps. */
const NAME_LENGTH_MAX = 512

/** `card.number` and `card[number]` both mean the card's number. A name too long for any field is not kept. */
function redactNamed(name: string, value: unknown, depth: number): unknown {
  if (name.length > NAME_LENGTH_MAX) return hidden(value)
  const steps = name.split(/[.[\]]/).map(plainName)
  const way = steps.filter((step) => step !== '')
  const last = way.at(-1) ?? ''
  if (SECRET_NAME.test(last)) return hidden(value)
  if (last === 'device' && way.at(-2) !== 'device' && isObject(value)) {
    return mapFields(value, (inner, given) => redactNamed(`${name}.${inner}`, given, depth + 1))
  }
  return isPersonal(way) ? hidden(value) : redactAt(value, depth)
}

function mapFields(fields: Record<string, unknown>, redacted: (name: string, value: unknown) => unknown) {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [redactText(name), redacted(name, value)]))
}

/** An absent value stays visible as absent. */
function hidden(value: unknown): unknown {
  return value === null || value === undefined || value === '' ? value : REDACTED
}

/** A card number may come as a JSON number. */
function redactNumber(value: number): number | string {
  const text = String(value)
  const masked = maskCardNumbers(text)
  return masked === text ? value : masked
}

/** PostgreSQL stores neither NUL nor half a surrogate pair; one of them would fail the whole batch. */
function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD')
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
