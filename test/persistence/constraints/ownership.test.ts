import { afterAll, beforeAll, describe, test } from '@jest/globals'
import { WebhookSecretEntity } from '../../../src/persistence/entities/webhook-secret.ts'
import { another, type ConstraintStage, live, mine, type Name, owner, startConstraintStage } from './stage.ts'

let stage: ConstraintStage

beforeAll(async () => {
  stage = await startConstraintStage()
})
afterAll(() => stage.database.drop())

describe('the database refuses', () => {
  test.each<Name>([
    'card',
    'transaction',
    'result',
    'refund',
    'gatewayNotification',
    'event',
    'delivery',
    'deliveryAttempt',
    'webhookEndpoint',
    'webhookSecret',
    'gatewayConfiguration',
    'gatewayCircuit',
  ])('a row of %s only as the cases below change it', async (name) => {
    await stage.accepted(name)
  })

  test.each<[string, Name, object]>([
    ['a security code of a card of another project', 'securityCode', { ...owner, cardId: 'card_mine' }],
    ['a security code of a card of the other environment', 'securityCode', live],
    ['a transaction of an invoice of another project', 'transaction', { invoiceId: 'iv_theirs' }],
    [
      'a transaction of an invoice of the other environment',
      'transaction',
      { ...live, clockOffsetMs: 0, clockMove: null },
    ],
    ['a transaction with a card of another project', 'transaction', { cardId: 'card_theirs' }],
    [
      'a transaction at a gateway account of another project',
      'transaction',
      { gatewayConfigurationId: 'gway_conf_theirs' },
    ],
    ['an operation on a transaction of another project', 'result', { transactionId: 'tr_theirs' }],
    ['an operation on a transaction of the other environment', 'result', live],
    ['a transaction of a customer of another project', 'transaction', { customerId: 'cust_theirs' }],
    ['a transaction with a token of another project', 'transaction', { tokenId: 'tok_theirs' }],
    ['a refund of a transaction of another project', 'refund', { transactionId: 'tr_theirs' }],
    ['a refund of a transaction of the other environment', 'refund', live],
    ['a refund without its operation', 'refund', { operationId: 'tr_op_none' }],
    [
      'a notification of a gateway account of another project',
      'gatewayNotification',
      { gatewayConfigurationId: 'gway_conf_theirs' },
    ],
    ['a circuit of a gateway account of another project', 'gatewayCircuit', owner],
    ['a circuit of a gateway account of the other environment', 'gatewayCircuit', live],
    ['a notification about an invoice of another project', 'gatewayNotification', { invoiceId: 'iv_theirs' }],
    ['an event of a transaction of another project', 'event', { transactionId: 'tr_theirs' }],
    ['an event of a transaction of the other environment', 'event', live],
    ['a delivery of an event of another project', 'delivery', { eventId: 'ev_theirs' }],
    ['a delivery to an endpoint of another project', 'delivery', { endpointId: 'whe_theirs' }],
    ['a webhook endpoint of a project that is not there', 'webhookEndpoint', { projectId: 'proj_none' }],
    ['a secret of an endpoint of another project', 'webhookSecret', { endpointId: 'whe_theirs' }],
    ['a secret of an endpoint of the other environment', 'webhookSecret', live],
    ['an attempt at a delivery of another project', 'deliveryAttempt', { deliveryId: 'whd_theirs' }],
    ['a secret key of a project that is not there', 'apiKey', { projectId: 'proj_none' }],
  ])('%s', async (_, name, change) => {
    await stage.refused(name, change, /_fkey$|_pkey$/)
  })

  test.each<[string, Name, object, string | RegExp]>([
    [
      'a second secret key with the same hash',
      'apiKey',
      { secretHash: mine.apiKey.secretHash },
      'api_key_secret_hash_key',
    ],
    ['a second transaction of an invoice', 'transaction', { invoiceId: 'iv_mine' }, /invoice_id/],
    ['a second event with the same sequence', 'event', { sequence: 1 }, /sequence/],
    [
      'a second delivery to the same target',
      'delivery',
      { targetUrl: mine.delivery.targetUrl },
      /once_for_each_target/,
    ],
    ['the same delivery attempt twice', 'deliveryAttempt', { attempt: 12 }, /attempt/],
    ['a second final result of one attempt', 'result', { attemptOperationId: 'tr_op_mine' }, 'operation_final_result'],
    ['a second refund by one operation', 'refund', { operationId: mine.attempt.id }, 'refund_operation_id_key'],
    [
      'the same notification of a gateway twice',
      'gatewayNotification',
      { gatewayNotificationId: mine.gatewayNotification.gatewayNotificationId },
      'notification_is_stored_once',
    ],
  ])('%s', async (_, name, change, constraint) => {
    await stage.refused(name, change, constraint)
  })

  test('two current secrets of one scheme', async () => {
    const current = { expiresAt: null }
    await stage.accepted('webhookSecret', current)
    await stage.database.orm.em.fork().insert(WebhookSecretEntity, { ...another.webhookSecret, ...current })
    await stage.refused('webhookSecret', { ...current, id: 'whs_third' }, 'webhook_secret_current')
    await stage.accepted('webhookSecret', { ...current, id: 'whs_third', scheme: 'hmac', publicKey: null })
  })

  test('a webhook endpoint that is disabled without a reason, or enabled with one', async () => {
    await stage.accepted('webhookEndpoint', { enabled: true, disabledReason: null, disabledAt: null })
    for (const wrong of [{ enabled: true }, { disabledReason: null }, { disabledAt: null }]) {
      await stage.refused('webhookEndpoint', wrong, 'disabled_for_a_reason')
    }
  })

  test('a card that expires in a thirteenth month', async () => {
    await stage.refused('card', { expMonth: 13 }, 'card_exp_month_check')
  })

  test('the simulator as the gateway of live payments', async () => {
    await stage.refused('gatewayConfiguration', live, 'simulator_is_sandbox_only')
  })
})
