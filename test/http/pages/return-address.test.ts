import { expect, test } from '@jest/globals'
import { withParameters } from '../../../src/http/pages/return-address.ts'

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
