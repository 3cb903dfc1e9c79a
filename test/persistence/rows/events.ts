import { exampleEvent } from '../../../src/http/openapi/examples/events.ts'
import { DeliveryEntity } from '../../../src/persistence/entities/delivery.ts'
import { DeliveryAttemptEntity } from '../../../src/persistence/entities/delivery-attempt.ts'
import { EventEntity } from '../../../src/persistence/entities/event.ts'
import { WebhookEndpointEntity } from '../../../src/persistence/entities/webhook-endpoint.ts'
import { WebhookSecretEntity } from '../../../src/persistence/entities/webhook-secret.ts'
import { filled, HOSTILE, idsOf } from './values.ts'

const { data } = exampleEvent('transaction.captured')

/** A merchant's endpoint, and an event on its way there. */
export function makeEventRows(seed: string) {
  const ids = idsOf(seed)
  const owner = { projectId: ids.project, sandbox: true }
  const event = filled(EventEntity, {
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
    resends: 3,
  })
  const webhookEndpoint = filled(WebhookEndpointEntity, {
    ...owner,
    id: ids.webhookEndpoint,
    url: 'https://shop.example/webhooks?a=1&b=2',
    eventsWhitelist: ['transaction.captured', 'customer.created'],
    enabled: false,
    disabledReason: 'failing',
    goneCount: 2,
  })
  const webhookSecret = filled(WebhookSecretEntity, {
    ...owner,
    id: `whs_${seed}`,
    endpointId: ids.webhookEndpoint,
    scheme: 'ed25519',
    ciphertext: Buffer.from([0, 1, 254, 255]),
    keyId: 'n1',
    publicKey: 'whpk_AAEC/w==',
  })
  const delivery = filled(DeliveryEntity, {
    ...owner,
    id: ids.delivery,
    eventId: ids.event,
    endpointId: ids.webhookEndpoint,
    run: 2,
    targetUrl: 'https://shop.example/webhooks?a=1&b=2',
    status: 'failed',
  })
  const deliveryAttempt = filled(DeliveryAttemptEntity, {
    ...owner,
    id: `wha_${seed}`,
    deliveryId: ids.delivery,
    run: 2,
    attempt: 12,
    requestUrl: 'https://shop.example/webhooks',
    responseCode: 500,
    failureReason: 'status',
    responseTimeMs: 10_000,
    responseHeaders: { server: HOSTILE },
  })
  return { event, webhookEndpoint, webhookSecret, delivery, deliveryAttempt }
}
