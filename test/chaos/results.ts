import { readFileSync, writeFileSync } from 'node:fs'
import type { ChaosOptions } from './options.ts'

/** What the last run of each cell and of each defect has shown; docs/reliability.md is written from it. */
const FILE = new URL('./results.json', import.meta.url)

/** The options that a cell depends on. */
export const HOW = ['seed', 'lasts', 'rate', 'trouble'] as const

export type How = Pick<ChaosOptions, (typeof HOW)[number]>

export interface CellRow extends How {
  /** The day, such as `2026-11-29`. */
  on: string
  requests: number
  payments: number
  /** Entries in the ledgers of the stand-ins. */
  atStandIns: number
  /** That were accepted. */
  webhooks: number
  breaches: number
  /** The longest that a merchant waited for an answer for good, with all tries. */
  longestMs: number
  backMs: number | null
  restMs: number | null
  latestCaptureMs: number | null
}

export interface DefectRow extends How {
  on: string
  cell: string
  /** Seconds until all had to be at its end. */
  patience: number
  /** What was found; null where nothing was, or where the same was found without the defect. */
  found: string | null
}

/** A piece of the long run. */
export interface PieceRow {
  on: string
  minutes: number
  kills: number
  /** Requests that were answered for good. */
  commands: number
  payments: number
  /** That were accepted. */
  webhooks: number
  /** Between what merchants were told, the record, the gateways and the webhooks. */
  differences: number
}

export interface Results {
  /** By `fault/part`. */
  cells: Record<string, CellRow>
  /** By its name. */
  defects: Record<string, DefectRow>
  /** By its seed. */
  long: Record<string, PieceRow>
}

export function readResults(): Results {
  return JSON.parse(readFileSync(FILE, 'utf8'))
}

/** Puts new rows in place of the older ones of the same names. */
export function keepResults(rows: Partial<Results>): Results {
  const { cells, defects, long } = readResults()
  const kept = {
    cells: { ...cells, ...rows.cells },
    defects: { ...defects, ...rows.defects },
    long: { ...long, ...rows.long },
  }
  writeFileSync(FILE, `${JSON.stringify(kept, null, 2)}\n`)
  return kept
}

export const today = () => new Date().toISOString().slice(0, 10)

export function howOf(options: How): How {
  return Object.fromEntries(HOW.map((name) => [name, options[name]])) as unknown as How
}

/** The command that repeats a cell. */
export function commandOf(cell: string, how: How): string {
  return `npm run chaos -- --cell ${cell} ${optionsOf(how)}`
}

export function optionsOf(how: How): string {
  return HOW.map((name) => `--${name} ${how[name]}`).join(' ')
}
