import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { hashSources } from './source-hash.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** The folders with the code that API and workers execute. */
export const SERVICE_ROOMS: readonly string[] = ['domain', 'workflows', 'activities', 'src']

/** Stands for everything that is installed. */
const PACKAGES = ['package-lock.json']

/** Enough that two builds never have the same id, and few enough to be read out. */
const HASH_LENGTH = 12

/**
 * The build id of the workers of this code: the version of the package and a hash of the code. Two processes have the same
 * one exactly where they execute the same, in whatever folder or image, so nobody has to set it, and nobody can set it wrong.
 *
 * @example '0.1.0-3f9c2a1b04de'
 */
export async function readBuildId(root = ROOT): Promise<string> {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
  return `${version}-${(await hashSources(root, SERVICE_ROOMS, PACKAGES)).slice(0, HASH_LENGTH)}`
}
