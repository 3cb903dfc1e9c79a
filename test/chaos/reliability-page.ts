import { readFileSync, writeFileSync } from 'node:fs'
import { table } from '../../scripts/docs/markdown.ts'
import type { WebhookFindings } from './audit-webhooks.ts'
import type { PaymentFindings } from './books.ts'
import { type Cell, FAULTS, nameOf, PARTS, type Part } from './faults.ts'
import type { ChaosOptions } from './options.ts'

const PAGE = new URL('../../docs/reliability.md', import.meta.url)

/** What stands between these lines of the page is written by the command. */
const BEGIN = '<!-- written by npm run chaos -- --matrix -->'
const END = '<!-- until here -->'

export interface CellResult {
  cell: Cell
  requests: number
  /** The longest that a merchant waited for an answer for good, with all tries. */
  longestMs: number
  /** From the end of the fault until each API has taken a payment; null where that never came. */
  backMs: number | null
  payments: PaymentFindings
  faults: string[]
  /** Why it could not be tried. */
  impossible: string | null
}

export interface MatrixRun {
  results: readonly CellResult[]
  /** Of no cell alone. */
  faults: readonly string[]
  webhooks: WebhookFindings
  /** Entries in the ledger of Stripe's stand-in. */
  atStripe: number
  options: ChaosOptions
  seconds: number
}

/** Enough to see what is wrong; the rest is likely to be the same. */
const FAULTS_SHOWN = 20

export function commandOf(cell: Cell, { seed }: Pick<ChaosOptions, 'seed'>): string {
  return `npm run chaos -- --cell ${nameOf(cell)} --seed ${seed}`
}

/** What a person wants to know after a run, in the terminal. */
export function renderMatrix(run: MatrixRun): string {
  const { results, faults, options } = run
  const all = [
    ...results.flatMap(({ cell, faults: own }) => own.map((fault) => `${commandOf(cell, options)}: ${fault}`)),
    ...faults,
  ]
  const conclusion =
    all.length === 0
      ? 'PASSED: in every cell the books of merchants, record, gateway and webhooks agree.'
      : [`FAILED: ${all.length} faults.`, ...all.slice(0, FAULTS_SHOWN).map((fault) => `  - ${fault}`)].join('\n')
  return `${cellsTable(run)}\n\n${sums(run)}\n\n${conclusion}`
}

function cellsTable({ results, options }: MatrixRun): string {
  return table(
    ['cell', 'payments', 'breaches', 'longest wait', 'back after', 'latest capture'],
    results.map(({ cell, impossible, payments, faults, longestMs, backMs }) =>
      impossible === null
        ? [
            `\`${commandOf(cell, options)}\``,
            String(payments.payments),
            String(faults.length),
            seconds(longestMs),
            seconds(backMs),
            seconds(payments.latestCaptureMs),
          ]
        : [`\`${nameOf(cell)}\``, `not tried: ${impossible}`, '', '', '', ''],
    ),
  )
}

function seconds(milliseconds: number | null): string {
  return milliseconds === null ? 'none' : `${(milliseconds / 1000).toFixed(1)} s`
}

function sums({ results, faults, webhooks, atStripe, seconds: took }: MatrixRun): string {
  const sum = (of: (result: CellResult) => number) => results.reduce((total, result) => total + of(result), 0)
  return (
    `${results.length} cells, ${sum(({ requests }) => requests)} requests, ` +
    `${sum(({ payments }) => payments.payments)} payments, ${atStripe} entries in Stripe's ledger, ` +
    `${webhooks.accepted} webhooks, ` +
    `${sum((result) => result.faults.length) + faults.length} breaches, in ${Math.round(took / 60)} minutes`
  )
}

/** Puts the tables into the page, in place of the last ones. */
export function writeMatrix(run: MatrixRun): void {
  const page = readFileSync(PAGE, 'utf8')
  const [before] = page.split(BEGIN)
  const [, after] = page.split(END)
  if (before === undefined || after === undefined) throw new Error(`${PAGE} has no place for the matrix.`)
  const { seed, lasts, rate, apart } = run.options
  const how = `--matrix --seed ${seed} --lasts ${lasts} --rate ${rate}${apart ? '' : ' --no-apart'}`
  const made = `\`npm run chaos -- ${how}\` on ${new Date().toISOString().slice(0, 10)}: ${sums(run)}.`
  const pieces = [BEGIN, partsTable(), faultsTable(), made, cellsTable(run), END]
  writeFileSync(PAGE, `${before}${pieces.join('\n\n')}${after}`)
}

function partsTable(): string {
  return table(
    ['part', 'what is broken'],
    Object.entries(PARTS).map(([part, says]) => [`\`${part}\``, says]),
  )
}

/** With the reason why a part is left out. */
export function faultsTable(): string {
  const parts = Object.keys(PARTS) as Part[]
  return table(
    ['fault', 'what happens', ...parts.map((part) => `\`${part}\``)],
    FAULTS.map(({ name, says, leftOut }) => [`\`${name}\``, says, ...parts.map((part) => leftOut[part] ?? 'tried')]),
  )
}
