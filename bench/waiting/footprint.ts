import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ProcessTime, readProcesses } from '../measure/process-tree.ts'

/** Linux counts what a file takes in these, whatever the file system. */
const BLOCK = 512

/** `service` is API and worker, with npm. */
export type Program = 'service' | 'temporal' | 'postgres'

/** Bytes of memory, pages that several processes share counted once; null where the system does not tell. */
export type Memory = Record<Program, number> | null

/** All processes that one has started, and it itself. */
function treeOf(processes: readonly ProcessTime[], pid: number): ProcessTime[] {
  const own = processes.filter((one) => one.pid === pid)
  const children = processes.filter(({ parentPid }) => parentPid === pid)
  return [...own, ...children.flatMap((child) => treeOf(processes, child.pid))]
}

/** Temporal's program is called as it was downloaded, with its version. */
function programOf({ name }: ProcessTime): Program {
  if (name.startsWith('temporal')) return 'temporal'
  return name === 'postgres' ? 'postgres' : 'service'
}

export async function readMemory(pid: number): Promise<Memory> {
  const memory = { service: 0, temporal: 0, postgres: 0 }
  for (const one of treeOf(readProcesses(), pid)) {
    const text = await readFile(`/proc/${one.pid}/smaps_rollup`, 'utf8').catch(() => '')
    memory[programOf(one)] += 1024 * Number(/^Pss:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0)
  }
  return Object.values(memory).includes(0) ? null : memory
}

/** The share of one core that a service takes of itself, from 0 up; zero where the system does not tell. */
export async function watchIdle(
  pid: number,
  durationMs: number,
  signal: AbortSignal,
): Promise<Record<Program, number>> {
  const read = () => {
    const times = { service: 0, temporal: 0, postgres: 0 }
    for (const one of treeOf(readProcesses(), pid)) times[programOf(one)] += one.ownMs + one.endedMs
    return times
  }
  const before = read()
  await sleep(durationMs, undefined, { signal })
  const after = read()
  const share = (program: Program) => Math.max(0, after[program] - before[program]) / durationMs
  return { service: share('service'), temporal: share('temporal'), postgres: share('postgres') }
}

/** The bytes of Temporal's database on the disk. */
export async function readDisk(dataFolder: string): Promise<number> {
  const folder = join(dataFolder, 'temporal')
  const names = (await readdir(folder)).filter((name) => name.startsWith('temporal.db'))
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** The bytes of a folder and everything in it on the disk. */
export async function readFolder(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const sizes = await Promise.all(
    // A file that is removed meanwhile counts nothing.
    entries.map((entry) =>
      stat(join(entry.parentPath, entry.name)).then(
        ({ blocks }) => blocks * BLOCK,
        () => 0,
      ),
    ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
