import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { CsvError, parse } from 'csv-parse'
import type { BookedType, SettlementLine } from '../../../domain/books.ts'
import { isCurrency, parseAmount } from '../../../domain/money.ts'
import type { SettlementFileReading } from '../gateway.ts'

/** What is booked as capture or refund, and what takes one back. Source: Adyen's page "Journal types". */
const TYPES: Readonly<Record<string, { type: BookedType; state: SettlementLine['state']; column: string }>> = {
  Settled: { type: 'capture', state: 'booked', column: 'Gross Credit (GC)' },
  SettledReversed: { type: 'capture', state: 'reversed', column: 'Gross Debit (GC)' },
  CaptureFailed: { type: 'capture', state: 'reversed', column: 'Gross Debit (GC)' },
  Refunded: { type: 'refund', state: 'booked', column: 'Gross Debit (GC)' },
  RefundedReversed: { type: 'refund', state: 'reversed', column: 'Gross Credit (GC)' },
}

const NEEDED = [
  'Merchant Account',
  'Psp Reference',
  'Merchant Reference',
  'Creation Date',
  'TimeZone',
  'Type',
  'Modification Reference',
  'Gross Currency',
  'Gross Debit (GC)',
  'Gross Credit (GC)',
  'Batch Number',
] as const

type Row = Readonly<Record<string, string | undefined>>

/** A report of 1 MiB has some 8,000 lines. */
export const LINES_MAX = 10_000
/** In bytes: a line of a report has some 300, and its headers 1,500 with every column that there is. */
const LINE_LENGTH_MAX = 16_384
/** In bytes. Other requests have their turn after each piece, of which a thousand lines take 20 ms of CPU at worst. */
const PIECE_LENGTH = 2_048

/**
 * Reads Adyen's Settlement details report, of which an account may have further columns, in any order. Fees, payouts,
 * disputes, and lines of other merchant accounts are left out. Source: Adyen's page "Settlement details report structure".
 */
export async function readSettlementDetails(content: string, { merchantAccount }: Row): Promise<SettlementFileReading> {
  const seen = new Map<string, number>()
  const lines: SettlementLine[] = []
  let [rows, ours] = [0, 0]
  try {
    for await (const row of rowsIn(content)) {
      if (rows === 0) {
        const missing = NEEDED.filter((name) => row[name] === undefined)
        if (missing.length > 0) return refused(`The report has no column ${missing.join(', ')}.`)
      }
      rows += 1
      if (rows > LINES_MAX)
        return refused(`The report has more than ${LINES_MAX} lines; hand it in in parts, each with the headers.`)
      if (row['Merchant Account'] !== merchantAccount) continue
      ours += 1
      const kind = TYPES[row.Type ?? '']
      if (kind === undefined) continue
      const line = lineOf(row, kind, seen)
      if (line === null) return refused(`Line ${ours} of the account has no amount, currency or date.`)
      lines.push(line)
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    return refused(
      error.code === 'CSV_MAX_RECORD_SIZE'
        ? `A line of the report has more than ${LINE_LENGTH_MAX} bytes.`
        : 'The report is no CSV with a line of headers.',
    )
  }
  if (rows === 0) return refused('The report has no lines.')
  if (ours === 0) return refused(`The report has no line of the merchant account ${merchantAccount}.`)
  return { kind: 'read', lines }
}

function refused(reason: string): SettlementFileReading {
  return { kind: 'refused', reason }
}

/**
 * The rows by the names of their columns, read in pieces, between which others have their turn.
 *
 * @throws CsvError for what is no table.
 */
function rowsIn(content: string): AsyncIterable<Row> {
  const parser = parse({
    ...{ columns: true, bom: true, skip_empty_lines: true, relax_column_count: true, trim: true },
    // All of them, so that no line is longer to the parser than it is to us.
    record_delimiter: ['\r\n', '\n', '\r'],
    max_record_size: LINE_LENGTH_MAX,
  })
  return Readable.from(piecesOf(Buffer.from(content))).compose(parser)
}

/** @throws CsvError at a line that is too long: the parser counts the characters of its fields, and not the commas. */
async function* piecesOf(content: Buffer): AsyncGenerator<Buffer> {
  let length = 0
  for (let at = 0; at < content.length; at += PIECE_LENGTH) {
    const piece = content.subarray(at, at + PIECE_LENGTH)
    const end = Math.max(piece.lastIndexOf('\n'), piece.lastIndexOf('\r'))
    length = end < 0 ? length + piece.length : piece.length - end - 1
    if (length > LINE_LENGTH_MAX) throw new CsvError('CSV_MAX_RECORD_SIZE', 'A line is too long.')
    yield piece
    await setImmediate()
  }
}

function lineOf(
  row: Row,
  { type, state, column }: (typeof TYPES)[string],
  seen: Map<string, number>,
): SettlementLine | null {
  const currency = row['Gross Currency'] ?? ''
  const amountMinor = isCurrency(currency) ? parseAmount(row[column] ?? '', currency) : null
  const bookedAt = instantOf(row)
  const step = row['Modification Reference'] || row['Psp Reference']
  if (amountMinor === null || bookedAt === null || !step) return null
  // A line has no id of its own. The same step twice in a batch are two lines, and the same report again has the same.
  const name = `${row['Batch Number']} ${row.Type} ${step}`
  const count = (seen.get(name) ?? 0) + 1
  seen.set(name, count)
  return {
    id: `${name} ${count}`,
    type,
    state,
    // That of a capture or refund where the report has it; else that of the payment, which is the one of a sale.
    reference: row['Modification Merchant Reference'] || row['Merchant Reference'] || null,
    gatewayReference: step,
    amountMinor,
    currency,
    bookedAt,
  }
}

/** Hours ahead of UTC. A zone that is not here counts as UTC: the period of grace is far longer than the mistake. */
const ZONES: Readonly<Record<string, number>> = {
  ...{
    GMT: 0,
    UTC: 0,
    WET: 0,
    BST: 1,
    IST: 1,
    WEST: 1,
    CET: 1,
    CEST: 2,
    EET: 2,
    EEST: 3,
    MSK: 3,
    SGT: 8,
    AEST: 10,
    AEDT: 11,
  },
  ...{ EST: -5, EDT: -4, CST: -6, CDT: -5, MST: -7, MDT: -6, PST: -8, PDT: -7, BRT: -3 },
}

const WRITTEN = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})$/

function instantOf({ 'Creation Date': date = '', TimeZone: zone = '' }: Row): number | null {
  const [, day, time] = WRITTEN.exec(date) ?? []
  const at = Date.parse(`${day}T${time}Z`)
  return Number.isNaN(at) ? null : at - (ZONES[zone] ?? 0) * 60 * 60 * 1000
}
