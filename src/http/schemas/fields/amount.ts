import type { ErrorCode } from '../../../../domain/errors.ts'
import { parseAmount } from '../../../../domain/money.ts'
import { ApiError } from '../../api-error.ts'
import type { Fields } from '../../middleware/body.ts'
import { shown } from './fields.ts'
import { type Problem, problem } from './input.ts'

/** The currency with the most decimals: an amount that even it cannot take is badly written in any. */
const MOST_DECIMALS = 'CLF'

interface AmountRule {
  /** True where nothing is an amount, too. */
  allowsZero?: boolean
  code?: ErrorCode
  /** How the field is called in the answer, where it is nested. */
  label?: string
}

/**
 * What is wrong with an amount of this currency. Where the currency is not known, only the way of writing is judged.
 * A value that is no text is left to the schema.
 */
export function amountProblems(
  fields: Fields,
  name: string,
  currency: string | null,
  { allowsZero = false, code = 'request.validation.invalid-amount', label = name }: AmountRule = {},
): Problem[] {
  const value = fields[name]
  if (typeof value !== 'string') return []
  const wrong = (message: string) => [problem(label, message, code)]
  const written = parseAmount(value, MOST_DECIMALS)
  if (written === null) {
    const expected = 'must be digits with up to 11 before and 4 after a decimal point, such as "29.00"'
    return wrong(`${expected}, and came as ${shown(value)}`)
  }
  if (written === 0 && !allowsZero) return wrong('must be more than zero')
  if (currency !== null && parseAmount(value, currency) === null) return wrong(`has more decimals than ${currency} has`)
  return []
}

/**
 * The minor units of an amount that `amountProblems` has accepted.
 *
 * @throws ApiError for one that it would not accept.
 */
export function amountMinorOf(text: string, currency: string): number {
  const amountMinor = parseAmount(text, currency)
  if (amountMinor === null) throw new ApiError('request.validation.invalid-amount')
  return amountMinor
}
