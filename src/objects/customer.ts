import { z } from 'zod'
import { formatAmount } from '../../domain/money.ts'
import type { CustomerRow } from '../persistence/entities/customer.ts'
import { object, related, relatedList, type Shown } from './object.ts'
import { CHANGED, country, currency, flag, id, instant, metadata, OWNER, orNull, text, word } from './shown.ts'
import { presentAddress, presentTimestamp } from './values.ts'

export const SEXES = ['male', 'female'] as const

export const phone = object('Phone', 'A phone number with its dialing code.', {
  number: orNull(text('The number, without the dialing code.')),
  dialing_code: orNull(text('The dialing code of the country, such as `+33`.')),
})

/** The fields of every postal address. */
export const ADDRESS = {
  address1: orNull(text('The first line of the address.')),
  address2: orNull(text('The second line of the address.')),
  city: orNull(text('The city.')),
  state: orNull(text('The state or region.')),
  country_code: orNull(country('The country, by ISO 3166.')),
  zip: orNull(text('The postal code.')),
}

export const customer = object(
  'Customer',
  'A customer, for whom payment sources can be stored.',
  {
    id: id('customer', 'The customer. As a `source` it stands for the default token.'),
    ...OWNER,
    default_token_id: orNull(id('token', 'The token that is charged where the customer is the `source`.')),
    default_token: related('Token', 'The default token.'),
    tokens: relatedList('Token', 'The stored payment sources of the customer.'),
    transactions: relatedList('Transaction', 'The payments of the customer.'),
    email: orNull(text('The email address.')),
    first_name: orNull(text('The first name.')),
    last_name: orNull(text('The last name.')),
    ...ADDRESS,
    phone: orNull(phone.describe('The phone number with its dialing code.')),
    phone_number: orNull(text('The phone number in one piece.')),
    legal_document: orNull(text('The number of an identity document or tax registration.')),
    ip_address: orNull(text('The address of the customer’s device.')),
    sex: orNull(word(SEXES, 'The sex of the customer.')),
    date_of_birth: orNull(instant('The day of birth, as its beginning in UTC.')),
    is_business: flag('Whether the customer is a business.'),
    currency: orNull(currency('The currency of the balance; it cannot be changed once it is set.')),
    balance: z
      .string()
      .regex(/^-?\d{1,15}(\.\d{1,4})?$/)
      .describe('A balance that you keep here, negative where the customer owes. No payment takes from it.'),
    metadata: metadata('Your own keys and values.'),
    reference_id: orNull(text('Your own id of the customer.')),
    registered_at: orNull(instant('When the customer became yours.')),
    ...CHANGED,
  },
  {
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
  },
)

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
