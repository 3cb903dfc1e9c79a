import { expect, test } from '@jest/globals'
import { isCountry } from '../../domain/country.ts'

test.each(['', 'fr', 'FRA', 'XX', 'UK', 'EU', 'SU', 'constructor'])('%p is no country', (code) => {
  expect(isCountry(code)).toBe(false)
})

test.each(['AD', 'FR', 'DE', 'GB', 'US', 'BQ', 'SS', 'TW', 'XK', 'ZW'])('%s is a country', (code) => {
  expect(isCountry(code)).toBe(true)
})

test('there are as many as ISO 3166-1 has assigned, and Kosovo', () => {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  const codes = letters.flatMap((first) => letters.map((second) => first + second))
  expect(codes.filter(isCountry)).toHaveLength(250)
})
