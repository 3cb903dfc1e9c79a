import { z } from 'zod'
import { emailAddress, ipAddress, personName, phone, phoneText, postalAddress } from './fields/contact-fields.ts'
import { calendarDate } from './fields/date.ts'
import { expecting, metadata, optionalText, optionalWord, type Scalars, withoutEffect } from './fields/fields.ts'
import type { FieldCodes } from './fields/input.ts'
import { currency } from './invoices/invoice-fields.ts'

/** Source: ProcessOut's reference, fields of a customer. */
const LEGAL_DOCUMENT_LENGTH_MAX = 255
const REFERENCE_ID_LENGTH_MAX = 80

/** Printable ASCII without the space. Source: ProcessOut's reference, reference_id. */
const REFERENCE_ID = /^[!-~]+$/

const SEXES = ['male', 'female'] as const

/** Every field of a customer that a merchant may send, once for both ways of sending. None is required. */
export const customerFields = ({ flag }: Scalars) => ({
  email: emailAddress,
  first_name: personName,
  last_name: personName,
  ...postalAddress,
  phone: phone.optional(),
  phone_number: phoneText,
  legal_document: optionalText(LEGAL_DOCUMENT_LENGTH_MAX),
  ip_address: ipAddress,
  sex: optionalWord(SEXES),
  date_of_birth: calendarDate.optional(),
  is_business: flag.optional(),
  currency: currency.optional(),
  // Below zero where the customer owes: the one amount of the interface that may have a sign.
  balance: z.string(expecting('a decimal number as a text, such as "29.00" or "-29.00"')).optional(),
  metadata,
  reference_id: optionalText(REFERENCE_ID_LENGTH_MAX, {
    holds: (value) => REFERENCE_ID.test(value),
    message: 'must be printable ASCII characters without spaces',
  }),
  registered_at: calendarDate.optional(),
  company_name: withoutEffect,
})

const ADDRESS = { invalid: 'request.validation.invalid-address' } as const
const NAME = { invalid: 'request.validation.invalid-name' } as const
const DATE = { invalid: 'request.validation.invalid-date' } as const
const PHONE = { invalid: 'request.validation.invalid-phone-number' } as const

export const CUSTOMER_CODES: Readonly<Record<string, FieldCodes>> = {
  email: { invalid: 'request.validation.invalid-email' },
  first_name: NAME,
  last_name: NAME,
  address1: ADDRESS,
  address2: ADDRESS,
  city: ADDRESS,
  state: ADDRESS,
  zip: ADDRESS,
  country_code: { invalid: 'request.validation.invalid-country' },
  phone: PHONE,
  phone_number: PHONE,
  legal_document: { invalid: 'request.validation.invalid-legal-document' },
  ip_address: { invalid: 'request.validation.invalid-ip-address' },
  sex: { invalid: 'request.validation.invalid-sex' },
  date_of_birth: DATE,
  registered_at: DATE,
  currency: { invalid: 'request.validation.invalid-currency' },
  balance: { invalid: 'request.validation.invalid-amount' },
  metadata: { invalid: 'request.validation.invalid-metadata' },
  reference_id: { invalid: 'request.validation.invalid-id' },
}
