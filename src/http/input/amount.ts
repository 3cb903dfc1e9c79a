import type { ErrorCode } from '../../../domain/errors.ts'
import { parseAmount } from '../../../domain/money.ts'
import { shown } from '../../objects/taken.ts'
import { ApiError } from '../api-error.ts'
import type { Fields } from '../middleware/body.ts'
import { type Problem, problem } from './input.ts'

/** The currency with the most decimals: an amount invalid there is invalid in any. */
const MOST_DECIMALS = 'CLF'

interface AmountRule {
  /** True where zero is valid, too. */
  allowsZero?: boolean
  code?: ErrorCode
  /** The field's name in the answer, where it is nested. */
  label?: string
}

/**
 * The problems of an amount in this currency; without a known currency only the format is checked. A value that is no text
 * is left to the schema.
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
    return wrong(`${expected}, not ${shown(value)}`)
  }
  if (written === 0 && !allowsZero) return wrong('must be more than zero')
  if (currency !== null && parseAmount(value, currency) === null) return wrong(`has more decimals than ${currency} has`)
  return []
}

/**
 * The minor units of an amount accepted by `amountProblems`.
 *
 * @throws ApiError for any other.
 */
export function amountMinorOf(text: string, currency: string): number {
  const amountMinor = parseAmount(text, currency)
  if (amountMinor === null) throw new ApiError('request.validation.invalid-amount')
  return amountMinor
}
