import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { processStartMark } from '../../../src/embedded/process-table.ts'
import { endStaleProcess } from '../../../src/embedded/stale-process.ts'
import type { Progress } from '../../../src/embedded/startup-error.ts'

/** Names the process that a run's folder belongs to: id and start, because ids are used again. */
const OWNER_FILE = 'owner'

/** Folders below a run's folder, one per server. */
export const POSTGRES_FOLDER = 'postgres'
export const TEMPORAL_FOLDER = 'temporal'

/**
 * Makes a folder that belongs to this process, so that several runs in one work tree never meet.
 * PostgreSQL may run as another user, who must be able to pass through.
 */
export function makeRunFolder(runsFolder: string): string {
  const folder = join(runsFolder, String(process.pid))
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true, mode: 0o711 })
  writeFileSync(join(folder, OWNER_FILE), ownerMark(process.pid))
  return folder
}

/** Ends the servers and removes the data of runs whose guardian was killed before it could do so itself. */
export async function removeStaleRuns(runsFolder: string, log: Progress): Promise<void> {
  mkdirSync(runsFolder, { recursive: true, mode: 0o711 })
  for (const name of readdirSync(runsFolder)) {
    const folder = join(runsFolder, name)
    if (isOwned(folder, Number(name))) continue
    const cluster = join(folder, POSTGRES_FOLDER, 'cluster')
    await endStaleProcess({
      pidFile: join(cluster, 'postmaster.pid'),
      argument: cluster,
      signal: 'SIGQUIT',
      name: 'PostgreSQL',
      log,
    })
    const temporal = join(folder, TEMPORAL_FOLDER)
    await endStaleProcess({
      pidFile: join(temporal, 'temporal.pid'),
      argument: join(temporal, 'temporal.toml'),
      signal: 'SIGKILL',
      name: 'Temporal',
      log,
    })
    rmSync(folder, { recursive: true, force: true })
  }
}

function isOwned(folder: string, pid: number): boolean {
  try {
    return readFileSync(join(folder, OWNER_FILE), 'utf8') === ownerMark(pid)
  } catch {
    // Another guardian may be between making its folder and signing it.
    return processStartMark(pid) !== undefined
  }
}

function ownerMark(pid: number): string {
  return `${pid} ${processStartMark(pid)}`
}
