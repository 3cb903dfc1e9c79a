import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '../../logger.ts'
import { isDatabaseUnavailable, unavailableReason } from '../../persistence/database-error.ts'
import type { Orm } from '../../persistence/orm.ts'
import { insertApiRequests, type LoggedRequest } from '../../persistence/queries/projects/api-requests.ts'
import { loggableError } from '../loggable-error.ts'

/** The longest wait of a row while the database answers. */
const FLUSH_INTERVAL_MS = 1_000
/** The rows of one statement; this many are written at once. */
const BATCH_SIZE = 200
/** Ten statements. Without the database no caller can be authenticated, so few rows are added then. */
const WAITING_MAX = 2_000
/** How long a stopping process waits for a database that does not answer. */
const STOP_TIMEOUT_MS = 5_000

export interface RequestLog {
  /** Never fails or waits. */
  add(row: LoggedRequest): void
}

/**
 * Buffers rows and writes them in batches. While the database is away they wait; beyond a limit the oldest are dropped, and
 * the log reports how many. It never delays a payment.
 */
export class BufferedRequestLog implements RequestLog {
  readonly #orm: Orm
  readonly #logger: Logger
  readonly #waiting: LoggedRequest[] = []
  #lost = 0
  #isFailing = false
  #isStarted = false
  #timer: NodeJS.Timeout | undefined
  #flushing: Promise<void> | undefined

  constructor({ orm, logger }: { orm: Orm; logger: Logger }) {
    this.#orm = orm
    this.#logger = logger
  }

  add(row: LoggedRequest): void {
    this.#waiting.push(row)
    this.#dropOldest()
    if (this.#isStarted && !this.#isFailing && this.#waiting.length >= BATCH_SIZE) void this.flush()
  }

  /** Starts writing at intervals. Without it only `flush` writes. */
  start(): void {
    this.#isStarted = true
    this.#timer = setInterval(() => void this.flush(), FLUSH_INTERVAL_MS)
  }

  /** Writes the rows that wait when it begins, once at a time. While the database is away they stay. */
  flush(): Promise<void> {
    this.#flushing ??= this.#writeAll().finally(() => {
      this.#flushing = undefined
    })
    return this.#flushing
  }

  /** Writes the waiting rows and stops the intervals. */
  async stop(): Promise<void> {
    this.#isStarted = false
    clearInterval(this.#timer)
    const giveUp = new AbortController()
    const isOver = sleep(STOP_TIMEOUT_MS, undefined, giveUp).catch(() => undefined)
    await Promise.race([this.flush().then(() => this.flush()), isOver])
    giveUp.abort()
    this.#lost += this.#waiting.splice(0).length
    this.#reportLoss()
  }

  #dropOldest(): void {
    const tooMany = this.#waiting.length - WAITING_MAX
    if (tooMany <= 0) return
    this.#waiting.splice(0, tooMany)
    this.#lost += tooMany
  }

  async #writeAll(): Promise<void> {
    // Rows that are added meanwhile wait for a full batch or the next interval. Otherwise a busy process would send a
    // statement for every few of them.
    for (let left = this.#waiting.length; left > 0 || this.#waiting.length >= BATCH_SIZE; left -= BATCH_SIZE) {
      const batch = this.#waiting.splice(0, BATCH_SIZE)
      if (await this.#isWritten(batch)) continue
      this.#waiting.unshift(...batch)
      this.#dropOldest()
      break
    }
    this.#reportLoss()
  }

  async #isWritten(batch: LoggedRequest[]): Promise<boolean> {
    try {
      await insertApiRequests(this.#orm, batch)
    } catch (error) {
      if (isDatabaseUnavailable(error)) {
        if (!this.#isFailing) this.#logger.warn(`The request log waits for the database: ${unavailableReason(error)}`)
        this.#isFailing = true
        return false
      }
      await this.#writeOneByOne(batch, error)
    }
    if (this.#isFailing) this.#logger.info('The request log is written again')
    this.#isFailing = false
    return true
  }

  /** One unstorable row must not cost the others. */
  async #writeOneByOne(batch: LoggedRequest[], error: unknown): Promise<void> {
    this.#logger.error({ err: loggableError(error) }, 'Some row of the request log cannot be stored')
    for (const row of batch) {
      await insertApiRequests(this.#orm, [row]).catch(() => {
        this.#lost += 1
      })
    }
  }

  #reportLoss(): void {
    if (this.#lost > 0) this.#logger.warn({ rows: this.#lost }, 'The request log has lost rows')
    this.#lost = 0
  }
}
