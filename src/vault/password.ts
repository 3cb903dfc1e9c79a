import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { type RandomBytes, randomText } from '../../domain/identifiers.ts'

const derive = promisify(argon2)

/** Source: OWASP, Password Storage Cheat Sheet: Argon2id with 19 MiB, two passes and one lane. Some 30 ms a password. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 } as const

const SALT_BYTES = 16
const TAG_BYTES = 32

/** The text form of the reference implementation: parameters, salt and hash. */
const HASHED = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/** Unguessable, and never the hash of a password: what an unknown account is compared with. */
const NOBODYS = textOf(COST, randomBytes(SALT_BYTES), randomBytes(TAG_BYTES))

/** 119 random bits, to be typed once. */
const MADE_LENGTH = 20

/** A password that somebody else hands over to its owner. */
export function makePassword(makeRandomBytes: RandomBytes): string {
  return randomText(makeRandomBytes, MADE_LENGTH)
}

/** A password as it is stored; the text tells nothing of it but to one who guesses it. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  return textOf(COST, salt, await hash(password, salt, COST))
}

/**
 * Whether it is the stored password.
 *
 * @param stored null for an unknown account, for which it takes as long as for a wrong password.
 */
export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  const [, memory, passes, parallelism, salt = '', expected = ''] = HASHED.exec(stored ?? NOBODYS) ?? []
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
  const tag = Buffer.from(expected, 'base64')
  const given = await hash(password, Buffer.from(salt, 'base64'), cost)
  return stored !== null && timingSafeEqual(given, tag)
}

interface Cost {
  /** KiB */
  memory: number
  passes: number
  parallelism: number
}

/** The same password typed on another keyboard may have other code points for one letter. */
function hash(password: string, nonce: Buffer, cost: Cost): Promise<Buffer> {
  return derive('argon2id', { ...cost, message: password.normalize('NFC'), nonce, tagLength: TAG_BYTES })
}

function textOf({ memory, passes, parallelism }: Cost, salt: Buffer, tag: Buffer): string {
  const [saltText, tagText] = [salt, tag].map((bytes) => bytes.toString('base64').replaceAll('=', ''))
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${saltText}$${tagText}`
}
