import { DriverException } from '@mikro-orm/postgresql'
import { DatabaseError } from 'pg'

/**
 * SQLSTATE classes and codes of a server that cannot serve now and may serve again soon.
 * Source: PostgreSQL, appendix A: 08 connection exceptions, 25P03 a session that was idle within a transaction for too long,
 * 53 insufficient resources, 57014 a statement that took too long, 57P01 to 57P05 shutdown, start and terminated sessions,
 * 58 faults of its machine.
 */
const UNAVAILABLE_SQLSTATE = /^(?:08...|25P03|53...|57014|57P0[1-5]|58...)$/

/** Node's own words for a connection that was refused, lost or never made. */
const NETWORK_CODES: readonly string[] = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]

/** What `pg` says of a connection that ended, could not be had or gave no answer; these errors have no code. */
const PG_MESSAGE =
  /Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error/

/** True for an error that says that the database is out of reach, rather than that a statement was wrong. */
export function isDatabaseUnavailable(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false
  const { code } = thrown as { code?: unknown }
  if (typeof code === 'string' && (UNAVAILABLE_SQLSTATE.test(code) || NETWORK_CODES.includes(code))) return true
  if (PG_MESSAGE.test(thrown.message)) return true
  // A host with several addresses fails with one error for each.
  const parts: unknown[] = thrown instanceof AggregateError ? thrown.errors : [thrown.cause]
  return parts.some(isDatabaseUnavailable)
}

/** Source: PostgreSQL, appendix A, lock_not_available. */
const LOCK_NOT_AVAILABLE = '55P03'

/** A lock that was not even asked for, since too many others in this process wait for the same object. */
export class LockTimeout extends Error {
  override readonly name = 'LockTimeout'
  readonly code = LOCK_NOT_AVAILABLE

  constructor(key: string) {
    super(`Too many requests wait for ${key}; this one gave up.`)
  }
}

/** True where a lock could not be had within `lock_timeout`, or where it was no use to ask for it. */
export function isLockTimeout(thrown: unknown): boolean {
  return thrown instanceof Error && (thrown as { code?: unknown }).code === LOCK_NOT_AVAILABLE
}

/**
 * What may be logged of a database error; null for any other. Its text can repeat a row or a statement with its
 * values, so only its class, its SQLSTATE, the names of schema objects and the frames of the stack are kept.
 */
export function loggableDatabaseError(thrown: Error) {
  if (!(thrown instanceof DriverException || thrown instanceof DatabaseError)) return null
  const { code, table, constraint } = thrown as { code?: string; table?: string; constraint?: string }
  // That of `pg` is named "error".
  const type = thrown instanceof DatabaseError ? 'DatabaseError' : thrown.name
  return { type, code, table, constraint, stack: framesOf(thrown) }
}

/** A stack begins with the message, which is left out. */
function framesOf({ stack = '' }: Error): string {
  return stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n')
}
