import { expect, test } from '@jest/globals'
import { isReturnAddress } from '../../src/objects/addresses.ts'
import { withParameters } from '../../src/pages/return-address.ts'

test.each([
  ['https://shop.example', 'https://shop.example/?invoice_id=iv_1'],
  ['https://shop.example/back?a=1#top', 'https://shop.example/back?a=1&invoice_id=iv_1#top'],
  ['https://shop.example/?invoice_id=other', 'https://shop.example/?invoice_id=iv_1'],
  ['com.example.shop://pay/return', 'com.example.shop://pay/return?invoice_id=iv_1'],
  ['com.example.my_shop://pay/return', 'com.example.my_shop://pay/return?invoice_id=iv_1'],
  ['com.example.my_shop://pay/return?x=a_b', 'com.example.my_shop://pay/return?x=a_b&invoice_id=iv_1'],
  ['shop-app://done', 'shop-app://done?invoice_id=iv_1'],
])('%s leads back with the id of the invoice', (address, withId) => {
  expect(withParameters(address, { invoice_id: 'iv_1' })).toBe(withId)
})

const SCHEMES = [
  'https',
  'HTTP',
  'com.shop',
  'com.my_shop',
  'a_',
  'a+b-c',
  'ftp',
  'ws',
  '1a',
  'java_script',
  'javascript',
  '',
]
const SEPARATORS = ['://', ':', ':/', ':///', '://[', '://]', ':\\\\']
const PLACES = [
  ...[
    '',
    'a',
    '[bad',
    'a:b',
    'a:99999',
    'a:80',
    '[::1]',
    '[::g]',
    'u:p@a',
    '@',
    '%',
    '%zz',
    'a%00',
    'a^b',
    'a|b',
    'a<b',
  ],
  ...['xn--', 'a..b', '.', 'ü', '\u00ad', '1.2.3.4.5', '0x', 'a\\b', '\ud800', 'a b', 'a\tb', '"'],
]
const ENDS = ['', '/', '?', '#', '/x?a=[&b=%#c', '?invoice_id=1&invoice_id=2', '#[', '//x', '/\u0000']
const ODD = SCHEMES.flatMap((scheme) =>
  SEPARATORS.flatMap((by) => PLACES.flatMap((place) => ENDS.map((end) => `${scheme}${by}${place}${end}`))),
)

test('every address that is accepted leads back, by the scheme that it has', () => {
  const accepted = ODD.filter(isReturnAddress)
  const schemeOf = (address: string) => address.split(':')[0]
  const wrong = accepted.filter((address) => {
    const made = withParameters(address, { invoice_id: 'iv_1' })
    return schemeOf(made) !== schemeOf(address) || !isReturnAddress(made) || !/[?&]invoice_id=iv_1(?:#|$)/.test(made)
  })
  expect(wrong).toEqual([])
  expect(accepted.length).toBeGreaterThan(500)
  expect(accepted.filter((address) => /^(?:javascript|1a|:)/.test(address))).toEqual([])
})

test.each(['com.shop://[bad', 'com.shop://a:b', 'com.shop://a^b', 'com.my_shop://a:99999'])('%s is none', (address) => {
  expect(isReturnAddress(address)).toBe(false)
})
