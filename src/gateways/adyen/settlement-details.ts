import { parse } from 'csv-parse/sync'
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

/**
 * Reads Adyen's Settlement details report, of which an account may have further columns, in any order. Fees, payouts,
 * disputes, and lines of other merchant accounts are left out. Source: Adyen's page "Settlement details report structure".
 */
export function readSettlementDetails(content: string, { merchantAccount }: Row): SettlementFileReading {
  const rows = rowsIn(content)
  if (rows === null) return refused('The report is no CSV with a line of headers.')
  const [first] = rows
  if (first === undefined) return refused('The report has no lines.')
  const missing = NEEDED.filter((name) => first[name] === undefined)
  if (missing.length > 0) return refused(`The report has no column ${missing.join(', ')}.`)
  const ours = rows.filter((row) => row['Merchant Account'] === merchantAccount)
  if (ours.length === 0) return refused(`The report has no line of the merchant account ${merchantAccount}.`)
  const seen = new Map<string, number>()
  const lines: SettlementLine[] = []
  for (const [index, row] of ours.entries()) {
    const kind = TYPES[row.Type ?? '']
    if (kind === undefined) continue
    const line = lineOf(row, kind, seen)
    if (line === null) return refused(`Line ${index + 1} of the account has no amount, currency or date.`)
    lines.push(line)
  }
  return { kind: 'read', lines }
}

function refused(reason: string): SettlementFileReading {
  return { kind: 'refused', reason }
}

/** The rows by the names of their columns; null for what is no table. */
function rowsIn(content: string): Row[] | null {
  try {
    return parse(content, { columns: true, bom: true, skip_empty_lines: true, relax_column_count: true, trim: true })
  } catch {
    return null
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
