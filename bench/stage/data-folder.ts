import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Shutdown } from '../../src/shutdown.ts'

/** Makes a folder for the data of this run; it goes with the process. */
export async function makeDataFolder(shutdown: Shutdown): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-bench-'))
  shutdown.add({ name: 'The data folder', stop: () => rm(folder, { recursive: true, force: true }) })
  // Started by root, PostgreSQL runs as a user who must be able to pass through.
  await chmod(folder, 0o711)
  return folder
}
