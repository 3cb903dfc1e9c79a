import { z } from 'zod'
import { formatAmount } from '../../domain/money.ts'
import type { CustomerRow } from '../persistence/entities/customer.ts'
import { shownColumns } from './columns.ts'
import { ADDRESS, emailAddress, ipAddress, personName, phone, phoneText } from './contacts.ts'
import { both, METADATA, personal, takenFields, wordOrNull } from './fields.ts'
import { calendarDate } from './instants.ts'
import { object, related, relatedList, type Shown } from './object.ts'
import { CHANGED, currency, flag, id, instant, OWNER, orNull, text } from './shown.ts'
import {
  coded,
  currencyCode,
  expecting,
  optionalFlag,
  optionalText,
  referenceId,
  type Scalars,
  withoutEffect,
} from './taken.ts'

const FIELDS = {
  id: id('customer', 'The customer. As a `source` it stands for the default token.'),
  ...OWNER,
  default_token_id: orNull(id('token', 'The token that is charged where the customer is the `source`.')),
  default_token: related('Token', 'The default token.'),
  tokens: relatedList('Token', 'The stored payment sources of the customer.'),
  transactions: relatedList('Transaction', 'The payments of the customer.'),
  ...personal({
    email: both(orNull(text('The email address.')), emailAddress),
    first_name: both(orNull(text('The first name.')), personName),
    last_name: both(orNull(text('The last name.')), personName),
    ...ADDRESS,
    phone: phone('The phone number with its dialing code.'),
    phone_number: both(orNull(text('The phone number in one piece.')), phoneText),
    legal_document: both(
      orNull(text('The number of an identity document or tax registration.')),
      // Source of the length: ProcessOut's reference, fields of a customer.
      optionalText(255, { invalid: 'request.validation.invalid-legal-document' }),
    ),
    ip_address: both(orNull(text('The address of the customer’s device.')), ipAddress),
    sex: wordOrNull(['male', 'female'], 'The sex of the customer.', 'request.validation.invalid-sex'),
    date_of_birth: both(orNull(instant('The day of birth, as its beginning in UTC.')), calendarDate.optional()),
  }),
  is_business: both(flag('Whether the customer is a business.'), optionalFlag),
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
  ...personal({
    metadata: METADATA,
    reference_id: both(orNull(text('Your own id of the customer.')), referenceId('request.validation.invalid-id')),
  }),
  registered_at: both(orNull(instant('When the customer became yours.')), calendarDate.optional()),
  ...CHANGED,
}

export const customer = object('Customer', 'A customer, for whom payment sources can be stored.', FIELDS)

/** The fields that a request may give, for JSON and forms. None is required. */
export const customerInput = (scalars: Scalars) => ({ ...takenFields(FIELDS, scalars), company_name: withoutEffect })

/** Without a currency a balance can only be nothing. */
const NO_BALANCE = '0'

/** A customer as merchants see it; what is not expanded is null. */
export function presentCustomer(row: CustomerRow): Shown<typeof customer> {
  return {
    ...shownColumns(FIELDS, row),
    default_token: null,
    tokens: null,
    transactions: null,
    phone: presentPhone(row),
    phone_number: presentPhoneNumber(row),
    balance: row.currency == null ? NO_BALANCE : formatAmount(row.balanceMinor, row.currency),
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
