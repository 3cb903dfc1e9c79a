import { table } from '../../scripts/docs/markdown.ts'
import type { ChaosOptions } from './options.ts'
import { type PieceRow, today } from './results.ts'
import type { Stories } from './stories.ts'
import type { Verdict } from './verdict.ts'

/** What a run adds. */
export function pieceOf(
  { long: minutes = 0, kills }: Pick<ChaosOptions, 'long' | 'kills'>,
  { requests: { settled: commands } }: Pick<Stories, 'requests'>,
  { payments, webhooks, faults }: Verdict,
): PieceRow {
  const counts = { commands, payments: payments.payments, webhooks: webhooks.accepted, differences: faults.length }
  return { on: today(), minutes, kills, ...counts }
}

const COUNTS = ['minutes', 'kills', 'commands', 'payments', 'webhooks', 'differences'] as const

/** @param pieces by their seeds. */
export function piecesTable(pieces: Readonly<Record<string, PieceRow>>): string {
  const rows = Object.entries(pieces)
  const counts = (of: (name: (typeof COUNTS)[number]) => number) => COUNTS.map((name) => of(name).toLocaleString('en'))
  const sums = counts((name) => rows.reduce((total, [, row]) => total + row[name], 0))
  return table(
    ['seed', 'on', ...COUNTS],
    [...rows.map(([seed, row]) => [seed, row.on, ...counts((name) => row[name])]), ['all', '', ...sums]],
  )
}
