import type { z } from 'zod'
import { lineAmountMinor } from '../../../domain/invoice-detail.ts'
import { largestAmountMinor, parseAmount } from '../../../domain/money.ts'
import { amountMinorOf, amountProblems } from '../../http/input/amount.ts'
import { columnsOf } from '../../http/input/columns.ts'
import { type Problem, problem } from '../../http/input/input.ts'
import type { Fields } from '../../http/middleware/body.ts'
import { instant } from '../../objects/instants.ts'
import { DETAIL_CATEGORIES, DETAIL_CONDITIONS } from '../../objects/invoice-words.ts'
import {
  amountText,
  coded,
  group,
  metadata,
  optionalText,
  optionalWord,
  requiredName,
  type Scalars,
  withoutEffect,
} from '../../objects/taken.ts'

/** Source of the lengths: ProcessOut's reference, details of an invoice. */
const TYPE_LENGTH_MAX = 30
const TEXT_LENGTH_MAX = 255
const PRODUCT_LENGTH_MAX = 80

/** The maximum of an integer column. */
const QUANTITY_MAX = 2_147_483_647

/** The maximum of an invoice's lines; a capture or refund may name all of them. */
export const DETAILS_MAX = 1_000
export const TOO_MANY_DETAILS = `must have ${DETAILS_MAX.toLocaleString('en')} lines at most`

/** One line of an invoice, as merchants send it. */
export const invoiceDetail = ({ flag, digits }: Scalars) =>
  group({
    // Client libraries send back the lines that they have read.
    id: withoutEffect,
    captured_amount: withoutEffect,
    refunded_amount: withoutEffect,
    name: requiredName,
    type: optionalText(TYPE_LENGTH_MAX),
    amount: amountText,
    quantity: coded(
      digits
        .transform(Number)
        .refine((count) => count >= 1 && count <= QUANTITY_MAX, `must be a whole number from 1 to ${QUANTITY_MAX}`),
      { invalid: 'request.validation.invalid-quantity' },
    ).optional(),
    discount_amount: amountText.optional(),
    metadata,
    category: optionalWord(DETAIL_CATEGORIES, 'request.validation.invalid-detail-category'),
    reference: optionalText(TEXT_LENGTH_MAX),
    description: optionalText(TEXT_LENGTH_MAX, { invalid: 'request.validation.invalid-description' }),
    brand: optionalText(PRODUCT_LENGTH_MAX),
    model: optionalText(PRODUCT_LENGTH_MAX),
    condition: optionalWord(DETAIL_CONDITIONS, 'request.validation.invalid-detail-condition'),
    marketplace_merchant: optionalText(TEXT_LENGTH_MAX),
    marketplace_merchant_is_business: flag.optional(),
    marketplace_merchant_created_at: instant.optional(),
  })

type DetailFields = z.output<ReturnType<typeof invoiceDetail>>

/** The problems of the lines' amounts; the schema finds the others. */
export function detailProblems({ details }: Fields, currency: string | null): Problem[] {
  if (!Array.isArray(details)) return []
  return details.flatMap((detail: unknown, index) =>
    typeof detail === 'object' && detail !== null ? lineProblems(detail as Fields, `details.${index}`, currency) : [],
  )
}

function lineProblems(detail: Fields, path: string, currency: string | null): Problem[] {
  const problems = ['amount', 'discount_amount'].flatMap((name) =>
    amountProblems(detail, name, currency, { allowsZero: true, label: `${path}.${name}` }),
  )
  const quantity = quantityOf(detail.quantity)
  if (problems.length > 0 || currency === null || !(quantity >= 1)) return problems
  const wrong = (name: string, message: string) => [
    problem(`${path}.${name}`, message, 'request.validation.invalid-amount'),
  ]
  const discountMinor = minorOf(detail.discount_amount, currency)
  const line = lineAmountMinor({ amountMinor: minorOf(detail.amount, currency), quantity, discountMinor })
  if (line < 0) return wrong('discount_amount', 'is more than what the line costs')
  // Up to this bound the sum is exact, in any order of its steps.
  if (line + discountMinor > largestAmountMinor(currency)) return wrong('amount', 'makes too much with its quantity')
  return []
}

/** NaN for any other type: a list could pass for a number, and an object without a prototype throws. */
function quantityOf(value: unknown): number {
  if (value === undefined) return 1
  return typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN
}

function minorOf(value: unknown, currency: string): number {
  return typeof value === 'string' ? (parseAmount(value, currency) ?? 0) : 0
}

/** The columns of a line, without ids and position. */
export function detailColumns(detail: DetailFields, currency: string) {
  const { id: _, captured_amount: _captured, refunded_amount: _refunded, ...given } = detail
  const { amount, discount_amount: discount, quantity = 1, ...others } = given
  return {
    ...columnsOf(others),
    quantity,
    amountMinor: amountMinorOf(amount, currency),
    discountMinor: discount === undefined ? null : amountMinorOf(discount, currency),
    marketplaceMerchantIsBusiness: given.marketplace_merchant_is_business ?? null,
    marketplaceMerchantCreatedAt: given.marketplace_merchant_created_at ?? null,
  }
}

export type DetailColumns = ReturnType<typeof detailColumns>
