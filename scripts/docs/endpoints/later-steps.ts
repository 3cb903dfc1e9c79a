import { RAISED_BY_CLIENT } from './clients.ts'
import { NO_INVOICE, PAYMENT, UNKNOWN_FIELD } from './everywhere.ts'
import { type Endpoint, fails, pends, succeeds } from './outcome.ts'

const WRONG_AMOUNT = fails('request.validation.invalid-amount', 'the amount is no decimal text of its currency')
export const UNSUPPORTED = fails('request.gateway.operation-not-supported', 'the gateway cannot do it')

export const INCREMENT: Endpoint = {
  method: 'POST',
  path: '/invoices/:id/increment_authorization',
  outcomes: [
    succeeds('raised by the amount'),
    pends('the answer of the gateway is lost'),
    fails('card.no-money', 'declined; the authorization stands as it was'),
    fails('gateway.expired', 'the authorization has ended'),
    fails('request.validation.invalid-state', 'it was not authorized so, or was captured'),
    fails('request.validation.invalid-state', 'it was raised ten times'),
    fails('request.still-processing', 'an earlier step is not known yet'),
    RAISED_BY_CLIENT,
    WRONG_AMOUNT,
    UNSUPPORTED,
    UNKNOWN_FIELD,
    ...PAYMENT,
    ...NO_INVOICE,
  ],
}

export const VOID: Endpoint = {
  method: 'POST',
  path: '/invoices/:id/void',
  outcomes: [
    succeeds('released whole'),
    succeeds('released in part'),
    succeeds('the rest of several captures'),
    succeeds('again: as it is'),
    pends('the answer of the gateway is lost'),
    fails('gateway.declined', 'declined; the authorization stands'),
    fails('request.validation.invalid-amount', 'more than is left'),
    fails('request.validation.invalid-state', 'nothing is authorized, or all was captured'),
    fails('request.validation.invalid-state', 'a capture is under way'),
    succeeds('the authorization is not known yet: it is given back where it turns out approved'),
    fails('request.still-processing', 'an increment is not known yet'),
    WRONG_AMOUNT,
    UNSUPPORTED,
    UNKNOWN_FIELD,
    ...PAYMENT,
    ...NO_INVOICE,
  ],
}

export const SYNCHRONIZE: Endpoint = {
  method: 'PUT',
  path: '/invoices/:id/sync-with-psp',
  outcomes: [
    succeeds('what the gateway tells now'),
    succeeds('nothing was begun: the invoice, without a transaction'),
    pends('the gateway still does not tell'),
    ...PAYMENT,
    ...NO_INVOICE,
  ],
}
