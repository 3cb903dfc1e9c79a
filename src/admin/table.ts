import { printable } from './printable.ts'

/** What stands between two columns. */
const GAP = '  '

/**
 * Rows in aligned columns, for a person at a terminal; no line ends with blanks.
 *
 * @example formatTable(['KEY', 'NAME'], [['key_1', 'shop']]) === 'KEY    NAME\nkey_1  shop'
 */
export function formatTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  return align([headings, ...rows])
}

/** Names with their values, one below the other. */
export function formatFacts(facts: Readonly<Record<string, string>>): string {
  return align(Object.entries(facts))
}

function align(raw: readonly (readonly string[])[]): string {
  const rows = raw.map((row) => row.map(printable))
  const widths: number[] = []
  for (const row of rows) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length)
  }
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join(GAP)
        .trimEnd(),
    )
    .join('\n')
}

/** To the second, in UTC; a dash for never. */
export function formatInstant(instant: Date | null | undefined): string {
  return instant == null ? '-' : `${instant.toISOString().slice(0, 19).replace('T', ' ')} UTC`
}
