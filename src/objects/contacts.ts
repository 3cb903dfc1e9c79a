import { isIP } from 'node:net'
import { isCountry } from '../../domain/country.ts'
import { readEmailAddress } from './customer-email.ts'
import { EMAIL_LENGTH_MAX } from './email-address.ts'
import { both, takenGroup } from './fields.ts'
import { object } from './object.ts'
import { country, orNull, text } from './shown.ts'
import { coded, optionalText, personalText } from './taken.ts'

// Source of all lengths: ProcessOut's reference, fields of shipping, billing and customers.

/** An ISO 3166 code, in capitals, or null. */
export const countryCode = optionalText(2, {
  holds: (value) => isCountry(value.toUpperCase()),
  message: 'must be the two letters of a country, such as FR',
  code: 'request.validation.invalid-country',
  invalid: 'request.validation.invalid-country',
}).transform((value) => value?.toUpperCase() ?? null)

/** With a domain of ASCII: `ann@bücher.example` is kept as `ann@xn--bcher-kva.example`. */
export const emailAddress = personalText(EMAIL_LENGTH_MAX, {
  searched: true,
  holds: (value) => readEmailAddress(value) !== null,
  message: 'must be an email address',
  invalid: 'request.validation.invalid-email',
}).transform((value) => value && readEmailAddress(value))

export const ipAddress = optionalText(45, {
  holds: (value) => isIP(value) !== 0,
  message: 'must be an IPv4 or IPv6 address',
  code: 'request.validation.invalid-ip-address',
  invalid: 'request.validation.invalid-ip-address',
})

/**
 * A phone number, or a part of one, as people write it. No payment needs it: what can be no number is kept as it is. More digits
 * than a number has may be a card's.
 */
const phonePart = (digitsMax: number) =>
  optionalText(40, {
    holds: (value) => (value.match(/\p{Nd}/gu) ?? []).length <= digitsMax,
    message: `must have ${digitsMax} digits at most`,
    invalid: 'request.validation.invalid-phone-number',
  })

/** Source: ITU-T E.164, section 6. */
export const phoneText = phonePart(15)

/** A phone number that is printed on statements. */
export const statementPhone = optionalText(17, {
  matches: /^\+?(?:[ ().-]*[0-9]){1,15}[ ().-]*$/,
  message: 'must be a phone number',
  invalid: 'request.validation.invalid-phone-number',
})

export const PHONE = {
  number: both(orNull(text('The number, without the dialing code.')), phoneText),
  dialing_code: both(orNull(text('The dialing code of the country, such as `+33`.')), phonePart(6)),
}

const phoneObject = object('Phone', 'A phone number with its dialing code.', PHONE)

/** A phone number with a separate dialing code. */
export const phone = (description: string) =>
  both(orNull(phoneObject.describe(description)), (scalars) =>
    coded(takenGroup(PHONE)(scalars), { invalid: 'request.validation.invalid-phone-number' }),
  )

export const personName = personalText(80, { searched: true, invalid: 'request.validation.invalid-name' })

export const INVALID_ADDRESS = { invalid: 'request.validation.invalid-address' } as const

/** The fields of every postal address. */
export const ADDRESS = {
  address1: both(orNull(text('The first line of the address.')), personalText(255, INVALID_ADDRESS)),
  address2: both(orNull(text('The second line of the address.')), personalText(255, INVALID_ADDRESS)),
  city: both(orNull(text('The city.')), personalText(80, INVALID_ADDRESS)),
  state: both(orNull(text('The state or region.')), personalText(80, INVALID_ADDRESS)),
  country_code: both(orNull(country('The country, by ISO 3166.')), countryCode),
  zip: both(orNull(text('The postal code.')), personalText(16, INVALID_ADDRESS)),
}
