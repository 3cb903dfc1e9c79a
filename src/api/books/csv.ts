import { stringify } from 'csv-stringify/sync'
import { formatAmount } from '../../../domain/money.ts'
import type { ExportColumn } from '../../persistence/queries/exports/export-tables.ts'
import type { ExportRow } from '../../persistence/queries/exports/read-export.ts'

/** CSV by RFC 4180. */
const OPTIONS = { record_delimiter: '\r\n', quote_record_delimiter: true } as const

/** By it a spreadsheet knows that the file is UTF-8. */
const BYTE_ORDER_MARK = '\ufeff'

/**
 * Where a spreadsheet would begin a formula: names and notes are written by others, and a formula could send the table away.
 * One that is set up for `;` or tabs between cells begins a cell there and at a line, whatever is quoted. Source: OWASP,
 * "CSV Injection".
 */
const BEGINNINGS = /^(?=[\t\r\n=+\-@＝＋－＠])|(?<=[;\t\r\n])(?=[=+\-@＝＋－＠])/g

type CsvColumn = Pick<ExportColumn, 'name' | 'isAmount'>

export function csvHeader(columns: readonly CsvColumn[]): string {
  return BYTE_ORDER_MARK + stringify([columns.map(({ name }) => name)], OPTIONS)
}

export function csvRows(columns: readonly CsvColumn[], rows: readonly ExportRow[]): string {
  const records = rows.map((row) =>
    columns.map(({ name, isAmount }) => {
      const value = row[name] ?? ''
      return isAmount ? formatAmount(Number(value), row.currency ?? '') : String(value).replaceAll(BEGINNINGS, "'")
    }),
  )
  return stringify(records, OPTIONS)
}
