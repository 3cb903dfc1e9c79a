import { PAYING } from './authorize.ts'
import { NO_INVOICE, PAYMENT, UNKNOWN_FIELD } from './everywhere.ts'
import { UNSUPPORTED } from './later-steps.ts'
import { declines, type Endpoint, fails, pends, succeeds } from './outcome.ts'

export const CAPTURE: Endpoint = {
  method: 'POST',
  path: '/invoices/:id/capture',
  outcomes: [
    succeeds('captured whole'),
    succeeds('captured in part, the rest released'),
    succeeds('with `capture_type` `non-final`: captured in part, the rest kept'),
    succeeds('with lines: what they come to'),
    succeeds('nothing was authorized: authorized and captured'),
    succeeds('with `auto_capture_at`: the scheduled capture is moved'),
    succeeds('with `auto_capture_at` null: the scheduled capture is dropped'),
    succeeds('with `override_mac_blocking`: sent although the scheme advises against it'),
    succeeds('again: as it is, and nothing is charged'),
    pends('the answer of the gateway is lost'),
    pends('the gateway confirms later'),
    declines('declined; the authorization stands'),
    fails('gateway.expired', 'the authorization has ended'),
    fails('request.validation.invalid-amount', 'more than is authorized'),
    fails('request.validation.invalid-amount', 'an amount that is not that of the lines'),
    fails('request.validation.invalid-state', 'nothing is left'),
    fails('request.still-processing', 'an earlier step is not known yet'),
    UNSUPPORTED,
    ...PAYING,
    UNKNOWN_FIELD,
    ...PAYMENT,
    ...NO_INVOICE,
  ],
}
