import type { GatewayNotice } from '../../../domain/gateway-notice.ts'
import type { GatewayOperationType } from '../../../domain/operation.ts'
import type { Clock } from '../../clock.ts'
import type { Notification } from '../gateway.ts'
import { type Execute, readOutcome } from './log.ts'
import { DELIVERED, FAIL_REFUND, GIVE_BACK, TAKE } from './notice-statements.ts'
import { refusal } from './scenario.ts'
import { SETTLE } from './statements.ts'
import { declined } from './verdict.ts'

export interface CourierOptions {
  execute: Execute
  clock: Clock
  /**
   * Resolves once the notice is kept safe. Called again, also for one that was, until a call is known to have worked; and
   * twice at once for an account that wants its notices so.
   */
  deliver: (notice: GatewayNotice) => Promise<void>
  /**
   * Tells an account that wants to be told over HTTP, under the same terms. Resolves with false for every other account,
   * which then is delivered to.
   */
  tell?: (notification: Notification, gatewayConfigurationId: string) => Promise<boolean>
}

export interface Courier {
  /**
   * Delivers the notices that are due, the oldest first, at most a small batch of them.
   *
   * @returns how many were delivered.
   * @throws AggregateError after the batch, where some could not be delivered; they stay for the next call.
   */
  deliverDue(): Promise<number>
}

/** Small enough to be delivered long before somebody else may take the notices. */
const BATCH = 20

/** After this a courier that took a notice counts as gone: longer than a batch with every delivery at its slowest. */
const TAKEN_MS = 60_000

type Row = Record<string, unknown>

/** Brings what the simulator has to tell unasked: at least once, and by many couriers side by side. */
export function createCourier({ execute, clock, deliver, tell }: CourierOptions): Courier {
  /** What it tells is done before it is told. */
  const notificationOf = async (row: Row): Promise<Notification | null> => {
    if (row.what === 'settled') return ending(row, await execute(SETTLE, [row.reference]))
    if (row.what === 'refund-failed') {
      await execute(FAIL_REFUND, [row.reference, JSON.stringify(declined(refusal('gateway.declined')))])
    }
    return word(row)
  }

  const bring = async (row: Row): Promise<void> => {
    const notification = await notificationOf(row)
    const bringOnce = async () => {
      if (notification !== null && (await tell?.(notification, String(row.gateway_configuration_id)))) return
      // How a step has ended is for accounts that are told over HTTP; who is not any more finds it by a look-up.
      if (row.what !== 'settled') await deliver(noticeOf(row))
    }
    await Promise.all(Array.from({ length: Number(row.copies) }, bringOnce))
    await execute(DELIVERED, [row.id, clock.now()])
  }

  return {
    async deliverDue() {
      const now = clock.now()
      const rows = await execute(TAKE, [now, new Date(now.getTime() + TAKEN_MS), BATCH])
      const errors: unknown[] = []
      for (const row of rows) {
        try {
          await bring(row)
        } catch (error) {
          errors.push(error)
          await execute(GIVE_BACK, [row.id])
        }
      }
      if (errors.length > 0) throw new AggregateError(errors, `${errors.length} notices could not be delivered.`)
      return rows.length
    },
  }
}

/** A row of the simulator's notices in the words of the port. */
export function noticeOf(row: Row): GatewayNotice {
  return {
    gatewayNoticeId: String(row.id),
    gatewayConfigurationId: String(row.gateway_configuration_id),
    invoiceId: String(row.invoice_id),
    what: row.what as GatewayNotice['what'],
    reference: row.reference as string | null,
    amountMinor: Number(row.amount_minor),
    currency: String(row.currency),
    reason: row.reason as string | null,
  }
}

/** Null for a notice that was written when its authorization was not yet named. */
function word(row: Row): Notification | null {
  if (typeof row.gateway_authorization_id !== 'string') return null
  const { gatewayConfigurationId: _, ...notice } = noticeOf(row)
  return { kind: 'notice', ...notice, gatewayAuthorizationId: row.gateway_authorization_id }
}

function ending(row: Row, [ended]: Row[]): Notification | null {
  if (ended === undefined) return null
  const outcome = readOutcome(ended.outcome)
  return {
    kind: 'settled',
    gatewayNoticeId: String(row.id),
    type: ended.type as GatewayOperationType,
    reference: String(row.reference),
    gatewayAuthorizationId: row.gateway_authorization_id as string | null,
    // A look-up that settles it at this moment is not seen from here.
    outcome: outcome.kind === 'approved' || outcome.kind === 'declined' ? outcome : null,
  }
}
