import { describe, expect, test } from '@jest/globals'
import { excerptOf } from '../../src/webhooks/answer-excerpt.ts'
import { makeEd25519Secret, makeHmacSecret, signatureHeaders } from '../../src/webhooks/signature.ts'
import { seededRandomBytes } from '../support/random.ts'

const randomBytes = seededRandomBytes('excerpt')
const secrets = [
  { scheme: 'hmac' as const, secret: makeHmacSecret(randomBytes) },
  { scheme: 'hmac' as const, secret: makeHmacSecret(randomBytes) },
  { scheme: 'ed25519' as const, secret: makeEd25519Secret() },
]

/** Signatures with `/` and `+` in them, which is what notations differ in. */
function signed() {
  for (let second = 0; ; second += 1) {
    const message = { id: 'ev_1-whe_1', timestamp: new Date(second * 1000), body: '{}' }
    const { 'webhook-signature': text = '' } = signatureHeaders(message, secrets)
    if (text.split(' ').every((one) => one.includes('/') && one.includes('+'))) return text
  }
}

const SIGNED = signed()
const SIGNATURES = SIGNED.split(' ').map((one) => one.slice(one.indexOf(',') + 1))
const SECRETS = secrets.map(({ secret }) => secret)
/** The longer parts that no notation changes: none may be left. */
const MATERIAL = [...SIGNATURES, ...SECRETS].flatMap((text) => text.match(/[A-Za-z0-9]{6,}/g) ?? [])

type Write = (text: string) => string
const json: Write = (text) => JSON.stringify(text).slice(1, -1)
const phpJson: Write = (text) => json(text).replaceAll('/', '\\/')
const form: Write = (text) => new URLSearchParams({ text }).toString()
const percent = encodeURIComponent
const escaped =
  (write: Write): Write =>
  (text) =>
    text.replace(/[+/=,]/g, write)

const NOTATIONS: [string, Write][] = [
  ['as it was', (text) => text],
  ['in JSON', (text) => JSON.stringify({ 'webhook-signature': text })],
  ['in JSON as PHP writes it', phpJson],
  ['in JSON of PHP in JSON of PHP', (text) => phpJson(phpJson(text))],
  ['in JSON of PHP in JSON in JSON', (text) => json(json(phpJson(text)))],
  ['in JSON with everything escaped', escaped((c) => `\\u00${hex(c)}`)],
  ['in JSON with everything escaped, in JSON', (text) => json(escaped((c) => `\\u00${hex(c).toUpperCase()}`)(text))],
  ['in JSON, each on a line', (text) => json(text.replaceAll(' ', '\n'))],
  ['in JSON, behind tabs', (text) => json(`\t${text.replaceAll(' ', '\t')}`)],
  ['in JSON with escaped spaces', (text) => ` ${text}`.replaceAll(' ', '\\u0020')],
  ['behind a name and a low line', (text) => text.replace(/^| /g, ' sig_')],
  ['in pairs', (text) => JSON.stringify(text.split(' ').map((one) => one.split(',')))],
  ['in a form', form],
  ['in a form in a form', (text) => form(form(text))],
  ['percent-encoded', percent],
  ['percent-encoded three times', (text) => percent(percent(percent(text)))],
  ['in JSON of PHP, percent-encoded', (text) => percent(phpJson(text))],
  ['read from a form that was none', (text) => text.replaceAll('+', ' ')],
  ['in base64 for URLs', (text) => text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')],
  ['in HTML', escaped((c) => `&#x${hex(c).toUpperCase()};`)],
  ['in HTML with decimal numbers', escaped((c) => `&#${c.charCodeAt(0)};`)],
  ['in HTML with names', escaped((c) => ({ '+': '&plus;', '/': '&sol;', '=': '&equals;', ',': '&comma;' })[c] ?? c)],
  ['in JSON of PHP in HTML', (text) => escaped((c) => `&#${c.charCodeAt(0)};`)(phpJson(text))],
  ['in HTML, percent-encoded', (text) => percent(escaped((c) => `&#${c.charCodeAt(0)};`)(text))],
  ['in HTML in HTML', escaped((c) => `&amp;#${c.charCodeAt(0)};`)],
]

/** What is kept where the request carried `SIGNED`. */
const excerpt = (text: string, headers = {}) => excerptOf(Buffer.from(text), headers, SIGNED)
const body = (text: string) => excerpt(text).body
const left = (kept: string) => MATERIAL.filter((part) => kept.includes(part))

describe('what is kept of an answer', () => {
  test.each(NOTATIONS)('is no signature that the receiver sent back %s, in body or header', (_, written) => {
    expect(MATERIAL.length).toBeGreaterThan(6)
    const text = written(SIGNED)
    const kept = excerpt(`before\n${text}\nafter`, { 'x-echo': text, via: 'one' })
    expect(left(kept.body)).toEqual([])
    expect(left(kept.headers['x-echo'] ?? '')).toEqual([])
    expect(kept.body).toMatch(/^before\n/)
    expect(kept.body).toMatch(/\nafter$/)
    expect(kept.headers.via).toBe('one')
  })

  // Of the signature of another attempt nothing is known but how Standard Webhooks writes it.
  test.each(NOTATIONS.filter(([name]) => !['in pairs', 'read from a form that was none'].includes(name)))(
    'is no signature of another attempt and no secret, %s',
    (_, written) => {
      const text = [SIGNED, ...SECRETS].map(written).join('\n')
      const kept = excerptOf(Buffer.from(`before\n${text}\nafter`), {}, undefined).body
      expect(left(kept)).toEqual([])
      expect(kept).toMatch(/^before\n/)
      expect(kept).toMatch(/\nafter$/)
    },
  )

  test.each([
    ['as it was', (text: string) => text],
    ['in JSON with everything escaped', escaped((c) => `\\u00${hex(c)}`)],
  ])('is not the first half of a signature that ends too early, %s', (_, written) => {
    for (const signature of SIGNATURES) {
      const text = written(signature)
      const proves = written(signature.slice(0, 8))
      for (let length = 0; length <= text.length; length += 1) {
        const cut = text.slice(0, length)
        // By the receiver, by the end of what is read, and by the end of what is kept.
        for (const answer of [`${cut}... (truncated)`, cut, `${'x'.repeat(1_024 - length)}${text}`]) {
          expect(body(answer)).not.toContain(proves)
        }
      }
    }
  })

  test('is not the first half of a signature of another attempt where the excerpt ends', () => {
    const kept = excerptOf(Buffer.from(`${'x'.repeat(1_010)} ${SIGNED}`), {}, undefined).body
    expect(kept).toBe(`${'x'.repeat(1_010)} v1,[signature`)
  })

  test('is no card number and no secret of somebody', () => {
    const [number, key] = ['4242 4242 4242 4242', `sk_live_${'a'.repeat(24)}`]
    const { body, headers } = excerpt(`No ${number} by ${key}.`, { 'x-card': number })
    expect([body, headers]).toEqual([
      'No **** **** **** 4242 by sk_live_[redacted].',
      { 'x-card': '**** **** **** 4242' },
    ])
  })

  test('is no header that gives rights', () => {
    const { headers } = excerpt('', {
      server: 'nginx',
      'x-echo': SIGNED,
      'set-cookie': ['session=1'],
      authorization: 'Basic abc',
      'proxy-authorization': 'x',
      cookie: 'x',
      via: ['one', 'two'],
      absent: undefined,
    })
    const echo = 'v1,[signature] v1,[signature] v1a,[signature]'
    expect(headers).toEqual({ server: 'nginx', 'x-echo': echo, via: 'one, two' })
  })

  test('is 1,024 characters of the body and 2,048 of the headers, whole ones', () => {
    expect(body('x'.repeat(4_096))).toHaveLength(1_024)
    const { headers } = excerpt('', { a: 'x'.repeat(1_000), b: 'y'.repeat(1_000), c: 'z'.repeat(1_000) })
    expect(Object.entries(headers).map(([name, value]) => [name, value.length])).toEqual([
      ['a', 1_000],
      ['b', 1_000],
    ])
  })

  test('can be stored: no NUL, nothing that is not UTF-8, no half of a character', () => {
    const kept = body(`a\0b\u001b[31m.${'\u{1f600}'.repeat(600)}`)
    expect(kept.slice(0, 3)).toBe('a\ufffdb')
    expect(kept).not.toContain('\u001b')
    expect(kept.isWellFormed()).toBe(true)
    expect(excerptOf(Buffer.from([0xff, 0xfe, 0x61]), {}, SIGNED).body).toBe('\ufffd\ufffda')
  })
})

function hex(character: string): string {
  return character.charCodeAt(0).toString(16)
}
