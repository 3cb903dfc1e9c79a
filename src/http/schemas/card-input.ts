import { z } from 'zod'
import { hasValidCheckDigit } from '../card-schemes.ts'
import type { Fields, ParsedBody } from '../middleware/body.ts'
import { preferredScheme } from './card-scheme.ts'
import { expecting, metadata, optionalText, unsupported } from './fields.ts'
import { defineInput, type Problem, readInput } from './input.ts'

/** Source: ProcessOut's reference, limits of a card. */
const NAME_LENGTH_MAX = 80

/** Shortest and longest card number. Source: ISO/IEC 7812. */
const NUMBER = /^\d{12,19}$/

/** Cards are valid for some years; this is only the last year that four digits starting with 20 can say. */
const YEAR_MIN = 2000
const YEAR_MAX = 2099

const NUMBER_EXPECTED = 'the 12 to 19 digits of a card as a text'

/** Spaces and dashes are how people write a card number. */
const number = z
  .string(expecting(NUMBER_EXPECTED))
  .transform((value) => value.replaceAll(/[ -]/g, ''))
  .refine((value) => NUMBER.test(value), `must be ${NUMBER_EXPECTED}`)
  .refine((value) => !NUMBER.test(value) || hasValidCheckDigit(value), 'has a wrong digit')

const CARD = defineInput(
  ({ digits }) => ({
    number,
    exp_month: digits.transform(Number).refine((month) => month >= 1 && month <= 12, 'must be a month from 1 to 12'),
    exp_year: digits
      .refine((year) => year.length === 2 || year.length === 4, 'must have 2 or 4 digits')
      .transform((year) => (year.length === 2 ? YEAR_MIN + Number(year) : Number(year)))
      .refine((year) => year >= YEAR_MIN && year <= YEAR_MAX, 'must be a year of this century'),
    cvc2: optionalText(4, { holds: (value) => /^\d{3,4}$/.test(value), message: 'must be 3 or 4 digits as a text' }),
    name: optionalText(NAME_LENGTH_MAX),
    preferred_scheme: preferredScheme,
    metadata,
    contact: unsupported,
    device: unsupported,
    token_type: unsupported,
    payment_token: unsupported,
  }),
  {
    number: { missing: 'card.invalid-number', invalid: 'card.invalid-number' },
    exp_month: { missing: 'card.invalid-expiry-month', invalid: 'card.invalid-expiry-month' },
    exp_year: { missing: 'card.invalid-expiry-year', invalid: 'card.invalid-expiry-year' },
    cvc2: { invalid: 'card.invalid-cvc' },
    name: { invalid: 'card.invalid-name' },
    metadata: { invalid: 'request.validation.invalid-metadata' },
  },
)

/**
 * A card as it was typed. Its values go to the vault and are repeated in no answer and no log.
 *
 * @param isAccepted false for a number that the environment refuses.
 */
export function readCardInput(body: ParsedBody, isAccepted: (number: string) => boolean) {
  return readInput(CARD, body, (fields) => sandboxProblems(fields, isAccepted))
}

function sandboxProblems(fields: Fields, isAccepted: (number: string) => boolean): Problem[] {
  const { data: given } = number.safeParse(fields.number)
  if (given === undefined || isAccepted(given)) return []
  return [{ name: 'number', message: 'is not one of the documented test cards', code: 'sandbox.not-supported' }]
}
