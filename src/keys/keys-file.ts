import { randomBytes } from 'node:crypto'
import { link, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { KeyRing, Keys } from '../vault/keys.ts'

/** AES-256 and HMAC-SHA-256 both take keys of 256 bits. */
const KEY_BYTES = 32
const KEY_ID_BYTES = 4
const KEY_ID = /^[A-Za-z0-9_-]{1,32}$/
const BASE64_OF_32_BYTES = /^[A-Za-z0-9+/]{43}=$/

/** The environment variables that hold the keys; `keys.json` has the same names and the same values. */
export const KEY_VARIABLES = [
  'CARD_NUMBER_KEYS',
  'SECURITY_CODE_KEYS',
  'PAYLOAD_KEYS',
  'FINGERPRINT_KEY',
  'API_SECRET_HASH_KEY',
  'CLIENT_SECRET_KEY',
] as const

type KeyValues = Partial<Record<(typeof KEY_VARIABLES)[number], string | undefined>>

/** A value that is wrong, and what would be right; never the value itself. */
export interface KeyProblem {
  name: (typeof KEY_VARIABLES)[number]
  accepted: string
}

export const RING_ACCEPTED =
  'one or more <id>:<key>, separated by commas, the last one current, each key 32 bytes in base64, each id once'
const KEY_ACCEPTED = '32 bytes in base64 (openssl rand -base64 32)'

/** Reads all values; every missing or wrong one is a problem. */
export function parseKeys(values: KeyValues): { keys: Keys } | { problems: KeyProblem[] } {
  const problems: KeyProblem[] = []
  const key = (name: KeyProblem['name']): Buffer => {
    const parsed = parseKey(values[name] ?? '')
    if (parsed === undefined) problems.push({ name, accepted: KEY_ACCEPTED })
    return parsed ?? Buffer.alloc(0)
  }
  const ring = (name: KeyProblem['name']): KeyRing => {
    const parsed = parseRing(values[name] ?? '')
    if (parsed === undefined) problems.push({ name, accepted: RING_ACCEPTED })
    return parsed ?? { current: '', keys: new Map() }
  }
  const keys: Keys = {
    cardNumber: ring('CARD_NUMBER_KEYS'),
    securityCode: ring('SECURITY_CODE_KEYS'),
    payload: ring('PAYLOAD_KEYS'),
    fingerprint: key('FINGERPRINT_KEY'),
    apiSecretHash: key('API_SECRET_HASH_KEY'),
    clientSecret: key('CLIENT_SECRET_KEY'),
  }
  return problems.length > 0 ? { problems } : { keys }
}

/** Where the keys lie that were not given in the environment. */
export function keysFile(dataFolder: string): string {
  return join(dataFolder, 'keys.json')
}

/**
 * @returns undefined when there is no such file.
 * @throws Error when the file is there and cannot be used. Making new keys then would lose all that is encrypted.
 */
export async function readKeysFile(dataFolder: string): Promise<Keys | undefined> {
  const file = keysFile(dataFolder)
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    if (code === 'EACCES')
      throw new Error(
        `${file} cannot be read by this user; give it to the user that the service runs as, with mode 600.`,
      )
    throw error
  }
  const result = parseKeys(parseObject(text))
  if ('keys' in result) return result.keys
  const names = result.problems.map(({ name }) => name).join(', ')
  throw new Error(`${file} is damaged (${names}); restore it from a backup, without it stored cards cannot be read.`)
}

/**
 * Writes new random keys, readable by this user only, unless there is a file already. The file appears whole or
 * not at all, and is on the disk before anything can be encrypted with it.
 *
 * @returns true when the file was written.
 */
export async function createKeysFile(dataFolder: string): Promise<boolean> {
  const file = keysFile(dataFolder)
  const unfinished = `${file}.${randomBytes(4).toString('hex')}`
  try {
    const handle = await open(unfinished, 'wx', 0o600)
    try {
      await handle.writeFile(`${JSON.stringify(randomKeyValues(), null, 2)}\n`)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await link(unfinished, file)
    await syncFolder(dataFolder)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    await rm(unfinished, { force: true })
  }
}

/** A new key as it is written, in base64. */
export function randomKey(): string {
  return randomBytes(KEY_BYTES).toString('base64')
}

/** What a new key of a ring is called by. */
export function randomKeyId(): string {
  return randomBytes(KEY_ID_BYTES).toString('hex')
}

/** A ring of one new key, as it is written. */
export function randomRing(): string {
  return `${randomKeyId()}:${randomKey()}`
}

function randomKeyValues(): Record<KeyProblem['name'], string> {
  return {
    CARD_NUMBER_KEYS: randomRing(),
    SECURITY_CODE_KEYS: randomRing(),
    PAYLOAD_KEYS: randomRing(),
    FINGERPRINT_KEY: randomKey(),
    API_SECRET_HASH_KEY: randomKey(),
    CLIENT_SECRET_KEY: randomKey(),
  }
}

function parseKey(text: string): Buffer | undefined {
  return BASE64_OF_32_BYTES.test(text) ? Buffer.from(text, 'base64') : undefined
}

/** @returns undefined where the text is no ring. */
export function parseRing(text: string): KeyRing | undefined {
  const keys = new Map<string, Buffer>()
  let current = ''
  for (const entry of text.split(',')) {
    const [id = '', encoded = '', ...rest] = entry.trim().split(':')
    const key = parseKey(encoded)
    if (!KEY_ID.test(id) || key === undefined || rest.length > 0 || keys.has(id)) return undefined
    keys.set(id, key)
    current = id
  }
  return { current, keys }
}

/** A ring as it is written. */
export function ringText({ keys }: KeyRing): string {
  return [...keys].map(([id, key]) => `${id}:${key.toString('base64')}`).join(',')
}

function parseObject(text: string): KeyValues {
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null
      ? Object.fromEntries(Object.entries(parsed).filter(([, value]) => typeof value === 'string'))
      : {}
  } catch {
    return {}
  }
}

/** Has the names of the files in a folder on the disk. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
