import { type ErrorEntry, fixData, later, never } from './entry.ts'

const CORRECT = 'Ask the customer to correct it and try again.'

/** What a gateway objects to in a customer or a customer's data. Source of the codes: ProcessOut's reference. */
export const CUSTOMER_ERRORS = {
  'customer.cancelled': later('The customer has cancelled the payment.', 'Offer the customer to start again.'),
  'customer.disputed': never(
    'The customer has disputed the payment.',
    'Do not charge again before the dispute is decided.',
  ),
  'customer.invalid-address': fixData('The gateway does not accept the address of the customer.', CORRECT),
  'customer.invalid-city': fixData('The gateway does not accept the city of the customer.', CORRECT),
  'customer.invalid-country-code': fixData('The gateway does not accept the country of the customer.', CORRECT),
  'customer.invalid-email': fixData('The gateway does not accept the email address of the customer.', CORRECT),
  'customer.invalid-firstname': fixData('The gateway does not accept the first name of the customer.', CORRECT),
  'customer.invalid-ip-address': fixData('The gateway does not accept the IP address of the customer.', CORRECT),
  'customer.invalid-lastname': fixData('The gateway does not accept the last name of the customer.', CORRECT),
  'customer.invalid-legal-document': fixData(
    'The gateway does not accept the legal document of the customer.',
    CORRECT,
  ),
  'customer.invalid-name': fixData('The gateway does not accept the name of the customer.', CORRECT),
  'customer.invalid-phone-number': fixData('The gateway does not accept the phone number of the customer.', CORRECT),
  'customer.invalid-state': fixData('The gateway does not accept the state or region of the customer.', CORRECT),
  'customer.invalid-zip': fixData('The gateway does not accept the postal code of the customer.', CORRECT),
  'customer.payment-method-revoked': never(
    'The customer has revoked the payment method.',
    'Ask the customer for another one.',
  ),
} as const satisfies Record<`customer.${string}`, ErrorEntry>
