/**
 * The one list of error codes: HTTP status and the sentence a merchant reads. A more exact sentence may take the
 * place of the general one where the error is raised; the code and the status may not differ.
 * Source of the codes: ProcessOut's reference. 400 bad input or state, 401 authentication, 404 unknown or foreign,
 * 405 and 413 transport, 409 in flight, 410 every failure of a payment, 5xx ours.
 */
export const ERRORS = {
  'request.authentication.invalid': { status: 401, message: 'The project id or the secret key is not valid.' },
  'request.bad-format': { status: 400, message: 'The body could not be read as JSON or as form fields.' },
  'request.body-too-large': { status: 413, message: 'The body is larger than this interface accepts.' },
  'request.route-not-found': { status: 404, message: 'There is nothing at this address.' },
  'request.method-not-allowed': { status: 405, message: 'This address does not know the method.' },
  'request.still-processing': {
    status: 409,
    message: 'Another request on this payment is still being processed. Try again shortly.',
  },
  'request.not-started': {
    status: 503,
    message: 'The request could not be begun in time and was withdrawn: nothing was done. Try again shortly.',
  },
  'request.pagination.invalid': { status: 400, message: 'The pagination parameters are not valid.' },
  'request.source.invalid': { status: 400, message: 'The source is not a payment source of this project.' },
  'request.source.card-already-used': {
    status: 400,
    message: 'This card was used for another payment. Create it anew.',
  },
  'request.gateway.operation-not-supported': { status: 400, message: 'The gateway does not support this operation.' },
  'request.configuration.missing-gateway-configuration': {
    status: 400,
    message: 'No gateway is configured for this payment.',
  },
  'request.validation.error': { status: 400, message: 'The request is not valid.' },
  'request.validation.invalid-amount': { status: 400, message: 'The amount is not valid.' },
  'request.validation.invalid-challenge-indicator': {
    status: 400,
    message: 'The challenge indicator is not one of the known ones.',
  },
  'request.validation.invalid-currency': { status: 400, message: 'The currency is not an ISO 4217 code.' },
  'request.validation.missing-currency': { status: 400, message: 'The currency is missing.' },
  'request.validation.invalid-date': { status: 400, message: 'The date is not valid.' },
  'request.validation.invalid-description': { status: 400, message: 'The description is not valid.' },
  'request.validation.invalid-device-channel': {
    status: 400,
    message: 'The device channel is not web, ios or android.',
  },
  'request.validation.invalid-exemption-reason': {
    status: 400,
    message: 'The exemption reason is not one of the known ones.',
  },
  'request.validation.invalid-gateway-data': { status: 400, message: 'The gateway data is not an object.' },
  'request.validation.invalid-id': { status: 400, message: 'An id does not belong to this object.' },
  'request.validation.invalid-metadata': { status: 400, message: 'The metadata is not a flat object of strings.' },
  'request.validation.invalid-name': { status: 400, message: 'The name is not valid.' },
  'request.validation.missing-name': { status: 400, message: 'The name is missing.' },
  'request.validation.missing-source': { status: 400, message: 'The payment source is missing.' },
  'request.validation.invalid-scheme': { status: 400, message: 'The card scheme is not one of the known ones.' },
  'request.validation.invalid-state': { status: 400, message: 'The payment is not in a state that allows this.' },
  'request.validation.invalid-type': { status: 400, message: 'A value is not of the type expected.' },
  'request.validation.invalid-url': { status: 400, message: 'The URL is not valid.' },
  'resource.card.not-found': { status: 404, message: 'There is no such card.' },
  'resource.event.not-found': { status: 404, message: 'There is no such event.' },
  'resource.invoice.not-found': { status: 404, message: 'There is no such invoice.' },
  'resource.transaction.not-found': { status: 404, message: 'There is no such transaction.' },
  'resource.customer.not-found': { status: 404, message: 'There is no such customer.' },
  'service.not-supported': { status: 400, message: 'This is not supported.' },
  'sandbox.not-supported': { status: 400, message: 'The sandbox accepts its documented test cards only.' },
  'server.internal-error': {
    status: 500,
    message: 'Something went wrong on our side. The request id names this case.',
  },
  'server.unavailable': { status: 503, message: 'The service cannot do its work right now. Try again shortly.' },

  'gateway.expired': { status: 410, message: 'The authorization has expired.' },
  'gateway.network-error': { status: 410, message: 'The gateway could not be reached.' },
  'gateway.unknown-error': { status: 410, message: 'The gateway refused for a reason that it did not make clear.' },
  'gateway.declined': { status: 410, message: 'The gateway declined.' },
  'gateway.internal-error': { status: 410, message: 'The gateway failed and did nothing.' },
  'gateway.invalid-state': { status: 410, message: 'The gateway does not allow this for the authorization any more.' },
  'gateway.validation-error': { status: 410, message: 'The gateway did not accept what it was asked.' },
  'gateway.transaction-not-found': { status: 410, message: 'The gateway does not know this transaction.' },

  'card.invalid-number': { status: 400, message: 'The card number is not valid.' },
  'card.invalid-expiry-month': { status: 400, message: 'The expiry month is not valid.' },
  'card.invalid-expiry-year': { status: 400, message: 'The expiry year is not valid.' },
  'card.invalid-cvc': { status: 400, message: 'The security code is not valid.' },
  'card.invalid-name': { status: 400, message: 'The cardholder name is not valid.' },

  'card.declined': { status: 410, message: 'The card was declined.' },
  'card.do-not-honor': { status: 410, message: 'The issuer declined the payment.' },
  'card.possible-fraud': { status: 410, message: 'The payment looks fraudulent to the issuer.' },
  'card.no-money': { status: 410, message: 'There are not enough funds.' },
  'card.expired': { status: 410, message: 'The card has expired.' },
  'card.stolen': { status: 410, message: 'The card was reported stolen.' },
  'card.lost': { status: 410, message: 'The card was reported lost.' },
  'card.failed-cvc': { status: 410, message: 'The security code did not match.' },
  'card.failed-avs': { status: 410, message: 'The address did not match.' },
  'card.not-authorized': { status: 410, message: 'The card is not allowed to make this payment.' },
  'card.inactive': { status: 410, message: 'The card is not active.' },
  'card.region-not-authorized': { status: 410, message: 'The card cannot be used in this region.' },
  'card.blacklisted': { status: 410, message: 'The card is on a block list.' },
  'card.test': { status: 410, message: 'The test gateway accepts its documented test cards only.' },
  'card.dont-retry': { status: 410, message: 'The card was declined and must not be tried again.' },
  'card.needs-authentication': { status: 410, message: 'The issuer wants the customer to authenticate.' },
} as const satisfies Record<string, { status: number; message: string }>

export type ErrorCode = keyof typeof ERRORS

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERRORS, code)
}
