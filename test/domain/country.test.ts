import { expect, test } from '@jest/globals'
import { isCountry } from '../../domain/country.ts'

test.each(['', 'fr', 'FRA', 'XX', 'UK', 'EU', 'SU', 'constructor'])('%p is no country', (code) => {
  expect(isCountry(code)).toBe(false)
})

test.each(['FR', 'DE', 'GB', 'US', 'BQ', 'SS', 'TW'])('%s is a country', (code) => {
  expect(isCountry(code)).toBe(true)
})
