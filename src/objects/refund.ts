import { REFUND_REASONS } from '../../domain/command.ts'
import { formatAmount } from '../../domain/money.ts'
import type { RefundRow } from '../persistence/entities/refund.ts'
import { REFUND_STATUSES } from '../persistence/entities/refund.ts'
import { shownColumns } from './columns.ts'
import { both, METADATA, personal, takenFields } from './fields.ts'
import { object, related, type Shown } from './object.ts'
import { amount, currency, flag, id, instant, list, OWNER, orNull, text, WRITTEN, word } from './shown.ts'
import { optionalText, optionalWord, type Scalars } from './taken.ts'

/** Notes about a refund are for the merchant's own staff; a paragraph is enough. */
const INFORMATION_LENGTH_MAX = 1000

const FIELDS = {
  id: id('refund', 'The refund.'),
  ...OWNER,
  transaction_id: id('transaction', 'The transaction whose money is given back.'),
  transaction: related('Transaction', 'The transaction whose money is given back.'),
  operation_id: id('operation', 'The attempt of the refund among the operations of the transaction.'),
  amount: amount('What is given back.'),
  currency: currency('The currency of the amount.'),
  reason: both(
    word(REFUND_REASONS, 'Why it is given back.'),
    optionalWord(REFUND_REASONS, 'request.validation.invalid-type'),
  ),
  ...personal({
    information: both(
      orNull(text('A note for your own staff.')),
      optionalText(INFORMATION_LENGTH_MAX, { invalid: 'request.validation.invalid-description' }),
    ),
  }),
  metadata: METADATA,
  invoice_detail_ids: list(
    id('invoiceDetail', 'A line of the invoice.'),
    'The lines that are given back; empty where an amount was named.',
  ),
  status: word(REFUND_STATUSES, 'Whether the gateway has confirmed it. A refund that had succeeded may still fail.'),
  has_failed: flag('Whether the status is `failed`; the money then stays captured.'),
  error_code: orNull(text('Why the refund has failed.')),
  failed_at: orNull(instant('When the refund failed.')),
  ...WRITTEN,
}

export const refund = object('Refund', 'Captured money that is given back.', FIELDS)

/** The fields that a request gives as they are shown. */
export const refundInput = (scalars: Scalars) => takenFields(FIELDS, scalars)

/** A refund. `has_failed` is the field of the interface; `status` also tells whether it is done. */
export function presentRefund(row: RefundRow): Shown<typeof refund> {
  return {
    ...shownColumns(FIELDS, row),
    transaction: null,
    amount: formatAmount(row.amountMinor, row.currency),
    invoice_detail_ids: row.detailIds ?? [],
    has_failed: row.status === 'failed',
  }
}
