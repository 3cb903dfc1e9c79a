import { expect, test } from '@jest/globals'
import type { TransactionStatus } from '../../domain/transaction.ts'
import { presentInvoice } from '../../src/presenters/invoice.ts'
import { makeRows } from '../persistence/rows.ts'

const { invoice } = makeRows('present')

test('an invoice nobody tried to pay is pending and has no transaction', () => {
  expect(presentInvoice(invoice, null)).toMatchObject({ status: 'pending', transaction_id: null })
})

const statuses: Record<TransactionStatus, string> = {
  waiting: 'processing',
  pending: 'processing',
  'in-review': 'processing',
  'pending-capture': 'processing',
  authorized: 'authorized',
  completed: 'completed',
  'partially-refunded': 'completed',
  failed: 'failed',
  blocked: 'failed',
  voided: 'canceled',
  refunded: 'refunded',
  'retrieval-request': 'completed',
  'fraud-notification': 'completed',
  'chargeback-initiated': 'completed',
  solved: 'completed',
  reversed: 'completed',
}

test.each(Object.entries(statuses))('an invoice whose transaction is %s is %s', (status, expected) => {
  const transaction = { id: 'tr_1', status: status as TransactionStatus }
  expect(presentInvoice(invoice, transaction)).toMatchObject({ status: expected, transaction_id: 'tr_1' })
})

test('an invoice has every field of the specification, null where there is nothing', () => {
  const { orderId, webhookUrl, statementDescriptor, autoCaptureAt, ...bare } = invoice
  const shown = presentInvoice(bare as typeof invoice, null)
  expect(shown).toMatchObject({ order_id: null, webhook_url: null, statement_descriptor: '', auto_capture_at: null })
  const specified = [
    'id',
    'project_id',
    'subscription_id',
    'customer_id',
    'token_id',
    'details',
    'transaction_id',
    'name',
    'order_id',
    'amount',
    'currency',
    'metadata',
    'gateway_data',
    'exemption_reason_3ds2',
    'challenge_indicator',
    'statement_descriptor',
    'webhook_url',
    'return_url',
    'device',
    'merchant_initiator_type',
    'incremental',
    'unsupported_feature_bypass',
  ]
  expect(Object.keys(shown)).toEqual(expect.arrayContaining(specified))
  expect(Object.values(shown)).not.toContain(undefined)
})
