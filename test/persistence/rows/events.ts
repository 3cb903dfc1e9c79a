import { exampleEvent } from '../../../src/api/examples/events.ts'
import { DeliveryEntity } from '../../../src/persistence/entities/delivery.ts'
import { DeliveryAttemptEntity } from '../../../src/persistence/entities/delivery-attempt.ts'
import { EventEntity } from '../../../src/persistence/entities/event.ts'
import { WebhookEndpointEntity } from '../../../src/persistence/entities/webhook-endpoint.ts'
import { WebhookSecretEntity } from '../../../src/persistence/entities/webhook-secret.ts'
import { HOSTILE, rowsOf } from './values.ts'

const { data } = exampleEvent('transaction.captured')

/** A merchant's endpoint, and an event on its way there. */
export function makeEventRows(seed: string) {
  const { filled } = rowsOf(seed)
  const event = filled(EventEntity, {
    name: 'transaction.captured',
    sequence: 1,
    data: {
      ...data,
      invoice: { ...(data.invoice as object), name: HOSTILE, gateway_data: { list: [1, { text: HOSTILE }] } },
    },
    resends: 3,
  })
  const webhookEndpoint = filled(WebhookEndpointEntity, {
    url: 'https://shop.example/webhooks?a=1&b=2',
    eventsWhitelist: ['transaction.captured', 'customer.created'],
    enabled: false,
    disabledReason: 'failing',
    goneCount: 2,
  })
  const webhookSecret = filled(WebhookSecretEntity, {
    id: `whs_${seed}`,
    scheme: 'ed25519',
    ciphertext: Buffer.from([0, 1, 254, 255]),
    keyId: 'n1',
    publicKey: 'whpk_AAEC/w==',
  })
  const delivery = filled(DeliveryEntity, {
    run: 2,
    targetUrl: 'https://shop.example/webhooks?a=1&b=2',
    status: 'failed',
  })
  const deliveryAttempt = filled(DeliveryAttemptEntity, {
    id: `wha_${seed}`,
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
