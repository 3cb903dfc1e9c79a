import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { say } from '../../src/processes/run-process.ts'
import type { Shutdown } from '../../src/shutdown.ts'
import { changed, DEFECTS, type Defect } from './defects.ts'
import type { ChaosOptions } from './options.ts'
import { faultsIn, writePage } from './reliability-page.ts'
import { type CellRow, type How, howOf, keepResults, optionsOf, readResults, today } from './results.ts'
import { step } from './scene.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const COPY = join(ROOT, '.test-data', 'vacuity')

/** What the service can do without, or what would be copied into itself. */
const LEFT_OUT = ['.git', '.data', '.test-data', 'node_modules', 'bench']

/** Of a run that was not at its end in time. Whatever else it shows might have come right later. */
const UNFINISHED = /^Something is still on its way/

/** What differs between runs. */
const OF_THE_RUN = /:?(?: ?\b[a-z]+_[\w-]{8,},?)+|http:\/\/127\.0\.0\.1:\d+/g
const SHOWN_LENGTH = 160

/** Seconds until all must be at its end. */
const PATIENCE = 180
/** So much longer than without the defect all must have had time. */
const FAR_LONGER = 2

/**
 * Runs the cell of each defect on a copy of the code that has it, after the code as it is has passed the same, and writes into
 * the page what was found. Resolves with whether each defect was.
 */
export async function runVacuity(options: ChaosOptions, { signal }: Shutdown): Promise<boolean> {
  let survivors = 0
  for (const defect of DEFECTS.filter((_, index) => options.defect?.includes(index + 1) ?? true)) {
    const { name, cell, needs, patience = PATIENCE } = defect
    const how = { ...howOf(options), ...needs }
    const args = ['--cell', cell, ...optionsOf(how).split(' ')]
    if (findRow(cell, how) === undefined) await faultsOfRun(ROOT, [...args, '--matrix'], signal)
    const row = findRow(cell, how)
    plant(defect)
    const faults = await faultsOfRun(COPY, [...args, '--patience', String(patience)], signal)
    rmSync(COPY, { recursive: true, force: true })
    const found = row?.breaches === 0 ? foundIn(faults, defect, patience, row) : null
    step(`${cell.padEnd(20)}${name}: ${found ?? (row?.breaches === 0 ? 'SURVIVED' : 'the cell fails without it, too')}`)
    if (found === null) survivors += 1
    writePage(keepResults({ defects: { [name]: { on: today(), cell, ...how, patience, found } } }))
  }
  say(`\n${survivors === 0 ? 'All were found.' : `${survivors} survived.`}`)
  return survivors === 0
}

/** The row of the cell where its last run was such a one. */
function findRow(cell: string, how: How): CellRow | undefined {
  const row = readResults().cells[cell]
  return row !== undefined && optionsOf(row) === optionsOf(how) ? row : undefined
}

/** The first fault, without what differs between runs; null where the defect was not found. */
function foundIn(faults: readonly string[], { neverEnds }: Defect, patience: number, clean: CellRow): string | null {
  const finished = faults.filter((fault) => !UNFINISHED.test(fault))
  const first = [...finished, ...faults][0]?.replaceAll(OF_THE_RUN, '').slice(0, SHOWN_LENGTH) ?? null
  if (finished.length === faults.length) return first
  const usual = Math.round((clean.restMs ?? 0) / 1000)
  return neverEnds && patience >= FAR_LONGER * usual ? `${first} (usual: ${usual} s)` : null
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
