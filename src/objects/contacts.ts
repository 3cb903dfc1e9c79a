import { isIP } from 'node:net'
import { isCountry } from '../../domain/country.ts'
import { EMAIL_LENGTH_MAX, isEmailAddress } from './email-address.ts'
import { coded, group, optionalText, personalText } from './taken.ts'

/** Source of all limits: ProcessOut's reference, fields of shipping, billing and customers. */
const ADDRESS_LINE_LENGTH_MAX = 255
const PLACE_LENGTH_MAX = 80
const ZIP_LENGTH_MAX = 16
const PERSON_NAME_LENGTH_MAX = 80
const PHONE_DIGITS_MAX = 14
const PHONE_TEXT_LENGTH_MAX = 17

/** An ISO 3166 code, in capitals, or null. */
export const countryCode = optionalText(2, {
  holds: (value) => isCountry(value.toUpperCase()),
  message: 'must be the two letters of a country, such as FR',
  code: 'request.validation.invalid-country',
  invalid: 'request.validation.invalid-country',
}).transform((value) => value?.toUpperCase() ?? null)

export const emailAddress = personalText(EMAIL_LENGTH_MAX, {
  holds: isEmailAddress,
  message: 'must be an email address',
  invalid: 'request.validation.invalid-email',
})

export const ipAddress = optionalText(45, {
  holds: (value) => isIP(value) !== 0,
  message: 'must be an IPv4 or IPv6 address',
  code: 'request.validation.invalid-ip-address',
  invalid: 'request.validation.invalid-ip-address',
})

/** A phone number in one text, as people write it. Source: ITU-T E.164, section 6: 15 digits at most. */
export const phoneText = optionalText(PHONE_TEXT_LENGTH_MAX, {
  matches: /^\+?(?:[ ().-]*[0-9]){1,15}[ ().-]*$/,
  message: 'must be a phone number',
  invalid: 'request.validation.invalid-phone-number',
})

/** A phone number with a separate dialing code. */
export const phone = coded(
  group({
    number: optionalText(PHONE_DIGITS_MAX, { matches: /^\d+$/, message: 'must be digits' }),
    dialing_code: optionalText(6, {
      matches: /^(?:\+|00)?\d{1,4}$/,
      message: 'must be the dialing code of a country, such as +33',
    }),
  }),
  { invalid: 'request.validation.invalid-phone-number' },
)

export const personName = personalText(PERSON_NAME_LENGTH_MAX, { invalid: 'request.validation.invalid-name' })

export const ADDRESS = { invalid: 'request.validation.invalid-address' } as const

/** The fields of every postal address. */
export const postalAddress = {
  address1: personalText(ADDRESS_LINE_LENGTH_MAX, ADDRESS),
  address2: personalText(ADDRESS_LINE_LENGTH_MAX, ADDRESS),
  city: personalText(PLACE_LENGTH_MAX, ADDRESS),
  state: personalText(PLACE_LENGTH_MAX, ADDRESS),
  country_code: countryCode,
  zip: personalText(ZIP_LENGTH_MAX, ADDRESS),
}
