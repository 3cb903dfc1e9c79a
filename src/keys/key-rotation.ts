import { randomBytes } from 'node:crypto'
import { open, readFile, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { RING_NAMES } from '../vault/key-proofs.ts'
import { keysFile, parseKeys, randomKey, randomKeyId, randomRing, syncFolder } from './keys-file.ts'

/** While a rotation has made a key that is not current yet, the file names it here, so that it can go on. */
const NEXT_KEY = 'NEXT_KEY_ID'

/** What the file of the keys holds beside what we read of it stays as it is. */
type Values = Record<string, unknown> & Record<(typeof RING_NAMES)[number], string>

/**
 * Gives a file that was made before there were `PAYLOAD_KEYS` a ring of them, and changes no other file.
 *
 * @returns whether it was given one.
 */
export async function addPayloadKeys(dataFolder: string): Promise<boolean> {
  let isAdded = false
  await changeKeysFile(dataFolder, (before) => {
    if (before.PAYLOAD_KEYS !== undefined) return before
    isAdded = true
    return { ...before, PAYLOAD_KEYS: randomRing() }
  })
  return isAdded
}

/**
 * Puts a new key before the others of every ring: processes can decrypt with it from the moment that they know
 * it, and encrypt with the last one, as before. One that an interrupted rotation has left there is taken.
 *
 * @returns the id of the key, the same in every ring.
 */
export async function addNextKey(dataFolder: string): Promise<string> {
  const id = randomKeyId()
  const values = await changeKeysFile(dataFolder, (before) => {
    if (isNextKey(before)) return before
    const withKey = (ring: string) => `${id}:${randomKey()},${ring}`
    return { ...mapRings(before, withKey), [NEXT_KEY]: id }
  })
  return String(values[NEXT_KEY])
}

/** Puts the key that was added last behind the others: from then on processes encrypt with it. */
export async function makeNextKeyCurrent(dataFolder: string): Promise<void> {
  await changeKeysFile(dataFolder, (before) => {
    if (!isNextKey(before)) return before
    const { [NEXT_KEY]: id, ...values } = before
    const isNext = (entry: string) => idOf(entry) === id
    return mapRings(values as Values, (ring) => {
      const entries = ring.split(',')
      return [...entries.filter((entry) => !isNext(entry)), ...entries.filter(isNext)].join(',')
    })
  })
}

/**
 * Takes a key out of rings.
 *
 * @returns what was there, by ring.
 */
export async function removeKey(
  dataFolder: string,
  id: string,
  rings: readonly string[] = RING_NAMES,
): Promise<ReadonlyMap<string, string>> {
  const removed = new Map<string, string>()
  await changeKeysFile(dataFolder, (before) =>
    mapRings(before, (ring, name) => {
      if (!rings.includes(name)) return ring
      const entries = ring.split(',')
      const entry = entries.find((candidate) => idOf(candidate) === id)
      if (entry !== undefined) removed.set(name, entry)
      return entries.filter((candidate) => candidate !== entry).join(',')
    }),
  )
  return removed
}

/** Puts removed keys back, as ones that are known and not current. */
export async function restoreKey(dataFolder: string, removed: ReadonlyMap<string, string>): Promise<void> {
  await changeKeysFile(dataFolder, (before) =>
    mapRings(before, (ring, name) => (removed.has(name) ? `${removed.get(name)},${ring}` : ring)),
  )
}

/** Whether a rotation was begun that has not made its key current. */
export async function hasNextKey(dataFolder: string): Promise<boolean> {
  return isNextKey(await readValues(keysFile(dataFolder)))
}

function isNextKey(values: Values): boolean {
  return RING_NAMES.every((name) => values[name].split(',').some((entry) => idOf(entry) === values[NEXT_KEY]))
}

const idOf = (entry: string) => entry.trim().split(':')[0]

function mapRings(values: Values, change: (ring: string, name: string) => string): Values {
  return { ...values, ...Object.fromEntries(RING_NAMES.map((name) => [name, change(values[name], name)])) } as Values
}

/**
 * Replaces the file whole, with the same owner and for this owner only; it is on the disk before anybody can read it, so
 * that no key is lost with which something is encrypted.
 */
async function changeKeysFile(dataFolder: string, change: (values: Values) => Values): Promise<Values> {
  // What a link points to is replaced, and not the link.
  const file = await realpath(keysFile(dataFolder))
  const before = await readValues(file)
  const after = change(before)
  if (after === before) return before
  const problem = parseKeys(after as Partial<Record<(typeof RING_NAMES)[number], string>>)
  if ('problems' in problem) throw new Error(`${file} would be damaged; it was left as it is.`)
  const { uid, gid } = await stat(file)
  const unfinished = `${file}.${randomBytes(4).toString('hex')}`
  try {
    const handle = await open(unfinished, 'wx', 0o600)
    try {
      const made = await handle.stat()
      // Its group may read nothing anyway, and the owner may not be in it.
      if (made.uid !== uid) await handle.chown(uid, gid)
      await handle.writeFile(`${JSON.stringify(after, null, 2)}\n`)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(unfinished, file)
  } finally {
    await rm(unfinished, { force: true })
  }
  await syncFolder(dirname(file))
  return after
}

async function readValues(file: string): Promise<Values> {
  return JSON.parse(await readFile(file, 'utf8')) as Values
}
