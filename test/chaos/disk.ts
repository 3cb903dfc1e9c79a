import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { processStartMark } from '../support/process-start-mark.ts'

/** Room for the databases of a run, and for the log of their changes. */
const SIZE = '768m'
/** Of zeros, written at once. */
const PIECE_BYTES = 4 * 1024 ** 2

/**
 * Makes a folder a disk of its own, in memory, that can be filled without harm to anybody else.
 *
 * @returns false where this process may not: on Linux only root may.
 */
export function mountDisk(folder: string): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false
  mkdirSync(folder, { recursive: true })
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE},mode=711`, 'holdfast-chaos', folder], { stdio: 'pipe' })
    return true
  } catch {
    return false
  }
}

/** Removes the disk, also where something that is about to end is still on it. */
export function unmountDisk(folder: string): void {
  execFileSync('umount', ['--lazy', folder], { stdio: 'pipe' })
}

/** Removes the disks of runs that were killed. */
export function unmountStaleDisks(runsFolder: string): void {
  if (process.platform !== 'linux') return
  for (const line of readFileSync('/proc/mounts', 'utf8').split('\n')) {
    const [, folder = ''] = line.split(' ')
    const pid = folder.startsWith(`${runsFolder}/`) ? Number(folder.slice(runsFolder.length + 1).split('/')[0]) : null
    if (pid !== null && processStartMark(pid) === undefined) unmountDisk(folder)
  }
}

/**
 * Writes until nothing more fits. How much is free is not asked for: the databases go on writing meanwhile.
 *
 * @returns frees the room again.
 */
export async function fillDisk(folder: string): Promise<() => Promise<void>> {
  const filler = join(folder, 'filler')
  const zeros = Buffer.alloc(PIECE_BYTES)
  const file = await open(filler, 'w')
  try {
    for (;;) await file.write(zeros)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  } finally {
    await file.close()
  }
  return () => rm(filler)
}
