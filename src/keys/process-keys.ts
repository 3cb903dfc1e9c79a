import { mkdir } from 'node:fs/promises'
import type { Config } from '../config.ts'
import type { Logger } from '../logger.ts'
import type { Shutdown } from '../shutdown.ts'
import { type Progress, StartupError } from '../startup-error.ts'
import { createOutages } from '../sweeps/outages.ts'
import { startSweep } from '../sweeps/sweep.ts'
import type { KeyRing, Keys } from '../vault/keys.ts'
import { addPayloadKeys } from './key-rotation.ts'
import { createKeysFile, keysFile, readKeysFile } from './keys-file.ts'

/** How soon a process takes over what has changed in the file of the keys; the file is less than a kilobyte. */
const INTERVAL_MS = 2_000

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
    else if (await addPayloadKeys(config.dataFolder).catch(() => false))
      log('Added PAYLOAD_KEYS to the file of the keys')
  }
  return readKeys(config)
}

/**
 * The same keys, whose rings are exchanged when the file of the keys changes. A file that cannot be used, or whose
 * other keys are not these, changes nothing and is logged as an error, once for each reason. Keys of the environment stay
 * as they are.
 */
export function followKeys(
  config: Pick<Config, 'keys' | 'dataFolder'>,
  keys: Keys,
  { logger, shutdown, intervalMs = INTERVAL_MS }: { logger: Logger; shutdown: Shutdown; intervalMs?: number },
): Keys {
  if (config.keys !== undefined) return keys
  const followed = { ...keys }
  let problem = ''
  const run = async () => {
    const result = await readChangedKeys(config.dataFolder, followed)
    if ('problem' in result) {
      if (result.problem !== problem) logger.error(`${result.problem} The keys stay as they were.`)
      problem = result.problem
      return
    }
    problem = ''
    if (isSameRings(followed, result.keys)) return
    logger.info(describeRings(result.keys), 'the keys have changed')
    followed.cardNumber = result.keys.cardNumber
    followed.securityCode = result.keys.securityCode
    followed.payload = result.keys.payload
  }
  startSweep({ name: 'The look at the keys', intervalMs, run }, createOutages(logger), shutdown)
  return followed
}

async function readChangedKeys(dataFolder: string, known: Keys): Promise<{ keys: Keys } | { problem: string }> {
  try {
    const keys = await readKeysFile(dataFolder)
    if (keys === undefined) return { problem: `${keysFile(dataFolder)} is gone.` }
    const changed = [
      ...CONSTANT_KEYS.filter((name) => !keys[name].equals(known[name])),
      ...RINGS.flatMap((name) => lostIds(known[name], keys[name]).map((id) => `${name} ${id}`)),
    ]
    if (changed.length === 0) return { keys }
    return {
      problem: `${keysFile(dataFolder)} lacks keys that are in use, or has others instead: ${changed.join(', ')}.`,
    }
  } catch (error) {
    return { problem: (error as Error).message }
  }
}

/** What is recognised by these would be recognised no more. */
const CONSTANT_KEYS = ['fingerprint', 'apiSecretHash', 'clientSecret'] as const

const RINGS = ['cardNumber', 'securityCode', 'payload'] as const

/** The ids under which a ring has another key than before, and the current one where it is gone. */
function lostIds(before: KeyRing, after: KeyRing): string[] {
  return [...before.keys]
    .filter(([id, key]) => {
      const now = after.keys.get(id)
      return now === undefined ? id === before.current : !now.equals(key)
    })
    .map(([id]) => id)
}

function isSameRings(a: Keys, b: Keys): boolean {
  return RINGS.every((name) => {
    const [one, other] = [a[name], b[name]]
    return (
      one.current === other.current &&
      one.keys.size === other.keys.size &&
      [...one.keys].every(([id, key]) => other.keys.get(id)?.equals(key))
    )
  })
}

/** Their ids, never a key. */
function describeRings({ cardNumber, securityCode, payload }: Keys) {
  const describe = ({ current, keys }: KeyRing) => ({ current, known: [...keys.keys()] })
  return { card_number: describe(cardNumber), security_code: describe(securityCode), payload: describe(payload) }
}

function asStartupError(error: Error): never {
  throw new StartupError(error.message, { cause: error })
}
