import { REFUND_REASONS } from '../../../domain/command.ts'
import { REFUND_STATUSES } from '../../persistence/entities/refund.ts'
import { amount, currency, flag, id, instant, list, metadata, OWNER, orNull, text, WRITTEN, word } from './fields.ts'
import { object, related } from './objects.ts'

export const refund = object('Refund', 'Captured money that is given back.', {
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
})
