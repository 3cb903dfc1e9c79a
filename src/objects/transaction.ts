import { z } from 'zod'
import { AUTHENTICATION_STATUSES, TRANS_STATUSES } from '../../domain/authentication.ts'
import { disputedMinor } from '../../domain/dispute.ts'
import { ERRORS, isErrorCode } from '../../domain/errors.ts'
import { formatAmount } from '../../domain/money.ts'
import { TRANSACTION_STATUSES } from '../../domain/transaction.ts'
import type { TransactionRow } from '../persistence/entities/transaction.ts'
import { cardChecks, SINGLE_CHECKS } from './card.ts'
import { shownColumns } from './columns.ts'
import { shownToClients } from './fields.ts'
import { object, related, relatedList, type Shown } from './object.ts'
import { ADVICE, presentAdvice } from './operation.ts'
import {
  amount,
  count,
  currency,
  flag,
  id,
  instant,
  list,
  metadata,
  OWNER,
  orNull,
  text,
  WRITTEN,
  word,
} from './shown.ts'
import { SUPPORTED_ACTIONS, supportedActions } from './supported-actions.ts'
import { presentAmount, presentCardChecks, presentSingleChecks } from './values.ts'

const version = text('The version of 3-D Secure, such as `2.2.0`.')
const status = word(AUTHENTICATION_STATUSES, 'How the authentication of the customer ended.')

const authentication = object('Authentication', 'How the customer was authenticated with 3-D Secure.', {
  version,
  status,
  fingerprinted: flag('Whether the issuer’s fingerprint page was loaded in time.'),
  challenged: flag('Whether the customer had to do something.'),
  ares_trans_status: orNull(word(TRANS_STATUSES, 'The issuer’s first answer; version 1 has none.')),
  cres_trans_status: orNull(word(TRANS_STATUSES, 'The issuer’s answer to the challenge.')),
  ds_trans_id: orNull(text('The id by which the scheme’s directory server knows the authentication.')),
  server_trans_id: orNull(text('The id by which the 3-D Secure server knows the authentication.')),
  fingerprint_completion_indicator: word(
    ['Y', 'N', 'U'],
    '`Y`: the fingerprint page was loaded; `N`: not in time; `U`: the issuer has none.',
  ),
})

const FIELDS = {
  ...shownToClients({
    id: id('transaction', 'The transaction.'),
    ...OWNER,
    invoice_id: id('invoice', 'The invoice that it pays.'),
    invoice: related('Invoice', 'The invoice that it pays.'),
  }),
  customer_id: orNull(id('customer', 'Who pays.')),
  customer: related('Customer', 'Who pays.'),
  token_id: orNull(id('token', 'The stored payment source that was charged, or that the card has become.')),
  token: related('Token', 'The stored payment source that was charged, or that the card has become.'),
  card_id: orNull(id('card', 'The card that was tried last.')),
  card: related('Card', 'The card that was tried last.'),
  gateway_configuration_id: orNull(
    id('gatewayConfiguration', 'The account that was tried last; null where a routing rule refused the payment.'),
  ),
  gateway_configuration: related('GatewayConfiguration', 'The account that was tried last.'),
  gateway_name: orNull(text('The gateway of that account, such as `stripe`.')),
  ...shownToClients({
    name: text('The name of the invoice when it was paid.'),
    currency: currency('The currency of every amount of the transaction.'),
    amount: amount('What the invoice asked for when it was paid, with every increment.'),
    authorized_amount: amount('What was reserved in all, with every increment.'),
    captured_amount: amount('What was captured in all.'),
    refunded_amount: amount('What was given back in all.'),
    voided_amount: amount('What was released of the authorization.'),
  }),
  available_amount: amount('What can be refunded: captured, not given back and not disputed.'),
  disputed_amount: amount('What disputes hold back or have taken: those that are open or lost.'),
  evidence_due_at: orNull(
    instant('Until when the first dispute that evidence can still decide must be answered; null where none is known.'),
  ),
  disputed_at: orNull(instant('When a dispute was last reported.')),
  incremented_amount: amount('By how much the authorization was raised.'),
  ...shownToClients({
    status: word(TRANSACTION_STATUSES, 'How far the payment came.'),
    authorized: flag('Whether money was ever reserved.'),
    captured: flag('Whether money was captured.'),
    voided: flag('Whether the whole authorization was released.'),
    refunded: flag('Whether money was given back.'),
    authorized_at: orNull(instant('When the approved attempt began, shortly before its operation was recorded.')),
    captured_at: orNull(instant('When money was first captured.')),
    voided_at: orNull(instant('When the authorization was released.')),
    refunded_at: orNull(instant('When money was last given back.')),
  }),
  chargedback: flag('Whether the issuer has ever taken the money back.'),
  chargedback_at: orNull(instant('When the issuer took the money back.')),
  ...shownToClients({
    authorization_expires_at: orNull(instant('Until when the reserved money can be captured.')),
    auto_capture_at: orNull(instant('When it is captured by itself.')),
    auto_capture_amount: orNull(amount('What is captured then; null for all that is reserved.')),
    incremental: flag('Whether the authorization may be raised.'),
    supported_actions: list(word(SUPPORTED_ACTIONS, 'An action.'), 'What can be asked for now.'),
    error_code: orNull(text('Why the last try failed; one of the error codes, or a word of the gateway.')),
  }),
  error_message: orNull(text('The same in a sentence.')),
  outcome_unknown_since: orNull(instant('Since when an outcome is not known; null while all are.')),
  attempts_count: count('How often an authorization was tried.'),
  scheme_id: orNull(text('The scheme’s id of the authorization, which later payments of a series refer to.')),
  initial_scheme_transaction_id: orNull(text('The scheme’s id of the first payment of the series.')),
  scheme_used: orNull(text('The scheme that carried the payment.')),
  three_d_s_status: orNull(status),
  three_d_s_version: orNull(version),
  three_d_s: orNull(authentication.describe('How the customer was authenticated; null where nobody was.')),
  eci: orNull(text('The electronic commerce indicator of the authentication, two digits.')),
  liability_shift: orNull(flag('Whether the issuer, and not you, is liable for fraud.')),
  card_checks: cardChecks,
  ...SINGLE_CHECKS,
  ...ADVICE,
  error_recommendations: orNull(
    list(text('A recommendation.'), 'What to do about `error_code`, in sentences; null without one.'),
  ),
  routing_tags: list(text('A tag.'), 'The routing rules that had a part in it, and their tags.'),
  rule_set_id: orNull(id('ruleSet', 'The version of the routing rules that decided.')),
  rule_set_version: orNull(z.int().min(1).describe('The number of that version.')),
  received_fraud_notification: flag('Whether the cardholder told the issuer of fraud.'),
  received_retrieval_request: flag('Whether the issuer asked for evidence.'),
  operations: relatedList('Operation', 'Every step of the payment.'),
  refunds: relatedList('Refund', 'Every refund.'),
  metadata: metadata('The metadata of the invoice when it was paid.'),
  ...shownToClients(WRITTEN),
}

// Clients see how the payment stands. What issuer and gateway say beyond that would tell whoever tries cards which ones
// are good.
export const transaction = object(
  'Transaction',
  'The payment of an invoice. An invoice has one, however often its payment is tried.',
  FIELDS,
)

/** A transaction as merchants see it; what is not expanded is null. */
export function presentTransaction(row: TransactionRow): Shown<typeof transaction> {
  return {
    ...shownColumns(FIELDS, row),
    invoice: null,
    customer: null,
    token: null,
    card: null,
    gateway_configuration: null,
    ...presentAmounts(row),
    authorized: row.authorizedMinor > 0,
    captured: row.capturedMinor > 0,
    voided: row.status === 'voided',
    refunded: row.refundedMinor > 0,
    chargedback: row.chargedbackAt != null,
    auto_capture_amount: presentAmount(row.autoCaptureAmountMinor, row.currency),
    supported_actions: supportedActions(row),
    ...presentAuthentication(row),
    card_checks: presentCardChecks(row.cardChecks),
    ...presentSingleChecks(row.cardChecks),
    ...presentAdvice(row),
    error_recommendations: recommendationsFor(row.errorCode),
    operations: null,
    refunds: null,
  }
}

/** How the customer was authenticated. */
function presentAuthentication(row: TransactionRow) {
  const it = row.authentication ?? null
  return {
    three_d_s_status: it?.status ?? null,
    three_d_s_version: it?.version ?? null,
    three_d_s: it && {
      ...shownColumns(authentication.shape, it),
      fingerprinted: it.fingerprintCompleted === true,
      challenged: it.wasChallenged,
      fingerprint_completion_indicator: completionIndicatorOf(it.fingerprintCompleted),
    },
    eci: it?.eci ?? null,
    liability_shift: it?.hasLiabilityShift ?? null,
  }
}

/** By EMVCo's specification: Y completed, N not completed in time, U without such a page. */
function completionIndicatorOf(completed: boolean | null): 'Y' | 'N' | 'U' {
  if (completed === null) return 'U'
  return completed ? 'Y' : 'N'
}

/** What to do about the error, in the sentences of the list of errors. */
function recommendationsFor(errorCode: string | null | undefined): string[] | null {
  if (errorCode == null) return null
  return isErrorCode(errorCode) ? [ERRORS[errorCode].advice] : []
}

function presentAmounts(row: TransactionRow) {
  const amount = (amountMinor: number) => formatAmount(amountMinor, row.currency)
  return {
    amount: amount(row.amountMinor),
    authorized_amount: amount(row.authorizedMinor),
    captured_amount: amount(row.capturedMinor),
    available_amount: amount(Math.max(0, row.capturedMinor - row.refundedMinor - disputedMinor(row))),
    disputed_amount: amount(disputedMinor(row)),
    incremented_amount: amount(row.incrementedMinor),
    refunded_amount: amount(row.refundedMinor),
    voided_amount: amount(row.voidedMinor),
  }
}
