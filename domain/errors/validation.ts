import { type ErrorEntry, refusal } from './entry.ts'

const invalid = refusal(400)

const CORRECT = 'Correct the fields that the answer names.'
const LIST = 'Send one of the values that the reference lists for this field.'

/** Fields that are wrong or missing. Source of the codes: ProcessOut's reference, and the extensions of this service. */
export const VALIDATION_ERRORS = {
  'request.validation.error': invalid('The request is not valid.', CORRECT),
  'request.validation.invalid-address': invalid('The address is not valid.', CORRECT),
  'request.validation.invalid-amount': invalid(
    'The amount is not valid.',
    'Send a decimal text in the digits of the currency, within what the payment has left.',
  ),
  'request.validation.invalid-challenge-indicator': invalid(
    'The challenge indicator is not one of the known ones.',
    LIST,
  ),
  'request.validation.invalid-client-secret': invalid(
    'The client secret does not belong to this invoice.',
    'Send the client secret that creating or retrieving the invoice with a key for payments has returned.',
  ),
  'request.validation.invalid-country': invalid(
    'The country is not an ISO 3166 code.',
    'Send two capital letters, such as FR.',
  ),
  'request.validation.invalid-currency': invalid(
    'The currency is not an ISO 4217 code.',
    'Send three letters, such as EUR.',
  ),
  'request.validation.invalid-date': invalid(
    'The date is not valid.',
    'Send a date and time with Z or an offset that lies within the limits of the field.',
  ),
  'request.validation.invalid-description': invalid('The description is not valid.', CORRECT),
  'request.validation.invalid-detail-category': invalid('The category of a detail is not one of the known ones.', LIST),
  'request.validation.invalid-detail-condition': invalid(
    'The condition of a detail is not one of the known ones.',
    LIST,
  ),
  'request.validation.invalid-device-channel': invalid('The device channel is not one of the known ones.', LIST),
  'request.validation.invalid-email': invalid('The email address is not valid.', CORRECT),
  'request.validation.invalid-exemption-reason': invalid('The exemption reason is not one of the known ones.', LIST),
  'request.validation.invalid-external-fraud-tools': invalid('The data of external fraud tools is not valid.', CORRECT),
  'request.validation.invalid-gateway-data': invalid('The gateway data is not an object.', 'Send a JSON object.'),
  'request.validation.invalid-id': invalid(
    'An id does not belong to this object.',
    'Send ids that this object has returned.',
  ),
  'request.validation.invalid-ip-address': invalid('The IP address is not valid.', 'Send an IPv4 or IPv6 address.'),
  'request.validation.invalid-legal-document': invalid('The legal document is not valid.', CORRECT),
  'request.validation.invalid-metadata': invalid(
    'The metadata is not a flat object of texts within its limits.',
    'Send a JSON object of texts: at most 50 keys of 40 characters, values of 500 characters.',
  ),
  'request.validation.invalid-name': invalid('The name is not valid.', CORRECT),
  'request.validation.invalid-payment-type': invalid('The payment type is not one of the known ones.', LIST),
  'request.validation.invalid-phone-number': invalid('The phone number is not valid.', CORRECT),
  'request.validation.invalid-quantity': invalid('The quantity is not a whole number of at least 1.', CORRECT),
  'request.validation.invalid-relationship': invalid(
    'Two objects of the request do not belong together.',
    'Name objects that belong to each other, such as a token and its own customer.',
  ),
  'request.validation.invalid-relay-store-name': invalid('The name of the relay store is not valid.', CORRECT),
  'request.validation.invalid-scheme': invalid('The card scheme is not one of the known ones.', LIST),
  'request.validation.invalid-sex': invalid('The sex is not one of the known values.', LIST),
  'request.validation.invalid-shipping-delay': invalid('The shipping delay is not one of the known ones.', LIST),
  'request.validation.invalid-shipping-method': invalid('The shipping method is not one of the known ones.', LIST),
  'request.validation.invalid-state': invalid(
    'The object that the request is about is not in a state that allows this.',
    'Read the message, and retrieve the object: the supported actions of a transaction name what it allows; a webhook endpoint that is disabled is enabled first.',
  ),
  'request.validation.invalid-tax-amount': invalid('The tax amount is not valid.', CORRECT),
  'request.validation.invalid-tax-rate': invalid('The tax rate is not valid.', CORRECT),
  'request.validation.invalid-type': invalid('A value is not of the type expected.', CORRECT),
  'request.validation.invalid-url': invalid(
    'The URL is not valid.',
    'Send an absolute address that begins with https.',
  ),
  'request.validation.missing-amount': invalid('The amount is missing.', 'Send the amount.'),
  'request.validation.missing-currency': invalid('The currency is missing.', 'Send the currency.'),
  'request.validation.missing-customer': invalid(
    'The customer is missing.',
    'Create the invoice with a customer, or leave out what needs one.',
  ),
  'request.validation.missing-name': invalid('The name is missing.', 'Send the name.'),
  'request.validation.missing-source': invalid(
    'The payment source is missing.',
    'Send a card, a token or a customer as source.',
  ),
} as const satisfies Record<`request.validation.${string}`, ErrorEntry>
