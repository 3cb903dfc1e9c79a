import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

/** A row says where the defect was planted, what it was, and the file and title of the test that failed. */
const ROW = /^\| `(?<file>[^`]+)` `(?<name>[^`]+)` \| .+ \| `(?<testFile>[^`]+)` "(?<title>.+)" \|$/

const rows = read('test/planted-defects.md')
  .split('\n')
  .filter((line) => line.startsWith('| `'))

describe('a planted defect in test/planted-defects.md', () => {
  test('is there to be repeated', () => {
    expect(rows.length).toBeGreaterThan(30)
  })

  test('is counted in docs/testing.md', () => {
    expect(read('docs/testing.md')).toContain(`lists ${rows.length} that were planted by hand`)
  })

  test.each(rows)('names code and a test that are there: %s', (row) => {
    const { file = '', name = '', testFile = '', title = '' } = ROW.exec(row)?.groups ?? {}
    expect(read(file)).toContain(name.split('.').at(-1))
    expect(read(testFile)).toContain(title)
  })
})
