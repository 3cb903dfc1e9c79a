import { afterAll, beforeAll, describe, test } from '@jest/globals'
import { ApiKeyEntity } from '../../../src/persistence/entities/api-key.ts'
import { CardEntity } from '../../../src/persistence/entities/card.ts'
import { CardSecurityCodeEntity } from '../../../src/persistence/entities/card-security-code.ts'
import { DeliveryEntity } from '../../../src/persistence/entities/delivery.ts'
import { DeliveryAttemptEntity } from '../../../src/persistence/entities/delivery-attempt.ts'
import { EventEntity } from '../../../src/persistence/entities/event.ts'
import { GatewayCircuitEntity } from '../../../src/persistence/entities/gateway-circuit.ts'
import { GatewayConfigurationEntity } from '../../../src/persistence/entities/gateway-configuration.ts'
import { GatewayNotificationEntity } from '../../../src/persistence/entities/gateway-notification.ts'
import { OperationEntity } from '../../../src/persistence/entities/operation.ts'
import { RefundEntity } from '../../../src/persistence/entities/refund.ts'
import { TransactionEntity } from '../../../src/persistence/entities/transaction.ts'
import { WebhookEndpointEntity } from '../../../src/persistence/entities/webhook-endpoint.ts'
import { WebhookSecretEntity } from '../../../src/persistence/entities/webhook-secret.ts'
import { another, type ConstraintStage, live, mine, owner, startConstraintStage } from './stage.ts'

let stage: ConstraintStage

beforeAll(async () => {
  stage = await startConstraintStage()
})
afterAll(() => stage.database.drop())

describe('the database refuses', () => {
  test.each([
    ['a card', CardEntity, another.card],
    ['a transaction', TransactionEntity, another.transaction],
    ['an operation', OperationEntity, another.result],
    ['a refund', RefundEntity, another.refund],
    ['a notification', GatewayNotificationEntity, another.gatewayNotification],
    ['an event', EventEntity, another.event],
    ['a delivery', DeliveryEntity, another.delivery],
    ['an attempt at one', DeliveryAttemptEntity, another.deliveryAttempt],
    ['a webhook endpoint', WebhookEndpointEntity, another.webhookEndpoint],
    ['a secret of one', WebhookSecretEntity, another.webhookSecret],
    ['a gateway account', GatewayConfigurationEntity, another.gatewayConfiguration],
    ['a circuit of one', GatewayCircuitEntity, another.gatewayCircuit],
  ])('%s only as the cases below change it', async (_, entity, row) => {
    await stage.accepted(entity, row)
  })

  test.each([
    [
      'a security code of a card of another project',
      CardSecurityCodeEntity,
      { ...mine.securityCode, ...owner, cardId: 'card_mine' },
    ],
    ['a security code of a card of the other environment', CardSecurityCodeEntity, { ...mine.securityCode, ...live }],
    [
      'a transaction of an invoice of another project',
      TransactionEntity,
      { ...another.transaction, invoiceId: 'iv_theirs' },
    ],
    [
      'a transaction of an invoice of the other environment',
      TransactionEntity,
      { ...another.transaction, ...live, clockOffsetMs: 0, clockMove: null },
    ],
    [
      'a transaction with a card of another project',
      TransactionEntity,
      { ...another.transaction, cardId: 'card_theirs' },
    ],
    [
      'a transaction at a gateway account of another project',
      TransactionEntity,
      { ...another.transaction, gatewayConfigurationId: 'gway_conf_theirs' },
    ],
    [
      'an operation on a transaction of another project',
      OperationEntity,
      { ...another.result, transactionId: 'tr_theirs' },
    ],
    ['an operation on a transaction of the other environment', OperationEntity, { ...another.result, ...live }],
    [
      'a transaction of a customer of another project',
      TransactionEntity,
      { ...another.transaction, customerId: 'cust_theirs' },
    ],
    [
      'a transaction with a token of another project',
      TransactionEntity,
      { ...another.transaction, tokenId: 'tok_theirs' },
    ],
    ['a refund of a transaction of another project', RefundEntity, { ...another.refund, transactionId: 'tr_theirs' }],
    ['a refund of a transaction of the other environment', RefundEntity, { ...another.refund, ...live }],
    ['a refund without its operation', RefundEntity, { ...another.refund, operationId: 'tr_op_none' }],
    [
      'a notification of a gateway account of another project',
      GatewayNotificationEntity,
      { ...another.gatewayNotification, gatewayConfigurationId: 'gway_conf_theirs' },
    ],
    [
      'a circuit of a gateway account of another project',
      GatewayCircuitEntity,
      { ...another.gatewayCircuit, ...owner },
    ],
    [
      'a circuit of a gateway account of the other environment',
      GatewayCircuitEntity,
      { ...another.gatewayCircuit, ...live },
    ],
    [
      'a notification about an invoice of another project',
      GatewayNotificationEntity,
      { ...another.gatewayNotification, invoiceId: 'iv_theirs' },
    ],
    ['an event of a transaction of another project', EventEntity, { ...another.event, transactionId: 'tr_theirs' }],
    ['an event of a transaction of the other environment', EventEntity, { ...another.event, ...live }],
    ['a delivery of an event of another project', DeliveryEntity, { ...another.delivery, eventId: 'ev_theirs' }],
    ['a delivery to an endpoint of another project', DeliveryEntity, { ...another.delivery, endpointId: 'whe_theirs' }],
    [
      'a webhook endpoint of a project that is not there',
      WebhookEndpointEntity,
      { ...another.webhookEndpoint, projectId: 'proj_none' },
    ],
    [
      'a secret of an endpoint of another project',
      WebhookSecretEntity,
      { ...another.webhookSecret, endpointId: 'whe_theirs' },
    ],
    ['a secret of an endpoint of the other environment', WebhookSecretEntity, { ...another.webhookSecret, ...live }],
    [
      'an attempt at a delivery of another project',
      DeliveryAttemptEntity,
      { ...another.deliveryAttempt, deliveryId: 'whd_theirs' },
    ],
    [
      'a secret key of a project that is not there',
      ApiKeyEntity,
      { ...mine.apiKey, id: 'key_x', secretHash: 'x', projectId: 'proj_none' },
    ],
  ])('%s', async (_, entity, row) => {
    await stage.refused(entity, row, /_fkey$|_pkey$/)
  })

  test.each([
    [
      'a second secret key with the same hash',
      ApiKeyEntity,
      { ...mine.apiKey, id: 'key_x' },
      'api_key_secret_hash_key',
    ],
    [
      'a second transaction of an invoice',
      TransactionEntity,
      { ...another.transaction, invoiceId: 'iv_mine' },
      /invoice_id/,
    ],
    ['a second event with the same sequence', EventEntity, { ...another.event, sequence: 1 }, /sequence/],
    [
      'a second delivery to the same target',
      DeliveryEntity,
      { ...another.delivery, targetUrl: mine.delivery.targetUrl },
      /once_for_each_target/,
    ],
    ['the same delivery attempt twice', DeliveryAttemptEntity, { ...another.deliveryAttempt, attempt: 12 }, /attempt/],
    [
      'a second final result of one attempt',
      OperationEntity,
      { ...another.result, attemptOperationId: 'tr_op_mine' },
      'operation_final_result',
    ],
    [
      'a second refund by one operation',
      RefundEntity,
      { ...another.refund, operationId: mine.attempt.id },
      'refund_operation_id_key',
    ],
    [
      'the same notification of a gateway twice',
      GatewayNotificationEntity,
      { ...another.gatewayNotification, gatewayNotificationId: mine.gatewayNotification.gatewayNotificationId },
      'notification_is_stored_once',
    ],
  ])('%s', async (_, entity, row, constraint) => {
    await stage.refused(entity, row, constraint)
  })

  test('two current secrets of one scheme', async () => {
    const current = { ...another.webhookSecret, expiresAt: null }
    await stage.accepted(WebhookSecretEntity, current)
    await stage.database.orm.em.fork().insert(WebhookSecretEntity, current)
    await stage.refused(WebhookSecretEntity, { ...current, id: 'whs_third' }, 'webhook_secret_current')
    await stage.accepted(WebhookSecretEntity, { ...current, id: 'whs_third', scheme: 'hmac', publicKey: null })
  })

  test('a webhook endpoint that is disabled without a reason, or enabled with one', async () => {
    const { webhookEndpoint } = another
    const on = { enabled: true, disabledReason: null, disabledAt: null }
    await stage.accepted(WebhookEndpointEntity, { ...webhookEndpoint, ...on })
    for (const wrong of [{ enabled: true }, { disabledReason: null }, { disabledAt: null }]) {
      await stage.refused(WebhookEndpointEntity, { ...webhookEndpoint, ...wrong }, 'disabled_for_a_reason')
    }
  })

  test('a card that expires in a thirteenth month', async () => {
    await stage.refused(CardEntity, { ...another.card, expMonth: 13 }, 'card_exp_month_check')
  })

  test('the simulator as the gateway of live payments', async () => {
    await stage.refused(
      GatewayConfigurationEntity,
      { ...another.gatewayConfiguration, ...live },
      'simulator_is_sandbox_only',
    )
  })
})
