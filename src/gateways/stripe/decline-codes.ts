/**
 * Stripe's `decline_code`, or where there is none its `code`, in our words. Sources: Stripe's pages "Decline codes" and "Error
 * codes". What is not listed is not guessed.
 */
export const DECLINE_CODES: Readonly<Record<string, string>> = {
  approve_with_id: 'card.approve-after-identification',
  authentication_not_handled: 'card.needs-authentication',
  authentication_required: 'card.needs-authentication',
  call_issuer: 'card.contact-bank',
  card_decline_rate_limit_exceeded: 'card.maximum-attempts',
  card_not_supported: 'card.not-supported',
  card_velocity_exceeded: 'card.exceeded-activity-limits',
  currency_not_supported: 'card.currency-unsupported',
  do_not_honor: 'card.do-not-honor',
  do_not_try_again: 'card.dont-retry',
  duplicate_transaction: 'card.duplicate',
  expired_card: 'card.expired',
  fraudulent: 'card.possible-fraud',
  highest_risk_level: 'gateway.possible-fraud',
  incorrect_address: 'card.failed-avs-address',
  incorrect_cvc: 'card.failed-cvc',
  incorrect_number: 'card.invalid-number',
  incorrect_pin: 'card.invalid-pin',
  incorrect_zip: 'card.failed-avs-postal',
  insufficient_funds: 'card.no-money',
  invalid_account: 'card.invalid-account',
  invalid_amount: 'card.invalid-amount',
  invalid_card_type: 'card.type-not-supported',
  invalid_cvc: 'card.invalid-cvc',
  invalid_expiry_month: 'card.invalid-expiry-month',
  invalid_expiry_year: 'card.invalid-expiry-year',
  invalid_number: 'card.invalid-number',
  invalid_pin: 'card.invalid-pin',
  issuer_not_available: 'card.issuer-down',
  lost_card: 'card.lost',
  merchant_blacklist: 'card.blacklisted',
  mobile_device_authentication_required: 'card.needs-authentication',
  new_account_information_available: 'card.invalid-account',
  no_action_taken: 'card.no-action-taken',
  not_permitted: 'card.not-authorized',
  offline_pin_required: 'card.missing-pin',
  online_or_offline_pin_required: 'card.missing-pin',
  payment_intent_authentication_failure: 'card.failed-3ds',
  pickup_card: 'card.keep-card',
  pin_try_exceeded: 'card.exceeded-pin-attempts',
  previously_declined_do_not_retry: 'card.dont-retry',
  processing_error: 'card.processing-error',
  reenter_transaction: 'card.please-retry',
  restricted_card: 'card.restricted',
  revocation_of_all_authorizations: 'card.revoked-all',
  revocation_of_authorization: 'card.revoked',
  security_violation: 'card.security-violation',
  service_not_allowed: 'card.not-authorized',
  stolen_card: 'card.stolen',
  stop_payment_order: 'card.revoked',
  test_mode_decline: 'card.test',
  test_mode_live_card: 'card.test',
  testmode_decline: 'card.test',
  transaction_not_allowed: 'card.not-authorized',
  try_again_later: 'card.please-retry',
  withdrawal_count_limit_exceeded: 'card.exceeded-withdrawal-limit',
}

/** What the network said, ISO 8583, for where Stripe says no more than that the card was declined. */
export const NETWORK_CODES: Readonly<Record<string, string>> = {
  '01': 'card.contact-bank',
  '02': 'card.contact-bank',
  '03': 'card.invalid-merchant',
  '04': 'card.keep-card',
  '05': 'card.do-not-honor',
  '07': 'card.keep-card',
  '12': 'card.invalid-transaction',
  '13': 'card.invalid-amount',
  '14': 'card.invalid-number',
  '15': 'card.issuer-not-found',
  '19': 'card.please-retry',
  '1A': 'card.needs-authentication',
  '30': 'card.formatting-error',
  '41': 'card.lost',
  '43': 'card.stolen',
  '46': 'card.invalid-account',
  '51': 'card.no-money',
  '54': 'card.expired',
  '55': 'card.invalid-pin',
  '57': 'card.not-authorized',
  '59': 'card.possible-fraud',
  '61': 'card.exceeded-withdrawal-limit',
  '62': 'card.restricted',
  '63': 'card.security-violation',
  '75': 'card.exceeded-pin-attempts',
  '78': 'card.not-activated',
  '82': 'card.failed-cvc',
  '91': 'card.issuer-down',
  '93': 'card.law-violation',
  '94': 'card.duplicate',
  '96': 'card.processing-error',
  N7: 'card.failed-cvc',
  R0: 'card.revoked',
  R1: 'card.revoked',
  R3: 'card.revoked-all',
}

/** Stripe's words for a decline without a reason. */
export const REASONLESS: ReadonlySet<string> = new Set(['card_declined', 'generic_decline'])

/** Visa's decline categories by its response codes; what is not listed is of category 4. Source: Visa Core Rules, Table 7-2. */
const VISA_CATEGORIES: readonly (readonly [category: string, codes: readonly string[]])[] = [
  ['1', '04 07 12 14 15 41 43 46 57 R0 R1 R3'.split(' ')],
  ['2', '03 19 39 51 52 53 59 61 62 65 75 78 83 86 91 93 96 5C 9G N3 N4 Z5'.split(' ')],
  ['3', '54 55 82 6P N7'.split(' ')],
]

/** Visa's category of a decline, 1 to 4. */
export function visaCategory(networkCode: string): string {
  return VISA_CATEGORIES.find(([, codes]) => codes.includes(networkCode))?.[0] ?? '4'
}

/** Stripe's `advice_code` in our words. Source: its page "Card declines". */
export const RECOMMENDATIONS: Readonly<Record<string, string>> = {
  confirm_card_data: 'update-payment-details',
  do_not_try_again: 'do-not-retry',
  try_again_later: 'retry-later',
}

/** What Stripe refuses before it asks anybody, by `code`. */
export const REFUSAL_CODES: Readonly<Record<string, string>> = {
  account_invalid: 'gateway.invalid-merchant',
  amount_too_large: 'gateway.validation-error',
  amount_too_small: 'gateway.validation-error',
  balance_insufficient: 'gateway.limit-exceeded',
  charge_already_captured: 'gateway.invalid-state',
  charge_already_refunded: 'gateway.invalid-state',
  charge_disputed: 'gateway.invalid-state',
  charge_exceeds_source_limit: 'gateway.limit-exceeded',
  charge_exceeds_transaction_limit: 'gateway.limit-exceeded',
  charge_expired_for_capture: 'gateway.expired',
  charge_not_refundable: 'gateway.invalid-state',
  lock_timeout: 'gateway.retry',
  payment_intent_unexpected_state: 'gateway.invalid-state',
  payment_method_currency_mismatch: 'gateway.unsupported-currency',
  rate_limit: 'gateway.rate-limit-exceeded',
  refund_disputed_payment: 'gateway.invalid-state',
  resource_missing: 'gateway.transaction-not-found',
  testmode_charges_only: 'gateway.configuration-error',
}
