import type { GatewayNotification } from '../../../domain/gateway-notification.ts'
import type { Clock } from '../../clock.ts'
import { endPending, failRefund } from './follow-ups.ts'
import { createLedger, type Execute, type LedgerNotification, objectOf } from './ledger.ts'

export interface NotificationDispatcherOptions {
  execute: Execute
  clock: Clock
  /** Resolves once the notification is accepted. */
  post: (notification: GatewayNotification, gatewayConfigurationId: string) => Promise<void>
}

/** Small enough to be posted before another dispatcher may take the same notifications. */
const BATCH = 10

/** After this time the dispatcher of a notification counts as lost: longer than a batch of posts that time out. */
const TAKEN_MS = 60_000

/** A refused notification is posted again after 1 s, 2 s, 4 s and so on, up to an hour: for three days. */
const FIRST_RETRY_MS = 1_000
const LAST_RETRY_MS = 3_600_000
const ATTEMPTS_MAX = 84

/** $1 now, $2 taken until, $3 batch size, $4 maximum of attempts. Failed ones come last. */
const TAKE = `
with due as materialized (
  select id from simulator.notification
  where delivered_at is null and due_at <= $1::timestamptz and (taken_until is null or taken_until <= $1::timestamptz)
    and attempts < $4::integer
  order by attempts, due_at, id
  limit $3::integer
  for update skip locked
), taken as (
  update simulator.notification as n set taken_until = $2::timestamptz, attempts = n.attempts + 1
  from due where n.id = due.id
  returning n.*
)
select to_jsonb(taken) as entry from taken order by due_at, id`

/** $1 id, $2 now. */
const DELIVERED = 'update simulator.notification set delivered_at = $2::timestamptz where id = $1'

/** $1 id, $2 time of the next attempt. */
const RETRY = 'update simulator.notification set taken_until = $2::timestamptz where id = $1'

/**
 * Posts a batch of the simulator's due notifications, the oldest first. Each is posted at least once; several dispatchers
 * may run side by side.
 *
 * @returns how many were accepted.
 * @throws AggregateError after the batch, if some were not; they are posted again later.
 */
export async function postDueNotifications({ execute, clock, post }: NotificationDispatcherOptions): Promise<number> {
  const now = clock.now()
  const rows = await execute(TAKE, [now, new Date(now.getTime() + TAKEN_MS), BATCH, ATTEMPTS_MAX])
  const errors: unknown[] = []
  for (const row of rows) {
    const entry = objectOf<LedgerNotification>(row.entry)
    const { id, gatewayConfigurationId, copies, attempts } = entry
    try {
      const notification = await notificationOf(execute, entry, clock.now())
      if (notification !== null)
        await Promise.all(Array.from({ length: copies }, () => post(notification, gatewayConfigurationId)))
      await execute(DELIVERED, [id, clock.now()])
    } catch (error) {
      errors.push(error)
      const waitMs = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** (attempts - 1))
      await execute(RETRY, [id, new Date(clock.now().getTime() + waitMs)])
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} notifications were not accepted.`)
  return rows.length
}

/** The reported change is made before the post, so that the receiver of a failed refund can refund again at once. */
async function notificationOf(
  execute: Execute,
  entry: LedgerNotification,
  now: Date,
): Promise<GatewayNotification | null> {
  const { id: gatewayNotificationId, kind, gatewayAuthorizationId, reference } = entry
  const decide = kind === 'outcome' ? endPending : failRefund
  const ended = reference === null ? null : await createLedger(execute).revise(reference, now, decide)
  if (kind !== 'outcome') {
    const { invoiceId, amountMinor, currency, reason, evidenceDueAt } = entry
    const told = {
      ...{ gatewayNotificationId, gatewayAuthorizationId, invoiceId, reference, amountMinor, currency, reason },
      ...(evidenceDueAt !== null && { evidenceDueAt: new Date(evidenceDueAt).getTime() }),
    }
    // A test card tells the story of one dispute.
    return { kind, ...told, ...(kind !== 'refund-failed' && { disputeId: `${gatewayAuthorizationId}-dispute` }) }
  }
  if (ended === null) return null
  const { type, outcome } = ended
  return { kind, gatewayNotificationId, type, reference: ended.reference, gatewayAuthorizationId, outcome }
}
