import type { EntityManager } from '../persistence/orm.ts'
import { deleteExpiredSecurityCodes } from '../persistence/queries/customers/delete-expired-security-codes.ts'
import { deleteOldCommands } from '../persistence/queries/payments/delete-old-commands.ts'
import { deleteOldKeys } from '../persistence/queries/payments/idempotency-keys.ts'
import { deleteOldApiRequests } from '../persistence/queries/projects/delete-old-api-requests.ts'
import { deleteFullBuckets } from '../rate-limit/postgres-store.ts'
import type { Shutdown } from '../shutdown.ts'
import type { Core } from './core.ts'
import { startSweep } from './sweep.ts'

/** A security code may be kept for an hour; looking this often makes the last one go a minute later at most. */
const INTERVAL_MS = 60_000

/** How long the log of requests is kept: support looks at it while a case is young, and it holds what customers sent. */
const API_REQUESTS_KEPT_MS = 30 * 24 * 60 * 60 * 1000

/** What is kept for a time only, and how the rows go whose time is over. */
const DELETIONS: readonly { what: string; delete: (em: EntityManager, now: Date) => Promise<number> }[] = [
  { what: 'Expired security codes', delete: deleteExpiredSecurityCodes },
  { what: 'Notes and marks of old commands', delete: deleteOldCommands },
  { what: 'Old idempotency keys', delete: deleteOldKeys },
  { what: 'Full buckets of the limiter', delete: deleteFullBuckets },
  {
    what: 'Old API requests',
    delete: (em, now) => deleteOldApiRequests(em, new Date(now.getTime() - API_REQUESTS_KEPT_MS)),
  },
]

/** Every worker process does this each minute; deleting what another one has deleted harms nobody. */
export function deleteWhatIsOver(core: Core, shutdown: Shutdown): void {
  const run = () => deleteOnce(core)
  startSweep({ name: 'The deletion of what is over', intervalMs: INTERVAL_MS, run }, core.logger, shutdown)
}

/** What cannot be deleted does not keep the rest. */
export async function deleteOnce({ orm, clock, logger }: Pick<Core, 'orm' | 'clock' | 'logger'>): Promise<void> {
  for (const { what, delete: run } of DELETIONS) {
    try {
      await run(orm.em.fork(), clock.now())
    } catch (error) {
      logger.error({ err: error }, `${what} could not be deleted; trying again in a minute`)
    }
  }
}
