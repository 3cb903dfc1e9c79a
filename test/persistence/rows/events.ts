import { exampleEvent } from '../../../src/http/openapi/examples/events.ts'
import type { DeliveryRow } from '../../../src/persistence/entities/delivery.ts'
import type { DeliveryAttemptRow } from '../../../src/persistence/entities/delivery-attempt.ts'
import type { EventRow } from '../../../src/persistence/entities/event.ts'
import type { WebhookEndpointRow } from '../../../src/persistence/entities/webhook-endpoint.ts'
import type { WebhookSecretRow } from '../../../src/persistence/entities/webhook-secret.ts'
import { AT, HOSTILE, idsOf } from './values.ts'

const { data } = exampleEvent('transaction.captured')

/** A merchant's endpoint, and an event on its way there. */
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
    data: {
      ...data,
      invoice: { ...(data.invoice as object), name: HOSTILE, gateway_data: { list: [1, { text: HOSTILE }] } },
    },
    firedAt: AT,
    resends: 3,
  }
  const webhookEndpoint: WebhookEndpointRow = {
    ...owner,
    id: ids.webhookEndpoint,
    url: 'https://shop.example/webhooks?a=1&b=2',
    description: HOSTILE,
    eventsWhitelist: ['transaction.captured', 'customer.created'],
    enabled: false,
    disabledReason: 'failing',
    disabledAt: AT,
    signWithEd25519: true,
    failingSince: AT,
    lastFailureAt: AT,
    goneCount: 2,
    createdAt: AT,
    updatedAt: AT,
    deletedAt: AT,
  }
  const webhookSecret: WebhookSecretRow = {
    ...owner,
    id: `whs_${seed}`,
    endpointId: ids.webhookEndpoint,
    scheme: 'ed25519',
    ciphertext: Buffer.from([0, 1, 254, 255]),
    keyId: 'n1',
    publicKey: 'whpk_AAEC/w==',
    createdAt: AT,
    expiresAt: AT,
  }
  const delivery: DeliveryRow = {
    ...owner,
    id: ids.delivery,
    eventId: ids.event,
    endpointId: ids.webhookEndpoint,
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
  return { event, webhookEndpoint, webhookSecret, delivery, deliveryAttempt }
}
