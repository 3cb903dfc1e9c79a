import { z } from 'zod'
import { formatAmount } from '../../domain/money.ts'
import type { CustomerRow } from '../persistence/entities/customer.ts'
import { emailAddress, ipAddress, personName, phone as phoneNumber, phoneText, postalAddress } from './contacts.ts'
import { calendarDate } from './instants.ts'
import { both, object, related, relatedList, type Shown, shownFields, takenFields } from './object.ts'
import { CHANGED, country, currency, flag, id, instant, metadata, OWNER, orNull, text, word } from './shown.ts'
import {
  coded,
  currencyCode,
  expecting,
  optionalText,
  optionalWord,
  metadata as ownMetadata,
  referenceId,
  type Scalars,
  withoutEffect,
} from './taken.ts'
import { presentAddress, presentTimestamp } from './values.ts'

/** Source: ProcessOut's reference, fields of a customer. */
const LEGAL_DOCUMENT_LENGTH_MAX = 255

const SEXES = ['male', 'female'] as const

export const phone = object('Phone', 'A phone number with its dialing code.', {
  number: orNull(text('The number, without the dialing code.')),
  dialing_code: orNull(text('The dialing code of the country, such as `+33`.')),
})

/** The fields of every postal address. */
const ADDRESS_FIELDS = {
  address1: both(orNull(text('The first line of the address.')), postalAddress.address1),
  address2: both(orNull(text('The second line of the address.')), postalAddress.address2),
  city: both(orNull(text('The city.')), postalAddress.city),
  state: both(orNull(text('The state or region.')), postalAddress.state),
  country_code: both(orNull(country('The country, by ISO 3166.')), postalAddress.country_code),
  zip: both(orNull(text('The postal code.')), postalAddress.zip),
}

export const ADDRESS = shownFields(ADDRESS_FIELDS)

const FIELDS = {
  id: id('customer', 'The customer. As a `source` it stands for the default token.'),
  ...OWNER,
  default_token_id: orNull(id('token', 'The token that is charged where the customer is the `source`.')),
  default_token: related('Token', 'The default token.'),
  tokens: relatedList('Token', 'The stored payment sources of the customer.'),
  transactions: relatedList('Transaction', 'The payments of the customer.'),
  email: both(orNull(text('The email address.')), emailAddress),
  first_name: both(orNull(text('The first name.')), personName),
  last_name: both(orNull(text('The last name.')), personName),
  ...ADDRESS_FIELDS,
  phone: both(orNull(phone.describe('The phone number with its dialing code.')), phoneNumber.optional()),
  phone_number: both(orNull(text('The phone number in one piece.')), phoneText),
  legal_document: both(
    orNull(text('The number of an identity document or tax registration.')),
    optionalText(LEGAL_DOCUMENT_LENGTH_MAX, { invalid: 'request.validation.invalid-legal-document' }),
  ),
  ip_address: both(orNull(text('The address of the customer’s device.')), ipAddress),
  sex: both(orNull(word(SEXES, 'The sex of the customer.')), optionalWord(SEXES, 'request.validation.invalid-sex')),
  date_of_birth: both(orNull(instant('The day of birth, as its beginning in UTC.')), calendarDate.optional()),
  is_business: both(flag('Whether the customer is a business.'), (scalars) => scalars.flag.optional()),
  currency: both(
    orNull(currency('The currency of the balance; it cannot be changed once it is set.')),
    currencyCode.optional(),
  ),
  balance: both(
    z
      .string()
      .regex(/^-?\d{1,15}(\.\d{1,4})?$/)
      .describe('A balance that you keep here, negative where the customer owes. No payment takes from it.'),
    // The only amount of the API with a sign.
    coded(z.string(expecting('a decimal number as a text, such as "29.00" or "-29.00"')), {
      invalid: 'request.validation.invalid-amount',
    }).optional(),
  ),
  metadata: both(metadata('Your own keys and values.'), ownMetadata),
  reference_id: both(orNull(text('Your own id of the customer.')), referenceId('request.validation.invalid-id')),
  registered_at: both(orNull(instant('When the customer became yours.')), calendarDate.optional()),
  ...CHANGED,
}

export const customer = object('Customer', 'A customer, for whom payment sources can be stored.', shownFields(FIELDS), {
  personal: [
    'email',
    'first_name',
    'last_name',
    'address1',
    'address2',
    'city',
    'state',
    'zip',
    'country_code',
    'phone',
    'phone_number',
    'legal_document',
    'ip_address',
    'sex',
    'date_of_birth',
    'reference_id',
    'metadata',
  ],
})

/** The fields that a request may give, for JSON and forms. None is required. */
export const customerInput = (scalars: Scalars) => ({ ...takenFields(FIELDS, scalars), company_name: withoutEffect })

/** Without a currency a balance can only be nothing. */
const NO_BALANCE = '0'

/** A customer as merchants see it; what is not expanded is null. */
export function presentCustomer(row: CustomerRow): Shown<typeof customer> {
  return {
    id: row.id,
    project_id: row.projectId,
    default_token_id: row.defaultTokenId ?? null,
    default_token: null,
    tokens: null,
    transactions: null,
    email: row.email ?? null,
    first_name: row.firstName ?? null,
    last_name: row.lastName ?? null,
    ...presentAddress(row),
    phone: presentPhone(row),
    phone_number: presentPhoneNumber(row),
    legal_document: row.legalDocument ?? null,
    ip_address: row.ipAddress ?? null,
    sex: row.sex ?? null,
    date_of_birth: presentTimestamp(row.dateOfBirth),
    is_business: row.isBusiness,
    currency: row.currency ?? null,
    balance: row.currency == null ? NO_BALANCE : formatAmount(row.balanceMinor, row.currency),
    metadata: row.metadata,
    reference_id: row.referenceId ?? null,
    registered_at: presentTimestamp(row.registeredAt),
    sandbox: row.sandbox,
    created_at: presentTimestamp(row.createdAt),
    updated_at: presentTimestamp(row.updatedAt),
  }
}

function presentPhone({ phoneNumber, phoneDialingCode }: CustomerRow) {
  if (phoneNumber == null && phoneDialingCode == null) return null
  return { number: phoneNumber ?? null, dialing_code: phoneDialingCode ?? null }
}

/** The whole number in one text, as older clients read it. */
function presentPhoneNumber({ phoneNumber, phoneDialingCode }: CustomerRow) {
  return phoneNumber == null ? null : `${phoneDialingCode ?? ''}${phoneNumber}`
}
