import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

const CACHE = fileURLToPath(new URL('../node_modules/.cache/holdfast/', import.meta.url))

/**
 * The folder of tools that are too large for every installation. They are installed at the first use, and again when their
 * list changes.
 *
 * @param list what is installed, with exact versions and hashes.
 */
export async function cachedTools(
  name: string,
  list: Uint8Array,
  install: (folder: string) => Promise<unknown>,
): Promise<string> {
  const folder = `${CACHE}${name}-${createHash('sha256').update(list).digest('hex').slice(0, 16)}`
  if (existsSync(folder)) return folder
  // Made beside its place and moved there, so that an interrupted installation is not taken for a whole one.
  const unfinished = `${folder}.${process.pid}`
  await mkdir(unfinished, { recursive: true })
  await install(unfinished)
  // Another process may have been faster.
  await rename(unfinished, folder).catch(() => rm(unfinished, { recursive: true }))
  return folder
}
