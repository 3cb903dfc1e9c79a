import { DriverException } from '@mikro-orm/postgresql'
import { DatabaseError } from 'pg'

/**
 * SQLSTATE classes and codes of a server that is temporarily unavailable. Source: PostgreSQL, appendix A: 08 connection
 * exceptions, 25P03 a session idle within a transaction for too long, 53 insufficient resources, 57014 a statement that
 * took too long, 57P01 to 57P05 shutdown, start and terminated sessions, 58 system errors.
 */
const UNAVAILABLE_SQLSTATE = /^(?:08...|25P03|53...|57014|57P0[1-5]|58...)$/

/** Node's codes for a connection that was refused, lost or never made. */
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

/** Messages of `pg` for a connection that ended, could not be made or gave no answer; these errors have no code. */
const PG_MESSAGE =
  /Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error/

/** True for an error of an unreachable database, and not of a statement. */
export function isDatabaseUnavailable(thrown: unknown): boolean {
  return findUnavailable(thrown) !== undefined
}

/** What the server, or the way to it, says of its absence; without the statement that MikroORM may put before it. */
export function unavailableReason(thrown: unknown): string {
  const { message, code } = findUnavailable(thrown) as NodeJS.ErrnoException
  return message.split(' - ').at(-1)?.split('\n')[0] || String(code)
}

function findUnavailable(thrown: unknown): Error | undefined {
  if (!(thrown instanceof Error)) return undefined
  const { code } = thrown as { code?: unknown }
  if (typeof code === 'string' && (UNAVAILABLE_SQLSTATE.test(code) || NETWORK_CODES.includes(code))) return thrown
  if (PG_MESSAGE.test(thrown.message)) return thrown
  // A host with several addresses fails with one error for each.
  const parts: unknown[] = thrown instanceof AggregateError ? thrown.errors : [thrown.cause]
  return parts.map(findUnavailable).find((found) => found !== undefined)
}

/** Source: PostgreSQL, appendix A, lock_not_available. */
const LOCK_NOT_AVAILABLE = '55P03'

/** A lock that was not requested, since too many requests of this process wait for the same object. */
export class LockTimeout extends Error {
  override readonly name = 'LockTimeout'
  readonly code = LOCK_NOT_AVAILABLE

  constructor(key: string) {
    super(`Too many requests wait for ${key}; this one gave up.`)
  }
}

/** True if the database has ended a statement that took too long. Source: PostgreSQL, appendix A, query_canceled. */
export function isStatementTimeout(thrown: unknown): boolean {
  return thrown instanceof Error && (thrown as { code?: unknown }).code === '57014'
}

/** True if a lock was not available within `lock_timeout`, or too many requests wait for it. */
export function isLockTimeout(thrown: unknown): boolean {
  return thrown instanceof Error && (thrown as { code?: unknown }).code === LOCK_NOT_AVAILABLE
}

/**
 * The loggable parts of a database error; null for any other error. Its message can contain values of a row or a statement,
 * so only its class, its SQLSTATE, the names of schema objects and the stack frames are kept.
 */
export function loggableDatabaseError(thrown: Error) {
  if (!(thrown instanceof DriverException || thrown instanceof DatabaseError)) return null
  const { code, table, constraint } = thrown as { code?: string; table?: string; constraint?: string }
  // The name of `pg`'s class is "error".
  const type = thrown instanceof DatabaseError ? 'DatabaseError' : thrown.name
  return { type, code, table, constraint, stack: framesOf(thrown) }
}

/** A stack begins with the message, which is dropped. */
function framesOf({ stack = '' }: Error): string {
  return stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n')
}
