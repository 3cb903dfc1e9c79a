/**
 * What is kept of a receiver's answer, for people who look for the reason of a failure. A receiver may send back what it
 * was sent, so whatever proves that a webhook is ours is taken out.
 */

/** Enough for a message or the head of a stack, little enough to keep with every attempt. */
const BODY_CHARACTERS_MAX = 1024
const HEADERS_CHARACTERS_MAX = 2048

/** Headers in which a receiver gives somebody rights. */
const WITHHELD_HEADERS: readonly string[] = ['set-cookie', 'authorization', 'proxy-authorization', 'cookie']

/** Any signature of Standard Webhooks, ours or not: version, comma, base64. */
const SIGNATURE = /\bv1a?,[A-Za-z0-9+/_-]{20,}={0,2}/g
/** Secrets and keys in the notation of Standard Webhooks. */
const SECRET = /\bwh(sec|sk)_[A-Za-z0-9+/_-]{8,}={0,2}/g
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
    body: withoutSecrets(body.toString('utf8')).slice(0, BODY_CHARACTERS_MAX),
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
