import { z } from 'zod'
import { AUTHENTICATION_STATUSES, TRANS_STATUSES } from '../../../domain/authentication.ts'
import { TRANSACTION_STATUSES } from '../../../domain/transaction.ts'
import { SUPPORTED_ACTIONS } from '../../presenters/supported-actions.ts'
import { cardChecks, SINGLE_CHECKS } from './card.ts'
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
} from './fields.ts'
import { object, related, relatedList } from './objects.ts'
import { ADVICE } from './operation.ts'

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

const AMOUNTS = {
  amount: amount('What the invoice asked for when it was paid, with every increment.'),
  authorized_amount: amount('What was reserved in all, with every increment.'),
  captured_amount: amount('What was captured in all.'),
  available_amount: amount('What can be refunded: captured, not given back and not disputed.'),
  disputed_amount: amount('What disputes hold back or have taken: those that are open or lost.'),
  incremented_amount: amount('By how much the authorization was raised.'),
  refunded_amount: amount('What was given back in all.'),
  voided_amount: amount('What was released of the authorization.'),
}

const SUMMARY = {
  authorized: flag('Whether money was ever reserved.'),
  captured: flag('Whether money was captured.'),
  voided: flag('Whether the whole authorization was released.'),
  refunded: flag('Whether money was given back.'),
  chargedback: flag('Whether the issuer has ever taken the money back.'),
  authorized_at: orNull(instant('When the issuer approved.')),
  captured_at: orNull(instant('When money was first captured.')),
  voided_at: orNull(instant('When the authorization was released.')),
  refunded_at: orNull(instant('When money was last given back.')),
  chargedback_at: orNull(instant('When the issuer took the money back.')),
}

export const transaction = object(
  'Transaction',
  'The payment of an invoice. An invoice has one, however often its payment is tried.',
  {
    id: id('transaction', 'The transaction.'),
    ...OWNER,
    invoice_id: id('invoice', 'The invoice that it pays.'),
    invoice: related('Invoice', 'The invoice that it pays.'),
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
    name: text('The name of the invoice when it was paid.'),
    currency: currency('The currency of every amount of the transaction.'),
    ...AMOUNTS,
    status: word(TRANSACTION_STATUSES, 'How far the payment came.'),
    ...SUMMARY,
    authorization_expires_at: orNull(instant('Until when the reserved money can be captured.')),
    auto_capture_at: orNull(instant('When it is captured by itself.')),
    auto_capture_amount: orNull(amount('What is captured then; null for all that is reserved.')),
    outcome_unknown_since: orNull(instant('Since when an outcome is not known; null while all are.')),
    incremental: flag('Whether the authorization may be raised.'),
    supported_actions: list(word(SUPPORTED_ACTIONS, 'An action.'), 'What can be asked for now.'),
    error_code: orNull(text('Why the last try failed; one of the error codes, or a word of the gateway.')),
    error_message: orNull(text('The same in a sentence.')),
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
    ...WRITTEN,
  },
)
