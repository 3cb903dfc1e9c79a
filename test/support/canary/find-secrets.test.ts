import { describe, expect, test } from '@jest/globals'
import { findCardData, TEST_CARD } from '../card-data.ts'
import { TEST_KEYS } from '../keys.ts'
import { encodedForms } from './encodings.ts'
import { findSecrets, findShapes } from './find-secrets.ts'

const SECRET = `key_sandbox_${'aB3'.repeat(10)}`
const KNOWN = { numbers: [TEST_CARD.number], cvcs: [TEST_CARD.cvc], others: [SECRET] }
const { number, cvc } = TEST_CARD

const base64 = (text: string) => Buffer.from(text).toString('base64')

describe('the search for secrets', () => {
  const disguises: [string, (text: string) => string][] = [
    ['as it is', (text) => text],
    ['in base64', base64],
    ['in base64 after one other character', (text) => base64(`x${text}`)],
    ['in base64 after two others, and before some', (text) => base64(`xy${text}, and so on`)],
    ['in the base64 of addresses', (text) => Buffer.from(`{${text}}`).toString('base64url')],
    ['in hexadecimal digits', (text) => Buffer.from(text).toString('hex')],
    ['in capital ones', (text) => Buffer.from(text).toString('hex').toUpperCase()],
    ['as PostgreSQL shows bytes', (text) => `\\x00${Buffer.from(text).toString('hex')}00`],
    ['in an address', (text) => [...text].map((each) => `%${each.charCodeAt(0).toString(16)}`).join('')],
    ['in the escapes of JSON', (text) => [...text].map((each) => `\\u00${each.charCodeAt(0).toString(16)}`).join('')],
    ['backwards', (text) => [...text].reverse().join('')],
  ]

  test.each(disguises)('finds a number and a key that were used, %s', (_, disguise) => {
    expect(findSecrets(`a log line: ${disguise(number)}.`, KNOWN)).not.toEqual([])
    expect(findSecrets(`a log line: ${disguise(SECRET)}.`, KNOWN)).not.toEqual([])
  })

  test.each([
    '4242 4242 4242 4242',
    '4242-4242-4242-4242',
    '4242.4242.4242.4242',
    '4242\u00a04242\u00a04242\u00a04242',
    '2424 2424 2424 2424',
  ])('finds a number that is written as %s', (text) => {
    expect(findSecrets(`paid with ${text}`, KNOWN)).not.toEqual([])
  })

  test.each(['4242 4242 4242 4242', '4242-4242-4242-4242'])('of card data alone finds %s', (text) => {
    expect(findCardData(`paid with ${text}`, KNOWN)).toEqual([`the number ${number}`])
  })

  test('finds a number that nobody has named', () => {
    expect(findSecrets('{"n":"5555555555554444"}')).toHaveLength(1)
  })

  test.each([`{"cvc":"${cvc}"}`, `{"body":"{\\"cvc2\\":\\"${cvc}\\"}"}`])('finds a security code in %s', (text) => {
    expect(findSecrets(text, KNOWN)).toEqual([`the security code ${cvc}`])
  })

  test.each([
    ['a secret key', SECRET.replace('sandbox', 'live')],
    ['a key of Stripe', `sk_live_${'x'.repeat(24)}`],
    ['a key of Stripe', `rk_test_${'x'.repeat(24)}`],
    ['a key of Adyen', `AQE${'x'.repeat(40)}`],
    ['a key of Adyen', `api_key=AQE${'x'.repeat(40)}`],
    ['a client secret', `ivs_${'x'.repeat(43)}`],
    ['a signing secret', `whsec_${base64('x'.repeat(32))}`],
    ['the header Authorization', `Basic ${base64('someone:with a password')}`],
    ['credentials in base64', base64(`proj_${'x'.repeat(32)}:key`)],
    ['credentials in base64', base64(`test-proj_${'x'.repeat(32)}:`)],
  ])('knows %s by its looks', (what, text) => {
    expect(findShapes(`{"a":"${text}"}`)).toEqual([expect.stringContaining(`${what}, `)])
    expect(findSecrets(`{"a":"${text}"}`)).not.toEqual([])
  })

  test.each(['base64', 'hex', 'base64url', 'latin1'] as const)('finds an encryption key in %s', (encoding) => {
    const keys = [TEST_KEYS.fingerprint, TEST_KEYS.cardNumber.keys.get('n1'), TEST_KEYS.securityCode.keys.get('c1')]
    for (const key of keys) {
      const [found] = findSecrets(`key=${Buffer.from(key ?? '').toString(encoding)};`)
      expect(found).toContain('an encryption key')
    }
  })

  test('is not alarmed by ids, times, amounts, hashes and what an answer tells of a card', () => {
    const text = [
      '{"id":"iv_1heiELLMzrLw5HpZN1nNgeBYXrD0737z","amount":"29.00","latency_ms":737,"last_4_digits":"4242"}',
      '{"iin":"42424242","fingerprint":"c89418169a20f889b618137b40e1ef541748bdbc698a4758f8c12357f27c0819"}',
      '{"www-authenticate":"Basic realm=\\"holdfast\\", charset=\\"UTF-8\\"","secret_ending":"x7Qz"}',
      '{"n":"4242424242424243","duration_ms":737,"startToFireTimeout":"604799.737s","of":"1.24.0+c89418169a20f889b618"}',
      '{"hidden":"key_live_[redacted]","client_secret":"ivs_[redacted]","number":"************4242"}',
    ].join('\n')
    expect(findSecrets(text, KNOWN)).toEqual([])
  })
})

test('the middle of a text in base64 does not depend on what stands around it', () => {
  const [, first = '', second = '', third = ''] = encodedForms(SECRET)
  expect(base64(`abc${SECRET}`)).toContain(first)
  expect(base64(`a${SECRET}bc`)).toContain(second)
  expect(base64(`ab${SECRET}c`)).toContain(third)
})
