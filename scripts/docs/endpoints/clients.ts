import { fails, type Outcome, succeeds } from './outcome.ts'

/** What clients are answered where a payment is placed, beside what everybody is. */
export const PAID_BY_CLIENT: readonly Outcome[] = [
  fails('request.authentication.invalid', 'a client asks to capture, or to schedule, what is authorized'),
  fails(
    'request.validation.invalid-state',
    'a client would have an invoice captured that says `require_backend_capture`',
  ),
  fails('request.authentication.invalid', 'a client names a stored source without the client secret'),
  fails('request.authentication.invalid', 'the client secret of a client is of another invoice'),
  fails('request.validation.error', 'a client sets what overrides a rule of the networks'),
  fails(
    'request.rate.too-many-failures',
    'clients have failed too often: for the invoice, with the card, or in the project',
  ),
  fails('request.validation.error', 'a client says how much is captured'),
  fails('request.validation.invalid-url', 'a client pays an invoice of an app that has no `return_url`'),
]

export const RAISED_BY_CLIENT = fails('request.authentication.invalid', 'a client asks to raise what is authorized')

export const CARD_OF_CLIENT: readonly Outcome[] = [
  fails('request.validation.invalid-state', 'a client changes a card that was saved'),
  fails('request.validation.error', 'a client sets the name or the metadata'),
]

const WITHOUT_SECRET = fails(
  'request.authentication.invalid',
  'a client has not the client secret of an invoice of the customer',
)

export const TOKEN_OF_CLIENT: readonly Outcome[] = [
  succeeds('completed by a client'),
  WITHOUT_SECRET,
  fails('request.validation.missing-source', 'a client without the client secret brings no source'),
  fails('request.validation.error', 'a client sets what is the merchant’s'),
]

export const TOKEN_DELETED_BY_CLIENT: readonly Outcome[] = [
  succeeds('by a client with the client secret'),
  WITHOUT_SECRET,
]

export const SEEN_BY_CLIENT: readonly Outcome[] = [
  succeeds('to a client: what is to be paid, and no client secret'),
  fails('request.authentication.invalid', 'a client sends the client secret of another invoice'),
]

export const ACCOUNTS_SEEN_BY_CLIENT = succeeds('to a client: those that are enabled')
