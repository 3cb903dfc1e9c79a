import { type ErrorEntry, never, otherGateway, refusal } from './entry.ts'

const invalid = refusal(400)

const CORRECT = 'Correct the fields that the answer names.'
const LIST = 'Send one of the values that the reference lists for this field.'

/** Also used for objects of another project or environment, so that a caller does not learn that they exist. */
const notFound = (what: string): ErrorEntry =>
  refusal(404)(`There is no such ${what}.`, 'Check the id, and that the key is of the same project and environment.')

/** Errors of requests. Source of the codes: ProcessOut's reference; those of transport and extensions are our own. */
export const REQUEST_ERRORS = {
  'request.authentication.invalid': refusal(401)(
    'The project id or the secret key is not valid.',
    'Send the project id as user name and a secret key of its environment as password.',
  ),
  'request.authentication.missing-permission': refusal(403)(
    'The secret key may not be used for this.',
    'Use a key with the permission that the answer names; permissions are given when a key is made.',
  ),
  'request.authentication.not-own-page': refusal(403)(
    'The request does not come from a page of the dashboard.',
    'Load the page anew: a change needs its CSRF token, and is sent by a page of this very origin.',
  ),
  'request.authentication.second-factor-required': refusal(403)(
    'The session has no second factor.',
    'Confirm the sign-in by a passkey or a code; who has neither sets one up.',
  ),
  'request.authentication.session-invalid': refusal(401)('The session has ended.', 'Sign in again.'),
  'request.authentication.sign-in-locked': refusal(429)(
    'The account is locked after too many wrong tries.',
    'Try again when Retry-After says, or in a browser that has signed in to the account before.',
  ),
  'request.authentication.sign-in-refused': refusal(401)(
    'The email address or the password is wrong.',
    'Check both; an owner of the project or the operator of this service can help.',
  ),
  'request.bad-format': refusal(400)(
    'The body could not be read as JSON or as form fields.',
    'Send a body that fits its content type.',
  ),
  'request.body-too-large': refusal(413)('The body is larger than this interface accepts.', 'Send 64 KiB at most.'),
  'request.clock.not-available': refusal(400)(
    'The clocks of payments cannot be advanced here.',
    'Ask the operator of this service to let Temporal skip time in its namespace of the sandbox.',
  ),
  'request.clock.sandbox-only': refusal(403)(
    'Only sandbox payments have a test clock.',
    'Use a secret key of the sandbox; a live payment takes the time that it takes.',
  ),
  'request.configuration.in-use': refusal(409)(
    'Something is open at the account of the gateway configuration, which therefore stays the same account.',
    'Change it when what the message names has ended, or create another gateway configuration for another account.',
  ),
  'request.configuration.missing-gateway-configuration': refusal(400)(
    'No gateway is configured for this payment.',
    'Add a gateway configuration that can carry out this payment, or enable one.',
  ),
  'request.expand.invalid': refusal(400)(
    'There is nothing of that name to expand.',
    'Expand only what the reference lists for this object.',
  ),
  'request.filter.invalid': refusal(400)(
    'The filter is not valid.',
    'Filter by the fields that the reference lists for this list, written as field:value.',
  ),
  'request.gateway.not-available': otherGateway(
    'The gateway is not available for this payment.',
    'Try it through another gateway, or later.',
  ),
  'request.gateway.operation-not-supported': refusal(400)(
    'The gateway does not support this operation.',
    'Look at the supported actions of the transaction, or allow a bypass where the option exists.',
  ),
  'request.headers-too-large': refusal(431)(
    'The address and the headers are larger than this interface accepts.',
    'Send 16 KiB in 100 headers at most, the address included.',
  ),
  'request.idempotency-key.invalid': refusal(400)(
    'The idempotency key is not valid, or came before with another body.',
    'Use a new key of 1 to 255 printable characters for every new request, and the same body with the same key.',
  ),
  'request.method-not-allowed': refusal(405)(
    'This address does not know the method.',
    'Use a method that the header Allow names.',
  ),
  'request.not-started': refusal(503)(
    'The request could not be begun in time and was withdrawn: nothing was done.',
    'Send it again after the time that the header Retry-After names.',
  ),
  'request.notification.unproven': refusal(400)(
    'The notification is not proven to come from the gateway.',
    'Set the secret that the gateway signs with in the credentials of the gateway configuration; the gateway sends it again.',
  ),
  'request.pagination.invalid': refusal(400)(
    'The pagination parameters are not valid.',
    'Send a limit from 1 to 100, and one cursor at most, which is an id of the list.',
  ),
  'request.project-suspended': refusal(403)(
    'The project is suspended: no new money moves.',
    'Ask the operator of this service. Voids, and reading, go on.',
  ),
  'request.rate.too-many-failures': refusal(429)(
    'Too many attempts to pay have failed.',
    'Ask the merchant, whose server may try the payment nevertheless; another card or a later try may also pass.',
  ),
  'request.rate.exceeded': refusal(429)(
    'Too many requests.',
    'Send it again after the time that the header Retry-After names, and watch x-ratelimit-remaining.',
  ),
  'request.route-not-found': refusal(404)('There is nothing at this address.', 'Check the address and its ids.'),
  'request.source.card-already-used': refusal(400)(
    'This card was used for another payment.',
    'Create the card anew, or save it as a token of a customer to use it again.',
  ),
  'request.source.invalid': refusal(400)(
    'The source is not a payment source of this project.',
    'Send the id of a card, a token or a customer of this project and environment.',
  ),
  'request.still-processing': refusal(409)(
    'Another request on this payment is still being processed.',
    'Send it again after the time that the header Retry-After names.',
  ),
  'request.timeout': refusal(408)(
    'The request did not arrive in time.',
    'Send it again, whole: its headers within 10 seconds and all of it within 20.',
  ),
  'request.transaction-blocked': never(
    'The scheme of the card has forbidden to try this payment with it again, or not before a time that has not come.',
    'Ask the customer for another card, or wait until retry_after of the transaction has passed.',
  ),

  // Fields that are wrong or missing.
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

  // Objects that are not there.
  'resource.api-key.not-found': notFound('API key'),
  'resource.api-request.not-found': notFound('request in the log'),
  'resource.card.not-found': notFound('card'),
  'resource.customer.not-found': notFound('customer'),
  'resource.event.not-found': notFound('event'),
  'resource.gateway.not-found': refusal(404)(
    'There is no such gateway.',
    'Name one of the gateways that the message lists.',
  ),
  'resource.gateway-configuration.not-found': notFound('gateway configuration'),
  'resource.invitation.not-found': refusal(404)(
    'The invitation was accepted, withdrawn or replaced, or has expired.',
    'Ask an owner of the project for another one.',
  ),
  'resource.invoice.not-found': notFound('invoice'),
  'resource.passkey.not-found': notFound('passkey of yours'),
  'resource.password-reset.not-found': refusal(404)(
    'The link was used or replaced, or has expired.',
    'Ask the operator of this service for another one.',
  ),
  'resource.person.not-found': notFound('person in this project'),
  'resource.project.not-found': refusal(404)(
    'There is no such project.',
    'Name a project that your account belongs to.',
  ),
  'resource.reconciliation.not-found': notFound('reconciliation'),
  'resource.reconciliation-difference.not-found': notFound('difference of a reconciliation'),
  'resource.refund.not-found': notFound('refund'),
  'resource.rule-set.not-found': notFound('version of the routing rules'),
  'resource.token.not-found': notFound('token'),
  'resource.transaction.not-found': notFound('transaction'),
  'resource.webhook-endpoint.not-found': notFound('webhook endpoint'),
} as const satisfies Record<`${'request' | 'resource'}.${string}`, ErrorEntry>
