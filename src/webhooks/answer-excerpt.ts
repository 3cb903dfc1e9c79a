/**
 * The kept part of a receiver's answer, for people who search the cause of a failure. A receiver may echo the request, so
 * every proof that a webhook is ours is removed, and it may tell what it knows: card numbers and secrets are masked.
 */
import { withoutSecrets } from '../../domain/secret-text.ts'

/** Enough for a message or the head of a stack trace, and little enough to keep with every attempt. */
const BODY_CHARACTERS_MAX = 1024
const HEADERS_CHARACTERS_MAX = 2048

/** Headers with credentials of the receiver. */
const WITHHELD_HEADERS: readonly string[] = ['set-cookie', 'authorization', 'proxy-authorization', 'cookie']

/** JSON within JSON doubles the backslashes: these are five levels of it. */
const BACKSLASHES_MAX = 31
/** The possible spellings of `+` and `/`; URL-safe base64 uses `-` and `_` for them. */
const SPECIAL = spellingsOf('-+/_', 'plus|sol')
const PADDING = spellingsOf('=', 'equals')
/** The longest signature, of Ed25519, and the longest secret have 64 bytes. */
const BASE64_CHARACTERS_MAX = 86
/** Base64 of unknown length ends with its padding: in a form the next `v1` follows behind a `+`. */
const base64Of = (charactersMin: number) =>
  `(?:[a-z0-9]|${SPECIAL}){${charactersMin},${BASE64_CHARACTERS_MAX}}${PADDING}{0,2}`

/** Signatures as Standard Webhooks writes them: version, comma, base64. A receiver may echo those of earlier attempts. */
const SIGNATURE = new RegExp(`(v1a?${spellingsOf(',', 'comma')})${base64Of(20)}`, 'gi')
/** Secrets and keys in the notation of Standard Webhooks. */
const SECRET = new RegExp(`wh(?:sec|sk)_${base64Of(8)}`, 'gi')
/** This much of a signature does not appear in an answer by chance. A shorter part proves nothing. */
const SIGNATURE_CHARACTERS_MIN = 8
/** PostgreSQL stores no NUL in a text; other control characters could manipulate a terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: They are what is looked for.
const UNPRINTABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g

export interface AnswerExcerpt {
  body: string
  headers: Record<string, string>
}

/**
 * @param headers as received, repeated ones in lists.
 * @param sent the header `webhook-signature` of the request: `v1,<base64> v1a,<base64> …`, where it had one.
 */
export function excerptOf(
  body: Buffer,
  headers: Record<string, string | string[] | undefined>,
  sent: string | undefined,
): AnswerExcerpt {
  const signatures = sent?.match(/(?<=,)\S+/g) ?? []
  return {
    // Cut last: half a signature is harder to find than a whole one.
    body: withoutProofs(body.toString('utf8'), signatures).slice(0, BODY_CHARACTERS_MAX).toWellFormed(),
    headers: Object.fromEntries(keptHeaders(headers, signatures)),
  }
}

function* keptHeaders(
  headers: Record<string, string | string[] | undefined>,
  signatures: readonly string[],
): Generator<[string, string]> {
  let room = HEADERS_CHARACTERS_MAX
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || WITHHELD_HEADERS.includes(name)) continue
    const text = withoutProofs([value].flat().join(', '), signatures)
    room -= name.length + text.length
    if (room < 0) return
    yield [name, text]
  }
}

function withoutProofs(text: string, signatures: readonly string[]): string {
  const masked = signatures
    .reduce(withoutSignature, text)
    .replace(SIGNATURE, '$1[signature]')
    .replace(SECRET, '[secret]')
    .replace(UNPRINTABLE, '\ufffd')
  return withoutSecrets(masked)
}

/** Removes a signature as far as it goes: the excerpt may end within one, and receivers shorten texts, too. */
function withoutSignature(text: string, base64: string): string {
  // Few answers contain it; the others need no pattern. Letters and digits are the same in every notation.
  const [unchanging = ''] = base64.slice(0, SIGNATURE_CHARACTERS_MIN).match(/[a-z0-9]{4,}/i) ?? []
  if (!text.includes(unchanging)) return text
  const characters = [...base64].map(spellingsInBase64)
  const start = characters.slice(0, SIGNATURE_CHARACTERS_MIN).join('')
  const rest = characters.slice(SIGNATURE_CHARACTERS_MIN).reduceRight((next, one) => `(?:${one}${next})?`, '')
  return text.replace(new RegExp(start + rest, 'gi'), '[signature]')
}

function spellingsInBase64(character: string): string {
  if (/[a-z0-9]/i.test(character)) return character
  // A form decoder turns `+` into a space.
  return character === '=' ? PADDING : `(?:${SPECIAL}| )`
}

/**
 * A pattern for some characters as JSON, a form or HTML may write them, also nested: `/`, `\\\/`, `\u002f`, `%2F`, `%252F`,
 * `%5C%2F`, `&#x2F;`, `&amp;sol;`. All repetitions are limited, so that every search is fast.
 *
 * @param names their names in HTML, separated by `|`.
 */
function spellingsOf(characters: string, names: string): string {
  const codes = [...characters].map((character) => character.charCodeAt(0))
  const decimal = codes.join('|')
  const hex = codes.map((code) => code.toString(16)).join('|')
  const backslash = orPercentEncoded(String.raw`\\`, '5c')
  const end = orPercentEncoded(';', '3b')
  const number = `${orPercentEncoded('#', '23')}(?:${decimal}|x(?:${hex}))`
  const entity = `${orPercentEncoded('&', '26')}(?:amp${end}){0,7}(?:${number}|${names})${end}`
  const behindAny = `(?:${orPercentEncoded(`[${characters}]`, hex)}|${entity})`
  return `(?:${backslash}{0,${BACKSLASHES_MAX}}${behindAny}|${backslash}{1,${BACKSLASHES_MAX}}u00(?:${hex}))`
}

/** Percent-encoded up to eight times: each time turns the percent sign into `%25`. */
function orPercentEncoded(pattern: string, hex: string): string {
  return `(?:${pattern}|%(?:25){0,7}(?:${hex}))`
}
