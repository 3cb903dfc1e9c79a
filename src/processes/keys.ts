import { mkdir } from 'node:fs/promises'
import type { Config } from '../config.ts'
import { type Progress, StartupError } from '../embedded/startup-error.ts'
import { createKeysFile, keysFile, readKeysFile } from '../keys.ts'
import type { Keys } from '../vault/keys.ts'

/**
 * The keys of the environment, or of the data folder.
 *
 * @throws StartupError when there are none, or the file cannot be used.
 */
export async function readKeys(config: Config): Promise<Keys> {
  const keys = config.keys ?? (await readKeysFile(config.dataFolder).catch(asStartupError))
  if (keys === undefined) throw new StartupError(`There are no keys in ${keysFile(config.dataFolder)}.`)
  return keys
}

/** As `readKeys`, but makes keys in the data folder where there are none, and says so. */
export async function provideKeys(config: Config, log: Progress): Promise<Keys> {
  if (config.keys === undefined) {
    await mkdir(config.dataFolder, { recursive: true, mode: 0o711 })
    const made = await createKeysFile(config.dataFolder)
    if (made) log(`Made new keys in ${keysFile(config.dataFolder)}; without them, stored cards cannot be read`)
  }
  return readKeys(config)
}

function asStartupError(error: Error): never {
  throw new StartupError(error.message, { cause: error })
}
