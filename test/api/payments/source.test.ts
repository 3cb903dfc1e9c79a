import { describe, expect, test } from '@jest/globals'
import { readSource, sourceText } from '../../../src/api/payments/source.ts'

const SANDBOX = { sandbox: true }

/** As every client library writes a continuation; `padded` false leaves out what iOS leaves out. */
function continuation(content: unknown, { padded = true } = {}): string {
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  const encoded = Buffer.from(text).toString('base64')
  return `gway_req_${padded ? encoded : encoded.replaceAll('=', '')}`
}

const TEST_REQUEST = {
  gateway_configuration_id: 'gway_conf_1',
  url: 'https://processout.com?token=test-valid',
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: '{}',
}

describe('a source', () => {
  test.each([
    '',
    'card',
    'card_',
    'card_%00',
    'card_a b',
    `card_${'1'.repeat(65)}`,
    'iv_1',
    'TOK_1',
    'gway_req_',
    'gway_req_!!!',
    continuation({ method: 'token=test-valid' }),
    continuation('null'),
  ])('%s is none', (text) => {
    expect(readSource(text, SANDBOX)).toEqual({ kind: 'invalid', message: expect.any(String) })
  })

  test.each([
    'https://shop.example?token=test-invalid',
    'https://shop.example?token=test-valid2',
    'http://169.254.169.254/latest/meta-data',
  ])('%s is an answer to the action with that address, if there is one', (url) => {
    expect(readSource(continuation({ url }), SANDBOX)).toEqual({ kind: 'continuation', sent: { url, body: '' } })
  })

  test('the test continuation is nothing but an answer in live', () => {
    expect(readSource(continuation(TEST_REQUEST), { sandbox: false }).kind).toBe('continuation')
    expect(readSource('gway_req_?token=test-valid', { sandbox: false }).kind).toBe('invalid')
  })

  test.each([
    ['card_1', { kind: 'card', id: 'card_1' }],
    ['tok_1', { kind: 'token', id: 'tok_1' }],
    ['cust_1', { kind: 'customer', id: 'cust_1' }],
  ] as const)('%s is told by its prefix', (text, expected) => {
    const source = readSource(text, SANDBOX)
    expect(source).toEqual(expected)
    expect(source.kind === 'invalid' || source.kind === 'continuation' ? null : sourceText(source)).toBe(text)
  })

  test.each([
    ['as the libraries write it', continuation(TEST_REQUEST)],
    ['without the padding of base64', continuation({ url: '?token=test-valid' }, { padded: false })],
    ['in the body of the request', continuation({ body: 'a=b&token=test-valid' })],
    ['as encoded text', continuation('token=test-valid')],
    ['as plain text', 'gway_req_https://shop.example/return?token=test-valid&a=b'],
  ])('the test continuation is known %s', (_, text) => {
    const source = readSource(text, SANDBOX)
    expect(source).toEqual({ kind: 'gateway-request', word: 'test-valid' })
    expect(source.kind === 'invalid' || source.kind === 'continuation' ? null : sourceText(source)).toBe(
      'gway_req_test-valid',
    )
  })
})
