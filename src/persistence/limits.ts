import { PRODUCTION_WAITS } from '../waits.ts'

/** How long a process waits for its database, in milliseconds; 0 sets no limit. */
export interface DatabaseLimits {
  /** For a connection: for a free one of the pool, and for a new one to be made. */
  connectMs: number
  /** For a row, a table or an advisory lock that another session holds: SQLSTATE 55P03. */
  lockMs: number
  /** For a statement, waits for locks included; the server cancels it: SQLSTATE 57014. */
  statementMs: number
  /** For a statement where the server says nothing at all; the process gives up its connection. */
  answerMs: number
  /** Between two statements of one transaction; the server ends the session, and with it its locks: SQLSTATE 25P03. */
  idleInTransactionMs: number
}

/**
 * For the API and the workers. A lock timeout is reported long before the 30 s for which a merchant waits. A session that
 * dies within a transaction keeps its locks for `idleInTransactionMs` at most.
 */
export const SERVICE_LIMITS: DatabaseLimits = {
  connectMs: 10_000,
  lockMs: PRODUCTION_WAITS.lockMs,
  statementMs: 15_000,
  answerMs: 20_000,
  idleInTransactionMs: 10_000,
}

/**
 * For migrations and administrative commands, which may read or rewrite whole tables. Lock waits have a limit here too:
 * every later query of a table waits behind a migration that waits for the table.
 */
export const MAINTENANCE_LIMITS: DatabaseLimits = {
  connectMs: 10_000,
  lockMs: 30_000,
  statementMs: 0,
  answerMs: 0,
  idleInTransactionMs: 60_000,
}

/** A peer that is silent for so long is probed, and counts as lost after three probes without an answer. */
const KEEP_ALIVE_S = 10
const KEEP_ALIVE_INTERVAL_S = 5
const KEEP_ALIVE_COUNT = 3
const UNACKNOWLEDGED_MS = 30_000

/**
 * The limits as node-postgres takes them. Server settings travel in the start-up packet of a connection, so that no
 * statement has to set them.
 */
export function connectionOptions(limits: DatabaseLimits) {
  return {
    connectionTimeoutMillis: limits.connectMs,
    lock_timeout: limits.lockMs,
    statement_timeout: limits.statementMs,
    query_timeout: limits.answerMs,
    idle_in_transaction_session_timeout: limits.idleInTransactionMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_S * 1000,
    // The server, too, notices a lost process and frees its locks.
    options: Object.entries({
      tcp_keepalives_idle: KEEP_ALIVE_S,
      tcp_keepalives_interval: KEEP_ALIVE_INTERVAL_S,
      tcp_keepalives_count: KEEP_ALIVE_COUNT,
      tcp_user_timeout: UNACKNOWLEDGED_MS,
    })
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
  }
}
