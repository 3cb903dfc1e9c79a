import { mkdirSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { freemem } from 'node:os'
import { dirname, join } from 'node:path'
import { endStaleProcess } from '../../../src/embedded/stale-process.ts'
import { endStaleTemporal } from '../../../src/embedded/temporal-server.ts'
import type { Progress } from '../../../src/startup-error.ts'
import { processStartMark } from '../process-start-mark.ts'

/** Names the process that a run's folder belongs to: id and start, because ids are used again. */
const OWNER_FILE = 'owner'

/** Names the folder of PostgreSQL's data, which is not always below the run's. */
const POSTGRES_DATA_FILE = 'postgres-data'

/** Where the servers' own folders are, below a run's. */
export const POSTGRES_FOLDER = 'postgres'
export const TEMPORAL_FOLDER = 'temporal'

/** Where Linux keeps files in memory. */
const MEMORY = '/dev/shm'
/** The databases of a run and the log of their changes take less than 1 GiB. */
const ROOM_BYTES = 2 * 1024 ** 3
const FREE_MEMORY_BYTES = 6 * 1024 ** 3

/**
 * A folder whose files lie in memory; undefined where the machine has none, or little room. Each test file makes and removes
 * a database of a thousand files, which a disk's file system takes several times the CPU for.
 */
export function memoryFolder(): string | undefined {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize >= ROOM_BYTES && freemem() >= FREE_MEMORY_BYTES ? MEMORY : undefined
  } catch {
    return undefined
  }
}

/**
 * Makes a folder that belongs to this process, so that several runs at once never meet.
 * PostgreSQL may run as another user, who must be able to pass through.
 */
export function makeRunFolder(runsFolder: string): string {
  const folder = join(runsFolder, String(process.pid))
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true, mode: 0o711 })
  writeFileSync(join(folder, OWNER_FILE), ownerMark(process.pid))
  return folder
}

export function rememberPostgresData(folder: string, dataFolder: string): void {
  writeFileSync(join(folder, POSTGRES_DATA_FILE), dataFolder)
}

/** Removes what a run has written, once its servers have ended. */
export function removeRunFolder(folder: string): void {
  const dataFolder = readText(join(folder, POSTGRES_DATA_FILE))
  if (dataFolder !== undefined) rmSync(dirname(dataFolder), { recursive: true, force: true })
  rmSync(folder, { recursive: true, force: true })
}

/** Ends the servers and removes the data of runs whose guardian was killed before it could do so itself. */
export async function removeStaleRuns(runsFolder: string, log: Progress): Promise<void> {
  mkdirSync(runsFolder, { recursive: true, mode: 0o711 })
  for (const name of readdirSync(runsFolder)) {
    const folder = join(runsFolder, name)
    if (isOwned(folder, Number(name))) continue
    const dataFolder = readText(join(folder, POSTGRES_DATA_FILE))
    if (dataFolder !== undefined) {
      const pidFile = join(dataFolder, 'postmaster.pid')
      await endStaleProcess({ pidFile, argument: dataFolder, signal: 'SIGQUIT', name: 'PostgreSQL', log })
    }
    await endStaleTemporal(join(folder, TEMPORAL_FOLDER), log)
    removeRunFolder(folder)
  }
}

function isOwned(folder: string, pid: number): boolean {
  const owner = readText(join(folder, OWNER_FILE))
  // Without a signature, another guardian may be between making its folder and signing it.
  return owner === undefined ? processStartMark(pid) !== undefined : owner === ownerMark(pid)
}

function ownerMark(pid: number): string {
  return `${pid} ${processStartMark(pid)}`
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
