/**
 * What is kept of a receiver's answer, for people who look for the reason of a failure. A receiver may send back what it
 * was sent, so whatever proves that a webhook is ours is taken out.
 */

/** Enough for a message or the head of a stack, little enough to keep with every attempt. */
const BODY_CHARACTERS_MAX = 1024
const HEADERS_CHARACTERS_MAX = 2048

/** Headers in which a receiver gives somebody rights. */
const WITHHELD_HEADERS: readonly string[] = ['set-cookie', 'authorization', 'proxy-authorization', 'cookie']

/** Base64 as it is, or as the JSON of PHP, a form or HTML writes it: `\/`, `\u002b`, `%2B`, `&#x2F;`. */
const BASE64 = String.raw`(?:[A-Za-z0-9+/_-]|\\/|\\u002[bf]|%2[bf]|&#x?\w{2,3};)`
const PADDING = String.raw`(?:=|\\u003d|%3d|&#x?\w{2,3};){0,2}`

/** Any signature of Standard Webhooks, ours or not: version, comma, base64. */
const SIGNATURE = new RegExp(String.raw`\bv1a?(?:,|\\u002c|%2c|&#x?\w{2,3};)${BASE64}{20,}${PADDING}`, 'gi')
/** Secrets and keys in the notation of Standard Webhooks. */
const SECRET = new RegExp(String.raw`\bwh(?:sec|sk)_${BASE64}{8,}${PADDING}`, 'gi')
/** PostgreSQL keeps no NUL in a text; the other control characters would play with a terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: They are what is looked for.
const UNPRINTABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g

export interface AnswerExcerpt {
  body: string
  headers: Record<string, string>
}

/** @param headers as received, repeated ones in lists. */
export function excerptOf(body: Buffer, headers: Record<string, string | string[] | undefined>): AnswerExcerpt {
  return {
    body: withoutSecrets(body.toString('utf8')).slice(0, BODY_CHARACTERS_MAX).toWellFormed(),
    headers: Object.fromEntries(keptHeaders(headers)),
  }
}

function* keptHeaders(headers: Record<string, string | string[] | undefined>): Generator<[string, string]> {
  let room = HEADERS_CHARACTERS_MAX
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || WITHHELD_HEADERS.includes(name)) continue
    const text = withoutSecrets([value].flat().join(', '))
    room -= name.length + text.length
    if (room < 0) return
    yield [name, text]
  }
}

function withoutSecrets(text: string): string {
  return text.replace(SIGNATURE, '[signature]').replace(SECRET, '[secret]').replace(UNPRINTABLE, '\ufffd')
}
