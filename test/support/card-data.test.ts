import { describe, expect, test } from '@jest/globals'
import { findCardData, isLuhnValid, readableHistory, TEST_CARD } from './card-data.ts'

const SECRETS = { numbers: [TEST_CARD.number], cvcs: [TEST_CARD.cvc] }

describe('the search for card data', () => {
  test.each([
    ['as it is', '{"number":"4242424242424242"}'],
    ['with spaces', 'paid with 4242 4242 4242 4242'],
    ['with dashes', 'paid with 4242-4242-4242-4242'],
    ['inside a word', 'card4242424242424242x'],
  ])('finds the number that was used, %s', (_, text) => {
    expect(findCardData(text, SECRETS)).toEqual(['the number 4242424242424242'])
  })

  test('finds a number that nobody has used', () => {
    expect(findCardData('{"n":"5555555555554444"}', SECRETS)).toHaveLength(1)
    expect(findCardData('n=378282246310005&', SECRETS)).toHaveLength(1)
  })

  test.each(['{"cvc2":"737"}', 'cvc2=737&x=1', '{\\"cvc\\":\\"737\\"}', 'the code 737'])(
    'finds the security code in %s',
    (text) => {
      expect(findCardData(text, SECRETS)).toHaveLength(1)
    },
  )

  test('is not alarmed by times, hashes, ids and durations', () => {
    const text = [
      '{"deadline":1795252973394,"duration_ms":737,"at":"2026-11-21T09:21:53.737Z"}',
      '@temporalio/worker@1.24.0+c89418169a20f889b618137b40e1ef541748bdbc698a4758f8c12357f27c0819',
      '"startToFireTimeout":"604799.737s"',
      'iv_1heiELLMzrLw5HpZN1nNgeBYXrD0737z',
      '4242424242424243',
    ].join('\n')
    expect(findCardData(text, SECRETS)).toEqual([])
  })

  test('reads the payloads of a history', () => {
    const data = Buffer.from(JSON.stringify({ card: { number: TEST_CARD.number, cvc: TEST_CARD.cvc } }))
    const history = { events: [{ input: { payloads: [{ data: data.toString('base64') }] } }] }
    expect(findCardData(JSON.stringify(history), SECRETS)).toEqual([])
    expect(findCardData(readableHistory(history), SECRETS)).toHaveLength(2)
  })
})

test('a check digit tells a card number from its neighbours', () => {
  expect(isLuhnValid('4242424242424242')).toBe(true)
  expect(isLuhnValid('4242424242424241')).toBe(false)
  expect(isLuhnValid('2424242424242424')).toBe(false)
})
