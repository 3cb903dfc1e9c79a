import { expect, test } from '@jest/globals'
import { INVOICE_STATUSES, invoiceStatus, transactionStatusesOf } from '../../domain/invoice-status.ts'
import { TRANSACTION_STATUSES } from '../../domain/transaction.ts'

test.each(INVOICE_STATUSES)('an invoice is %s with exactly the transaction statuses that say so', (status) => {
  const those = TRANSACTION_STATUSES.filter((one) => invoiceStatus(one, {}) === status)
  expect(transactionStatusesOf(status)).toEqual(those)
})
