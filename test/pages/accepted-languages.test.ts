import { expect, test } from '@jest/globals'
import { acceptedLanguages } from '../../src/pages/accepted-languages.ts'

test.each([
  ['', []],
  ['de-AT', ['de-AT']],
  ['fr;q=0.5, de ; q=0.9,en', ['en', 'de', 'fr']],
  ['de,de-DE', ['de', 'de-DE']],
  ['ar;q=0, en;q=0.001', ['en']],
  ['*, en', ['en']],
  ['"><script>, de;q=2, de;q=x, d, en', ['en']],
  [`${'de-'.repeat(20)}de, en`, ['en']],
  [`${'x,'.repeat(9)}de,en`, ['de']],
])('%j accepts %j', (header, languages) => {
  expect(acceptedLanguages(header)).toEqual(languages)
})
