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
/** Eight characters of the middle of each signature and secret: none may be left, in whatever notation the rest is. */
const MATERIAL = [...SIGNED.split(' '), ...secrets.map(({ secret }) => secret)].flatMap(
  (text) => text.match(/[A-Za-z0-9]{6,}/g)?.slice(1) ?? [],
)

const body = (text: string) => excerptOf(Buffer.from(text), {}).body

describe('what is kept of an answer', () => {
  test.each([
    ['as it was', (text: string) => text],
    ['in JSON', (text: string) => JSON.stringify({ 'webhook-signature': text })],
    ['in JSON as PHP writes it', (text: string) => JSON.stringify({ text }).replaceAll('/', '\\/')],
    ['in JSON with everything escaped', (text: string) => text.replace(/[+/=,]/g, (c) => `\\u00${hex(c)}`)],
    ['in a form', (text: string) => new URLSearchParams({ text }).toString()],
    ['in HTML', (text: string) => text.replace(/[+/=,]/g, (c) => `&#x${hex(c).toUpperCase()};`)],
    ['in HTML with decimal numbers', (text: string) => text.replace(/[+/=,]/g, (c) => `&#${c.charCodeAt(0)};`)],
  ])('is no signature and no secret that the receiver sent back %s', (_, written) => {
    expect(MATERIAL.length).toBeGreaterThan(6)
    const text = [SIGNED, ...secrets.map(({ secret }) => secret)].map(written).join('\n')
    const kept = body(`before\n${text}\nafter`)
    expect(MATERIAL.filter((part) => kept.includes(part))).toEqual([])
    expect(kept).toMatch(/^before\n/)
    expect(kept).toMatch(/\nafter$/)
  })

  test('is no signature in a header either, and no header that gives rights', () => {
    const { headers } = excerptOf(Buffer.from(''), {
      server: 'nginx',
      'x-echo': SIGNED,
      'set-cookie': ['session=1'],
      authorization: 'Basic abc',
      'proxy-authorization': 'x',
      cookie: 'x',
      via: ['one', 'two'],
      absent: undefined,
    })
    expect(headers).toEqual({ server: 'nginx', 'x-echo': '[signature] [signature] [signature]', via: 'one, two' })
  })

  test('is 1,024 characters of the body and 2,048 of the headers, whole ones', () => {
    expect(body('x'.repeat(4_096))).toHaveLength(1_024)
    const { headers } = excerptOf(Buffer.from(''), { a: 'x'.repeat(1_000), b: 'y'.repeat(1_000), c: 'z'.repeat(1_000) })
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
    expect(excerptOf(Buffer.from([0xff, 0xfe, 0x61]), {}).body).toBe('\ufffd\ufffda')
  })

  test('is ordinary text as it came', () => {
    const text = '{"error":"v1, not here","version":"v1.2","id":"ev_1","hint":"whsec"}\n\ttwo'
    expect(body(text)).toBe(text)
  })
})

function hex(character: string): string {
  return character.charCodeAt(0).toString(16)
}
