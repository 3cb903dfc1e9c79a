import { z } from 'zod'
import { DEVICE_FIELDS } from '../../domain/device-fields.ts'
import { CARD_CHECKS } from '../../domain/operation.ts'
import type { CardRow } from '../persistence/entities/card.ts'
import { CARD_CATEGORIES } from '../persistence/entities/card.ts'
import { object, related, type Shown } from './object.ts'
import { CHANGED, count, country, flag, id, metadata, OWNER, orNull, text, word } from './shown.ts'
import { presentAddress, presentCardChecks, presentTimestamp } from './values.ts'

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

export const card = object(
  'Card',
  'A card. Neither its number nor its security code is in any answer. It pays one invoice, however often that is tried, or becomes one token.',
  {
    id: id('card', 'The card. It is a `source` of payments and tokens.'),
    ...OWNER,
    scheme: text('The card scheme, such as `visa` or `mastercard`.'),
    co_scheme: orNull(text('The second scheme of a co-badged card, such as `carte bancaire`.')),
    preferred_scheme: orNull(text('The scheme that is used where the card carries it.')),
    type: orNull(text('The kind of account behind the card, such as `credit`, `debit` or `prepaid`.')),
    bank_name: orNull(text('The bank that issued the card.')),
    brand: orNull(text('The product of the scheme, such as `platinum`.')),
    category: orNull(word(CARD_CATEGORIES, 'Whether the card is for private or for business use.')),
    iin: text('The first six digits of the number, which identify the issuer.'),
    last_4_digits: text('The last four digits of the number.'),
    fingerprint: text('The same for every card with this number in your project, and for no other number.'),
    exp_month: z.int().min(1).max(12).describe('The month of expiry, 1 to 12.'),
    exp_year: z.int().min(2000).max(2099).describe('The year of expiry, in four digits.'),
    expires_soon: orNull(
      flag('True from the month before the last one on; null where the object is not read at an instant.'),
    ),
    name: orNull(text('The name of the holder.')),
    address1: orNull(text('The first line of the holder’s address.')),
    address2: orNull(text('The second line of the holder’s address.')),
    city: orNull(text('The city of the holder’s address.')),
    state: orNull(text('The state or region of the holder’s address.')),
    zip: orNull(text('The postal code of the holder’s address.')),
    country_code: orNull(country('Where the card was issued.')),
    billing_country_code: orNull(country('Where the holder lives.')),
    checks: cardChecks,
    ...SINGLE_CHECKS,
    cvc_tokenized: flag('Whether a security code was given. It is kept for one hour at most.'),
    token_type: orNull(text('The wallet or network behind a number that is not the card’s own, such as `applepay`.')),
    tokenization_method: orNull(text('Another name for `token_type`.')),
    token_id: orNull(id('token', 'The token that the card has become.')),
    token: related('Token', 'The token that the card has become.'),
    used: flag('Whether the card pays an invoice or has become a token, so that it cannot do another.'),
    has_been_authorized: flag('Whether an issuer has approved a payment with the card.'),
    update_type: orNull(text('The last change of the card’s data by its scheme.')),
    update_reason_code: orNull(text('Why the scheme changed the card’s data.')),
    ip_address: orNull(text('The address of the browser in which the card was entered.')),
    user_agent: orNull(text('The browser in which the card was entered.')),
    header_accept: orNull(text('The header `Accept` of that browser.')),
    header_referer: orNull(text('The page from which the customer came.')),
    app_color_depth: orNull(count('Bits per pixel of that browser’s screen.')),
    app_java_enabled: orNull(flag('Whether that browser runs Java.')),
    app_language: orNull(text('The language of that browser, such as `de-AT`.')),
    app_screen_height: orNull(count('Height of that browser’s screen in pixels.')),
    app_screen_width: orNull(count('Width of that browser’s screen in pixels.')),
    app_timezone_offset: orNull(
      z.int().describe('Minutes between UTC and that browser’s time, positive west of Greenwich.'),
    ),
    metadata: metadata('Your own keys and values.'),
    ...CHANGED,
  },
  {
    clients: [
      'id',
      'project_id',
      'scheme',
      'co_scheme',
      'preferred_scheme',
      'type',
      'bank_name',
      'brand',
      'category',
      'iin',
      'last_4_digits',
      'exp_month',
      'exp_year',
      'expires_soon',
      'country_code',
      'cvc_tokenized',
      'sandbox',
      'created_at',
    ],
    personal: [
      'name',
      'address1',
      'address2',
      'city',
      'state',
      'zip',
      'billing_country_code',
      'metadata',
      ...DEVICE_FIELDS,
    ],
  },
)

export const cardInformation = object(
  'CardInformation',
  'What the first digits of a card tell.',
  {
    iin: text('The digits that were asked for.'),
    scheme: text('The card scheme.'),
    co_scheme: orNull(text('The second scheme of co-badged cards.')),
    type: orNull(text('The kind of account behind such cards: `credit`, `debit` or `prepaid`.')),
    bank_name: orNull(text('The bank that issues such cards.')),
    brand: orNull(text('The product of the scheme.')),
    category: orNull(word(CARD_CATEGORIES, 'Whether such cards are for private or for business use.')),
    country: orNull(country('Where such cards are issued.')),
    country_code: orNull(country('The same as `country`.')),
  },
  { clients: ['iin', 'scheme', 'co_scheme', 'type', 'bank_name', 'brand', 'category', 'country', 'country_code'] },
)

/**
 * A card as merchants see it: neither the number nor the security code is part of any answer.
 *
 * @param now tells whether the card expires soon; without it nothing is told of that.
 */
export function presentCard(row: CardRow, now: Date | null = null): Shown<typeof card> {
  return {
    id: row.id,
    project_id: row.projectId,
    scheme: row.scheme,
    co_scheme: row.coScheme ?? null,
    preferred_scheme: row.preferredScheme ?? null,
    type: row.type ?? null,
    bank_name: row.bankName ?? null,
    brand: row.brand ?? null,
    category: row.category ?? null,
    iin: row.iin,
    last_4_digits: row.last4Digits,
    fingerprint: row.fingerprint,
    exp_month: row.expMonth,
    exp_year: row.expYear,
    expires_soon: now === null ? null : expiresSoon(row, now),
    name: row.name ?? null,
    ...presentAddress(row),
    billing_country_code: row.billingCountryCode ?? null,
    checks: presentCardChecks(row.checks),
    cvc_check: row.checks?.cvcCheck ?? null,
    avs_check: row.checks?.avsCheck ?? null,
    cvc_tokenized: row.cvcTokenized,
    token_type: row.tokenType ?? null,
    tokenization_method: row.tokenizationMethod ?? null,
    token_id: row.usedByTokenId ?? null,
    token: null,
    used: row.usedByInvoiceId != null || row.usedByTokenId != null,
    has_been_authorized: row.hasBeenAuthorized,
    update_type: row.updateType ?? null,
    update_reason_code: row.updateReasonCode ?? null,
    ip_address: row.ipAddress ?? null,
    user_agent: row.userAgent ?? null,
    header_accept: row.headerAccept ?? null,
    header_referer: row.headerReferer ?? null,
    app_color_depth: row.appColorDepth ?? null,
    app_java_enabled: row.appJavaEnabled ?? null,
    app_language: row.appLanguage ?? null,
    app_screen_height: row.appScreenHeight ?? null,
    app_screen_width: row.appScreenWidth ?? null,
    app_timezone_offset: row.appTimezoneOffset ?? null,
    metadata: row.metadata,
    sandbox: row.sandbox,
    created_at: presentTimestamp(row.createdAt),
    updated_at: presentTimestamp(row.updatedAt),
  }
}

/** In this month or the next: cards are valid through the last day of their month. Of an expired card it is true as well. */
function expiresSoon({ expYear, expMonth }: CardRow, now: Date): boolean {
  const monthsLeft = (expYear - now.getUTCFullYear()) * 12 + expMonth - (now.getUTCMonth() + 1)
  return monthsLeft <= 1
}
