import { readFileSync, writeFileSync } from 'node:fs'
import { table } from '../../scripts/docs/markdown.ts'
import { DEFECTS } from './defects.ts'
import { CELLS, type Cell, FAULTS, nameOf, PARTS, type Part } from './faults.ts'
import { piecesTable } from './long-run.ts'
import { type CellRow, commandOf, type DefectRow, type Results } from './results.ts'

const PAGE = new URL('../../docs/reliability.md', import.meta.url)

/** A cell with what was found, and its row, or why it could not be tried. */
export interface Judged {
  cell: Cell
  faults: readonly string[]
  row: CellRow | string
}

/** Enough to see what is wrong; the rest is likely to be the same. */
const FAULTS_SHOWN = 20

/** What a person wants to know after a run, in the terminal. */
export function renderRun(judged: readonly Judged[]): string {
  const faults = judged.flatMap(({ cell, faults: own }) => own.map((fault) => ({ cell: nameOf(cell), fault })))
  const rows = judged.map(({ cell, row }): CellLine => [nameOf(cell), row])
  return `${cellsTable(rows)}\n\n${sums(rows)}\n\n${conclusionOf(faults)}`
}

function conclusionOf(faults: readonly { cell: string; fault: string }[]): string {
  if (faults.length === 0) return 'PASSED: in every cell the books of merchants, record, gateway and webhooks agree.'
  const shown = faults.slice(0, FAULTS_SHOWN).map(({ cell, fault }) => `  - ${cell}: ${fault}`)
  return [`FAILED: ${faults.length} faults.`, ...shown].join('\n')
}

/** The faults that a run has printed; null where it has come to no conclusion. */
export function faultsIn(output: string): string[] | null {
  if (output.includes('\nPASSED: ')) return []
  const [, shown] = output.split(/^FAILED: \d+ faults\.$/m)
  return shown === undefined ? null : [...shown.matchAll(/^ {2}- \S+: (.*)$/gm)].map(([, fault = '']) => fault)
}

/** Puts the tables into the page, in place of the last ones. */
export function writePage(results: Results): void {
  writeFileSync(PAGE, renderPage(readFileSync(PAGE, 'utf8'), results))
}

/** The page with the tables of these results. */
export function renderPage(page: string, { cells, defects, long }: Results): string {
  const rows = CELLS.map((cell): CellLine => [nameOf(cell), cells[nameOf(cell)] ?? 'not run yet'])
  const matrix = [partsTable(), faultsTable(cells), `${sums(rows)}.`, cellsTable(rows)]
  const withDefects = filled(page, '--vacuity', [defectsTable(defects)])
  return filled(filled(withDefects, '--long', [piecesTable(long)]), '--matrix', matrix)
}

/** Writes between the line that names the command and the next line that ends its part. */
function filled(page: string, option: string, pieces: readonly string[]): string {
  const begin = `<!-- written by npm run chaos -- ${option} -->`
  const [before, rest] = page.split(begin)
  const end = rest?.indexOf('<!-- until here -->') ?? -1
  if (rest === undefined || end < 0) throw new Error(`${PAGE} has no place for what ${option} writes.`)
  return [before + begin, ...pieces, rest.slice(end)].join('\n\n')
}

/** A cell, with the reason where it has no row. */
type CellLine = [cell: string, row: CellRow | string]

function cellsTable(lines: readonly CellLine[]): string {
  const names = [
    'cell',
    'on',
    'payments',
    'webhooks',
    'breaches',
    'longest wait',
    'back after',
    'over after',
    'latest capture',
  ]
  return table(
    names,
    lines.map(([cell, row]) =>
      typeof row === 'string'
        ? [`\`${cell}\``, row, ...names.slice(2).map(() => '')]
        : [
            `\`${commandOf(cell, row)}\``,
            row.on,
            ...[row.payments, row.webhooks, row.breaches].map(String),
            ...[row.longestMs, row.backMs, row.restMs, row.latestCaptureMs].map(seconds),
          ],
    ),
  )
}

function seconds(milliseconds: number | null): string {
  return milliseconds === null ? 'none' : `${(milliseconds / 1000).toFixed(1)} s`
}

function sums(lines: readonly CellLine[]): string {
  const rows = lines.flatMap(([, row]) => (typeof row === 'string' ? [] : [row]))
  const sum = (of: (row: CellRow) => number) => rows.reduce((total, row) => total + of(row), 0)
  const counts = [
    `${rows.length} of ${lines.length} cells`,
    `${sum(({ requests }) => requests)} requests`,
    `${sum(({ payments }) => payments)} payments`,
    `${sum(({ atStandIns }) => atStandIns)} entries in the ledgers of the stand-ins`,
    `${sum(({ webhooks }) => webhooks)} webhooks`,
    `${sum(({ breaches }) => breaches)} breaches`,
  ]
  return counts.join(', ')
}

function partsTable(): string {
  return table(
    ['part', 'what is broken'],
    Object.entries(PARTS).map(([part, says]) => [`\`${part}\``, says]),
  )
}

/** With the breaches of each cell, or the reason why a part is left out. */
function faultsTable(cells: Results['cells']): string {
  const parts = Object.keys(PARTS) as Part[]
  return table(
    ['fault', 'what happens', ...parts.map((part) => `\`${part}\``)],
    FAULTS.map(({ name, says, leftOut }) => [
      `\`${name}\``,
      says,
      ...parts.map((part) => leftOut[part] ?? String(cells[`${name}/${part}`]?.breaches ?? 'not run yet')),
    ]),
  )
}

function defectsTable(defects: Results['defects']): string {
  const found = ({ found, on }: DefectRow) => [found ?? 'nothing', on]
  return table(
    ['no.', 'planted defect', 'cell', 'the breach that shows it', 'on'],
    DEFECTS.map(({ name, cell }, index) => {
      const row = defects[name]
      return [String(index + 1), name, `\`${cell}\``, ...(row?.cell === cell ? found(row) : ['not run yet', ''])]
    }),
  )
}
