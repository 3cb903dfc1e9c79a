import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '../../logger.ts'
import { isDatabaseUnavailable } from '../../persistence/database-error.ts'
import type { ApiRequestRow } from '../../persistence/entities/api-request.ts'
import type { Orm } from '../../persistence/orm.ts'
import { insertApiRequests } from '../../persistence/queries/projects/api-requests.ts'
import { loggableError } from '../loggable-error.ts'

/** How long a row waits at most while the database answers. */
const FLUSH_INTERVAL_MS = 1_000
/** One statement's worth; as soon as there are so many they are written without waiting. */
const BATCH_SIZE = 200
/** Ten statements' worth. Without the database nobody can be authenticated either, so that few rows come to wait. */
const WAITING_MAX = 2_000
/** A process that stops waits no longer than this for a database that does not answer. */
const STOP_TIMEOUT_MS = 5_000

export interface RequestLog {
  /** Never fails and never waits. */
  add(row: ApiRequestRow): void
}

export interface BufferedRequestLog extends RequestLog {
  /** Begins to write by itself. Without it only `flush` writes. */
  start(): void
  /** Writes what waits. Where the database is away the rows go on waiting. */
  flush(): Promise<void>
  /** Writes what waits and no more by itself. */
  stop(): Promise<void>
}

/**
 * Keeps rows in memory and writes them in batches. While the database is away they wait; too many, and the oldest are
 * dropped and counted in the log. It never delays a payment.
 */
export function createRequestLog({ orm, logger }: { orm: Orm; logger: Logger }): BufferedRequestLog {
  const waiting: ApiRequestRow[] = []
  let lost = 0
  let isFailing = false
  let isStarted = false
  let timer: NodeJS.Timeout | undefined
  let flushing: Promise<void> | undefined

  function dropOldest(): void {
    const tooMany = waiting.length - WAITING_MAX
    if (tooMany <= 0) return
    waiting.splice(0, tooMany)
    lost += tooMany
  }

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, BATCH_SIZE)
      if (await isWritten(batch)) continue
      waiting.unshift(...batch)
      dropOldest()
      break
    }
    reportLoss()
  }

  async function isWritten(batch: ApiRequestRow[]): Promise<boolean> {
    try {
      await insertApiRequests(orm, batch)
    } catch (error) {
      if (isDatabaseUnavailable(error)) {
        if (!isFailing) logger.warn({ err: loggableError(error) }, 'The request log waits for the database')
        isFailing = true
        return false
      }
      await writeOneByOne(batch, error)
    }
    isFailing = false
    return true
  }

  /** One row that cannot be stored must not cost the others. */
  async function writeOneByOne(batch: ApiRequestRow[], error: unknown): Promise<void> {
    logger.error({ err: loggableError(error) }, 'Some row of the request log cannot be stored')
    for (const row of batch) {
      await insertApiRequests(orm, [row]).catch(() => {
        lost += 1
      })
    }
  }

  function reportLoss(): void {
    if (lost > 0) logger.warn({ rows: lost }, 'The request log has lost rows')
    lost = 0
  }

  function flush(): Promise<void> {
    flushing ??= writeAll().finally(() => {
      flushing = undefined
    })
    return flushing
  }

  return {
    add(row) {
      waiting.push(row)
      dropOldest()
      if (isStarted && !isFailing && waiting.length >= BATCH_SIZE) void flush()
    },
    start() {
      isStarted = true
      timer = setInterval(() => void flush(), FLUSH_INTERVAL_MS)
    },
    flush,
    async stop() {
      isStarted = false
      clearInterval(timer)
      const giveUp = new AbortController()
      await Promise.race([flush().then(flush), sleep(STOP_TIMEOUT_MS, undefined, giveUp).catch(() => undefined)])
      giveUp.abort()
      lost += waiting.splice(0).length
      reportLoss()
    },
  }
}
