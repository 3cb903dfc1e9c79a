import { z } from 'zod'
import { hasExpired } from '../../../domain/card-expiry.ts'
import { hasValidCheckDigit } from '../../../domain/card-number.ts'
import { DEVICE_FIELDS } from '../../../domain/device-fields.ts'
import { preferredScheme } from '../../http/input/card-scheme.ts'
import { columnsIn } from '../../http/input/columns.ts'
import { defineInput, givenFields, type Problem, problem, readInput } from '../../http/input/input.ts'
import type { Fields, ParsedBody } from '../../http/middleware/body.ts'
import { ADDRESS, countryCode, ipAddress, postalAddress } from '../../objects/contacts.ts'
import {
  coded,
  expecting,
  FORM_SCALARS,
  group,
  JSON_SCALARS,
  metadata,
  optionalText,
  personalText,
  type Scalars,
  unsupported,
  withoutEffect,
} from '../../objects/taken.ts'

/** Source: ProcessOut's reference, fields of a card. */
const NAME_LENGTH_MAX = 255
const TOKEN_TYPE_LENGTH_MAX = 80

/** Browsers' headers have a few hundred characters; longer ones add nothing. */
const HEADER_LENGTH_MAX = 2048
const LANGUAGE_LENGTH_MAX = 80

/** More than any screen, and than any time zone's offset; both fit the column. */
const PIXELS_MAX = 1_000_000
const TIMEZONE_OFFSET_MINUTES_MAX = 24 * 60

/** Shortest and longest card number. Source: ISO/IEC 7812. */
const NUMBER = /^\d{12,19}$/

/** The limits of a year with four digits beginning with 20; cards are valid for some years. */
const YEAR_MIN = 2000
const YEAR_MAX = 2099

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

const holderName = personalText(NAME_LENGTH_MAX, { invalid: 'card.invalid-name' })

/** The holder's address. `country_code` is the older name of `billing_country_code`. */
const contact = coded(group({ ...postalAddress, billing_country_code: countryCode }), ADDRESS)

/** The holder's browser as the merchant saw it; our connection is only the merchant's server. */
const device = ({ flag, digits }: Scalars) => {
  const pixels = digits
    .transform(Number)
    .refine((value) => value <= PIXELS_MAX, `must be ${PIXELS_MAX} at most`)
    .meta({ maximum: PIXELS_MAX })
    .optional()
  return group({
    request_origin: withoutEffect,
    channel: withoutEffect,
    id: withoutEffect,
    ip_address: ipAddress,
    user_agent: optionalText(HEADER_LENGTH_MAX),
    header_accept: optionalText(HEADER_LENGTH_MAX),
    header_referer: optionalText(HEADER_LENGTH_MAX),
    app_color_depth: pixels,
    app_java_enabled: flag.optional(),
    app_language: optionalText(LANGUAGE_LENGTH_MAX),
    app_screen_height: pixels,
    app_screen_width: pixels,
    app_timezone_offset: minutes.optional(),
  })
}

/** Positive west of UTC, negative east of it, as browsers count. */
const minutes = z
  .union([z.number(), z.string()], expecting('a whole number of minutes'))
  .transform(Number)
  .refine(
    (value) => Number.isInteger(value) && Math.abs(value) <= TIMEZONE_OFFSET_MINUTES_MAX,
    'must be a whole number of minutes, as browsers tell it',
  )
  .meta({
    type: 'integer',
    minimum: -TIMEZONE_OFFSET_MINUTES_MAX,
    maximum: TIMEZONE_OFFSET_MINUTES_MAX,
    anyOf: undefined,
  })

const expMonth = ({ digits }: Scalars) =>
  digits
    .transform(Number)
    .refine((month) => month >= 1 && month <= 12, 'must be a month from 1 to 12')
    .meta({ minimum: 1, maximum: 12 })

const expYear = ({ digits }: Scalars) =>
  digits
    .refine((year) => year.length === 2 || year.length === 4, 'must have 2 or 4 digits')
    .transform((year) => (year.length === 2 ? YEAR_MIN + Number(year) : Number(year)))
    .refine((year) => year >= YEAR_MIN && year <= YEAR_MAX, 'must be a year of this century')
    .meta({ maximum: YEAR_MAX, description: 'The year of expiry, in two or four digits.' })

export const CARD = defineInput(
  ({ digits, ...scalars }) => ({
    number,
    exp_month: expMonth({ digits, ...scalars }),
    exp_year: expYear({ digits, ...scalars }),
    cvc2: securityCode,
    name: holderName,
    preferred_scheme: preferredScheme,
    metadata,
    contact: contact.optional().describe('The address of the holder.'),
    device: device({ digits, ...scalars })
      .optional()
      .describe('The browser of the holder, as you saw it; issuers judge by it.'),
    token_type: optionalText(TOKEN_TYPE_LENGTH_MAX),
    // The encrypted card of a wallet; this API takes cards in the clear.
    payment_token: unsupported,
  }),
  {
    number: { missing: 'card.invalid-number', invalid: 'card.invalid-number' },
    exp_month: { missing: 'card.invalid-expiry-month', invalid: 'card.invalid-expiry-month' },
    exp_year: { missing: 'card.invalid-expiry-year', invalid: 'card.invalid-expiry-year' },
    'contact.billing_country_code': ADDRESS,
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

export const CARD_CHANGES = defineInput(() => ({
  cvc2: securityCode,
  preferred_scheme: preferredScheme,
  name: holderName,
  metadata,
}))

/** The fields that a client may change. Source: ProcessOut's client libraries. */
export const CLIENT_CARD_FIELDS: readonly string[] = ['cvc2', 'preferred_scheme']

/** The changes of a card; the word `none` clears the preferred scheme. */
export function readCardChanges(body: ParsedBody) {
  return givenFields(readInput(CARD_CHANGES, body), body)
}

function sandboxProblems(fields: Fields, isAccepted: (number: string) => boolean): Problem[] {
  const { data: given } = number.safeParse(fields.number)
  if (given === undefined || isAccepted(given)) return []
  return [problem('number', 'is not one of the documented test cards', 'sandbox.not-supported')]
}

/** Every issuer would decline an expired card. An invalid month or year alone is reported by its own field. */
function expiryProblems({ exp_month, exp_year }: Fields, scalars: Scalars, now: Date): Problem[] {
  const { data: month } = expMonth(scalars).safeParse(exp_month)
  const { data: year } = expYear(scalars).safeParse(exp_year)
  if (month === undefined || year === undefined || !hasExpired({ month, year }, now)) return []
  const name = year < now.getUTCFullYear() ? 'exp_year' : 'exp_month'
  return [problem(name, 'lies in the past: the card has expired', 'card.invalid-expiry-date')]
}
