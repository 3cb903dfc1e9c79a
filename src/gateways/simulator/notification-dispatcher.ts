import type { GatewayNotification } from '../../../domain/gateway-notification.ts'
import type { Clock } from '../../clock.ts'
import { failRefund, settle } from './follow-ups.ts'
import { createBooks, type Execute, type NotificationEntry, objectOf } from './ledger.ts'

export interface NotificationDispatcherOptions {
  execute: Execute
  clock: Clock
  /** Resolves once the notification is accepted. */
  post: (notification: GatewayNotification, gatewayConfigurationId: string) => Promise<void>
}

export interface NotificationDispatcher {
  /**
   * Posts the notifications that are due, the oldest first, at most a small batch of them.
   *
   * @returns how many were accepted.
   * @throws AggregateError after the batch, where some were not; they are posted again later.
   */
  postDue(): Promise<number>
}

/** Small enough to be posted before another dispatcher may take the notifications. */
const BATCH = 10

/** After this a dispatcher that took a notification counts as gone: longer than a batch of posts that time out. */
const TAKEN_MS = 60_000

/** A notification that is not accepted is posted again after 1 s, 2 s, 4 s and so on, up to an hour: for three days. */
const FIRST_RETRY_MS = 1_000
const LAST_RETRY_MS = 3_600_000
const ATTEMPTS_MAX = 84

/** $1 now, $2 taken until, $3 how many, $4 attempts. Those that failed before come last. */
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

/** $1 id, $2 when to try again. */
const RETRY = 'update simulator.notification set taken_until = $2::timestamptz where id = $1'

type Taken = NotificationEntry & { attempts: number }

/** Posts the notifications of the simulator: each at least once, by many dispatchers side by side. */
export function createNotificationDispatcher(options: NotificationDispatcherOptions): NotificationDispatcher {
  const { execute, clock, post } = options
  const books = createBooks(execute)

  /** What is reported is done before it is posted, so that whoever hears of a failed refund can refund again at once. */
  const notificationOf = async (entry: NotificationEntry): Promise<GatewayNotification | null> => {
    const { id: gatewayNotificationId, gatewayAuthorizationId, reference, kind } = entry
    const done = reference === null ? null : await books.revise(reference, kind === 'outcome' ? settle : failRefund)
    if (kind !== 'outcome') {
      const { invoiceId, amountMinor, currency, reason } = entry
      return {
        kind,
        gatewayNotificationId,
        gatewayAuthorizationId,
        invoiceId,
        reference,
        amountMinor,
        currency,
        reason,
      }
    }
    if (done === null) return null
    const { type, reference: settled, outcome } = done
    return { kind, gatewayNotificationId, type, reference: settled, gatewayAuthorizationId, outcome }
  }

  const postOnce = async (entry: Taken): Promise<void> => {
    const notification = await notificationOf(entry)
    const { gatewayConfigurationId, copies, id } = entry
    if (notification !== null)
      await Promise.all(Array.from({ length: copies }, () => post(notification, gatewayConfigurationId)))
    await execute(DELIVERED, [id, clock.now()])
  }

  return {
    async postDue() {
      const now = clock.now()
      const rows = await execute(TAKE, [now, new Date(now.getTime() + TAKEN_MS), BATCH, ATTEMPTS_MAX])
      const errors: unknown[] = []
      for (const row of rows) {
        const entry = objectOf<Taken>(row.entry)
        try {
          await postOnce(entry)
        } catch (error) {
          errors.push(error)
          const waitMs = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** (entry.attempts - 1))
          await execute(RETRY, [entry.id, new Date(clock.now().getTime() + waitMs)])
        }
      }
      if (errors.length > 0) throw new AggregateError(errors, `${errors.length} notifications were not accepted.`)
      return rows.length
    },
  }
}
