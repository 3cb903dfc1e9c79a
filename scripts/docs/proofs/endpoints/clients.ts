import { testsIn } from '../proof.ts'
import { fails, type Outcome, succeeds } from './outcome.ts'

const payments = testsIn('test/http/clients/payments.test.ts')
const sources = testsIn('test/http/clients/stored-sources.test.ts')
const views = testsIn('test/http/clients/views.test.ts')

/** What clients are answered where a payment is placed, beside what everybody is. */
export const PAID_BY_CLIENT: readonly Outcome[] = [
  fails(
    'request.authentication.invalid',
    'a client asks to capture, or to schedule, what is authorized',
    payments('is not touched by a client: %s %j'),
  ),
  fails(
    'request.validation.invalid-state',
    'a client would have an invoice captured that says `require_backend_capture`',
    payments('captures no invoice that requires a backend capture, by %s of %s'),
  ),
  fails(
    'request.authentication.invalid',
    'a client names a stored source without the client secret',
    payments('is needed by a client that names %s'),
  ),
  fails(
    'request.authentication.invalid',
    'the client secret of a client is of another invoice',
    payments('of another invoice, or of another project, is refused, also where none is needed'),
  ),
  fails('request.validation.error', 'a client sets what overrides a rule of the networks', payments('may not send %s')),
  fails(
    'request.rate.too-many-failures',
    'clients have failed too often: for the invoice, with the card, or in the project',
    testsIn('test/activities/client-failures.test.ts')(
      'is tried ten times in vain by clients, and no more; its merchant may still charge it',
    ),
  ),
  fails(
    'request.validation.error',
    'a client says how much is captured',
    payments('by %s of %s %j is refused before anything begins'),
  ),
]

export const RAISED_BY_CLIENT = fails(
  'request.authentication.invalid',
  'a client asks to raise what is authorized',
  payments('is not touched by a client: %s %j'),
)

export const CARD_OF_CLIENT: readonly Outcome[] = [
  fails(
    'request.validation.invalid-state',
    'a client changes a card that was saved',
    sources('that was saved is not changed by a client'),
  ),
  fails('request.validation.error', 'a client sets the name or the metadata', sources('takes no %s from a client')),
]

const WITHOUT_SECRET = fails(
  'request.authentication.invalid',
  'a client has not the client secret of an invoice of the customer',
  sources('is neither changed nor deleted by a client without the secret of an invoice of its customer'),
)

export const TOKEN_OF_CLIENT: readonly Outcome[] = [
  succeeds('completed by a client', sources('is completed by a client that has shown nothing')),
  WITHOUT_SECRET,
  fails(
    'request.validation.missing-source',
    'a client without the client secret brings no source',
    sources('is not changed otherwise'),
  ),
  fails('request.validation.error', 'a client sets what is the merchant’s', sources('takes no %s from a client')),
]

export const TOKEN_DELETED_BY_CLIENT: readonly Outcome[] = [
  succeeds('by a client with the client secret', sources('is changed and deleted by a client with it')),
  WITHOUT_SECRET,
]

export const SEEN_BY_CLIENT: readonly Outcome[] = [
  succeeds(
    'to a client: what is to be paid, and no client secret',
    views('sees of a full invoice what is to be paid, and nothing else of it'),
  ),
  fails(
    'request.authentication.invalid',
    'a client sends the client secret of another invoice',
    payments('of another invoice, or of another project, is refused, also where none is needed'),
  ),
]

export const ACCOUNTS_SEEN_BY_CLIENT = succeeds(
  'to a client: those that are enabled',
  views('sees the gateways that can be used, and not how'),
)
