import { formatAmount } from '../../domain/money.ts'
import type { InvoiceDetailRow } from '../persistence/entities/invoice-detail.ts'
import { shownColumns } from './columns.ts'
import { both, METADATA, shownToClients, takenFields, wordOrNull } from './fields.ts'
import { instant as instantText } from './instants.ts'
import { DETAIL_CATEGORIES, DETAIL_CONDITIONS } from './invoice-words.ts'
import { object, type Shown } from './object.ts'
import { amount, count, flag, id, instant, orNull, text } from './shown.ts'
import {
  amountText,
  coded,
  group,
  optionalFlag,
  optionalText,
  requiredName,
  type Scalars,
  withoutEffect,
} from './taken.ts'
import { presentAmount } from './values.ts'

/** The maximum of an integer column. */
const QUANTITY_MAX = 2_147_483_647

const quantity = ({ digits }: Scalars) =>
  coded(
    digits
      .transform(Number)
      .refine((count) => count >= 1 && count <= QUANTITY_MAX, `must be a whole number from 1 to ${QUANTITY_MAX}`)
      .meta({ minimum: 1, maximum: QUANTITY_MAX }),
    { invalid: 'request.validation.invalid-quantity' },
  ).optional()

/** Client libraries send back the lines that they have read. Source of the lengths: ProcessOut's reference, details of an invoice. */
const LINE = {
  ...shownToClients({
    id: both(
      id('invoiceDetail', 'The line. Captures and refunds choose lines by it, in `invoice_detail_ids`.'),
      withoutEffect,
    ),
    name: both(text('The name of the article.'), requiredName),
  }),
  type: both(orNull(text('A kind of your own.')), optionalText(30)),
  ...shownToClients({
    amount: both(amount('The price of one piece.'), amountText),
    quantity: both(count('How many pieces.'), quantity),
    discount_amount: both(orNull(amount('What is taken off the whole line.')), amountText.optional()),
  }),
  captured_amount: both(amount('What was captured of the line.'), withoutEffect),
  refunded_amount: both(amount('What was given back of the line.'), withoutEffect),
  metadata: METADATA,
  category: wordOrNull(DETAIL_CATEGORIES, 'The kind of article.', 'request.validation.invalid-detail-category'),
  reference: both(orNull(text('Your own id of the article.')), optionalText(255)),
  ...shownToClients({
    description: both(
      orNull(text('A description of the article.')),
      optionalText(255, { invalid: 'request.validation.invalid-description' }),
    ),
    brand: both(orNull(text('The brand of the article.')), optionalText(80)),
    model: both(orNull(text('The model of the article.')), optionalText(80)),
  }),
  condition: wordOrNull(
    DETAIL_CONDITIONS,
    'The condition of the article.',
    'request.validation.invalid-detail-condition',
  ),
  marketplace_merchant: both(orNull(text('The seller, where you are a marketplace.')), optionalText(255)),
  marketplace_merchant_is_business: both(orNull(flag('Whether that seller is a business.')), optionalFlag),
  marketplace_merchant_created_at: both(
    orNull(instant('Since when that seller sells on your marketplace.')),
    instantText.optional(),
  ),
}

export const line = object(
  'InvoiceLine',
  'One line of an invoice. It costs `amount` × `quantity` − `discount_amount`.',
  LINE,
)

/** One line of an invoice, as merchants send it. */
export const lineInput = (scalars: Scalars) => group(takenFields(LINE, scalars))

/** One line of an invoice, in the invoice's currency. `amount` is the price of one piece. */
export function presentInvoiceDetail(row: InvoiceDetailRow, currency: string): Shown<typeof line> {
  return {
    ...shownColumns(LINE, row),
    amount: formatAmount(row.amountMinor, currency),
    discount_amount: presentAmount(row.discountMinor, currency),
    captured_amount: formatAmount(row.capturedMinor, currency),
    refunded_amount: formatAmount(row.refundedMinor, currency),
  }
}
