/**
 * What the pages of the dashboard and the service say to each other beyond the REST interface. The pages import the types;
 * each call is declared by these shapes in `routes/`, which says who may make it; the tests hold answers to the schemas.
 *
 * A person signs in at `POST /dashboard/session`. The session is a cookie that scripts cannot read. Every other call
 * sends
 *
 * - `X-Project-Id: test-proj_…` or `proj_…` from `Session.projects`: the project, and by its prefix the environment. Not
 *   needed for the calls of the person's own account.
 * - `X-CSRF-Token`: `Session.csrf_token`, on everything but GET. The browser adds `Origin`, which is checked as well.
 * - a body as `application/json`, and with changes by the REST interface an `Idempotency-Key`. The calls below take none.
 *
 * With these headers the pages call all of the REST interface, too, as far as `SessionProject.permissions` allows. Errors,
 * amounts and instants are those of the REST interface. This is no public interface: it changes together with the pages.
 */
import { z } from 'zod'
import { DISPUTE_STATUSES } from '../../domain/dispute.ts'
import { NOTIFICATION_REFUSALS } from '../../domain/gateway-notification.ts'
import { PERMISSIONS } from '../../domain/permission.ts'
import { ROLES } from '../../domain/role.ts'
import { RULE_KINDS } from '../../domain/routing/rule.ts'
import { TRANSACTION_STATUSES } from '../../domain/transaction.ts'
import { CONNECTION_RESULTS } from '../gateways/connection-test.ts'
import { EMAIL_LENGTH_MAX, isEmailAddress } from '../objects/email-address.ts'
import { coded, expecting, requiredName, requiredText } from '../objects/taken.ts'
import type { PaymentFilterName } from './search/payment-filters.ts'

const id = z.string()
const instant = z.iso.datetime()
const day = z.iso.date()
const amount = z.string().regex(/^\d+(\.\d+)?$/)
const balance = z.string().regex(/^-?\d+(\.\d+)?$/)
const currency = z.string().length(3)
const count = z.int().min(0)
const environment = z.enum(['live', 'sandbox'])

/** What is sent, of these fields. */
type Sent<Shape extends z.ZodRawShape> = z.input<z.ZodObject<Shape>>

const answer = <Shape extends z.ZodRawShape>(shape: Shape) => z.strictObject({ success: z.literal(true), ...shape })

// --- Session ---------------------------------------------------------------------------------------------------------

const sessionProject = z.strictObject({
  /** For `X-Project-Id`: `test-proj_…` is the sandbox of `proj_…`. Each environment is an entry of its own. */
  id,
  name: z.string(),
  environment,
  role: z.enum(ROLES),
  /** What the role may do in this environment with the REST interface. */
  permissions: z.array(z.enum(PERMISSIONS)),
  /** Whether the person may add, change and remove people of the project. */
  manages_people: z.boolean(),
  /** Whether the person may create and revoke API keys of this environment. */
  manages_api_keys: z.boolean(),
  default_currency: currency,
  is_suspended: z.boolean(),
  /** Without a second factor of the person, every call about the project is 403 `…second-factor-required`. */
  requires_second_factor: z.boolean(),
})

const session = z.strictObject({
  csrf_token: z.string(),
  person: z.strictObject({ id, email: z.string(), name: z.string() }),
  /** Only the password was given: until the second factor is, only `/dashboard/session…` works, and there are no projects. */
  needs_second_factor: z.boolean(),
  second_factors: z.strictObject({
    /** An authenticator app. */
    code_generator: z.boolean(),
    passkeys: z.array(z.strictObject({ id, name: z.string(), created_at: instant, last_used_at: instant.nullable() })),
    recovery_codes_left: count,
  }),
  projects: z.array(sessionProject),
  /** Without a call for so long the session ends; at `ends_at` in any case. */
  idle_seconds: count,
  ends_at: instant,
})

export const sessionAnswer = answer({ session })

const PASSWORD_LENGTH_MAX = 200

/** Of an account that may exist: whatever is typed is only compared. */
const typedPassword = requiredText(PASSWORD_LENGTH_MAX)

/** At least 12 characters: `refuseWeakPassword` looks at it, as soon as the account is known. */
const chosenPassword = requiredText(PASSWORD_LENGTH_MAX)

const NO_EMAIL = { invalid: 'request.validation.invalid-email', missing: 'request.validation.invalid-email' } as const

export const SIGN_IN_REQUEST = { email: coded(requiredText(EMAIL_LENGTH_MAX), NO_EMAIL), password: typedPassword }

export const PASSWORD_REQUEST = { current_password: typedPassword, new_password: chosenPassword }

// --- Second factor ---------------------------------------------------------------------------------------------------

/** Of the authenticator app. */
const code = requiredText(40).transform((text) => text.replaceAll(/\s/g, ''))

/** As `PublicKeyCredential.toJSON` of the browser gives it; the service's library reads it. */
const passkey = z.looseObject({ id: requiredText(1_400) }, expecting('the answer of a passkey'))

/** One of its fields. A passkey signs the options that were answered, once. */
export const SECOND_FACTOR_REQUEST = {
  code: code.optional(),
  recovery_code: requiredText(100).optional(),
  passkey: passkey.optional(),
}

/** Of both kinds of `…/options`, for `PublicKeyCredential.parse…OptionsFromJSON`. */
export const passkeyOptionsAnswer = answer({ options: z.looseObject({ challenge: z.string() }) })

/** With each change of the second factors, and for the options of a new one. */
export const PASSWORD_PROOF = { current_password: typedPassword }

/** `recovery_codes` are shown this once; null where the ones of before stay. */
export const secondFactorAnswer = answer({ session, recovery_codes: z.array(z.string()).nullable() })

export const NEW_PASSKEY_REQUEST = { name: requiredName, passkey }

/** For the authenticator app: the secret in base32, and the same as an address, also as a QR code: a path of SVG. */
export const codeGeneratorAnswer = answer({
  secret: z.string(),
  uri: z.string(),
  qr_code: z.strictObject({ size: count, path: z.string() }),
  proof: z.string(),
})

/** Secret and proof of the answer, and the code that the app shows. */
export const CODE_GENERATOR_REQUEST = {
  secret: requiredText(40).regex(/^[A-Z2-7]{32}$/, 'must be the secret of the answer'),
  proof: requiredText(100),
  code,
}

/** Whether all people of the project need one. */
export const SECOND_FACTOR_RULE = { required: z.boolean(expecting('true or false')) }

export const doneAnswer = answer({})

// --- One-time links --------------------------------------------------------------------------------------------------

export const openInvitationAnswer = answer({
  invitation: z.strictObject({
    project_name: z.string(),
    email: z.string(),
    role: z.enum(ROLES),
    invited_by: z.string().nullable(),
    expires_at: instant,
  }),
})

/** The secret in the address of the link. */
export const LINK_REQUEST = { token: requiredText(100) }

export const NEW_ACCOUNT_REQUEST = { ...LINK_REQUEST, name: requiredName, password: chosenPassword }

export const RESET_REQUEST = { ...LINK_REQUEST, new_password: chosenPassword }

// --- People of the project -------------------------------------------------------------------------------------------

const person = z.strictObject({
  id,
  email: z.string(),
  name: z.string(),
  role: z.enum(ROLES),
  /** False for one whom the operator has disabled. */
  enabled: z.boolean(),
  /** A passkey or an authenticator app; null for those who do not manage people. */
  has_second_factor: z.boolean().nullable(),
  added_at: instant,
  last_signed_in_at: instant.nullable(),
})

export const peopleAnswer = answer({ people: z.array(person) })

export const personAnswer = answer({ person })

const invitation = z.strictObject({
  id,
  email: z.string(),
  role: z.enum(ROLES),
  /** The name of an owner; null for the operator. */
  invited_by: z.string().nullable(),
  created_at: instant,
  expires_at: instant,
})

export const invitationsAnswer = answer({ invitations: z.array(invitation) })

/** `token` is the secret of the one-time link, shown this once: `linkTo` of `domain/one-time-link.ts`. */
export const newInvitationAnswer = answer({ invitation, token: z.string() })

const role = z.enum(ROLES, expecting(`one of ${ROLES.join(', ')}`))

export const ROLE_REQUEST = { role }

export const INVITATION_REQUEST = {
  email: coded(requiredText(EMAIL_LENGTH_MAX).refine(isEmailAddress, 'must be an email address'), NO_EMAIL),
  role,
}

// --- Payments --------------------------------------------------------------------------------------------------------

const listedPayment = z.strictObject({
  invoice_id: id,
  transaction_id: id,
  name: z.string(),
  order_id: z.string().nullable(),
  status: z.enum(TRANSACTION_STATUSES),
  currency,
  amount,
  authorized_amount: amount,
  captured_amount: amount,
  refunded_amount: amount,
  /** Of disputes that are open or lost. */
  disputed_amount: amount,
  /** Captured, less what was refunded or is disputed; never less than nothing. */
  net_amount: amount,
  gateway_configuration_id: id.nullable(),
  gateway_name: z.string().nullable(),
  card_scheme: z.string().nullable(),
  card_last_4_digits: z.string().nullable(),
  card_holder: z.string().nullable(),
  customer_id: id.nullable(),
  customer_name: z.string().nullable(),
  customer_email: z.string().nullable(),
  /** Of a deleted customer nothing else is left. */
  customer_deleted_at: instant.nullable(),
  error_code: z.string().nullable(),
  /** It needs a review by staff, or the outcome of a call is unknown. */
  needs_attention: z.boolean(),
  created_at: instant,
  captured_at: instant.nullable(),
})

/**
 * `GET /dashboard/payments.csv` has all payments of the same search in one file, a column for each of these fields. A call looks through some thousand payments at most: where it stopped before the list was full or at its end, `payments`
 * has what it found, `searched_to` says how far back it has looked, and the next call goes on from there.
 */
export const paymentsAnswer = answer({
  payments: z.array(listedPayment),
  /** For `start_after` of the next call; null at the end of the list. */
  next: id.nullable(),
  /** Null where the page is full or the list has ended. */
  searched_to: instant.nullable(),
})

/**
 * How many payments a search finds, and their amounts, by currency: of some thousand payments a call, as above. Who adds up
 * the answers until `next` is null has them all.
 */
export const paymentSumsAnswer = answer({
  sums: z.array(
    z.strictObject({
      currency,
      count,
      amount,
      captured_amount: amount,
      refunded_amount: amount,
      disputed_amount: amount,
      net_amount: amount,
    }),
  ),
  next: id.nullable(),
  searched_to: instant.nullable(),
})

/** What the list is filtered by. */
export type { PaymentFilterName }

/** The code of a sentence and the values in it. The sentence is in the catalogue of the pages: `timeline.title`, … */
const said = z.strictObject({ code: z.string(), values: z.record(z.string(), z.string()) })

const timelineEntry = z.strictObject({
  at: instant,
  /** `capture.succeeded` of an `amount` in `currency`. */
  title: said,
  /** Why it failed, where it was tried, what became of it. */
  details: z.array(said),
  tone: z.enum(['good', 'bad', 'waiting', 'neutral']),
  kind: z.enum(['operation', 'event', 'notification', 'expected']),
  /** Who asked: an `Actor`, or a `person` of the dashboard with a `name`. */
  actor: said.nullable(),
  /** Of an operation: its attempt, or itself where no gateway was called. */
  operation_id: id.nullable(),
  /** Of an event: for `GET /events/{id}/webhooks?expand=attempts` and `POST /events/{id}/resend`. */
  event_id: id.nullable(),
  /** Of an event: its webhooks by how they stand. `retrying` ones have failed, `failed_tries` times since they were sent last. */
  webhooks: z
    .strictObject({ delivered: count, pending: count, retrying: count, failed_tries: count, failed: count })
    .nullable(),
})

const dispute = z.strictObject({
  status: z.enum(DISPUTE_STATUSES),
  /** Evidence was handed in, and the issuer decides. */
  is_answered: z.boolean(),
  /** It waits for evidence. */
  is_answerable: z.boolean(),
  amount,
  /** In the gateway's words. */
  reason: z.string().nullable(),
  /** Until when the gateway takes evidence, where it says so. */
  evidence_due_at: instant.nullable(),
  reported_at: instant.nullable(),
})

/** Entries of the kind `expected` lie in the future: the scheduled capture, the end of the authorization, the next look-up. */
export const paymentAnswer = answer({
  payment: z.strictObject({
    invoice_id: id,
    transaction_id: id.nullable(),
    /** What stays of the card, also of a deleted one. */
    card: z.strictObject({ scheme: z.string(), last_4_digits: z.string(), deleted_at: instant.nullable() }).nullable(),
    /** Null while the customer is there, and where there never was one. */
    customer_deleted_at: instant.nullable(),
    /** In the order of time, expected ones last. */
    timeline: z.array(timelineEntry),
    /** Those that must be answered first come first. */
    disputes: z.array(dispute),
    /** The payment waits until then for its customer, who goes on at that page; null for no such payment. */
    waits_for_customer: z.strictObject({ until: instant, page: z.string().nullable() }).nullable(),
    /** See `needsAttention` of the domain. */
    needs_attention: z.boolean(),
    /** The payment's history in Temporal; `url` is null where the service does not know the address of Temporal's UI. */
    workflow: z.strictObject({ id, url: z.string().nullable() }),
  }),
})

// --- Disputes --------------------------------------------------------------------------------------------------------

/** Open ones that must be answered first come first; of all, those that were reported last. */
export const disputesAnswer = answer({
  disputes: z.array(
    dispute.extend({
      invoice_id: id,
      name: z.string(),
      order_id: z.string().nullable(),
      customer_id: id.nullable(),
      customer_name: z.string().nullable(),
      gateway_name: z.string().nullable(),
      currency,
    }),
  ),
  /** For `start_after` of the next call: how many payments were listed; null at the end of the list. */
  next: count.nullable(),
})

export const openDisputesAnswer = answer({
  /** Payments with disputes that can be answered in time, and those whose time is over. */
  to_answer: count,
  overdue: count,
  first_due_at: instant.nullable(),
})

// --- Customers -------------------------------------------------------------------------------------------------------

/** Without a search the newest first; of a search, in the order of names, and at most as many as a page has. */
export const customersAnswer = answer({
  customers: z.array(
    z.strictObject({
      id,
      name: z.string().nullable(),
      email: z.string().nullable(),
      reference_id: z.string().nullable(),
      created_at: instant,
    }),
  ),
  /** For `start_after` of the next call; null at the end of the list. */
  next: id.nullable(),
  /** Whether a search has found more than it shows. */
  has_more: z.boolean(),
})

// --- Statistics ------------------------------------------------------------------------------------------------------

/** Payments by days in UTC, of one currency. The lists of a day have an entry for each of `days`. */
export const statisticsAnswer = answer({
  statistics: z.strictObject({
    /** Those with payments in the time, the most used one first. */
    currencies: z.array(currency),
    /** The one asked for, or else the first; null where there are no payments. */
    currency: currency.nullable(),
    days: z.array(day),
    /** Authorizations by their result: one for each gateway tried. Their quotient is the approval rate. */
    approved: z.array(count),
    declined: z.array(count),
    authorized_amount: z.array(amount),
    /** Less what failed after all, on the day that it did: more may fail on a day than succeeds on it. */
    captured_amount: z.array(balance),
    refunded_amount: z.array(balance),
    /** What disputes have taken, and what was given back of it when they were won. */
    disputed_amount: z.array(amount),
    recovered_amount: z.array(amount),
    /** The declines by code, the most frequent one first. */
    declines: z.array(z.strictObject({ error_code: z.string(), message: z.string(), counts: z.array(count) })),
    /** What happened before is counted; it is a few seconds ago. */
    counted_to: instant.nullable(),
  }),
})

// --- Limits ----------------------------------------------------------------------------------------------------------

const limit = z.strictObject({
  kind: z.enum(['primary', 'secondary', 'sandbox', 'client_address', 'client_invoice']),
  /** Requests a minute. */
  limit: count,
  /** How many would be admitted at once now; null for clients, each of whom has a limit of its own. */
  remaining: count.nullable(),
  /** An entry for each of `steps`; the refused ones are among the requests. */
  requests: z.array(count),
  refused: z.array(count),
  /** The least that was left within the step. */
  lowest_remaining: z.array(count),
})

/** A chart cannot tell 1440 bars apart, so the time comes in 120 steps at most, of whole minutes. */
export const rateLimitsAnswer = answer({
  /** When each step begins, the oldest first; the last one has the present minute. */
  steps: z.array(instant),
  limits: z.array(limit),
})

// --- API keys --------------------------------------------------------------------------------------------------------

const apiKey = z.strictObject({
  id,
  name: z.string().nullable(),
  permissions: z.array(z.enum(PERMISSIONS)),
  /** The last characters of the secret. */
  secret_ending: z.string().nullable(),
  created_at: instant,
  /** Exact to the minute. */
  last_used_at: instant.nullable(),
  revoked_at: instant.nullable(),
})

/** Null but for the sandbox that `npm start` has made: no other key is kept. */
export const sandboxKeyAnswer = answer({ secret_key: z.string().nullable() })

export const apiKeysAnswer = answer({ api_keys: z.array(apiKey) })

export const newApiKeyAnswer = answer({ api_key: apiKey, secret_key: z.string() })

export const apiKeyAnswer = answer({ api_key: apiKey })

export const NEW_API_KEY_REQUEST = {
  name: requiredName,
  permissions: z
    .array(z.enum(PERMISSIONS, expecting(`one of ${PERMISSIONS.join(', ')}`)), expecting('a list of permissions'))
    .min(1, 'must name a permission')
    .transform((given) => PERMISSIONS.filter((permission) => given.includes(permission))),
}

// --- Gateways --------------------------------------------------------------------------------------------------------

/** In English, and where it was translated, in other languages of the pages. */
const words = z.strictObject({ en: z.string(), de: z.string().optional(), fr: z.string().optional() })

/** A credential or a setting as a form shows it. */
const accountField = z.strictObject({
  name: z.string(),
  label: words,
  says: words,
  required: z.boolean(),
  /** The only values in this environment; null where anything may be typed. */
  choices: z.array(z.strictObject({ value: z.string(), label: words })).nullable(),
  /** Of a whole number. */
  range: z.strictObject({ min: count, max: count }).nullable(),
  /** A regular expression, and the end of a sentence about a value that it does not match. */
  form: z.strictObject({ pattern: z.string(), flags: z.string(), says: words }).nullable(),
  example: z.string().nullable(),
  /** Most accounts do without. */
  rare: z.boolean(),
})

export const gatewaysAnswer = answer({
  gateways: z.array(
    z.strictObject({
      name: z.string(),
      display_name: z.string(),
      credentials: z.array(accountField),
      settings: z.array(accountField),
      /** How the gateway is made to send its notifications; null where nothing is to be done. */
      notifications: z
        .strictObject({ proof: z.string(), steps: z.array(words), events: z.array(z.string()), otherwise: words })
        .nullable(),
    }),
  ),
})

const gatewayChange = z.strictObject({
  at: instant,
  /** `created`, `changed`, `tested`, `drained`, `resumed`, `deleted`. */
  what: z.string(),
  /** `person`, `api_key` or `operator`; the name of a person who still has an account. */
  by: z.strictObject({ kind: z.string(), name: z.string().nullable() }),
  /** The names of what was changed, such as `credentials.secret_key`; never a value. */
  fields: z.array(z.string()),
  /** What a test came to. */
  result: z.string().nullable(),
})

export const gatewayAccountAnswer = answer({
  gateway_configuration: z.strictObject({
    /** Where its gateway is to send notifications; null where it sends none that are set up. */
    notification_address: z.string().nullable(),
    /** What was refused since the last one that was proven, with the reason of the last; null where nothing was. */
    refused_notifications: z
      .strictObject({ times: count, reason: z.enum(NOTIFICATION_REFUSALS), first_at: instant, last_at: instant })
      .nullable(),
    /** The latest, the newest first, from the audit log. */
    changes: z.array(gatewayChange),
  }),
})

/** At most six tests of an account in a minute; each is in the audit log. */
export const connectionAnswer = answer({
  connection: z.strictObject({
    /** `not-offered` where the gateway has no question that moves no money. */
    result: z.enum([...CONNECTION_RESULTS, 'not-offered']),
    /** The account that has answered, as the gateway names it. */
    account: z.string().nullable(),
    /** The gateway's own code, or what became of the connection. */
    code: z.string().nullable(),
  }),
})

// --- Routing rules ---------------------------------------------------------------------------------------------------

const routed = z.strictObject({
  outcome: z.enum(['routed', 'not-sent']),
  /** With which the payment would fail. */
  error_type: z.string().nullable(),
  /** The gateways in the order in which they would be tried. */
  gateway_configuration_ids: z.array(id),
  /** The name of the rule that routed or blocked it; null where none applied. */
  rule: z.string().nullable(),
  /** The name of the rule that asks for 3-D Secure; null where none does, or where the payment is not sent. */
  three_ds_rule: z.string().nullable(),
})

export const dryRunAnswer = answer({
  dry_run: z.strictObject({
    /** How many payments were decided. */
    payments: count,
    /** True where the time was up before all that were asked for were decided: the newest of them were. */
    is_partial: z.boolean(),
    changed: count,
    /** Of those; a payment that goes elsewhere and needs 3-D Secure there counts twice. */
    effects: z.strictObject({
      refused: count,
      no_longer_refused: count,
      /** Sent as before, to another gateway first, or to others after it. */
      moved: count,
      /** Sent as before, and newly asked for 3-D Secure, or no longer. */
      newly_three_ds: count,
      no_longer_three_ds: count,
    }),
    /** The rules of the request in the order in which they are asked. */
    rules: z.array(
      z.strictObject({
        /** Its place in the text, from 1. */
        position: count,
        kind: z.enum(RULE_KINDS),
        name: z.string(),
        enabled: z.boolean(),
        /** Of the payments: those that meet its condition, and those for which it had a part in the decision. */
        met: count,
        applied: count,
        /** An amount in it has no currency beside it, and so is one of the project's default currency. */
        has_bare_amount: z.boolean(),
      }),
    ),
    /** How many go first to each gateway; null stands for none. */
    gateways: z.array(z.strictObject({ gateway_configuration_id: id.nullable(), before: count, after: count })),
    /** The payments that the rules of the request decide otherwise, the newest first. */
    changes: z.array(
      z.strictObject({
        invoice_id: id,
        name: z.string(),
        order_id: z.string().nullable(),
        /** Of a customer that was not deleted; without a name its email address. */
        customer_name: z.string().nullable(),
        currency,
        amount,
        card_scheme: z.string().nullable(),
        created_at: instant,
        before: routed,
        after: routed,
      }),
    ),
  }),
})

// --- Types -----------------------------------------------------------------------------------------------------------

export type Role = (typeof ROLES)[number]
export type Permission = (typeof PERMISSIONS)[number]
export type SignInRequest = Sent<typeof SIGN_IN_REQUEST>
export type PasswordRequest = Sent<typeof PASSWORD_REQUEST>
export type SecondFactorRequest = Sent<typeof SECOND_FACTOR_REQUEST>
export type PasswordProof = Sent<typeof PASSWORD_PROOF>
export type NewPasskeyRequest = Sent<typeof NEW_PASSKEY_REQUEST>
export type CodeGeneratorRequest = Sent<typeof CODE_GENERATOR_REQUEST>
export type SecondFactorRule = Sent<typeof SECOND_FACTOR_RULE>
export type LinkRequest = Sent<typeof LINK_REQUEST>
export type NewAccountRequest = Sent<typeof NEW_ACCOUNT_REQUEST>
export type ResetRequest = Sent<typeof RESET_REQUEST>
export type InvitationRequest = Sent<typeof INVITATION_REQUEST>
export type Session = z.output<typeof session>
export type SecondFactorAnswer = z.output<typeof secondFactorAnswer>
export type CodeGeneratorAnswer = z.output<typeof codeGeneratorAnswer>
export type SessionProject = Session['projects'][number]
export type Person = z.output<typeof person>
export type Invitation = z.output<typeof invitation>
export type NewInvitationAnswer = z.output<typeof newInvitationAnswer>
export type OpenInvitation = z.output<typeof openInvitationAnswer>['invitation']
export type ListedPayment = z.output<typeof listedPayment>
export type PaymentsAnswer = z.output<typeof paymentsAnswer>
export type PaymentSumsAnswer = z.output<typeof paymentSumsAnswer>
export type PaymentTimeline = z.output<typeof paymentAnswer>['payment']
export type TimelineEntry = z.output<typeof timelineEntry>
export type Said = z.output<typeof said>
export type PaymentDispute = z.output<typeof dispute>
export type DisputesAnswer = z.output<typeof disputesAnswer>
export type OpenDisputes = z.output<typeof openDisputesAnswer>
export type CustomersAnswer = z.output<typeof customersAnswer>
export type Statistics = z.output<typeof statisticsAnswer>['statistics']
export type RateLimits = z.output<typeof rateLimitsAnswer>
export type RateLimit = z.output<typeof limit>
export type ApiKey = z.output<typeof apiKey>
export type NewApiKeyAnswer = z.output<typeof newApiKeyAnswer>
export type Gateway = z.output<typeof gatewaysAnswer>['gateways'][number]
export type AccountField = z.output<typeof accountField>
export type GatewayChange = z.output<typeof gatewayChange>
export type GatewayAccount = z.output<typeof gatewayAccountAnswer>['gateway_configuration']
export type Connection = z.output<typeof connectionAnswer>['connection']
export type DryRun = z.output<typeof dryRunAnswer>['dry_run']
