import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { say } from '../../src/processes/run-process.ts'
import type { Shutdown } from '../../src/shutdown.ts'
import { changed, DEFECTS, type Defect } from './defects.ts'
import type { ChaosOptions } from './options.ts'
import { faultsIn, writePage } from './reliability-page.ts'
import { type How, howOf, keepResults, optionsOf, readResults, today } from './results.ts'
import { step } from './scene.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const COPY = join(ROOT, '.test-data', 'vacuity')

/** What the service can do without, or what would be copied into itself. */
const LEFT_OUT = ['.git', '.data', '.test-data', 'node_modules', 'bench']

/** Of a run that was not at its end in time. Whatever else it shows might have come right later. */
const UNFINISHED = /^Something is still on its way/

const IDS = / ?\b[a-z]+_[\w-]{8,}/g
const SHOWN_LENGTH = 160

/** Seconds until all must be at its end. Without a defect that takes a third of it. */
const PATIENCE = 180

/**
 * Runs the cell of each defect on a copy of the code that has it, after the code as it is has passed the same, and writes into
 * the page what was found. Resolves with whether each defect was.
 */
export async function runVacuity(options: ChaosOptions, { signal }: Shutdown): Promise<boolean> {
  const how = howOf(options)
  let survivors = 0
  for (const defect of DEFECTS.filter((_, index) => options.defect?.includes(index + 1) ?? true)) {
    const { name, cell, patience = PATIENCE } = defect
    const args = ['--cell', cell, ...optionsOf(how).split(' ')]
    if (!isKept(cell, how)) await faultsOfRun(ROOT, [...args, '--matrix'], signal)
    plant(defect)
    const faults = await faultsOfRun(COPY, [...args, '--patience', String(patience)], signal)
    rmSync(COPY, { recursive: true, force: true })
    const isClean = isKept(cell, how) && readResults().cells[cell]?.breaches === 0
    const found = isClean ? foundIn(faults, defect) : null
    step(`${cell.padEnd(20)}${name}: ${found ?? (isClean ? 'SURVIVED' : 'the cell fails without it, too')}`)
    if (found === null) survivors += 1
    writePage(keepResults({ defects: { [name]: { on: today(), cell, ...how, patience, found } } }))
  }
  say(`\n${survivors === 0 ? 'All were found.' : `${survivors} survived.`}`)
  return survivors === 0
}

/** Whether the last run of the cell was such a one. */
function isKept(cell: string, how: How): boolean {
  const row = readResults().cells[cell]
  return row !== undefined && optionsOf(row) === optionsOf(how)
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
