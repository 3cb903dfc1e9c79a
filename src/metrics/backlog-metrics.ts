import { setTimeout as sleep } from 'node:timers/promises'
import { Gauge, type Registry } from 'prom-client'
import { ENVIRONMENTS } from '../../domain/environment.ts'
import type { Clock } from '../clock.ts'
import type { Logger } from '../logger.ts'
import { BACKLOG_MAX, type Backlog, type BacklogKind } from '../persistence/queries/statistics/backlog.ts'

/** Scrapes in between show what was read last, however many servers ask. */
const READ_EVERY_MS = 15_000
/** A scrape goes on without a database that does not answer: that is when its other values are needed. */
const READ_WITHIN_MS = 1_000
/** The sweep of payments looks for what is overdue by this much. */
const MISSED_AFTER_MS = 2 * 60 * 1000

export interface BacklogDeps {
  clock: Clock
  logger: Logger
  read(missedBefore: Date): Promise<Backlog[]>
}

const GAUGES: readonly { kind: BacklogKind; count: string; age: string | null; of: string }[] = [
  {
    kind: 'outcome-unknown',
    count: 'holdfast_payments_outcome_unknown',
    age: 'holdfast_payments_outcome_unknown_oldest_seconds',
    of: 'Payments with an operation at the gateway whose outcome is not known',
  },
  {
    kind: 'needs-attention',
    count: 'holdfast_payments_needing_attention',
    age: null,
    of: 'Payments that a person must look at: an outcome has been unknown for an hour, or the record cannot hold what happened',
  },
  {
    kind: 'due-date-missed',
    count: 'holdfast_payments_overdue',
    age: 'holdfast_payments_overdue_oldest_seconds',
    of: 'Payments whose capture, void or end was due two minutes ago, and that no step has written since',
  },
  {
    kind: 'look-up-missed',
    count: 'holdfast_payments_look_up_overdue',
    age: 'holdfast_payments_look_up_overdue_oldest_seconds',
    of: 'Payments whose look-up of an unknown outcome was due two minutes ago, and that no step has written since',
  },
  {
    kind: 'first-webhook',
    count: 'holdfast_webhooks_waiting',
    age: 'holdfast_webhooks_waiting_oldest_seconds',
    of: 'Webhooks that wait for their first attempt',
  },
  {
    kind: 'repeated-webhook',
    count: 'holdfast_webhooks_retrying',
    age: 'holdfast_webhooks_retrying_late_seconds',
    of: 'Webhooks that wait for another attempt, after one that failed',
  },
]

/**
 * Gauges of what waits in the database: the same in every process.
 *
 * @returns reads them anew, unless that was a moment ago; never throws.
 */
export function createBacklogMetrics(registry: Registry, { clock, logger, read }: BacklogDeps): () => Promise<void> {
  const registers = [registry]
  const labelNames = ['environment'] as const
  const gauges = GAUGES.map(({ kind, count, age, of }) => ({
    kind,
    count: new Gauge({ name: count, help: `${of}; ${BACKLOG_MAX} are all that are counted`, labelNames, registers }),
    age: age === null ? null : new Gauge({ name: age, help: `${of}: how late the oldest is`, labelNames, registers }),
  }))
  const readAt = new Gauge({
    name: 'holdfast_backlog_read_timestamp_seconds',
    help: 'When the gauges of payments and webhooks were last read from the database',
    registers,
  })
  let startedAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | null = null

  async function readAll(): Promise<void> {
    const now = clock.now().getTime()
    startedAt = now
    try {
      const backlogs = await read(new Date(now - MISSED_AFTER_MS))
      for (const environment of ENVIRONMENTS) {
        for (const { kind, count, age } of gauges) {
          const found = backlogs.find((one) => one.kind === kind && one.environment === environment)
          count.set({ environment }, found?.count ?? 0)
          // What is due later is not late.
          age?.set({ environment }, Math.max(0, (now - (found?.oldest?.getTime() ?? now)) / 1000))
        }
      }
      readAt.set(now / 1000)
    } catch (error) {
      logger.warn({ err: error }, 'What waits in the database was not read for the metrics')
    } finally {
      reading = null
    }
  }

  return async () => {
    if (reading === null && clock.now().getTime() - startedAt >= READ_EVERY_MS) reading = readAll()
    if (reading !== null) await Promise.race([reading, sleep(READ_WITHIN_MS, undefined, { ref: false })])
  }
}
