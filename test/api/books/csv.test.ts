import { expect, test } from '@jest/globals'
import { csvHeader, csvRows } from '../../../src/api/books/csv.ts'
import { EXPORT_TABLES } from '../../../src/persistence/queries/exports/export-tables.ts'

const TABLE = EXPORT_TABLES.refunds
const withNote = (information: string) =>
  csvRows({ ...TABLE, columns: TABLE.columns.filter(({ name }) => name === 'information') }, [
    { information } as unknown as Parameters<typeof csvRows>[1][number],
  ])

test('a file begins with the mark by which spreadsheets know its characters', () => {
  expect(csvHeader(TABLE).codePointAt(0)).toBe(0xfeff)
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
