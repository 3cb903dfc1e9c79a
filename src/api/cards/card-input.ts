import { z } from 'zod'
import { hasExpired } from '../../../domain/card-expiry.ts'
import { hasValidCheckDigit } from '../../../domain/card-number.ts'
import { DEVICE_FIELDS } from '../../../domain/device-fields.ts'
import { columnsIn } from '../../http/input/columns.ts'
import { defineInput, givenFields, type Problem, problem, readInput } from '../../http/input/input.ts'
import type { Fields, ParsedBody } from '../../http/middleware/body.ts'
import { cardInput, expMonth, expYear } from '../../objects/card.ts'
import { ADDRESS, countryCode, INVALID_ADDRESS } from '../../objects/contacts.ts'
import { takenFields } from '../../objects/fields.ts'
import {
  coded,
  expecting,
  FORM_SCALARS,
  group,
  JSON_SCALARS,
  optionalText,
  type Scalars,
  unsupported,
  withoutEffect,
} from '../../objects/taken.ts'

/** Shortest and longest card number. Source: ISO/IEC 7812. */
const NUMBER = /^\d{12,19}$/

const NUMBER_EXPECTED = 'the 12 to 19 digits of a card as a text'

/** People write card numbers with spaces and dashes. */
const number = z
  .string(expecting(NUMBER_EXPECTED))
  .transform((value) => value.replaceAll(/[ -]/g, ''))
  .refine((value) => NUMBER.test(value), `must be ${NUMBER_EXPECTED}`)
  .refine((value) => !NUMBER.test(value) || hasValidCheckDigit(value), 'has a wrong digit')
  .describe('The number of the card; spaces and dashes are left out.')

const securityCode = optionalText(4, {
  matches: /^\d{3,4}$/,
  message: 'must be 3 or 4 digits as a text',
  invalid: 'card.invalid-cvc',
}).describe('The security code. It is kept until the first payment, for one hour at most.')

export const CARD = defineInput(
  (scalars) => {
    const { exp_month, exp_year, name, preferred_scheme, metadata, token_type, browser } = cardInput(scalars)
    // `country_code` is the older name of `billing_country_code`.
    const contact = group({ ...takenFields(ADDRESS, scalars), billing_country_code: countryCode })
    const device = group({ request_origin: withoutEffect, channel: withoutEffect, id: withoutEffect, ...browser })
    return {
      number,
      exp_month,
      exp_year,
      cvc2: securityCode,
      name,
      preferred_scheme,
      metadata,
      contact: coded(contact, INVALID_ADDRESS).optional().describe('The address of the holder.'),
      device: device.optional().describe('The browser of the holder, as you saw it; issuers judge by it.'),
      token_type,
      // The encrypted card of a wallet; this API takes cards in the clear.
      payment_token: unsupported,
    }
  },
  {
    number: { missing: 'card.invalid-number', invalid: 'card.invalid-number' },
    exp_month: { missing: 'card.invalid-expiry-month', invalid: 'card.invalid-expiry-month' },
    exp_year: { missing: 'card.invalid-expiry-year', invalid: 'card.invalid-expiry-year' },
    'contact.billing_country_code': INVALID_ADDRESS,
  },
)

/**
 * A card as it was entered. Its values go to the vault, and appear in no answer and no log.
 *
 * @param isAccepted false for a number that the environment refuses.
 */
export function readCardInput(body: ParsedBody, isAccepted: (number: string) => boolean, now: Date) {
  const input = readInput(CARD, body, (fields) => [
    ...sandboxProblems(fields, isAccepted),
    ...expiryProblems(fields, body.isForm ? FORM_SCALARS : JSON_SCALARS, now),
  ])
  const { contact, device, token_type: tokenType } = input
  const holder = {
    ...columnsIn(contact, ['address1', 'address2', 'city', 'state', 'zip']),
    billingCountryCode: contact?.billing_country_code ?? contact?.country_code ?? null,
    ...columnsIn(device, DEVICE_FIELDS),
    tokenType,
    tokenizationMethod: tokenType,
  }
  return { ...input, holder }
}

export type CardInput = ReturnType<typeof readCardInput>

export const CARD_CHANGES = defineInput((scalars) => {
  const { preferred_scheme, name, metadata } = cardInput(scalars)
  return { cvc2: securityCode, preferred_scheme, name, metadata }
})

/** The fields that a client may change. Source: ProcessOut's client libraries. */
export const CLIENT_CARD_FIELDS: readonly string[] = ['cvc2', 'preferred_scheme']

/** The changes of a card; the word `none` clears the preferred scheme. */
export function readCardChanges(body: ParsedBody) {
  return givenFields(readInput(CARD_CHANGES, body), body)
}

/** The one who reads it stands before a form, and wants a number that works. */
const NO_TEST_CARD = 'is not one of the test cards: 4242 four times over is approved, /docs/test-cards lists all'

function sandboxProblems(fields: Fields, isAccepted: (number: string) => boolean): Problem[] {
  const { data: given } = number.safeParse(fields.number)
  if (given === undefined || isAccepted(given)) return []
  return [problem('number', NO_TEST_CARD, 'sandbox.not-supported')]
}

/** Every issuer would decline an expired card. An invalid month or year alone is reported by its own field. */
function expiryProblems({ exp_month, exp_year }: Fields, scalars: Scalars, now: Date): Problem[] {
  const { data: month } = expMonth(scalars).safeParse(exp_month)
  const { data: year } = expYear(scalars).safeParse(exp_year)
  if (month === undefined || year === undefined || !hasExpired({ month, year }, now)) return []
  const name = year < now.getUTCFullYear() ? 'exp_year' : 'exp_month'
  return [problem(name, 'lies in the past: the card has expired', 'card.invalid-expiry-date')]
}
