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
    'The secret key lacks the permission for this.',
    'Use a key with the permission that the answer names; permissions are given when a key is made.',
  ),
  'request.authentication.not-own-page': refusal(403)(
    'The request does not come from a page of the dashboard.',
    'Reload the page: a change needs its CSRF token and must come from a page of this origin.',
  ),
  'request.authentication.second-factor-required': refusal(403)(
    'The session has no second factor.',
    'Confirm the sign-in with a passkey or a code, or set one up.',
  ),
  'request.authentication.session-invalid': refusal(401)('The session has ended.', 'Sign in again.'),
  'request.authentication.sign-in-locked': refusal(429)(
    'The account is locked after too many wrong tries.',
    'Retry after the time in the Retry-After header, or in a browser that has signed in to the account before.',
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
    'Ask the operator of this service to enable time skipping in the sandbox namespace of Temporal.',
  ),
  'request.clock.sandbox-only': refusal(403)(
    'Only sandbox payments have a test clock.',
    'Use a secret key of the sandbox.',
  ),
  'request.configuration.in-use': refusal(409)(
    'Operations are open at the account of the gateway configuration, so it cannot become another account.',
    'Change it when the operations named in the message have ended, or create a gateway configuration for the other account.',
  ),
  'request.configuration.missing-gateway-configuration': refusal(400)(
    'No gateway is configured for this payment.',
    'Add a gateway configuration that can carry out this payment, or enable one.',
  ),
  'request.expand.invalid': refusal(400)(
    'There is no relation of this name to expand.',
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
    'The idempotency key is not valid, or was used before with another body.',
    'Use a new key of 1 to 255 printable characters for every new request, and the same body with the same key.',
  ),
  'request.method-not-allowed': refusal(405)(
    'The method is not supported at this address.',
    'Use a method that the header Allow names.',
  ),
  'request.not-started': refusal(503)(
    'The request was not started in time, or the service has too much to do: it did nothing.',
    'Retry after the time in the Retry-After header.',
  ),
  'request.notification.unproven': refusal(400)(
    'The signature of the notification could not be verified.',
    'Set the secret that the gateway signs with in the credentials of the gateway configuration; the gateway sends it again.',
  ),
  'request.pagination.invalid': refusal(400)(
    'The pagination parameters are not valid.',
    'Send a limit from 1 to 100, and one cursor at most, which is an id of the list.',
  ),
  'request.project-suspended': refusal(403)(
    'The project is suspended: no new money moves.',
    'Ask the operator of this service. Voids and read requests still work.',
  ),
  'request.rate.too-many-failures': refusal(429)(
    'Too many attempts to pay have failed.',
    'Ask the merchant, whose server can still attempt the payment; another card or a later attempt may also succeed.',
  ),
  'request.rate.exceeded': refusal(429)(
    'Too many requests.',
    'Retry after the time in the Retry-After header, and watch x-ratelimit-remaining.',
  ),
  'request.route-not-found': refusal(404)('There is nothing at this address.', 'Check the address and its ids.'),
  'request.source.card-already-used': refusal(400)(
    'This card was used for another payment. Create the card again, or save it as a token of a customer.',
    'A card pays once. One that is created again, or a token of a customer, pays again.',
  ),
  'request.source.invalid': refusal(400)(
    'The source is not a payment source of this project.',
    'Send the id of a card, a token or a customer of this project and environment.',
  ),
  'request.still-processing': refusal(409)(
    'Another request on this payment is still being processed.',
    'Retry after the time in the Retry-After header.',
  ),
  'request.timeout': refusal(408)(
    'The request did not arrive in time.',
    'Send the complete request again: its headers within 10 seconds, all of it within 20.',
  ),
  'request.transaction-blocked': never(
    'The card scheme does not allow this payment to be retried with the card, or not yet.',
    'Ask the customer for another card, or wait until retry_after of the transaction has passed.',
  ),

  // Fields that are wrong or missing.
  'request.validation.error': invalid('The request is not valid.', CORRECT),
  'request.validation.invalid-address': invalid('The address is not valid.', CORRECT),
  'request.validation.invalid-amount': invalid(
    'The amount is not valid.',
    'Send a decimal string with the digits of the currency, within the available amount.',
  ),
  'request.validation.invalid-challenge-indicator': invalid('The challenge indicator is unknown.', LIST),
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
  'request.validation.invalid-detail-category': invalid('The category of a detail is unknown.', LIST),
  'request.validation.invalid-detail-condition': invalid('The condition of a detail is unknown.', LIST),
  'request.validation.invalid-device-channel': invalid('The device channel is unknown.', LIST),
  'request.validation.invalid-email': invalid('The email address is not valid.', CORRECT),
  'request.validation.invalid-exemption-reason': invalid('The exemption reason is unknown.', LIST),
  'request.validation.invalid-external-fraud-tools': invalid('The data of external fraud tools is not valid.', CORRECT),
  'request.validation.invalid-gateway-data': invalid('The gateway data is not an object.', 'Send a JSON object.'),
  'request.validation.invalid-id': invalid(
    'An id does not belong to this object.',
    'Send ids that this object has returned.',
  ),
  'request.validation.invalid-ip-address': invalid('The IP address is not valid.', 'Send an IPv4 or IPv6 address.'),
  'request.validation.invalid-legal-document': invalid('The legal document is not valid.', CORRECT),
  'request.validation.invalid-metadata': invalid(
    'The metadata is not a flat object of strings within its limits.',
    'Send a JSON object of strings: at most 50 keys of 40 characters, values of 500 characters.',
  ),
  'request.validation.invalid-name': invalid('The name is not valid.', CORRECT),
  'request.validation.invalid-payment-type': invalid('The payment type is unknown.', LIST),
  'request.validation.invalid-phone-number': invalid('The phone number is not valid.', CORRECT),
  'request.validation.invalid-quantity': invalid('The quantity is not a whole number of at least 1.', CORRECT),
  'request.validation.invalid-relationship': invalid(
    'Two objects of the request do not belong together.',
    'Name objects that belong to each other, such as a token and its own customer.',
  ),
  'request.validation.invalid-relay-store-name': invalid('The name of the relay store is not valid.', CORRECT),
  'request.validation.invalid-scheme': invalid('The card scheme is unknown.', LIST),
  'request.validation.invalid-sex': invalid('The sex is unknown.', LIST),
  'request.validation.invalid-shipping-delay': invalid('The shipping delay is unknown.', LIST),
  'request.validation.invalid-shipping-method': invalid('The shipping method is unknown.', LIST),
  'request.validation.invalid-state': invalid(
    'The object that the request is about is not in a state that allows this.',
    'Read the message and retrieve the object. A transaction lists its supported actions; enable a disabled webhook endpoint first.',
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
  'resource.invitation.expired': refusal(404)(
    'The invitation has expired.',
    'Ask an owner of the project for another one.',
  ),
  'resource.invitation.not-found': refusal(404)(
    'The invitation was accepted, withdrawn or replaced, or expired over a month ago.',
    'Ask an owner of the project for another one.',
  ),
  'resource.invoice.not-found': notFound('invoice'),
  'resource.passkey.not-found': notFound('passkey of yours'),
  'resource.password-reset.expired': refusal(404)(
    'The link has expired.',
    'Ask the operator of this service for another one.',
  ),
  'resource.password-reset.not-found': refusal(404)(
    'The link was used or replaced.',
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
