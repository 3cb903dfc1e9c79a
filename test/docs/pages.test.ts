import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import { PAGES } from '../../scripts/docs/pages.ts'

describe('a page that is made from the code', () => {
  test.each(Object.entries(PAGES))('docs/%s is as `npm run docs` writes it', (file, page) => {
    expect(readFileSync(new URL(`../../docs/${file}`, import.meta.url), 'utf8')).toBe(page())
  })
})
