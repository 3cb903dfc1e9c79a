import type { WebhookStarter } from '../../activities/dependencies.ts'
import { writeCheckpoints } from '../audit/write-checkpoints.ts'
import { reconcileDays } from '../books/reconcile-days.ts'
import type { Retention } from '../config.ts'
import type { GatewayRegistry } from '../gateways/registry.ts'
import type { Logger } from '../logger.ts'
import type { Orm } from '../persistence/orm.ts'
import type { ChangeDeps } from '../persistence/queries/webhooks/project-event.ts'
import type { Shutdown } from '../shutdown.ts'
import type { TemporalConnection } from '../temporal/connection.ts'
import { createResyncSignal } from '../temporal/resync-signal.ts'
import type { TaskQueues } from '../temporal/task-queues.ts'
import { createAnnouncer } from '../temporal/webhook-starter.ts'
import type { Vault } from '../vault/vault.ts'
import { announceExpiringCards } from './card-expiry.ts'
import { deleteOnce } from './deletions.ts'
import { expireInvoices } from './invoice-expiry.ts'
import type { Outages } from './outages.ts'
import { pickUpOverduePayments } from './overdue-payments.ts'
import { countPaymentDays } from './payment-days.ts'
import { replaceStuckRuns } from './stuck-runs.ts'
import { type Sweep, startSweep } from './sweep.ts'
import { startWaitingEvents } from './waiting-webhooks.ts'

export interface WorkerSweepDeps extends Omit<ChangeDeps, 'announce'> {
  orm: Orm
  temporal: Pick<TemporalConnection, 'clients'>
  taskQueues: TaskQueues
  vault: Vault
  webhookStarter: WebhookStarter
  gateways: GatewayRegistry
  retention: Retention
  logger: Logger
  outages: Outages
}

const MINUTE_MS = 60_000

/**
 * Starts the sweeps of a worker process. Several processes may run the same sweep at once: rows locked by one are skipped
 * by the others, and a second start of a workflow changes nothing.
 */
export function startWorkerSweeps(deps: WorkerSweepDeps, shutdown: Shutdown): void {
  const { temporal, taskQueues, webhookStarter, retention, logger, outages } = deps
  const { clients } = temporal
  const resync = createResyncSignal({ temporal: clients, taskQueues })
  const changing = { ...deps, announce: createAnnouncer(webhookStarter, logger) }
  const sweeps: readonly Sweep[] = [
    {
      name: 'The writing of checkpoints of the audit log',
      // For this long an attacker with write access to the database could still change the newest entries and recompute
      // their hashes.
      intervalMs: MINUTE_MS,
      run: (stopping) => writeCheckpoints(deps, stopping),
    },
    {
      name: 'The deletion of what is over',
      // A security code may be kept for an hour; at this interval it is deleted a minute later at most.
      intervalMs: MINUTE_MS,
      run: (stopping) => deleteOnce(deps, retention, stopping),
    },
    {
      name: 'The sweep of payments',
      intervalMs: MINUTE_MS,
      run: (stopping) => pickUpOverduePayments(deps, resync, stopping),
    },
    {
      name: 'The sweep of stuck runs',
      intervalMs: MINUTE_MS,
      run: (stopping) => replaceStuckRuns({ ...deps, clients, resync }, stopping),
    },
    {
      name: 'The sweep of invoices',
      intervalMs: MINUTE_MS,
      run: (stopping) => expireInvoices(changing, stopping),
    },
    {
      name: 'The sweep of cards',
      // A card is valid for months; the merchant can wait an hour for the notice.
      intervalMs: 60 * MINUTE_MS,
      run: (stopping) => announceExpiringCards(changing, stopping),
    },
    {
      name: 'The daily reconciliation',
      // A reconciliation that failed, and a file that was handed in, wait no longer than a minute.
      intervalMs: MINUTE_MS,
      run: (stopping) => reconcileDays(changing, stopping),
    },
    {
      name: 'The count of payments by days',
      // So far behind are the charts of the dashboard. One statement, over what is new.
      intervalMs: 10_000,
      run: (stopping) => countPaymentDays(deps, stopping),
    },
    {
      name: 'The sweep of webhooks',
      // The delay of an event whose process died between its commit and the start of its webhook workflow.
      intervalMs: 5_000,
      run: (stopping) => startWaitingEvents(deps, webhookStarter, stopping),
    },
  ]
  for (const sweep of sweeps) startSweep(sweep, outages, shutdown)
}
