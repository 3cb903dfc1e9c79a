import { z } from 'zod'
import { hasExpired } from '../../../domain/card-expiry.ts'
import { hasValidCheckDigit } from '../../../domain/card-number.ts'
import type { Fields, ParsedBody } from '../middleware/body.ts'
import { preferredScheme } from './fields/card-scheme.ts'
import { countryCode, ipAddress, postalAddress } from './fields/contact-fields.ts'
import {
  expecting,
  FORM_SCALARS,
  JSON_SCALARS,
  metadata,
  optionalText,
  type Scalars,
  unsupported,
  withoutEffect,
} from './fields/fields.ts'
import { givenFields } from './fields/given.ts'
import { defineInput, type Problem, readInput } from './fields/input.ts'

/** Source: ProcessOut's reference, fields of a card. */
const NAME_LENGTH_MAX = 255
const TOKEN_TYPE_LENGTH_MAX = 80

/** Browsers send headers of a few hundred characters; what is longer tells nothing more. */
const HEADER_LENGTH_MAX = 2048
const LANGUAGE_LENGTH_MAX = 80

/** More than any screen has, and than any clock is away from UTC; both fit the column. */
const PIXELS_MAX = 1_000_000
const TIMEZONE_OFFSET_MINUTES_MAX = 24 * 60

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

const securityCode = optionalText(4, {
  holds: (value) => /^\d{3,4}$/.test(value),
  message: 'must be 3 or 4 digits as a text',
})

/** Where the holder lives. `country_code` is the older name of `billing_country_code`. */
const contact = z.strictObject({ ...postalAddress, billing_country_code: countryCode }, expecting('an object'))

/** What the holder's browser told the merchant, in place of what ours would tell of the merchant's server. */
const device = ({ flag, digits }: Scalars) => {
  const pixels = digits
    .transform(Number)
    .refine((value) => value <= PIXELS_MAX, `must be ${PIXELS_MAX} at most`)
    .optional()
  return z.strictObject(
    {
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
    },
    expecting('an object'),
  )
}

/** West of UTC it is above zero, east of it below, as browsers count. */
const minutes = z
  .union([z.number(), z.string()], expecting('a whole number of minutes'))
  .transform(Number)
  .refine(
    (value) => Number.isInteger(value) && Math.abs(value) <= TIMEZONE_OFFSET_MINUTES_MAX,
    'must be a whole number of minutes, as browsers tell it',
  )

const expMonth = ({ digits }: Scalars) =>
  digits.transform(Number).refine((month) => month >= 1 && month <= 12, 'must be a month from 1 to 12')

const expYear = ({ digits }: Scalars) =>
  digits
    .refine((year) => year.length === 2 || year.length === 4, 'must have 2 or 4 digits')
    .transform((year) => (year.length === 2 ? YEAR_MIN + Number(year) : Number(year)))
    .refine((year) => year >= YEAR_MIN && year <= YEAR_MAX, 'must be a year of this century')

export const CARD = defineInput(
  ({ digits, ...scalars }) => ({
    number,
    exp_month: expMonth({ digits, ...scalars }),
    exp_year: expYear({ digits, ...scalars }),
    cvc2: securityCode,
    name: optionalText(NAME_LENGTH_MAX),
    preferred_scheme: preferredScheme,
    metadata,
    contact: contact.optional(),
    device: device({ digits, ...scalars }).optional(),
    token_type: optionalText(TOKEN_TYPE_LENGTH_MAX),
    // The encrypted card of a wallet; ours come in the clear.
    payment_token: unsupported,
  }),
  {
    number: { missing: 'card.invalid-number', invalid: 'card.invalid-number' },
    exp_month: { missing: 'card.invalid-expiry-month', invalid: 'card.invalid-expiry-month' },
    exp_year: { missing: 'card.invalid-expiry-year', invalid: 'card.invalid-expiry-year' },
    cvc2: { invalid: 'card.invalid-cvc' },
    name: { invalid: 'card.invalid-name' },
    'contact.country_code': { invalid: 'request.validation.invalid-country' },
    contact: { invalid: 'request.validation.invalid-address' },
    'device.ip_address': { invalid: 'request.validation.invalid-ip-address' },
    metadata: { invalid: 'request.validation.invalid-metadata' },
  },
)

/**
 * A card as it was typed. Its values go to the vault and are repeated in no answer and no log.
 *
 * @param isAccepted false for a number that the environment refuses.
 */
export function readCardInput(body: ParsedBody, isAccepted: (number: string) => boolean, now: Date) {
  const input = readInput(CARD, body, (fields) => [
    ...sandboxProblems(fields, isAccepted),
    ...expiryProblems(fields, body.isForm ? FORM_SCALARS : JSON_SCALARS, now),
  ])
  return { ...input, ...holderColumns(input) }
}

export type CardInput = ReturnType<typeof readCardInput>

type Input = z.output<typeof CARD.json>

/** The columns that tell of the holder, and of the browser that the card was typed into. */
function holderColumns({ contact, device, token_type }: Pick<Input, 'contact' | 'device' | 'token_type'>) {
  return {
    holder: {
      address1: contact?.address1 ?? null,
      address2: contact?.address2 ?? null,
      city: contact?.city ?? null,
      state: contact?.state ?? null,
      zip: contact?.zip ?? null,
      billingCountryCode: contact?.billing_country_code ?? contact?.country_code ?? null,
      ipAddress: device?.ip_address ?? null,
      userAgent: device?.user_agent ?? null,
      headerAccept: device?.header_accept ?? null,
      headerReferer: device?.header_referer ?? null,
      appColorDepth: device?.app_color_depth ?? null,
      appJavaEnabled: device?.app_java_enabled ?? null,
      appLanguage: device?.app_language ?? null,
      appScreenHeight: device?.app_screen_height ?? null,
      appScreenWidth: device?.app_screen_width ?? null,
      appTimezoneOffset: device?.app_timezone_offset ?? null,
      tokenType: token_type,
      tokenizationMethod: token_type,
    },
  }
}

export const CARD_CHANGES = defineInput(
  () => ({ cvc2: securityCode, preferred_scheme: preferredScheme, name: optionalText(NAME_LENGTH_MAX), metadata }),
  {
    cvc2: { invalid: 'card.invalid-cvc' },
    name: { invalid: 'card.invalid-name' },
    metadata: { invalid: 'request.validation.invalid-metadata' },
  },
)

/** What a client may change of a card. Source: ProcessOut's client libraries. */
export const CLIENT_CARD_FIELDS: readonly string[] = ['cvc2', 'preferred_scheme']

/** What a request changes of a card; the word `none` drops the preferred scheme. */
export function readCardChanges(body: ParsedBody) {
  return givenFields(readInput(CARD_CHANGES, body), body)
}

function sandboxProblems(fields: Fields, isAccepted: (number: string) => boolean): Problem[] {
  const { data: given } = number.safeParse(fields.number)
  if (given === undefined || isAccepted(given)) return []
  return [{ name: 'number', message: 'is not one of the documented test cards', code: 'sandbox.not-supported' }]
}

/** A card of an earlier month would be declined by every issuer. Month or year alone that cannot be are told as such. */
function expiryProblems({ exp_month, exp_year }: Fields, scalars: Scalars, now: Date): Problem[] {
  const { data: month } = expMonth(scalars).safeParse(exp_month)
  const { data: year } = expYear(scalars).safeParse(exp_year)
  if (month === undefined || year === undefined || !hasExpired({ month, year }, now)) return []
  const name = year < now.getUTCFullYear() ? 'exp_year' : 'exp_month'
  return [{ name, message: 'lies in the past: the card has expired', code: 'card.invalid-expiry-date' }]
}
