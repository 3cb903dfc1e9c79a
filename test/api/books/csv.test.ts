import { expect, test } from '@jest/globals'
import { csvHeader, csvRows } from '../../../src/api/books/csv.ts'
import { EXPORT_TABLES } from '../../../src/persistence/queries/exports/export-tables.ts'

const COLUMNS = EXPORT_TABLES.refunds.columns.filter(({ name }) => name === 'information')
const withNote = (information: string) => csvRows(COLUMNS, [{ information }])

test('a file begins with the mark by which spreadsheets know its characters', () => {
  expect(csvHeader(COLUMNS).codePointAt(0)).toBe(0xfeff)
})

test.each([
  ['=1+1', "'=1+1"],
  ['-1', "'-1"],
  ['＝1', "'＝1"],
  ['\t=1', "'\t'=1"],
  ['\n=1', '"\'\n\'=1"'],
  // Where a cell begins with the separator of other countries, quotes within it change nothing.
  ['a;=1', "a;'=1"],
  ['a;;@b;c', "a;;'@b;c"],
  ['a\t+1', "a\t'+1"],
  ['a\r\n-1', '"a\r\n\'-1"'],
  ['a=b; -c, "d"', '"a=b; -c, ""d"""'],
  ['two\r\nlines', '"two\r\nlines"'],
])('%j is written as %j', (text, written) => {
  expect(withNote(text)).toBe(`${written}\r\n`)
})
