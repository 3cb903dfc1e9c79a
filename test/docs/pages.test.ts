import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import { ERRORS, type ErrorEntry } from '../../domain/errors.ts'
import { PAGES } from '../../scripts/docs/pages.ts'

describe('a page that is made from the code', () => {
  test.each(Object.entries(PAGES))('docs/%s is as `npm run docs` writes it', (file, page) => {
    expect(readFileSync(new URL(`../../docs/${file}`, import.meta.url), 'utf8')).toBe(page())
  })
})

describe('docs/errors.md', () => {
  const rows = (PAGES['errors.md']?.() ?? '').split('\n').filter((line) => /^\| \d/.test(line))
  const codesIn = (row: string) => [...row.matchAll(/`([a-z0-9-]+\.[^`]+)`/g)].map(([, code = '']) => code)

  test('names each code once, and no other', () => {
    expect(rows.flatMap(codesIn).toSorted()).toEqual(Object.keys(ERRORS).toSorted())
  })

  test.each(Object.entries<ErrorEntry>(ERRORS))('has the status and the retry class of %s', (code, entry) => {
    const row = rows.find((one) => codesIn(one).includes(code)) ?? ''
    const cells = row.split('|').map((cell) => cell.trim())
    expect(cells[1]).toBe(String(entry.status))
    if (entry.retryClass !== undefined) expect(cells[2]).toBe(`\`${entry.retryClass}\``)
  })
})
