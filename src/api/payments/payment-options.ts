import type { z } from 'zod'
import { AUTHORIZATION_VALIDITY_MS } from '../../../domain/authorization-validity.ts'
import type { ErrorCode } from '../../../domain/errors.ts'
import { isIdentifier } from '../../../domain/identifiers.ts'
import { holdsCardNumber } from '../../../domain/secret-text.ts'
import { CLIENT_SECRET_HEADER, NOT_OF_INVOICE } from '../../http/clients/client-secret.ts'
import { unlessAllowed } from '../../http/clients/merchant-only.ts'
import type { Caller } from '../../http/context.ts'
import { amountMinorOf, amountProblems } from '../../http/input/amount.ts'
import { defineInput, instantProblems, isOnlyNull, type Problem, problem, readInput } from '../../http/input/input.ts'
import type { Fields, ParsedBody } from '../../http/middleware/body.ts'
import { preferredScheme } from '../../objects/card-scheme.ts'
import { instant } from '../../objects/instants.ts'
import { statementDescriptor } from '../../objects/invoice.ts'
import {
  amountText,
  isTrue,
  metadata,
  optionalText,
  optionalWord,
  unsupported,
  withoutEffect,
} from '../../objects/taken.ts'
import type { InvoiceDetailRow } from '../../persistence/entities/invoice-detail.ts'
import { detailIds, detailSelection } from '../invoices/detail-selection.ts'
import { externalAuthentication, externalAuthenticationOf, externalProblems } from './external-authentication.ts'
import { readSource, type SentContinuation, sourceText } from './source.ts'

/** Scheme transaction ids are 15 characters at Visa and Mastercard; some schemes use longer ones. */
const SCHEME_TRANSACTION_ID_LENGTH_MAX = 255

/**
 * It is stored in workflow histories and in the audit log, which must not contain personal data. So the pattern excludes
 * addresses and sentences, and a card number is refused.
 */
const SCHEME_TRANSACTION_ID = /^[A-Za-z0-9._-]+$/

/** A gateway's continuation contains a whole message. */
const SOURCE_LENGTH_MAX = 16_384
const CLIENT_SECRET_LENGTH_MAX = 255

/** A flag that cannot be true here; false has no effect. */
const onlyFalse = (flag: z.ZodType<boolean, unknown>) =>
  flag
    .refine((value) => !value, {
      message: 'is not supported yet; leave it out',
      params: { code: 'service.not-supported' satisfies ErrorCode },
    })
    .optional()
    .describe('Not supported: refused where it is true.')

/** The options of `authorize` and `capture`, which are the same: clients use either. */
export const PAYMENT_OPTIONS = defineInput(({ flag }) => ({
  source: optionalText(SOURCE_LENGTH_MAX, { invalid: 'request.source.invalid' }).describe(
    'Needed where nothing is authorized yet: a card (`card_…`), a token (`tok_…`), a customer for the default token (`cust_…`), or the continuation of a step of 3-D Secure (`gway_req_…`).',
  ),
  authorize_only: flag
    .optional()
    .describe('Whether money is only reserved. Absent it is true of `authorize` and false of `capture`.'),
  auto_capture_at: instant.optional(),
  capture_amount: amountText.optional().describe('How much is captured; all that is reserved by default.'),
  capture_type: optionalWord(['final', 'non-final']).describe(
    '`final`, the default, releases what the capture leaves; `non-final` leaves it for further captures.',
  ),
  preferred_scheme: preferredScheme.describe(
    'The scheme that is used where the card carries it; before that of token, card and gateway.',
  ),
  incremental: flag.optional(),
  invoice_detail_ids: detailIds.describe(
    'The lines of the invoice to capture: their sum is the amount. A line is captured once; leave the field out for everything.',
  ),
  initial_scheme_transaction_id: optionalText(SCHEME_TRANSACTION_ID_LENGTH_MAX, {
    holds: (value) => SCHEME_TRANSACTION_ID.test(value) && !holdsCardNumber(value),
    message: 'must be letters, digits and . _ - only, and no card number',
    shown: { pattern: `^$|${SCHEME_TRANSACTION_ID.source}` },
  }).describe('The scheme’s id of the first payment of a series; by default that of the token’s first payment.'),
  override_mac_blocking: flag
    .optional()
    .describe('Send it although the scheme has advised against trying this card again.'),
  allow_fallback_to_sale: flag
    .optional()
    .describe(
      'Take the money at once where the gateway does not support separate authorization and capture; never with `auto_capture_at`.',
    ),
  save_source: flag
    .optional()
    .describe(
      'Store the card as a token of the invoice’s customer once the payment is approved; needs `client_secret`.',
    ),
  client_secret: optionalText(CLIENT_SECRET_LENGTH_MAX).describe(
    'The client secret of the invoice, from its header `X-Service-Client-Secret`.',
  ),
  enable_three_d_s_2: flag
    .optional()
    .describe(
      'You show the steps of 3-D Secure yourself, by `customer_action`; otherwise the customer is sent to a page.',
    ),
  third_party_sdk_version: withoutEffect,
  synchronous: flag.optional().describe('Accepted without effect: every call waits for its outcome.'),
  device: withoutEffect,
  authenticate_only: onlyFalse(flag),
  retry_drop_liability_shift: onlyFalse(flag),
  capture_statement_descriptor: statementDescriptor.describe(
    'Accepted without effect: the statement says what the invoice says.',
  ),
  metadata: metadata.describe('Accepted without effect: the transaction has the metadata of the invoice.'),
  provision_network_token: withoutEffect,
  native_apm: withoutEffect,
  split_allocations: unsupported,
  external_three_d_s: externalAuthentication
    .optional()
    .describe('An authentication that you have made with another provider, for this payment.'),
  invoice_line_items: unsupported,
  transaction_link_id: unsupported,
}))

const LONG_AGO = new Date(0)

/** The facts that decide whether options are valid. */
export interface InvoiceFacts {
  currency: string
  sandbox: boolean
  customerId: string | null
  details: readonly InvoiceDetailRow[]
  /** The caller: only some clients may override rules of the networks. */
  caller: Pick<Caller, 'kind' | 'allowsClientOverrides'>
  /** The client secret of the request. */
  sentSecret: string | null
  /** The customer was asked to authenticate: the call may repeat the options of the one that began the payment. */
  hasAskedCustomer: boolean
  /** Whether a client secret belongs to this invoice. */
  isClientSecret(secret: string): boolean
  now: Date
}

/**
 * Reads the options of a payment. `auto_capture_at` is at most 7 days ahead. While the customer authenticates it may pass:
 * the calls that follow carry it once more, also after a notification has ended the authentication. Whether it is the
 * payment's own is decided under its lock.
 */
export function readPaymentOptions(body: ParsedBody, facts: InvoiceFacts) {
  const { currency, now, details, sandbox } = facts
  const until = new Date(now.getTime() + AUTHORIZATION_VALIDITY_MS)
  const options = readInput(PAYMENT_OPTIONS, body, (fields) => [
    ...sourceProblems(fields, sandbox),
    ...instantProblems(fields, 'auto_capture_at', { after: mayHavePassed(fields, facts) ? LONG_AGO : now, until }),
    ...amountProblems(fields, 'capture_amount', currency),
    ...saveSourceProblems(fields, facts),
    ...clientSecretProblems(fields, facts),
    ...overrideProblems(fields, facts),
    ...externalProblems(fields),
  ])
  const { capture_amount: amount, source } = options
  const amountMinor = amount === undefined ? null : amountMinorOf(amount, currency)
  return {
    source: source === null ? null : sourceOf(source, sandbox),
    /** The answer to a customer action, in place of a source. */
    continuation: source === null ? null : continuationIn(source, sandbox),
    /** The caller shows the actions of the customer itself; clients always do. */
    handlesActions: options.enable_three_d_s_2 === true || facts.caller.kind === 'client',
    authorizeOnly: options.authorize_only,
    autoCaptureAt: options.auto_capture_at ?? null,
    /**
     * True if `auto_capture_at` is the only null of the body: then it cancels a scheduled capture. Clients that send all
     * their unset fields as null cancel nothing.
     */
    cancelsAutoCapture: isOnlyNull(body.fields, 'auto_capture_at'),
    /** The part to capture: an amount, or lines of the invoice with their sum. */
    selection: detailSelection(details, options.invoice_detail_ids, { name: 'capture_amount', amountMinor }),
    captureType: options.capture_type,
    preferredScheme: options.preferred_scheme,
    incremental: options.incremental,
    initialSchemeTransactionId: options.initial_scheme_transaction_id,
    mayFallBackToSale: options.allow_fallback_to_sale === true,
    saveSource: options.save_source === true,
    externalAuthentication: externalAuthenticationOf(options.external_three_d_s),
    overrideMacBlocking: options.override_mac_blocking === true,
    /** True if a client has not proved that the invoice is its own: it may not charge stored sources. */
    newSourceOnly: facts.caller.kind === 'client' && facts.sentSecret === null,
  }
}

export type PaymentOptions = ReturnType<typeof readPaymentOptions>

function mayHavePassed({ source }: Fields, { hasAskedCustomer, sandbox }: InvoiceFacts): boolean {
  return hasAskedCustomer || (typeof source === 'string' && continuationIn(source, sandbox) !== null)
}

function sourceProblems({ source }: Fields, sandbox: boolean): Problem[] {
  if (typeof source !== 'string' || source === '') return []
  const read = readSource(source, { sandbox })
  return read.kind === 'invalid' ? [problem('source', read.message, 'request.source.invalid')] : []
}

/** The source as histories may store it: an id, or the known word of a continuation, never other data from a client. */
function sourceOf(text: string, sandbox: boolean): string | null {
  const read = readSource(text, { sandbox })
  if (read.kind === 'continuation') return null
  return read.kind === 'invalid' ? text : sourceText(read)
}

function continuationIn(text: string, sandbox: boolean): SentContinuation | null {
  const read = readSource(text, { sandbox })
  return read.kind === 'continuation' ? read.sent : null
}

/** A source is stored for a customer. */
function saveSourceProblems(fields: Fields, { customerId }: InvoiceFacts): Problem[] {
  if (!isTrue(fields.save_source) || customerId !== null) return []
  const message = 'needs an invoice with a customer, for whom the source is stored'
  return [problem('save_source', message, 'request.validation.missing-customer')]
}

/**
 * A client must prove by its secret that the invoice is its own to store a source or to charge a stored one. A client's
 * wrong secret is refused even where none is needed; a server needs one only to store a source.
 */
function clientSecretProblems(fields: Fields, { caller, customerId, ...facts }: InvoiceFacts): Problem[] {
  const wrong = (message: string) => [problem('client_secret', message, 'request.validation.invalid-client-secret')]
  const isClient = caller.kind === 'client'
  const stores = isTrue(fields.save_source) && customerId !== null
  const isNeeded = stores || (isClient && namesStoredSource(fields.source))
  if (facts.sentSecret === null) {
    if (!isNeeded) return []
    const what = stores ? 'save_source needs' : 'a client that uses a stored source needs'
    return wrong(`is missing: ${what} the client secret of the invoice, from the header ${CLIENT_SECRET_HEADER}`)
  }
  return (isNeeded || isClient) && !facts.isClientSecret(facts.sentSecret) ? wrong(NOT_OF_INVOICE) : []
}

/** A card id may also be stored; the payment finds that out under its lock. */
function namesStoredSource(source: unknown): boolean {
  return typeof source === 'string' && (isIdentifier('token', source) || isIdentifier('customer', source))
}

const notAllowed = (name: string) => unlessAllowed(name, 'allows_client_overrides')

/** Anybody can change what a page sends. */
function overrideProblems(fields: Fields, { caller }: InvoiceFacts): Problem[] {
  if (caller.kind !== 'client' || caller.allowsClientOverrides) return []
  const { override_mac_blocking: override, initial_scheme_transaction_id: id, external_three_d_s: external } = fields
  return [
    ...(external === undefined || external === null ? [] : [notAllowed('external_three_d_s')]),
    ...(isTrue(override) ? [notAllowed('override_mac_blocking')] : []),
    ...(id === undefined || id === '' ? [] : [notAllowed('initial_scheme_transaction_id')]),
  ]
}
