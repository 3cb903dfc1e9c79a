import { type ErrorEntry, fixData, later, never, otherGateway, passing, passingHere } from './entry.ts'

const CORRECT = 'Correct it and try again.'
const OTHER_GATEWAY = 'Try it through another gateway, or ask the customer for another way to pay.'
const LOOK_FIRST = 'Look at the transaction first: it may have moved on without this request.'
const CHECK_ACCOUNT = 'Check the account at the gateway and its configuration here.'
const WAIT_A_LITTLE = 'Try again in a few minutes.'

/** Refusals and failures of a gateway itself. Source of the codes: ProcessOut's reference. */
export const GATEWAY_ERRORS = {
  'gateway.blocked': never('The gateway has blocked the payment.', 'Find out at the gateway why; do not repeat it.'),
  'gateway.configuration-error': otherGateway('The account at the gateway is not set up for this.', CHECK_ACCOUNT),
  'gateway.declined': otherGateway('The gateway declined.', OTHER_GATEWAY),
  'gateway.duplicate': never('The gateway takes this for a repetition of an earlier request.', LOOK_FIRST),
  'gateway.expired': never('The authorization has expired.', 'Create another invoice and authorize that.'),
  'gateway.forbidden': otherGateway('The gateway does not allow the account to do this.', CHECK_ACCOUNT),
  'gateway.internal-error': passingHere('The gateway failed and did nothing.', WAIT_A_LITTLE),
  'gateway.invalid-billing-address': fixData('The gateway does not accept the billing address.', CORRECT),
  'gateway.invalid-credentials': otherGateway('The gateway does not accept our credentials.', CHECK_ACCOUNT),
  'gateway.invalid-customer-input': fixData('The gateway does not accept what the customer entered.', CORRECT),
  'gateway.invalid-merchant': otherGateway('The gateway does not know the merchant account.', CHECK_ACCOUNT),
  'gateway.invalid-repeat': never('The gateway got another request under the same reference.', LOOK_FIRST),
  'gateway.invalid-state': never('The gateway does not allow this for the authorization any more.', LOOK_FIRST),
  'gateway.limit-exceeded': later('A limit of the account at the gateway is reached.', CHECK_ACCOUNT),
  'gateway.maintenance': passingHere(
    'The gateway is under maintenance.',
    'Try again later, or through another gateway.',
  ),
  'gateway.missing-customer-input': fixData(
    'The gateway needs more from the customer.',
    'Add what is missing and try again.',
  ),
  'gateway.network-error': passingHere('The gateway could not be reached.', WAIT_A_LITTLE),
  'gateway.not-allowed': otherGateway('The gateway does not allow this payment.', OTHER_GATEWAY),
  'gateway.not-found': never('The gateway does not know what the request is about.', LOOK_FIRST),
  'gateway.possible-fraud': never(
    'The payment looks fraudulent to the gateway.',
    'Do not repeat it; check the customer.',
  ),
  'gateway.rate-limit-exceeded': passingHere('The gateway got too many requests.', WAIT_A_LITTLE),
  'gateway.retry': passing('The gateway asks for the request to be sent again.', WAIT_A_LITTLE),
  'gateway.timeout': passingHere('The gateway gave up in time and did nothing.', WAIT_A_LITTLE),
  'gateway.transaction-not-found': never('The gateway does not know this transaction.', LOOK_FIRST),
  'gateway.transaction-pending': later('The gateway has not decided about this transaction yet.', LOOK_FIRST),
  'gateway.unknown-error': otherGateway('The gateway refused for a reason that it did not make clear.', OTHER_GATEWAY),
  'gateway.unsupported-country-code': otherGateway('The gateway does not serve this country.', OTHER_GATEWAY),
  'gateway.unsupported-currency': otherGateway('The gateway does not take this currency.', OTHER_GATEWAY),
  'gateway.validation-error': fixData(
    'The gateway did not accept what it was asked.',
    'Check what was sent for this payment.',
  ),
} as const satisfies Record<`gateway.${string}`, ErrorEntry>
