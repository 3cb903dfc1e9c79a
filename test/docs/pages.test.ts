import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import { PAGES } from '../../scripts/docs/pages.ts'
import { supportQuestions } from '../../src/temporal/support-questions.ts'

describe('a page that is made from the code', () => {
  test.each(Object.entries(PAGES))('docs/%s is as `npm run docs` writes it', (file, page) => {
    expect(readFileSync(new URL(`../../docs/${file}`, import.meta.url), 'utf8')).toBe(page())
  })
})

test('docs/support.md answers the questions that `support links` asks, in their words', () => {
  const page = readFileSync(new URL('../../docs/support.md', import.meta.url), 'utf8')
  const asked = supportQuestions(new Date(0)).map(({ question }) => question)
  expect([...page.matchAll(/^\| (Which [^|]*\?) \|/gm)].map(([, question]) => question)).toEqual(asked)
})
