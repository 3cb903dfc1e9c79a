import { expect, test } from '@jest/globals'
import { hasBareAmount } from '../../../domain/routing/bare-amounts.ts'
import { parseConditionText } from '../../../src/routing/parse-condition.ts'

test.each([
  ['amount > 1000', true],
  ['NOT amount > 1000', true],
  ['amount > 1000 OR currency == EUR', true],
  ['(currency == EUR AND amount > 1000) OR amount < 5', true],
  ['currency != EUR AND amount > 1000', true],
  ['currency == EUR AND amount > 1000', false],
  ['currency in (EUR, USD) AND (card_country == DE OR NOT amount > 1000)', false],
  ['card_country == DE', false],
])('%s: an amount without a currency is %s', (text, isBare) => {
  expect(hasBareAmount(parseConditionText(text).condition)).toBe(isBare)
})

test('no condition has none', () => {
  expect(hasBareAmount(null)).toBe(false)
})
