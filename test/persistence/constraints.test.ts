import { beforeAll, describe, expect, test } from '@jest/globals'
import { InvoiceEntity } from '../../src/persistence/entities/invoice.ts'
import { WebhookSecretEntity } from '../../src/persistence/entities/webhook-secret.ts'
import { databaseForFile } from '../support/payment-for-file.ts'
import { insertRows, TABLES } from './insert-rows.ts'
import { makeRows } from './rows.ts'

const mine = makeRows('mine')
const theirs = makeRows('theirs')

/** A second object beside the row: what else it would break is changed, so that one constraint is left to break. */
const another = {
  apiKey: { ...mine.apiKey, id: 'key_other', secretHash: 'other' },
  customer: { ...mine.customer, id: 'cust_other', defaultTokenId: null },
  token: { ...mine.token, id: 'tok_other', type: 'gateway_token' as const, cardId: null },
  card: { ...mine.card, id: 'card_other', usedByInvoiceId: null, usedByTokenId: null },
  securityCode: { ...mine.securityCode },
  invoice: { ...mine.invoice, id: 'iv_third', referenceId: null },
  invoiceDetail: { ...mine.invoiceDetail, id: 'iv_det_other', position: 2 },
  transaction: { ...mine.transaction, id: 'tr_other', invoiceId: 'iv_other' },
  result: { ...mine.result, id: 'tr_op_other', attemptOperationId: null },
  refund: { ...mine.refund, id: 'refd_other', operationId: mine.result.id },
  gatewayNotification: { ...mine.gatewayNotification, gatewayNotificationId: 'notification_other' },
  event: { ...mine.event, id: 'ev_other', sequence: 2 },
  delivery: { ...mine.delivery, id: 'whd_other', targetUrl: 'https://other.example/' },
  deliveryAttempt: { ...mine.deliveryAttempt, id: 'wha_other', attempt: 1 },
  webhookEndpoint: { ...mine.webhookEndpoint, id: 'whe_other' },
  webhookSecret: { ...mine.webhookSecret, id: 'whs_other' },
  gatewayConfiguration: { ...mine.gatewayConfiguration, id: 'gway_conf_other' },
  gatewayCircuit: { ...mine.gatewayCircuit, process: 'another' },
}
type Name = keyof typeof another

/** Makes a row one of another project, and one of the other environment. */
const owner = { projectId: theirs.project.id }
const live = { sandbox: false }
/** A transaction of which nothing is captured yet, so that each case says what is. */
const nothingCaptured = {
  ...{ authorizedMinor: 2900, capturedMinor: 0, voidedMinor: 0, refundedMinor: 0 },
  ...{ capturingMinor: 0, refundingMinor: 0 },
}

const ENTITIES: Record<string, object> = Object.fromEntries(TABLES)

const database = databaseForFile()
const em = () => database.orm.em.fork()

beforeAll(async () => {
  await insertRows(em(), mine)
  await insertRows(em(), theirs)
  // What `another.transaction` is for.
  await em().insert(InvoiceEntity, { ...another.invoice, id: 'iv_other' })
})

/** Proves that the database takes `another` of this name with a change; it is gone afterwards. */
async function accepts(name: Name, change: object = {}): Promise<void> {
  const inner = em()
  await inner.begin()
  await inner.insert(ENTITIES[name] as never, { ...another[name], ...change } as never)
  // What is checked at the commit otherwise.
  await inner.execute('set constraints all immediate')
  await inner.rollback()
}
/** Proves that `another` of this name with a change breaks this constraint. */
async function refuses(name: Name, change: object, constraint: string | RegExp): Promise<void> {
  const insertion = em().insert(ENTITIES[name] as never, { ...another[name], ...change } as never)
  await expect(insertion).rejects.toMatchObject({ constraint: expect.stringMatching(constraint) })
}

/** Without its change, the database takes the row of each case below. Of a card there is one security code, and it is there. */
test.each<[Name, object]>([
  ...(Object.keys(another) as Name[])
    .filter((name) => name !== 'transaction' && name !== 'securityCode')
    .map((name): [Name, object] => [name, {}]),
  ['transaction', nothingCaptured],
])('the database takes another row of %s', (name, change) => accepts(name, change))

describe('the database refuses what refers to another project or environment, or to nothing:', () => {
  test.each<[string, Name, object]>([
    ['a customer of a project that is not there', 'customer', { projectId: 'proj_none' }],
    ['a default token that is not there', 'customer', { defaultTokenId: 'tok_none' }],
    ['the default token of another customer', 'customer', { defaultTokenId: 'tok_mine' }],
    ['a token of a customer of another project', 'token', { customerId: 'cust_theirs' }],
    ['a token of a customer of the other environment', 'token', live],
    ['a token of a card of another project', 'token', { type: 'card', cardId: 'card_theirsdeleted' }],
    ['a token verified by an invoice of another project', 'token', { invoiceId: 'iv_theirs' }],
    ['a card used by a token of another project', 'card', { usedByTokenId: 'tok_theirs' }],
    ['a security code of a card of another project', 'securityCode', { ...owner, cardId: 'card_mine' }],
    ['a security code of a card of the other environment', 'securityCode', live],
    ['an invoice of a customer of another project', 'invoice', { tokenId: null, customerId: 'cust_theirs' }],
    ['a line of an invoice of another project', 'invoiceDetail', owner],
    ['a transaction of an invoice of another project', 'transaction', { invoiceId: 'iv_theirs' }],
    [
      'a transaction of an invoice of the other environment',
      'transaction',
      { ...live, clockOffsetMs: 0, clockMove: null },
    ],
    ['a transaction with a card of another project', 'transaction', { cardId: 'card_theirs' }],
    ['a transaction at an account of another project', 'transaction', { gatewayConfigurationId: 'gway_conf_theirs' }],
    ['a transaction of a customer of another project', 'transaction', { customerId: 'cust_theirs' }],
    ['a transaction with a token of another project', 'transaction', { tokenId: 'tok_theirs' }],
    ['an operation on a transaction of another project', 'result', { transactionId: 'tr_theirs' }],
    ['an operation on a transaction of the other environment', 'result', live],
    ['a refund of a transaction of another project', 'refund', { transactionId: 'tr_theirs' }],
    ['a refund of a transaction of the other environment', 'refund', live],
    ['a refund without its operation', 'refund', { operationId: 'tr_op_none' }],
    [
      'a notification of an account of another project',
      'gatewayNotification',
      { gatewayConfigurationId: 'gway_conf_theirs' },
    ],
    ['a notification about an invoice of another project', 'gatewayNotification', { invoiceId: 'iv_theirs' }],
    ['a circuit of an account of another project', 'gatewayCircuit', owner],
    ['a circuit of an account of the other environment', 'gatewayCircuit', live],
    ['an event of a customer of another project', 'event', { customerId: 'cust_theirs' }],
    ['an event of a transaction of another project', 'event', { transactionId: 'tr_theirs' }],
    ['an event of a transaction of the other environment', 'event', live],
    ['a delivery of an event of another project', 'delivery', { eventId: 'ev_theirs' }],
    ['a delivery to an endpoint of another project', 'delivery', { endpointId: 'whe_theirs' }],
    ['an attempt at a delivery of another project', 'deliveryAttempt', { deliveryId: 'whd_theirs' }],
    ['a webhook endpoint of a project that is not there', 'webhookEndpoint', { projectId: 'proj_none' }],
    ['a secret of an endpoint of another project', 'webhookSecret', { endpointId: 'whe_theirs' }],
    ['a secret of an endpoint of the other environment', 'webhookSecret', live],
    ['a secret key of a project that is not there', 'apiKey', { projectId: 'proj_none' }],
  ])('%s', (_, name, change) => refuses(name, change, /_fkey$|_pkey$/))
})

describe('the database refuses', () => {
  test.each<[string, Name, object, string | RegExp]>([
    ['a second token of a card', 'token', { type: 'card', cardId: 'card_mine' }, 'customer_token_card'],
    ['a card token without a card', 'token', { type: 'card' }, 'card_token_has_a_card'],
    ['a pending token with a card', 'token', { type: 'pending', cardId: 'card_minedeleted' }, 'card_token_has_a_card'],
    ['a gateway token that the gateway does not know', 'token', { gatewayToken: null }, 'gateway_token_has_a_name'],
    ['a token of an unknown type', 'token', { type: 'cash' }, 'customer_token_type_check'],
    ['an unknown result of a verification', 'token', { verificationStatus: 'maybe' }, /verification_status_check/],
    ['a balance without a currency', 'customer', { currency: null }, 'balance_has_a_currency'],
    ['a deleted customer who is somebody', 'customer', { deletedAt: new Date() }, 'deleted_customer_is_nobody'],
    ['a deleted card with its number', 'card', { deletedAt: new Date() }, 'number_goes_once'],
    ['a card without a number', 'card', { numberCiphertext: null }, 'number_goes_once'],
    ['a card that expires in a thirteenth month', 'card', { expMonth: 13 }, 'card_exp_month_check'],

    [
      'an invoice over nothing that does not only verify a source',
      'invoice',
      { amountMinor: 0, verification: false },
      'nothing_only_to_verify',
    ],
    ['an invoice over less than nothing', 'invoice', { amountMinor: -1 }, 'nothing_only_to_verify'],
    [
      'a second invoice with the same reference',
      'invoice',
      { referenceId: mine.invoice.referenceId },
      'invoice_reference',
    ],
    [
      'an invoice with a token and no customer',
      'invoice',
      { customerId: null, tokenId: 'tok_mine' },
      'token_has_its_customer',
    ],
    [
      'an invoice that waits for an end that it does not have',
      'invoice',
      { expiresAt: null, awaitsExpiry: true },
      'only_an_end_is_awaited',
    ],
    ['a line in the place of another', 'invoiceDetail', { position: 1 }, 'invoice_detail_invoice_id_position_key'],
    ['a line without a price', 'invoiceDetail', { amountMinor: -1 }, 'invoice_detail_amount_minor_check'],
    ['a line of nothing', 'invoiceDetail', { quantity: 0 }, 'invoice_detail_quantity_check'],
    [
      'a line with more discount than it costs',
      'invoiceDetail',
      { discountMinor: 3001, capturedMinor: 0, refundedMinor: 0 },
      'line_is_captured_once',
    ],
    [
      'a line of which more is captured than it costs',
      'invoiceDetail',
      { capturedMinor: 2901 },
      'line_is_captured_once',
    ],
    [
      'a line of which more is refunded than it costs',
      'invoiceDetail',
      { refundedMinor: 2901 },
      'line_is_refunded_once',
    ],

    ['a second transaction of an invoice', 'transaction', { invoiceId: 'iv_mine' }, /invoice_id/],
    ['a second final result of one attempt', 'result', { attemptOperationId: 'tr_op_mine' }, 'operation_final_result'],
    ['an operation of an unknown type', 'result', { type: 'payout' }, 'operation_type'],
    ['an operation that ended in an unknown way', 'result', { outcome: 'perhaps' }, 'operation_outcome'],
    ['a second refund by one operation', 'refund', { operationId: mine.attempt.id }, 'refund_operation_id_key'],
    ['a refund of nothing', 'refund', { amountMinor: 0 }, 'refund_amount_minor_check'],
    ['a refund of less than nothing', 'refund', { amountMinor: -1 }, 'refund_amount_minor_check'],
    ['a refund for an unknown reason', 'refund', { reason: 'regret' }, 'refund_reason_check'],
    ['a refund that ended in an unknown way', 'refund', { status: 'unknown' }, 'refund_status_check'],
    [
      'the same notification of a gateway twice',
      'gatewayNotification',
      { gatewayNotificationId: mine.gatewayNotification.gatewayNotificationId },
      'notification_is_stored_once',
    ],
    ['the simulator as the gateway of live payments', 'gatewayConfiguration', live, 'simulator_is_sandbox_only'],
    ['a second secret key with the same hash', 'apiKey', { secretHash: mine.apiKey.secretHash }, 'secret_hash_key'],

    ['an event of no transaction with a place among its events', 'event', { transactionId: null }, /^sequence_counts/],
    ['an event of a transaction without a place', 'event', { sequence: null }, /^sequence_counts/],
    ['an event of a transaction without its invoice', 'event', { invoiceId: null }, 'has_its_invoice'],
    ['a second event with the same sequence', 'event', { sequence: 1 }, /sequence/],
    [
      'a second delivery to the same target',
      'delivery',
      { targetUrl: mine.delivery.targetUrl },
      'once_for_each_target',
    ],
    ['the same delivery attempt twice', 'deliveryAttempt', { attempt: 12 }, /attempt/],
    ['an endpoint that is enabled with a reason', 'webhookEndpoint', { enabled: true }, 'disabled_for_a_reason'],
    ['an endpoint disabled without one', 'webhookEndpoint', { disabledReason: null }, 'disabled_for_a_reason'],
    ['an endpoint disabled at no time', 'webhookEndpoint', { disabledAt: null }, 'disabled_for_a_reason'],
  ])('%s', (_, name, change, constraint) => refuses(name, change, constraint))

  test('two current secrets of one scheme', async () => {
    const current = { expiresAt: null }
    await accepts('webhookSecret', current)
    await em().insert(WebhookSecretEntity, { ...another.webhookSecret, ...current })
    await refuses('webhookSecret', { ...current, id: 'whs_third' }, 'webhook_secret_current')
    await accepts('webhookSecret', { ...current, id: 'whs_third', scheme: 'hmac', publicKey: null })
  })

  test.each([
    ['a transaction', "update transaction set status = 'voided' where invoice_id = ?"],
    ['an invoice', 'update invoice set expires_at = now() where id = ?'],
  ])('to change %s that no list by status would have', async (_, change) => {
    const inner = em()
    await inner.begin()
    await inner.execute('delete from payment_status where invoice_id = ?', [mine.invoice.id])
    await expect(inner.execute(change, [mine.invoice.id])).rejects.toThrow('payment_status has no row of the invoice')
    await inner.rollback()
  })

  test('an operation that chooses its own place', async () => {
    const move = em().execute(`update operation set position = 1 where id = '${mine.result.id}'`)
    // PostgreSQL's "generated_always".
    await expect(move).rejects.toMatchObject({ code: '428C9' })
  })
})

test('an enabled endpoint has no reason', () =>
  accepts('webhookEndpoint', { enabled: true, disabledReason: null, disabledAt: null }))

describe('the database refuses a transaction with', () => {
  test.each<[string, object, string | RegExp]>([
    ['captures of more than was authorized', { capturedMinor: 2901 }, 'never_more_than_authorized'],
    ['a capture under way of more than that', { capturingMinor: 2901 }, 'never_more_than_authorized'],
    ['a capture and a void of more, together', { capturedMinor: 2000, voidedMinor: 901 }, 'never_more_than_authorized'],
    [
      'a capture under way beside what is captured',
      { capturedMinor: 2000, capturingMinor: 901 },
      'never_more_than_authorized',
    ],
    [
      'a capture under way of what was voided',
      { voidedMinor: 2000, capturingMinor: 901 },
      'never_more_than_authorized',
    ],
    [
      'all three, together',
      { capturedMinor: 1000, voidedMinor: 1000, capturingMinor: 901 },
      'never_more_than_authorized',
    ],
    ['a refund of more than was captured', { capturedMinor: 2000, refundedMinor: 2001 }, 'never_more_than_captured'],
    ['a refund under way of more than that', { capturedMinor: 2000, refundingMinor: 2001 }, 'never_more_than_captured'],
    [
      'a refund under way beside what is refunded',
      { capturedMinor: 2000, refundedMinor: 1000, refundingMinor: 1001 },
      'never_more_than_captured',
    ],
    ['a refund of what is only being captured', { capturingMinor: 2000, refundedMinor: 1 }, 'never_more_than_captured'],
    ...(
      [
        'authorizedMinor',
        'capturedMinor',
        'voidedMinor',
        'refundedMinor',
        'incrementedMinor',
        'capturingMinor',
        'refundingMinor',
      ] as const
    ).map((column): [string, object, RegExp] => [
      `a negative ${column}`,
      { [column]: -1 },
      /_minor_check$|^never_more_than/,
    ]),
    ['an amount of less than nothing', { amountMinor: -1 }, 'amount_is_not_negative'],
    ['a clock that was moved in live', { ...live, clockOffsetMs: 1 }, 'live_payments_keep_the_wall_clock'],
    [
      'a clock that is being moved in live',
      { ...live, clockMove: { target: 0, heldUntil: 0, key: null } },
      'live_payments_keep_the_wall_clock',
    ],
    ['a clock that was moved back', { clockOffsetMs: -1 }, /clock_offset_ms_check$/],
    [
      'an authorization that holds for more than seven days',
      { authorizationValidityMs: 7 * 24 * 60 * 60 * 1000 + 1 },
      'transaction_authorization_validity_ms_check',
    ],
  ])('%s', (_, change, constraint) => refuses('transaction', { ...nothingCaptured, ...change }, constraint))
})
