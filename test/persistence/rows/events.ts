import type { DeliveryRow } from '../../../src/persistence/entities/delivery.ts'
import type { DeliveryAttemptRow } from '../../../src/persistence/entities/delivery-attempt.ts'
import type { EventRow } from '../../../src/persistence/entities/event.ts'
import { AT, HOSTILE, idsOf } from './values.ts'

/** An event on its way to a merchant. */
export function makeEventRows(seed: string) {
  const ids = idsOf(seed)
  const owner = { projectId: ids.project, sandbox: true }
  const event: EventRow = {
    ...owner,
    id: ids.event,
    name: 'transaction.captured',
    invoiceId: ids.invoice,
    transactionId: ids.transaction,
    sequence: 1,
    customerId: ids.customer,
    data: { name: 'transaction.captured', list: [1, { text: HOSTILE }] },
    firedAt: AT,
    resends: 3,
  }
  const delivery: DeliveryRow = {
    ...owner,
    id: ids.delivery,
    eventId: ids.event,
    endpointId: null,
    run: 2,
    targetUrl: 'https://shop.example/webhooks?a=1&b=2',
    status: 'failed',
    queuedAt: AT,
    firstAttemptAt: AT,
    releaseAt: AT,
    endedAt: AT,
    createdAt: AT,
  }
  const deliveryAttempt: DeliveryAttemptRow = {
    ...owner,
    id: `wha_${seed}`,
    deliveryId: ids.delivery,
    run: 2,
    attempt: 12,
    requestUrl: 'https://shop.example/webhooks',
    responseCode: 500,
    failureReason: 'status',
    responseTimeMs: 10_000,
    responseBody: HOSTILE,
    responseHeaders: { server: HOSTILE },
    startedAt: AT,
  }
  return { event, delivery, deliveryAttempt }
}
