import type { z } from 'zod'
import { lineAmountMinor } from '../../../domain/invoice-detail.ts'
import { largestAmountMinor, parseAmount } from '../../../domain/money.ts'
import { amountMinorOf, amountProblems } from '../../http/input/amount.ts'
import { columnsOf } from '../../http/input/columns.ts'
import { type Problem, problem } from '../../http/input/input.ts'
import type { Fields } from '../../http/middleware/body.ts'
import type { lineInput } from '../../objects/invoice-line.ts'

type DetailFields = z.output<ReturnType<typeof lineInput>>

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
