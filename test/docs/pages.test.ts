import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import { ERRORS } from '../../domain/errors.ts'
import { PAGES } from '../../scripts/docs/pages.ts'

describe('a page that is made from the code', () => {
  test.each(Object.entries(PAGES))('docs/%s is as `npm run docs` writes it', (file, page) => {
    expect(readFileSync(new URL(`../../docs/${file}`, import.meta.url), 'utf8')).toBe(page())
  })
})

describe('docs/errors.md', () => {
  const rows = (PAGES['errors.md']?.() ?? '').split('\n').filter((line) => /^\| `[a-z-]+\./.test(line))

  test('has one row for each code, and no other', () => {
    const codes = rows.map((row) => row.split('`')[1])
    expect(codes.toSorted()).toEqual(Object.keys(ERRORS).toSorted())
  })
})
