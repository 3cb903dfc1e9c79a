import { stringify } from 'csv-stringify/sync'
import { formatAmount } from '../../../domain/money.ts'
import type { ExportTable } from '../../persistence/queries/exports/export-tables.ts'
import type { ExportRow } from '../../persistence/queries/exports/read-export.ts'

/**
 * CSV by RFC 4180. A text that a spreadsheet would take for a formula gets an apostrophe in front: names and notes are written
 * by others, and a formula could send the table away. Source: OWASP, "CSV Injection".
 */
const OPTIONS = { record_delimiter: '\r\n', quote_record_delimiter: true, escape_formulas: true } as const

export function csvHeader({ columns }: ExportTable): string {
  return stringify([columns.map(({ name }) => name)], OPTIONS)
}

export function csvRows({ columns }: ExportTable, rows: readonly ExportRow[]): string {
  const records = rows.map((row) =>
    columns.map(({ name, isAmount }) => {
      const value = row[name] ?? ''
      return isAmount ? formatAmount(Number(value), row.currency ?? '') : value
    }),
  )
  return stringify(records, OPTIONS)
}
