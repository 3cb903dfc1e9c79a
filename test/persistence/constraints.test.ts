import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { ApiKeyEntity } from '../../src/persistence/entities/api-key.ts'
import { CardEntity } from '../../src/persistence/entities/card.ts'
import { CardSecurityCodeEntity } from '../../src/persistence/entities/card-security-code.ts'
import { DeliveryEntity } from '../../src/persistence/entities/delivery.ts'
import { DeliveryAttemptEntity } from '../../src/persistence/entities/delivery-attempt.ts'
import { EventEntity } from '../../src/persistence/entities/event.ts'
import { GatewayConfigurationEntity } from '../../src/persistence/entities/gateway-configuration.ts'
import { InvoiceEntity } from '../../src/persistence/entities/invoice.ts'
import { InvoiceDetailEntity } from '../../src/persistence/entities/invoice-detail.ts'
import { OperationEntity } from '../../src/persistence/entities/operation.ts'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import { makeDatabase, type TestDatabase } from '../support/database.ts'
import { insertRows } from './insert-rows.ts'
import { makeRows } from './rows.ts'

const mine = makeRows('mine')
const theirs = makeRows('theirs')

/** A second object beside the row: what else it would break is changed, so that one constraint is left to break. */
const another = {
  card: { ...mine.card, id: 'card_other', usedByInvoiceId: null },
  invoice: { ...mine.invoice, id: 'iv_other', referenceId: null },
  transaction: { ...mine.transaction, id: 'tr_other', invoiceId: 'iv_other' },
  result: { ...mine.result, id: 'tr_op_other', attemptOperationId: null },
  event: { ...mine.event, id: 'ev_other', sequence: 2 },
  delivery: { ...mine.delivery, id: 'whd_other', targetUrl: 'https://other.example/' },
  deliveryAttempt: { ...mine.deliveryAttempt, id: 'wha_other', attempt: 1 },
  gatewayConfiguration: { ...mine.gatewayConfiguration, id: 'gway_conf_other' },
}

const owner = { projectId: theirs.project.id }
const live = { sandbox: false }

describe('the database refuses', () => {
  let database: TestDatabase

  beforeAll(async () => {
    database = await makeDatabase()
    const em = database.orm.em.fork()
    await insertRows(em, mine)
    await insertRows(em, theirs)
    await em.insert(InvoiceEntity, another.invoice)
  })
  afterAll(() => database.drop())

  const refused = async (entity: object, row: object, constraint: string | RegExp): Promise<void> => {
    const insertion = database.orm.em.fork().insert(entity as never, row as never)
    await expect(insertion).rejects.toMatchObject({ constraint: expect.stringMatching(constraint) })
  }

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
    ['a transaction of an invoice of the other environment', TransactionEntity, { ...another.transaction, ...live }],
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
    ['an event of a transaction of another project', EventEntity, { ...another.event, transactionId: 'tr_theirs' }],
    ['an event of a transaction of the other environment', EventEntity, { ...another.event, ...live }],
    ['a delivery of an event of another project', DeliveryEntity, { ...another.delivery, eventId: 'ev_theirs' }],
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
    await refused(entity, row, /_fkey$|_pkey$/)
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
      /target_url/,
    ],
    ['the same delivery attempt twice', DeliveryAttemptEntity, { ...another.deliveryAttempt, attempt: 12 }, /attempt/],
    [
      'a second final result of one attempt',
      OperationEntity,
      { ...another.result, attemptOperationId: 'tr_op_mine' },
      'operation_final_result',
    ],
  ])('%s', async (_, entity, row, constraint) => {
    await refused(entity, row, constraint)
  })

  test('a capture and a void of more than was authorized, together', async () => {
    const row = { ...another.transaction, authorizedMinor: 2900, capturedMinor: 2000, voidedMinor: 901 }
    await refused(TransactionEntity, row, 'never_more_than_authorized')
    await refused(TransactionEntity, { ...row, voidedMinor: 0, capturedMinor: 2901 }, 'never_more_than_authorized')
  })

  test('a refund of more than was captured', async () => {
    await refused(TransactionEntity, { ...another.transaction, refundedMinor: 2901 }, 'never_more_than_captured')
  })

  test.each(['authorizedMinor', 'capturedMinor', 'voidedMinor', 'refundedMinor', 'incrementedMinor'] as const)(
    'a negative %s',
    async (column) => {
      await refused(TransactionEntity, { ...another.transaction, [column]: -1 }, /_minor_check$|^never_more_than/)
    },
  )

  test('an invoice over nothing, unless it only verifies a source', async () => {
    const nothing = { ...another.invoice, id: 'iv_zero', amountMinor: 0 }
    await refused(InvoiceEntity, { ...nothing, verification: false }, 'nothing_only_to_verify')
    await refused(InvoiceEntity, { ...nothing, amountMinor: -1 }, 'nothing_only_to_verify')
  })

  test('a second invoice with the same reference', async () => {
    const row = { ...another.invoice, id: 'iv_third', referenceId: mine.invoice.referenceId }
    await refused(InvoiceEntity, row, 'invoice_reference')
  })

  test('an invoice with a token and no customer', async () => {
    const row = { ...another.invoice, id: 'iv_third', customerId: null, tokenId: 'tok_mine' }
    await refused(InvoiceEntity, row, 'token_has_its_customer')
  })

  test('an invoice of a customer of another project', async () => {
    const row = { ...another.invoice, id: 'iv_third', tokenId: null, customerId: 'cust_theirs' }
    await refused(InvoiceEntity, row, /^invoice_.*customer_id_fkey/)
  })

  test('an invoice that waits for an end that it does not have', async () => {
    const row = { ...another.invoice, id: 'iv_third', expiresAt: null, awaitsExpiry: true }
    await refused(InvoiceEntity, row, 'only_an_end_is_awaited')
  })

  test.each([
    ['of an invoice of another project', { ...owner }, /_fkey$/],
    ['in the place of another', { position: 1 }, 'invoice_detail_invoice_id_position_key'],
    ['without a price', { amountMinor: -1 }, 'invoice_detail_amount_minor_check'],
    ['of nothing', { quantity: 0 }, 'invoice_detail_quantity_check'],
    [
      'with more discount than it costs',
      { discountMinor: 3001, capturedMinor: 0, refundedMinor: 0 },
      'line_is_captured_once',
    ],
    ['of which more is captured than it costs', { capturedMinor: 2901 }, 'line_is_captured_once'],
    ['of which more is refunded than it costs', { refundedMinor: 2901 }, 'line_is_refunded_once'],
  ])('a line %s', async (_, change, constraint) => {
    const row = { ...mine.invoiceDetail, id: 'iv_det_other', position: 2, ...change }
    await refused(InvoiceDetailEntity, row, constraint)
  })

  test('a card that expires in a thirteenth month', async () => {
    await refused(CardEntity, { ...another.card, expMonth: 13 }, 'card_exp_month_check')
  })

  test('an attempt in flight without its kind', async () => {
    await refused(
      TransactionEntity,
      { ...another.transaction, attemptInFlightType: null },
      'attempt_in_flight_has_a_type',
    )
  })

  test('the simulator as the gateway of live payments', async () => {
    await refused(GatewayConfigurationEntity, { ...another.gatewayConfiguration, ...live }, 'simulator_is_sandbox_only')
  })
})
