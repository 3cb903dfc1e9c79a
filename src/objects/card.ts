import { z } from 'zod'
import type { DEVICE_FIELDS } from '../../domain/device-fields.ts'
import { CARD_CHECKS } from '../../domain/operation.ts'
import type { CardRow } from '../persistence/entities/card.ts'
import { CARD_CATEGORIES } from '../persistence/entities/card.ts'
import { preferredScheme } from './card-scheme.ts'
import { shownColumns } from './columns.ts'
import { ipAddress } from './contacts.ts'
import { both, METADATA, personal, shownToClients, takenFields } from './fields.ts'
import { object, related, type Shown } from './object.ts'
import { count, country, flag, id, OWNER, orNull, text, UPDATED, WRITTEN, word } from './shown.ts'
import { expecting, optionalFlag, optionalText, personalText, type Scalars } from './taken.ts'
import { presentCardChecks, presentSingleChecks } from './values.ts'

const cvcCheck = word(CARD_CHECKS, 'What the issuer found about the security code.')
const avsCheck = word(CARD_CHECKS, 'What the issuer found about the billing address.')

const CHECKS = 'What issuer and gateway found about security code and address.'

const checks = object('CardChecks', CHECKS, {
  cvc_check: cvcCheck,
  avs_check: avsCheck,
})

export const cardChecks = orNull(checks.describe(`${CHECKS} Null before anybody has looked.`))

/** Shown beside `card_checks` under the names that older clients read. */
export const SINGLE_CHECKS = {
  cvc_check: orNull(cvcCheck),
  avs_check: orNull(avsCheck),
}

/** Browsers' headers have a few hundred characters; longer ones add nothing. */
const header = optionalText(2048)

/** More than any screen, and than any time zone's offset; both fit the column. */
const PIXELS_MAX = 1_000_000
const TIMEZONE_OFFSET_MINUTES_MAX = 24 * 60

const pixels = ({ digits }: Scalars) =>
  digits
    .transform(Number)
    .refine((value) => value <= PIXELS_MAX, `must be ${PIXELS_MAX} at most`)
    .meta({ maximum: PIXELS_MAX })
    .optional()

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

/** The holder's browser as the merchant saw it; our connection is only the merchant's server. */
const BROWSER = {
  ip_address: both(orNull(text('The address of the browser in which the card was entered.')), ipAddress),
  user_agent: both(orNull(text('The browser in which the card was entered.')), header),
  header_accept: both(orNull(text('The header `Accept` of that browser.')), header),
  header_referer: both(orNull(text('The page from which the customer came.')), header),
  app_color_depth: both(orNull(count('Bits per pixel of that browser’s screen.')), pixels),
  app_java_enabled: both(orNull(flag('Whether that browser runs Java.')), optionalFlag),
  app_language: both(orNull(text('The language of that browser, such as `de-AT`.')), optionalText(80)),
  app_screen_height: both(orNull(count('Height of that browser’s screen in pixels.')), pixels),
  app_screen_width: both(orNull(count('Width of that browser’s screen in pixels.')), pixels),
  app_timezone_offset: both(
    orNull(z.int().describe('Minutes between UTC and that browser’s time, positive west of Greenwich.')),
    minutes.optional(),
  ),
} satisfies Record<(typeof DEVICE_FIELDS)[number], unknown>

/** Cards are valid for some years. */
const [YEAR_MIN, YEAR_MAX] = [2000, 2099]

export const expMonth = ({ digits }: Scalars) =>
  digits
    .transform(Number)
    .refine((month) => month >= 1 && month <= 12, 'must be a month from 1 to 12')
    .meta({ minimum: 1, maximum: 12 })

export const expYear = ({ digits }: Scalars) =>
  digits
    .refine((year) => year.length === 2 || year.length === 4, 'must have 2 or 4 digits')
    .transform((year) => (year.length === 2 ? YEAR_MIN + Number(year) : Number(year)))
    .refine((year) => year >= YEAR_MIN && year <= YEAR_MAX, 'must be a year of this century')
    // A number of one digit is no year; as a text it has a zero before it.
    .meta({ minimum: 10, maximum: YEAR_MAX, description: 'The year of expiry, in two or four digits.' })

/** Source of the lengths: ProcessOut's reference, fields of a card. */
const FIELDS = {
  ...shownToClients({
    id: id('card', 'The card. It is a `source` of payments and tokens.'),
    ...OWNER,
    scheme: text('The card scheme, such as `visa` or `mastercard`.'),
    co_scheme: orNull(text('The second scheme of a co-badged card, such as `carte bancaire`.')),
    preferred_scheme: both(orNull(text('The scheme that is used where the card carries it.')), preferredScheme),
    type: orNull(text('The kind of account behind the card, such as `credit`, `debit` or `prepaid`.')),
    bank_name: orNull(text('The bank that issued the card.')),
    brand: orNull(text('The product of the scheme, such as `platinum`.')),
    category: orNull(word(CARD_CATEGORIES, 'Whether the card is for private or for business use.')),
    iin: text('The first six digits of the number, which identify the issuer.'),
    last_4_digits: text('The last four digits of the number.'),
  }),
  fingerprint: text('The same for every card with this number in your project, and for no other number.'),
  ...shownToClients({
    exp_month: both(z.int().min(1).max(12).describe('The month of expiry, 1 to 12.'), expMonth),
    exp_year: both(z.int().min(YEAR_MIN).max(YEAR_MAX).describe('The year of expiry, in four digits.'), expYear),
    expires_soon: orNull(
      flag('True from the month before the last one on; null where the object is not read at an instant.'),
    ),
  }),
  ...personal({
    name: both(
      orNull(text('The name of the holder.')),
      personalText(255, { searched: true, invalid: 'card.invalid-name' }),
    ),
    address1: orNull(text('The first line of the holder’s address.')),
    address2: orNull(text('The second line of the holder’s address.')),
    city: orNull(text('The city of the holder’s address.')),
    state: orNull(text('The state or region of the holder’s address.')),
    zip: orNull(text('The postal code of the holder’s address.')),
  }),
  ...shownToClients({ country_code: orNull(country('Where the card was issued.')) }),
  ...personal({ billing_country_code: orNull(country('Where the holder lives.')) }),
  checks: cardChecks,
  ...SINGLE_CHECKS,
  ...shownToClients({
    cvc_tokenized: flag('Whether a security code was given. It is kept for one hour at most.'),
  }),
  token_type: both(
    orNull(text('The wallet or network behind a number that is not the card’s own, such as `applepay`.')),
    optionalText(80),
  ),
  tokenization_method: orNull(text('Another name for `token_type`.')),
  token_id: orNull(id('token', 'The token that the card has become.')),
  token: related('Token', 'The token that the card has become.'),
  used: flag('Whether the card pays an invoice or has become a token, so that it cannot do another.'),
  has_been_authorized: flag('Whether an issuer has approved a payment with the card.'),
  update_type: orNull(text('The last change of the card’s data by its scheme.')),
  update_reason_code: orNull(text('Why the scheme changed the card’s data.')),
  ...personal({ ...BROWSER, metadata: METADATA }),
  ...shownToClients(WRITTEN),
  ...UPDATED,
}

export const card = object(
  'Card',
  'A card. Neither its number nor its security code is in any answer. It pays one invoice, however often that is tried, or becomes one token.',
  FIELDS,
)

/** The fields that a request gives as they are shown, and the browser among them as a group. */
export function cardInput(scalars: Scalars) {
  const { name, preferred_scheme, metadata, exp_month, exp_year, token_type } = takenFields(FIELDS, scalars)
  return { name, preferred_scheme, metadata, exp_month, exp_year, token_type, browser: takenFields(BROWSER, scalars) }
}

export const cardInformation = object(
  'CardInformation',
  'What the first digits of a card tell.',
  shownToClients({
    iin: text('The digits that were asked for.'),
    scheme: text('The card scheme.'),
    co_scheme: orNull(text('The second scheme of co-badged cards.')),
    type: orNull(text('The kind of account behind such cards: `credit`, `debit` or `prepaid`.')),
    bank_name: orNull(text('The bank that issues such cards.')),
    brand: orNull(text('The product of the scheme.')),
    category: orNull(word(CARD_CATEGORIES, 'Whether such cards are for private or for business use.')),
    country: orNull(country('Where such cards are issued.')),
    country_code: orNull(country('The same as `country`.')),
  }),
)

/**
 * A card as merchants see it: neither the number nor the security code is part of any answer.
 *
 * @param now tells whether the card expires soon; without it nothing is told of that.
 */
export function presentCard(row: CardRow, now: Date | null = null): Shown<typeof card> {
  return {
    ...shownColumns(FIELDS, row),
    expires_soon: now === null ? null : expiresSoon(row, now),
    checks: presentCardChecks(row.checks),
    ...presentSingleChecks(row.checks),
    token_id: row.usedByTokenId ?? null,
    token: null,
    used: row.usedByInvoiceId != null || row.usedByTokenId != null,
  }
}

/** In this month or the next: cards are valid through the last day of their month. Of an expired card it is true as well. */
function expiresSoon({ expYear, expMonth }: CardRow, now: Date): boolean {
  const monthsLeft = (expYear - now.getUTCFullYear()) * 12 + expMonth - (now.getUTCMonth() + 1)
  return monthsLeft <= 1
}
