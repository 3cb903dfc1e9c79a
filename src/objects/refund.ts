import { REFUND_REASONS } from '../../domain/command.ts'
import { formatAmount } from '../../domain/money.ts'
import type { RefundRow } from '../persistence/entities/refund.ts'
import { REFUND_STATUSES } from '../persistence/entities/refund.ts'
import { object, related, type Shown } from './object.ts'
import { amount, currency, flag, id, instant, list, metadata, OWNER, orNull, text, WRITTEN, word } from './shown.ts'
import { presentTimestamp } from './values.ts'

export const refund = object(
  'Refund',
  'Captured money that is given back.',
  {
    id: id('refund', 'The refund.'),
    ...OWNER,
    transaction_id: id('transaction', 'The transaction whose money is given back.'),
    transaction: related('Transaction', 'The transaction whose money is given back.'),
    operation_id: id('operation', 'The attempt of the refund among the operations of the transaction.'),
    amount: amount('What is given back.'),
    currency: currency('The currency of the amount.'),
    reason: word(REFUND_REASONS, 'Why it is given back.'),
    information: orNull(text('A note for your own staff.')),
    metadata: metadata('Your own keys and values.'),
    invoice_detail_ids: list(
      id('invoiceDetail', 'A line of the invoice.'),
      'The lines that are given back; empty where an amount was named.',
    ),
    status: word(REFUND_STATUSES, 'Whether the gateway has confirmed it. A refund that had succeeded may still fail.'),
    has_failed: flag('Whether the status is `failed`; the money then stays captured.'),
    error_code: orNull(text('Why the refund has failed.')),
    failed_at: orNull(instant('When the refund failed.')),
    ...WRITTEN,
  },
  { personal: ['information'] },
)

/** A refund. `has_failed` is the field of the interface; `status` also tells whether it is done. */
export function presentRefund(row: RefundRow): Shown<typeof refund> {
  return {
    id: row.id,
    project_id: row.projectId,
    transaction_id: row.transactionId,
    transaction: null,
    operation_id: row.operationId,
    amount: formatAmount(row.amountMinor, row.currency),
    currency: row.currency,
    reason: row.reason,
    information: row.information ?? null,
    metadata: row.metadata,
    invoice_detail_ids: row.detailIds ?? [],
    status: row.status,
    has_failed: row.status === 'failed',
    error_code: row.errorCode ?? null,
    failed_at: presentTimestamp(row.failedAt),
    sandbox: row.sandbox,
    created_at: presentTimestamp(row.createdAt),
  }
}
