import { AUTHORIZATION_VALIDITY_MS } from '../../domain/authorization-validity.ts'
import { VELOCITY_SECONDS_MAX } from '../../domain/routing/limits.ts'
import type { Clock } from '../clock.ts'
import type { Retention } from '../config.ts'
import type { Logger } from '../logger.ts'
import { isDatabaseUnavailable, isStatementTimeout } from '../persistence/database-error.ts'
import type { EntityManager, Orm } from '../persistence/orm.ts'
import { TRIES_KEPT_SECONDS } from '../persistence/queries/people/sign-in-failures.ts'
import {
  deleteOlder,
  eraseCardNumbers,
  eraseCredentials,
  type OldTable,
} from '../persistence/queries/retention/retention.ts'
import { deleteFullBuckets } from '../rate-limit/buckets.ts'

/** Rows of one statement: it ends within some 20 ms, so that it blocks neither requests nor the vacuum. */
const BATCH_SIZE = 1000

/**
 * Batches of one kind a minute. That is 3,000 rows a second and process, more than a busy service writes. The next kind,
 * security codes above all, need not wait for the first run on a table that grew for a year.
 */
const BATCHES_MAX = 200

/** A command begins within a minute or never; a day allows for clock errors. */
const COMMANDS_KEPT_MS = 24 * 60 * 60 * 1000

/** A payment that is still overdue is found again within minutes of its next try. */
const PICK_UPS_KEPT_MS = 24 * 60 * 60 * 1000

/** The longest interval of routing rules; a further day allows for clock errors. */
const VELOCITY_RECORDS_KEPT_MS = VELOCITY_SECONDS_MAX * 1000 + 24 * 60 * 60 * 1000

/**
 * For notifications without a payment. An outcome is looked up for as long as an issuer holds money; by then its payment
 * would have been found.
 */
const UNCLAIMED_NOTIFICATIONS_KEPT_MS = AUTHORIZATION_VALIDITY_MS

/** So long a link of which the time is over can say so. */
const INVITATIONS_KEPT_MS = 30 * 24 * 60 * 60 * 1000

interface Deletion {
  what: string
  /** How long rows are kept. */
  keptMs: (retention: Retention) => number
  /** The table whose oldest rows are deleted, or what deletes them. */
  delete: OldTable | ((em: EntityManager, batch: { before: Date; limit: number }, now: Date) => Promise<number>)
}

const NO_LONGER = () => 0

/** The data with a limited retention, and how it is deleted. */
const DELETIONS: readonly Deletion[] = [
  { what: 'Expired security codes', keptMs: NO_LONGER, delete: 'card_security_code' },
  { what: 'Expired external authentications', keptMs: NO_LONGER, delete: 'external_authentication' },
  {
    what: 'Card numbers past their retention',
    keptMs: ({ cardNumbersMs }) => cardNumbersMs,
    delete: eraseCardNumbers,
  },
  {
    what: 'Credentials of deleted gateway configurations',
    keptMs: ({ gatewayCredentialsMs }) => gatewayCredentialsMs,
    delete: eraseCredentials,
  },
  { what: 'Notes of old commands', keptMs: () => COMMANDS_KEPT_MS, delete: 'command_note' },
  { what: 'Records of withdrawn commands', keptMs: () => COMMANDS_KEPT_MS, delete: 'withdrawn_command' },
  { what: 'Claims of overdue payments', keptMs: () => PICK_UPS_KEPT_MS, delete: 'payment_pick_up' },
  { what: 'Old idempotency keys', keptMs: ({ idempotencyKeysMs }) => idempotencyKeysMs, delete: 'idempotency_key' },
  { what: 'Blocks by merchant advice that have ended', keptMs: NO_LONGER, delete: 'advice_block' },
  { what: 'Old API requests', keptMs: ({ apiRequestsMs }) => apiRequestsMs, delete: 'api_request' },
  { what: 'Old minutes of limits', keptMs: ({ apiRequestsMs }) => apiRequestsMs, delete: 'limit_minute' },
  { what: 'Sessions that have ended', keptMs: NO_LONGER, delete: 'person_session' },
  { what: 'Old tries to sign in', keptMs: () => TRIES_KEPT_SECONDS * 1000, delete: 'sign_in_failure' },
  { what: 'Expired invitations', keptMs: () => INVITATIONS_KEPT_MS, delete: 'invitation' },
  {
    what: 'Old attempts of webhooks',
    keptMs: ({ webhookAttemptsMs }) => webhookAttemptsMs,
    delete: 'delivery_attempt',
  },
  {
    what: 'Velocity records beyond the longest interval',
    keptMs: () => VELOCITY_RECORDS_KEPT_MS,
    delete: 'velocity_record',
  },
  {
    what: 'Notifications of no payment',
    keptMs: () => UNCLAIMED_NOTIFICATIONS_KEPT_MS,
    delete: 'gateway_notification',
  },
  { what: 'Full buckets of the limiter', keptMs: NO_LONGER, delete: (em, _, now) => deleteFullBuckets(em, now) },
]

interface DeletionDeps {
  orm: Orm
  clock: Clock
  logger: Logger
}

/** Deletes all kinds; one that fails does not stop the others, unless the database is away. */
export async function deleteOnce(deps: DeletionDeps, retention: Retention, stopping?: AbortSignal): Promise<void> {
  for (const deletion of DELETIONS) {
    try {
      await deleteAll(deps, retention, deletion, stopping)
    } catch (error) {
      if (isDatabaseUnavailable(error) && !isStatementTimeout(error)) throw error
      deps.logger.error({ err: error }, `${deletion.what} could not be deleted; trying again in a minute`)
    }
  }
}

async function deleteAll(
  { orm, clock }: Omit<DeletionDeps, 'logger'>,
  retention: Retention,
  { keptMs, delete: oldest }: Deletion,
  stopping?: AbortSignal,
): Promise<void> {
  const now = clock.now()
  const batch = { before: new Date(now.getTime() - keptMs(retention)), limit: BATCH_SIZE }
  for (let batches = 0; batches < BATCHES_MAX && stopping?.aborted !== true; batches += 1) {
    const em = orm.em.fork()
    const deleted = await (typeof oldest === 'string' ? deleteOlder(em, oldest, batch) : oldest(em, batch, now))
    if (deleted < BATCH_SIZE) return
  }
}
