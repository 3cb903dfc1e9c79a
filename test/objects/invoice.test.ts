import { expect, test } from '@jest/globals'
import type { TransactionStatus } from '../../domain/transaction.ts'
import { presentInvoice } from '../../src/objects/invoice.ts'
import { makeRows } from '../persistence/rows.ts'

const { invoice: everything, invoiceDetail } = makeRows('present')
const invoice = { ...everything, expiresAt: null, expiredAt: null }

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

const NOW = new Date('2026-11-21T09:00:00.000Z')
const at = (milliseconds: number) => new Date(NOW.getTime() + milliseconds)

test.each([
  ['is in time at its very end', { expiresAt: NOW }, null, 'pending'],
  ['is expired after its end', { expiresAt: at(-1) }, null, 'expired'],
  ['is expired after its end, though a payment of it failed', { expiresAt: at(-1) }, 'failed', 'expired'],
  ['is not expired while its payment is under way', { expiresAt: at(-1) }, 'pending', 'processing'],
  ['is not expired once it is authorized', { expiresAt: at(-1) }, 'authorized', 'authorized'],
  ['is not expired once it is paid', { expiresAt: at(-1), expiredAt: at(-1) }, 'completed', 'completed'],
] as const)('an invoice %s', (_, end, status, expected) => {
  const transaction = status === null ? null : { id: 'tr_1', status }
  expect(presentInvoice({ ...invoice, ...end }, transaction, { now: NOW }).status).toBe(expected)
})

test('an invoice shows its lines with their money, and what of it was captured and refunded', () => {
  const { details } = presentInvoice(invoice, null, { details: [{ ...invoiceDetail, refundedMinor: 1_900 }] })
  expect(details).toEqual([
    expect.objectContaining({
      id: invoiceDetail.id,
      amount: '10.00',
      quantity: 3,
      discount_amount: '1.00',
      captured_amount: '29.00',
      refunded_amount: '19.00',
    }),
  ])
})

test('an invoice shows the price of its shipping and its tax in its own currency', () => {
  const { shipping, tax } = presentInvoice({ ...invoice, currency: 'JPY' }, null)
  expect(shipping).toMatchObject({ amount: '500' })
  expect(tax).toMatchObject({ amount: String(invoice.tax?.amountMinor) })
})
