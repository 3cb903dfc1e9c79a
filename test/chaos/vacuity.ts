import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { say } from '../../src/processes/run-process.ts'
import type { Shutdown } from '../../src/shutdown.ts'
import { changed, DEFECTS, type Defect } from './defects.ts'
import type { ChaosOptions } from './options.ts'
import { faultsIn, writePage } from './reliability-page.ts'
import { type DefectRow, howOf, keepResults, optionsOf, today } from './results.ts'
import { step } from './scene.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const COPY = join(ROOT, '.test-data', 'vacuity')

/** What the service can do without, or what would be copied into itself. */
const LEFT_OUT = ['.git', '.data', '.test-data', 'node_modules', 'bench']

/** Of a run that was not at its end in time. Whatever else it shows might have come right later. */
const UNFINISHED = /^Something is still on its way/

const IDS = / ?\b[a-z]+_[\w-]{8,}/g
const SHOWN_LENGTH = 160

/**
 * Runs the cell of each defect, first as the code is and then on a copy of it that has the defect, and writes into the page
 * what was found. Resolves with whether each was.
 */
export async function runVacuity(options: ChaosOptions, { signal }: Shutdown): Promise<boolean> {
  const rows: Record<string, DefectRow> = {}
  const clean = new Map<string, boolean>()
  for (const defect of DEFECTS.filter(({ cell }) => options.cell?.includes(cell) ?? true)) {
    const { name, cell } = defect
    const tried = { ...options, ...defect }
    const args = ['--cell', cell, '--patience', String(tried.patience), ...optionsOf(tried).split(' ')]
    const way = args.join(' ')
    if (!clean.has(way)) {
      const faults = await faultsOfRun(ROOT, args, signal)
      step(`${cell.padEnd(20)}without a defect: ${faults.join('; ') || 'clean'}`)
      clean.set(way, faults.length === 0)
    }
    plant(defect)
    const faults = await faultsOfRun(COPY, args, signal)
    const found = clean.get(way) === true ? foundIn(faults, defect) : null
    step(`${cell.padEnd(20)}${name}: ${found ?? 'SURVIVED'}`)
    rows[name] = { on: today(), cell, ...howOf(tried), patience: defect.patience, found }
  }
  rmSync(COPY, { recursive: true, force: true })
  writePage(keepResults({ defects: rows }))
  const all = Object.values(rows)
  const found = all.filter((row) => row.found !== null)
  say(`\n${found.length} of ${all.length} defects were found.`)
  return found.length === all.length
}

/** The first fault, without the ids, which differ between runs; null where the defect was not found. */
function foundIn(faults: readonly string[], { neverEnds = false }: Defect): string | null {
  const finished = faults.filter((fault) => !UNFINISHED.test(fault))
  if (finished.length < faults.length && !neverEnds) return null
  const [first] = [...finished, ...faults]
  return first?.replaceAll(IDS, '').slice(0, SHOWN_LENGTH) ?? null
}

/** @throws Error where the code is not there any more. */
function plant({ file, edits }: Defect): void {
  rmSync(COPY, { recursive: true, force: true })
  mkdirSync(COPY, { recursive: true })
  for (const name of readdirSync(ROOT))
    if (!LEFT_OUT.includes(name)) cpSync(join(ROOT, name), join(COPY, name), { recursive: true })
  // Those that the chaos command takes from there.
  cpSync(join(ROOT, 'bench'), join(COPY, 'bench'), { recursive: true, filter: (path) => !path.includes('results') })
  symlinkSync(join(ROOT, 'node_modules'), join(COPY, 'node_modules'))
  writeFileSync(join(COPY, file), changed(readFileSync(join(ROOT, file), 'utf8'), { file, edits }))
}

/** @throws Error where the run has come to no conclusion. */
async function faultsOfRun(tree: string, args: readonly string[], signal: AbortSignal): Promise<string[]> {
  const options = { cwd: tree, signal, maxBuffer: 64 * 1024 ** 2 }
  const output = await new Promise<string>((resolve) => {
    execFile(process.execPath, ['test/chaos/chaos.ts', ...args], options, (_, stdout, stderr) =>
      resolve(stdout + stderr),
    )
  })
  signal.throwIfAborted()
  const faults = faultsIn(output)
  if (faults === null) throw new Error(`The run has come to no conclusion:\n${output.slice(-2_000)}`)
  return faults
}
