import { type ErrorEntry, never, otherGateway, refusal } from './entry.ts'

/** What is wrong with a request beyond its fields. Source of the codes: ProcessOut's reference, and transport. */
export const REQUEST_ERRORS = {
  'request.authentication.invalid': refusal(401)(
    'The project id or the secret key is not valid.',
    'Send the project id as user name and a secret key of its environment as password.',
  ),
  'request.authentication.missing-permission': refusal(403)(
    'The secret key may not be used for this.',
    'Use a key with the permission that the answer names; permissions are given when a key is made.',
  ),
  'request.bad-format': refusal(400)(
    'The body could not be read as JSON or as form fields.',
    'Send a body that fits its content type.',
  ),
  'request.body-too-large': refusal(413)('The body is larger than this interface accepts.', 'Send 64 KiB at most.'),
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
    'Ask whoever runs this service. Voids, and reading, go on.',
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
} as const satisfies Record<`request.${string}`, ErrorEntry>
