import { describe, expect, test } from '@jest/globals'
import { ENDPOINTS } from '../../../src/api/endpoints.ts'
import { redact, redactBody, redactQuery, redactText } from '../../../src/http/request-log/redaction.ts'

/** Of every length that a card number can have, all with a right check digit. */
const NUMBERS = [
  '4222222222222',
  '30123456789019',
  '378282246310005',
  '4242424242424242',
  '63049900000000002',
  '622126000000000000',
  '4000000000000000006',
] as const

const shown = (number: string): string => `${'*'.repeat(number.length - 4)}${number.slice(-4)}`

const logsOf = (place: string) => ENDPOINTS.find((endpoint) => endpoint.place === place)?.logs

describe('in a text', () => {
  test.each(NUMBERS)('the card number %s is masked but for its last digits', (number) => {
    expect(redactText(`card ${number}, please`)).toBe(`card ${shown(number)}, please`)
  })

  test.each([
    ['with blanks', '4242 4242 4242 4242', '**** **** **** 4242'],
    ['with dashes', '4242-4242-4242-4242', '****-****-****-4242'],
    ['with dots', '4242.4242.4242.4242', '****.****.****.4242'],
    ['with unbroken blanks', '4242\u00a04242\u00a04242\u00a04242', '****\u00a0****\u00a0****\u00a04242'],
    ['with blanks around the dashes', '4242 - 4242 - 4242 - 4242', '**** - **** - **** - 4242'],
    ['within a word', 'x4242424242424242y', 'x************4242y'],
  ])('a card number is masked %s', (_, text, expected) => {
    expect(redactText(text)).toBe(expected)
  })

  test.each([
    ['before other digits', '42424242424242421'],
    ['behind other digits', '994242424242424242'],
    ['among other digits', '12345424242424242424212345'],
    ['behind a date', '2026-11-21 4242424242424242'],
    ['in more digits than anybody writes', `4242424242424242${'7'.repeat(100)}`],
  ])('a card number is not left standing %s', (_, text) => {
    expect(redactText(text).replace(/[\s-]/g, '')).not.toContain('424242424242')
  })

  test.each([
    '4774743164209493',
    // Their check digits are right, but no scheme has such numbers, or none of that length.
    '1763000000002',
    '9999999999999995',
    '42424242424242',
    '55555555555553',
    'req-1763000000002-1',
    '424242424242',
    '0000000000000000',
    '2026-11-21T01:17:10.123Z',
    '29.00',
    '192.168.100.100',
    'iv_8Zy1',
    'plain words',
  ])('%s stays as it is', (text) => {
    expect(redactText(text)).toBe(text)
  })

  test.each([
    ['gway_req_eyJib2R5Ijoie30ifQ==', 'gway_req_[redacted]'],
    ['secret ivs_A-b_c9, sent', 'secret ivs_[redacted], sent'],
    ['key_live_0123abc', 'key_live_[redacted]'],
    ['https://user:password@shop.example/hook', 'https://[redacted]@shop.example/hook'],
    ['key_sandbox_0123abc', 'key_sandbox_[redacted]'],
  ])('%s is redacted', (text, expected) => {
    expect(redactText(text)).toBe(expected)
  })

  test('what PostgreSQL cannot keep is replaced', () => {
    expect(redactText('a\0b\ud800c')).toBe('a\ufffdb\ufffdc')
  })
})

describe('in a body', () => {
  test.each([
    'number',
    'Number',
    'card_number',
    'cardNumber',
    'card-number',
    'card.number',
    'card[number]',
    'pan',
    'cvc',
    'cvc2',
    'CVC2 ',
    'cvv',
    'card_cvv2',
    'security_code',
    'external_three_d_s.cavv',
    'external_three_d_s[xid]',
    'authentication_value',
    'cryptogram',
    'client_secret',
    'secret',
    'secrets',
    'webhook_secret_1',
    'secret_key',
    'password',
    'api_key',
    'private_key',
  ])('the value of %s is redacted, at any depth, in objects and in lists', (name) => {
    const kept = { a: [{ b: { [name]: '737' } }], [name]: { deep: '737' }, amount: '29.00' }
    expect(redact(kept)).toEqual({ a: [{ b: { [name]: '[redacted]' } }], [name]: '[redacted]', amount: '29.00' })
  })

  test('the names that only look alike keep their values', () => {
    const body = { cvc_check: 'passed', order_number: 7, phone: { dialing_code: '33' }, has_idempotency_key: true }
    expect(redact(body)).toEqual(body)
  })

  test('a card number is masked under any name, as a name, and as a JSON number', () => {
    expect(redact({ nubmer: NUMBERS[3], [NUMBERS[3]]: 1, list: [4242424242424242] })).toEqual({
      nubmer: '************4242',
      '************4242': 1,
      list: ['************4242'],
    })
  })

  test('that nothing was given may be seen', () => {
    expect(redact({ number: null, cvc2: '' })).toEqual({ number: null, cvc2: '' })
  })

  test('of the parts that tell of a person only the channel of the device is kept, however they are written', () => {
    const body = {
      amount: '29.00',
      shipping: { email: 'ann@shop.example', amount: '5.00' },
      'shipping.first_name': 'Ann',
      billing: { city: 'Paris' },
      'billing[zip]': '75001',
      device: { channel: 'ios', id: 'D-1', ip_address: '203.0.113.7', device: { channel: { a: 'D-2' } } },
      'device.channel': 'ios',
      'device[ip_address]': '203.0.113.7',
      external_fraud_tools: { forter: { name: 'Ann' } },
      externalFraudTools: 'Ann',
      refund: { information: 'Ann called', reason: 'other' },
    }
    expect(redactBody(undefined, body)).toEqual({
      amount: '29.00',
      shipping: '[redacted]',
      'shipping.first_name': '[redacted]',
      billing: '[redacted]',
      'billing[zip]': '[redacted]',
      device: { channel: 'ios', id: '[redacted]', ip_address: '[redacted]', device: '[redacted]' },
      'device.channel': 'ios',
      'device[ip_address]': '[redacted]',
      external_fraud_tools: '[redacted]',
      externalFraudTools: '[redacted]',
      refund: { information: '[redacted]', reason: 'other' },
    })
  })

  test.each([
    ['POST /customers', { currency: 'EUR', is_business: true }],
    ['PUT /customers/:id', { default_token_id: 'tok_1', registered_at: '2026-11-21' }],
    ['POST /invoices/:id/customers', { customer_id: 'cust_1' }],
    ['POST /customers/:id/tokens', { source: 'card_1', verify: true, return_url: 'https://shop.example/back' }],
    ['PUT /customers/:id/tokens/:token_id', { set_default: true }],
  ])('of a person %s keeps only what says nothing, however it is named', (route, plain) => {
    const personal = {
      email: 'ann@shop.example',
      first_name: 'Ann',
      phone: { number: '612345678' },
      'phone.number': '612345678',
      metadata: { nick: 'Annie' },
      summary: 'card of Ann',
      eMail: 'ann@shop.example',
    }
    const hidden = Object.fromEntries(Object.keys(personal).map((name) => [name, '[redacted]']))
    expect(redactBody(logsOf(route), { ...plain, ...personal })).toEqual({ ...plain, ...hidden })
    expect(redactBody(logsOf(route), [personal])).toBe('[redacted]')
  })

  test('every endpoint about a person says what is kept', () => {
    const about = ENDPOINTS.filter(({ path }) => /^\/(customers|cards|invoices\/:id\/customers)/.test(path))
    expect(about.filter(({ logs }) => logs === undefined).map(({ place }) => place)).toEqual([])
  })

  test('a value that is no plain one is not kept of a person, whatever its name', () => {
    expect(redactBody(logsOf('POST /customers'), { currency: { email: 'ann@shop.example' } })).toEqual({
      currency: '[redacted]',
    })
  })

  test('a query for people keeps what it filtered by, and not whom it was looking for', () => {
    const query = {
      limit: '5',
      filter: ['email:ann@shop.example', 'created_at>=2026'],
      'filter[0]': 'x',
      email: 'ann@x',
    }
    expect(redactQuery(true, query)).toEqual({
      limit: '5',
      filter: ['email:[redacted]', 'created_at:[redacted]'],
      'filter[0]': [':[redacted]'],
      email: '[redacted]',
    })
    expect(redactQuery(false, { filter: 'order_id:7' })).toEqual({ filter: 'order_id:7' })
  })

  test('of a card only what says nothing is kept, so that a misspelt security code is not', () => {
    const body = {
      number: NUMBERS[3],
      cvc2: '737',
      cvx2: '737',
      security: 737,
      name: 'Ann 737',
      exp_month: 12,
      exp_year: '2030',
      metadata: { order: '1', cvc: '737' },
      device: { channel: 'web', ip_address: '203.0.113.7' },
    }
    expect(redactBody(logsOf('PUT /cards/:id'), body)).toEqual({
      number: '[redacted]',
      cvc2: '[redacted]',
      cvx2: '[redacted]',
      security: '[redacted]',
      name: '[redacted]',
      exp_month: 12,
      exp_year: '2030',
      metadata: '[redacted]',
      device: { channel: 'web', ip_address: '[redacted]' },
    })
  })

  test('a body that is nested without end ends', () => {
    const deep = JSON.parse(`${'['.repeat(30_000)}"737"${']'.repeat(30_000)}`)
    expect(JSON.stringify(redact(deep))).toContain('[nested too deeply]')
    const devices = JSON.parse(`${'{"device":'.repeat(30_000)}"737"${'}'.repeat(30_000)}`)
    expect(redact(devices)).toEqual({ device: { device: '[redacted]' } })
  })
})

test('of thousands of entries the first thousand are kept, and how many there were more', () => {
  const wide = Object.fromEntries(Array.from({ length: 6_000 }, (_, index) => [`k${index}`, 1]))
  const kept = Object.keys(redact(wide) as object)
  expect(kept).toHaveLength(1_001)
  expect(redact(wide)).toMatchObject({ k0: 1, k999: 1, '…': '[5000 more]' })
  const rules = { rules: Array.from({ length: 2_000 }, () => ({ kind: 'block', tags: ['a', 'b'] })) }
  const { rules: list } = redactBody(undefined, rules) as { rules: unknown[] }
  expect(list[0]).toEqual({ kind: 'block', tags: ['a', 'b'] })
  expect(list).toHaveLength(201)
  expect(list.at(-1)).toBe('[1800 more]')
})

test('what has a name that no field has is not kept', () => {
  const [[, value] = []] = Object.entries(redact({ [`${'a.'.repeat(400)}number`]: '123456' }) as object)
  expect(value).toBe('[redacted]')
})

describe('of a text that is longer than the log keeps', () => {
  test.each([
    ['digits', '4242424242424242'],
    ['digits with blanks', '4242 4242 4242 4242'],
    ['a credential', `Basic ${'Zm9v'.repeat(10)}`],
    ['a secret key', `key_live_${'a'.repeat(43)}`],
  ])('the beginning is kept, and nothing of %s that the end of it cuts', (_, secret) => {
    for (let inside = 1; inside < secret.length; inside += 1) {
      const kept = String(redact(`${'a '.repeat(10_000).slice(0, 16_384 - inside)}${secret}${' b'.repeat(100_000)}`))
      expect(kept.length).toBeLessThanOrEqual(16_385)
      expect(kept.length).toBeGreaterThan(16_200)
      expect(kept.replaceAll('a ', '').replaceAll(/[^A-Za-z0-9]/g, '').length).toBeLessThan(20)
      expect(kept).not.toMatch(/\d{4}/)
    }
  })

  test('all of them together are kept up to four times as much', () => {
    const long = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`k${index}`, 'x'.repeat(10_000)]))
    expect(Object.keys(redact(long) as object)).toEqual(['k0', 'k1', 'k2', 'k3', 'k4', 'k5', 'k6', '…'])
  })
})
