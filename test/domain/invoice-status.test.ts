import { expect, test } from '@jest/globals'
import { INVOICE_STATUSES, invoiceStatus, transactionStatusesOf } from '../../domain/invoice-status.ts'
import { TRANSACTION_STATUSES } from '../../domain/transaction.ts'

test.each(INVOICE_STATUSES)('an invoice is %s with exactly the transaction statuses that say so', (status) => {
  const those = TRANSACTION_STATUSES.filter((one) => invoiceStatus(one, {}) === status)
  expect(transactionStatusesOf(status)).toEqual(those)
})

const EXPIRY = new Date('2026-11-21T09:00:00.000Z')
const LATER = new Date(EXPIRY.getTime() + 1)

test.each([
  ['at the instant of its expiry', null, { expiresAt: EXPIRY, now: EXPIRY }, 'pending'],
  ['a moment after its expiry', null, { expiresAt: EXPIRY, now: LATER }, 'expired'],
  ['after its expiry, once its payment has failed', 'failed', { expiresAt: EXPIRY, now: LATER }, 'expired'],
  ['after its expiry, once it is paid', 'completed', { expiresAt: EXPIRY, now: LATER }, 'completed'],
  ['whose expiry was recorded, whatever time it is', null, { expiresAt: EXPIRY, expiredAt: EXPIRY }, 'expired'],
  ['whose expiry was not recorded, where nobody tells the time', null, { expiresAt: EXPIRY }, 'pending'],
  ['that never expires', null, { expiresAt: null, now: LATER }, 'pending'],
] as const)('an invoice %s', (_, transactionStatus, end, status) => {
  expect(invoiceStatus(transactionStatus, end)).toBe(status)
})
