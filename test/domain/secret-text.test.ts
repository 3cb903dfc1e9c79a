import { expect, test } from '@jest/globals'
import { hasCardNumber, hasPrintedCardNumber, withoutSecrets } from '../../domain/secret-text.ts'

test.each([
  ['4242 4242 4242 4242', true, true],
  ['Ann 4242-4242-4242-4242 12/30', true, true],
  ['1234 4242 4242 4242 4242 123', true, false],
  ['４２４２ ４２４２ ４２４２ ４２４２', true, true],
  ['4242/4242/4242/4242', true, true],
  ['4242_4242_4242_4242', true, true],
  ['4242, 4242, 4242, 4242', true, true],
  ['4242.4242·4242•4242', true, true],
  ['4242–4242—4242−4242', true, true],
  ['4242 – 4242 – 4242 – 4242', true, true],
  ['4242\u00a04242\u202f4242\u20094242', true, true],
  ['4242\u200b4242\u00ad4242\u20604242', true, true],
  ['4/2/4/2/4/2/4/2/4/2/4/2/4/2/4/2', true, false],
  ['+49 1511 2345678, 4242 4242 4242 4242', true, true],
  ['3782 822463 10005', true, true],
  ['4000 0000 0000 0000 006', true, true],
  ['4242424242424242', true, false],
  ['x4242424242424242y', true, false],
  ['378282246310005', true, false],
  ['12 42424242 42424242', true, false],
  ['4222222222222', true, false],
  // No valid check digit, no scheme, or a part of a longer number.
  ['4242 4242 4242 4241', false, false],
  ['1111 1111 1111 1117', false, false],
  ['94242424242424242', false, false],
  ['12345424242424242424212345', false, false],
  ['Chargeback:10_4', false, false],
  ['2026-11-21 01:17:10', false, false],
  ['30/11/2026 12:30:19', false, false],
  ['4242:4242:4242:4242', false, false],
  ['4242----4242----4242----4242', false, false],
  // Accounts, numbers to dial and parcels that hold a valid number by chance.
  ['DE12 5001 0517 0648 4898 90', false, false],
  ['Konto DE12500105170648489890.', false, false],
  ['DE12-5001-0517-0648-4898-90', false, false],
  ['DE12\u00a05001\u00a00517\u00a00648\u00a04898\u00a090', false, false],
  ['+4242 4242 4242 4242', false, false],
  ['+42 (42) 4242/4242–4242', false, false],
  ['9400 4242 4242 4242 4242 00', true, false],
  ['9400/4242/4242/4242/4242/00', true, false],
  ['', false, false],
])('%j holds a card number: %j, as it is printed: %j', (text, holds, isPrinted) => {
  expect([hasCardNumber(text), hasPrintedCardNumber(text)]).toEqual([holds, isPrinted])
})

test.each([
  ['https://ann:pass@word@shop.example/a@b', 'https://[redacted]@shop.example/a@b'],
  ['"postgresql://u:p@db/x"', '"postgresql://[redacted]@db/x"'],
  ['4242/4242–4242\u00a04242 and 4242:4242', '****/****–****\u00a04242 and 4242:4242'],
  ['https://token@shop.example', 'https://[redacted]@shop.example'],
  ['https://shop.example/@ann?to=ann@shop.example', 'https://shop.example/@ann?to=ann@shop.example'],
  ['{"a":"https://shop.example","b":"ann@shop.example"}', '{"a":"https://shop.example","b":"ann@shop.example"}'],
])('%s is kept as %s', (text, kept) => {
  expect(withoutSecrets(text)).toBe(kept)
})
