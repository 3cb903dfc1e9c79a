import type { GatewayNotice } from '../../../domain/gateway-notice.ts'
import type { Clock } from '../../clock.ts'
import type { Execute } from './log.ts'
import { DELIVERED, FAIL_REFUND, GIVE_BACK, TAKE } from './notice-statements.ts'
import { refusal } from './scenario.ts'
import { declined } from './verdict.ts'

export interface CourierOptions {
  execute: Execute
  clock: Clock
  /** Resolves once the notice is kept safe. Called again, also for one that was, until a call is known to have worked. */
  deliver: (notice: GatewayNotice) => Promise<void>
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

/** Brings what the simulator has to tell unasked: at least once, and by many couriers side by side. */
export function createCourier({ execute, clock, deliver }: CourierOptions): Courier {
  const bring = async (notice: GatewayNotice): Promise<void> => {
    if (notice.what === 'refund-failed') {
      await execute(FAIL_REFUND, [notice.reference, JSON.stringify(declined(refusal('gateway.declined')))])
    }
    await deliver(notice)
    await execute(DELIVERED, [notice.gatewayNoticeId, clock.now()])
  }

  return {
    async deliverDue() {
      const now = clock.now()
      const rows = await execute(TAKE, [now, new Date(now.getTime() + TAKEN_MS), BATCH])
      const errors: unknown[] = []
      for (const notice of rows.map(noticeOf)) {
        try {
          await bring(notice)
        } catch (error) {
          errors.push(error)
          await execute(GIVE_BACK, [notice.gatewayNoticeId])
        }
      }
      if (errors.length > 0) throw new AggregateError(errors, `${errors.length} notices could not be delivered.`)
      return rows.length
    },
  }
}

/** A row of the simulator's notices in the words of the port. */
export function noticeOf(row: Record<string, unknown>): GatewayNotice {
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
