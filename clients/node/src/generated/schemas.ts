// Made by `npm run node-client`.

/**
 * For which payments the rule holds; null for every payment.
 */
export type Condition = Comparison | Combination | Negation
/**
 * What is compared.
 */
export type Operand = FieldOperand | MetadataOperand | RandomOperand | VelocityOperand
/**
 * An error code. `GET /error-codes` tells what each means and what to do about it.
 */
export type ErrorCode =
  | 'request.authentication.invalid'
  | 'request.authentication.missing-permission'
  | 'request.authentication.not-own-page'
  | 'request.authentication.second-factor-required'
  | 'request.authentication.session-invalid'
  | 'request.authentication.sign-in-locked'
  | 'request.authentication.sign-in-refused'
  | 'request.bad-format'
  | 'request.body-too-large'
  | 'request.clock.not-available'
  | 'request.clock.sandbox-only'
  | 'request.configuration.in-use'
  | 'request.configuration.missing-gateway-configuration'
  | 'request.expand.invalid'
  | 'request.filter.invalid'
  | 'request.gateway.not-available'
  | 'request.gateway.operation-not-supported'
  | 'request.headers-too-large'
  | 'request.idempotency-key.invalid'
  | 'request.method-not-allowed'
  | 'request.not-started'
  | 'request.notification.unproven'
  | 'request.pagination.invalid'
  | 'request.project-suspended'
  | 'request.rate.too-many-failures'
  | 'request.rate.exceeded'
  | 'request.route-not-found'
  | 'request.source.card-already-used'
  | 'request.source.invalid'
  | 'request.still-processing'
  | 'request.timeout'
  | 'request.transaction-blocked'
  | 'request.validation.error'
  | 'request.validation.invalid-address'
  | 'request.validation.invalid-amount'
  | 'request.validation.invalid-challenge-indicator'
  | 'request.validation.invalid-client-secret'
  | 'request.validation.invalid-country'
  | 'request.validation.invalid-currency'
  | 'request.validation.invalid-date'
  | 'request.validation.invalid-description'
  | 'request.validation.invalid-detail-category'
  | 'request.validation.invalid-detail-condition'
  | 'request.validation.invalid-device-channel'
  | 'request.validation.invalid-email'
  | 'request.validation.invalid-exemption-reason'
  | 'request.validation.invalid-external-fraud-tools'
  | 'request.validation.invalid-gateway-data'
  | 'request.validation.invalid-id'
  | 'request.validation.invalid-ip-address'
  | 'request.validation.invalid-legal-document'
  | 'request.validation.invalid-metadata'
  | 'request.validation.invalid-name'
  | 'request.validation.invalid-payment-type'
  | 'request.validation.invalid-phone-number'
  | 'request.validation.invalid-quantity'
  | 'request.validation.invalid-relationship'
  | 'request.validation.invalid-relay-store-name'
  | 'request.validation.invalid-scheme'
  | 'request.validation.invalid-sex'
  | 'request.validation.invalid-shipping-delay'
  | 'request.validation.invalid-shipping-method'
  | 'request.validation.invalid-state'
  | 'request.validation.invalid-tax-amount'
  | 'request.validation.invalid-tax-rate'
  | 'request.validation.invalid-type'
  | 'request.validation.invalid-url'
  | 'request.validation.missing-amount'
  | 'request.validation.missing-currency'
  | 'request.validation.missing-customer'
  | 'request.validation.missing-name'
  | 'request.validation.missing-source'
  | 'resource.api-key.not-found'
  | 'resource.api-request.not-found'
  | 'resource.card.not-found'
  | 'resource.customer.not-found'
  | 'resource.event.not-found'
  | 'resource.gateway.not-found'
  | 'resource.gateway-configuration.not-found'
  | 'resource.invitation.expired'
  | 'resource.invitation.not-found'
  | 'resource.invoice.not-found'
  | 'resource.passkey.not-found'
  | 'resource.password-reset.expired'
  | 'resource.password-reset.not-found'
  | 'resource.person.not-found'
  | 'resource.project.not-found'
  | 'resource.reconciliation.not-found'
  | 'resource.reconciliation-difference.not-found'
  | 'resource.refund.not-found'
  | 'resource.rule-set.not-found'
  | 'resource.token.not-found'
  | 'resource.transaction.not-found'
  | 'resource.webhook-endpoint.not-found'
  | 'card.acquirer-failed'
  | 'card.acquirer-not-found'
  | 'card.already-blocked'
  | 'card.already-captured'
  | 'card.already-refused'
  | 'card.approve-after-identification'
  | 'card.authorization-revoked'
  | 'card.bad-track-data'
  | 'card.blacklisted'
  | 'card.canceled-by-client'
  | 'card.cannot-verify-pin'
  | 'card.contact-acquirer'
  | 'card.contact-bank'
  | 'card.couldnt-3ds'
  | 'card.currency-unsupported'
  | 'card.declined'
  | 'card.do-not-honor'
  | 'card.dont-retry'
  | 'card.duplicate'
  | 'card.eci-conflict'
  | 'card.exceeded-activity-limits'
  | 'card.exceeded-limits'
  | 'card.exceeded-maximum-amount'
  | 'card.exceeded-pin-attempts'
  | 'card.exceeded-withdrawal-limit'
  | 'card.exemption-declined'
  | 'card.expired'
  | 'card.expired-3ds'
  | 'card.failed-3ds'
  | 'card.failed-3ds-technical'
  | 'card.failed-avs'
  | 'card.failed-avs-address'
  | 'card.failed-avs-postal'
  | 'card.failed-cvc'
  | 'card.failed-cvc-and-avs'
  | 'card.formatting-error'
  | 'card.high-risk'
  | 'card.holder-not-authorized'
  | 'card.inactive'
  | 'card.invalid'
  | 'card.invalid-account'
  | 'card.invalid-address'
  | 'card.invalid-amount'
  | 'card.invalid-avs'
  | 'card.invalid-bank-country-code'
  | 'card.invalid-brand'
  | 'card.invalid-cvc'
  | 'card.invalid-eci'
  | 'card.invalid-expiry-date'
  | 'card.invalid-expiry-month'
  | 'card.invalid-expiry-year'
  | 'card.invalid-merchant'
  | 'card.invalid-name'
  | 'card.invalid-number'
  | 'card.invalid-pares'
  | 'card.invalid-pin'
  | 'card.invalid-scheme'
  | 'card.invalid-transaction'
  | 'card.invalid-ucaf'
  | 'card.invalid-vpas'
  | 'card.invalid-zip'
  | 'card.issuer-down'
  | 'card.issuer-failed'
  | 'card.issuer-maintenance'
  | 'card.issuer-malfunction'
  | 'card.issuer-not-found'
  | 'card.keep-card'
  | 'card.law-violation'
  | 'card.lost'
  | 'card.maximum-attempts'
  | 'card.missing-3ds'
  | 'card.missing-avs'
  | 'card.missing-cvc'
  | 'card.missing-expiry'
  | 'card.missing-name'
  | 'card.missing-number'
  | 'card.missing-pin'
  | 'card.needs-authentication'
  | 'card.network-failed'
  | 'card.no-action-taken'
  | 'card.no-cheque-account'
  | 'card.no-credit-account'
  | 'card.no-money'
  | 'card.no-savings-account'
  | 'card.not-activated'
  | 'card.not-authorized'
  | 'card.not-found'
  | 'card.not-registered'
  | 'card.not-supported'
  | 'card.pending'
  | 'card.pending-3ds'
  | 'card.physical-authentication-error'
  | 'card.pin-not-changed'
  | 'card.please-retry'
  | 'card.possible-counterfeit'
  | 'card.possible-fraud'
  | 'card.processing-error'
  | 'card.reauthorization-not-allowed'
  | 'card.region-not-authorized'
  | 'card.restricted'
  | 'card.revoked'
  | 'card.revoked-all'
  | 'card.security-violation'
  | 'card.stolen'
  | 'card.surcharge-not-allowed'
  | 'card.surcharge-not-supported'
  | 'card.terminal-not-allowed'
  | 'card.terminal-not-found'
  | 'card.terminal-not-initialized'
  | 'card.test'
  | 'card.timeout'
  | 'card.transaction-not-processed'
  | 'card.type-not-supported'
  | 'card.unsupported-3ds'
  | 'card.unsupported-3ds2'
  | 'customer.cancelled'
  | 'customer.disputed'
  | 'customer.invalid-address'
  | 'customer.invalid-city'
  | 'customer.invalid-country-code'
  | 'customer.invalid-email'
  | 'customer.invalid-firstname'
  | 'customer.invalid-ip-address'
  | 'customer.invalid-lastname'
  | 'customer.invalid-legal-document'
  | 'customer.invalid-name'
  | 'customer.invalid-phone-number'
  | 'customer.invalid-state'
  | 'customer.invalid-zip'
  | 'customer.payment-method-revoked'
  | 'gateway.blocked'
  | 'gateway.configuration-error'
  | 'gateway.declined'
  | 'gateway.duplicate'
  | 'gateway.expired'
  | 'gateway.forbidden'
  | 'gateway.internal-error'
  | 'gateway.invalid-billing-address'
  | 'gateway.invalid-credentials'
  | 'gateway.invalid-customer-input'
  | 'gateway.invalid-merchant'
  | 'gateway.invalid-repeat'
  | 'gateway.invalid-state'
  | 'gateway.limit-exceeded'
  | 'gateway.maintenance'
  | 'gateway.missing-customer-input'
  | 'gateway.network-error'
  | 'gateway.not-allowed'
  | 'gateway.not-found'
  | 'gateway.possible-fraud'
  | 'gateway.rate-limit-exceeded'
  | 'gateway.retry'
  | 'gateway.timeout'
  | 'gateway.transaction-not-found'
  | 'gateway.transaction-pending'
  | 'gateway.unknown-error'
  | 'gateway.unsupported-country-code'
  | 'gateway.unsupported-currency'
  | 'gateway.validation-error'
  | 'payment.declined'
  | 'routing-rules.transaction-blocked'
  | 'sandbox.not-supported'
  | 'server.internal-error'
  | 'server.unavailable'
  | 'service.not-supported'
/**
 * The name of an event. Later versions add names: answer 2xx to those that you do not know.
 */
export type EventName =
  | 'transaction.requested'
  | 'transaction.pending'
  | 'transaction.authorized'
  | 'transaction.authorization.incremented'
  | 'transaction.authorization.expiring'
  | 'transaction.captured'
  | 'transaction.failed'
  | 'transaction.voided'
  | 'transaction.refunded'
  | 'transaction.operation.capture.pending'
  | 'transaction.operation.capture.failed'
  | 'transaction.operation.void.pending'
  | 'transaction.operation.void.failed'
  | 'transaction.operation.refund.pending'
  | 'transaction.operation.refund.failed'
  | 'transaction.chargeback.retrieval-request'
  | 'transaction.chargeback.fraud-notification'
  | 'transaction.chargeback.inquiry-closed'
  | 'transaction.chargeback.answered'
  | 'transaction.chargeback.created'
  | 'transaction.chargeback.won'
  | 'transaction.chargeback.lost'
  | 'invoice.completed'
  | 'invoice.pending'
  | 'invoice.expired'
  | 'customer.created'
  | 'customer.updated'
  | 'customer.deleted'
  | 'customer.token.created'
  | 'customer.token.updated'
  | 'customer.token.deleted'
  | 'card.updated'
  | 'card.expires_soon'
  | 'reconciliation.differences-found'
  | 'webhook-endpoint.test'
  | 'webhook-endpoint.disabled'
/**
 * A snapshot: every object in it is as the interface showed it when the event fired. `name` tells which objects there are.
 */
export type EventData =
  | PaymentEventData
  | InvoiceEventData
  | RefundEventData
  | CustomerEventData
  | SourceEventData
  | CardEventData
  | StoredCardEventData
  | ReconciliationEventData
  | WebhookEndpointEventData
/**
 * The condition with what became of each of its parts; null for every payment.
 */
export type ExplainedCondition = ExplainedComparison | ExplainedCombination | ExplainedNegation
/**
 * A routing rule. It can be sent back as it is shown.
 */
export type Rule = BlockingRule | RouteRule | ThreeDsRule
/**
 * A routing rule, as it is sent.
 */
export type RuleInput = BlockingRuleInput | RouteRuleInput | ThreeDsRuleInput

/**
 * A request of yours in the log.
 */
export interface ApiRequest {
  /**
   * The logged request.
   */
  id: string
  /**
   * The `X-Request-Id` of its answer. Several may share one that you chose.
   */
  request_id: string
  /**
   * The project that the object belongs to.
   */
  project_id: string
  /**
   * The secret key that it came with; null where a client sent it.
   */
  api_key_id: string | null
  /**
   * The HTTP method.
   */
  method: string
  /**
   * The address, without its query.
   */
  path: string
  /**
   * The parameters of the query; a repeated one is a list.
   */
  query: {
    [k: string]: unknown
  } | null
  /**
   * The HTTP status of the answer.
   */
  status: number
  /**
   * The `error_type` of the answer; null without an error.
   */
  error_type: string | null
  /**
   * The person of the dashboard who asked; null for a call with a key.
   */
  person_id: string | null
  /**
   * Whether it came with an idempotency key. The key is not kept.
   */
  has_idempotency_key: boolean
  /**
   * From which address it came.
   */
  ip: string | null
  /**
   * The header `User-Agent`.
   */
  user_agent: string | null
  /**
   * The header `API-Version`.
   */
  api_version: string | null
  /**
   * How long the answer took, in milliseconds.
   */
  latency_ms: number
  /**
   * Whether the object belongs to the sandbox; false in the live environment.
   */
  sandbox: boolean
  /**
   * When the object was created.
   */
  created_at: string
  /**
   * The fields of the request, its first 16 KiB, without secrets and whatever tells of a person.
   */
  request_body: {
    [k: string]: unknown
  }
  /**
   * The answer as text, its first 16 KiB, where it was an error.
   */
  response_body: string | null
}
/**
 * The rule that chooses the gateways.
 */
export interface AppliedRoute {
  /**
   * The name of the rule.
   */
  rule: string
  /**
   * The gateways in the order of trying.
   *
   * Items: A gateway configuration.
   */
  gateway_configuration_ids: string[]
  fallback: Fallback
}
/**
 * Whether the next gateway is tried after a failure.
 */
export interface Fallback {
  /**
   * Whether the next gateway is tried.
   */
  enabled: boolean
  /**
   * The failures after which it is; empty for all that another gateway may not repeat.
   *
   * Items: An error code.
   */
  error_codes: string[]
  /**
   * Attempts of one payment in all, the first included.
   */
  max_attempts: number
}
/**
 * The rule that sets parameters of the authentication there.
 */
export interface AppliedThreeDs {
  /**
   * The name of the rule.
   */
  rule: string
  /**
   * The exemption that is asked for; null takes that of the invoice.
   */
  sca_exemption_reason: 'low-value' | 'trusted-beneficiary' | 'transaction-risk-analysis' | null
  /**
   * The challenge that is wished for; null takes that of the invoice.
   */
  challenge_indicator:
    | 'no-preference'
    | 'no-challenge-requested'
    | 'challenge-requested'
    | 'challenge-requested-mandate'
    | 'no-challenge-requested-tra-performed'
    | 'no-challenge-requested-data-share-only'
    | 'no-challenge-requested-sca-performed'
    | 'no-challenge-requested-whitelist-exemption'
    | 'challenge-requested-whitelist-prompt'
    | 'cb-scoring'
    | null
}
/**
 * How the customer was authenticated with 3-D Secure.
 */
export interface Authentication {
  /**
   * The version of 3-D Secure, such as `2.2.0`.
   */
  version: string
  /**
   * How the authentication of the customer ended.
   */
  status: 'authenticated' | 'attempted' | 'failed' | 'rejected' | 'unavailable'
  /**
   * Whether the issuer’s fingerprint page was loaded in time.
   */
  fingerprinted: boolean
  /**
   * Whether the customer had to do something.
   */
  challenged: boolean
  /**
   * The issuer’s first answer; version 1 has none.
   */
  ares_trans_status: 'Y' | 'A' | 'C' | 'N' | 'R' | 'U' | 'I' | null
  /**
   * The issuer’s answer to the challenge.
   */
  cres_trans_status: 'Y' | 'A' | 'C' | 'N' | 'R' | 'U' | 'I' | null
  /**
   * The id by which the scheme’s directory server knows the authentication.
   */
  ds_trans_id: string | null
  /**
   * The id by which the 3-D Secure server knows the authentication.
   */
  server_trans_id: string | null
  /**
   * `Y`: the fingerprint page was loaded; `N`: not in time; `U`: the issuer has none.
   */
  fingerprint_completion_indicator: 'Y' | 'N' | 'U'
}
/**
 * How long certain authorizations hold there.
 */
export interface AuthorizationValidity {
  /**
   * Of this scheme only; null for all.
   */
  scheme: string | null
  /**
   * Of payments that one of them initiates only; null for both.
   */
  initiation: 'customer' | 'merchant' | null
  /**
   * So many seconds from the request.
   */
  seconds: number
}
/**
 * The address of the bill.
 */
export interface BillingAddress {
  /**
   * The first line of the address.
   */
  address1: string | null
  /**
   * The second line of the address.
   */
  address2: string | null
  /**
   * The city.
   */
  city: string | null
  /**
   * The state or region.
   */
  state: string | null
  /**
   * The country, by ISO 3166.
   */
  country_code: string | null
  /**
   * The postal code.
   */
  zip: string | null
}
/**
 * Refuses payments, or has their customers authenticate.
 */
export interface BlockingRule {
  /**
   * The rule.
   */
  id: string
  /**
   * Its place in the set, from 1.
   */
  position: number
  /**
   * Whether it takes part.
   */
  enabled: boolean
  condition: Condition | null
  /**
   * The condition in the text form; null for every payment.
   */
  condition_text: string | null
  /**
   * What the transaction shows in its `routing_tags`.
   *
   * Items: A tag.
   */
  tags: string[]
  /**
   * What it does: refuses the payment, or asks for an authentication.
   */
  kind: 'block' | 'trigger_3ds'
  /**
   * Whether it also holds for verifications, which move no money.
   */
  run_for_card_verifications: boolean
}
/**
 * A condition that compares a value of the payment.
 */
export interface Comparison {
  /**
   * Compares a value of the payment.
   */
  kind: 'comparison'
  operand: Operand
  /**
   * How it is compared.
   */
  operator: '==' | '!=' | '<' | '<=' | '>' | '>=' | 'in' | 'not-in' | 'contains'
  /**
   * With what: numbers are texts, a list goes with `in` and `not-in`, null is a missing value.
   */
  value: string | boolean | string[] | null
}
/**
 * A value of the payment.
 */
export interface FieldOperand {
  /**
   * A value of the payment.
   */
  kind: 'field'
  /**
   * Which one.
   */
  name:
    | 'amount'
    | 'currency'
    | 'customer_country'
    | 'ip_country'
    | 'card_country'
    | 'card_scheme'
    | 'card_co_scheme'
    | 'card_type'
    | 'card_category'
    | 'card_iin'
    | 'card_last4'
    | 'card_fingerprint'
    | 'channel'
    | 'merchant_initiated'
    | 'payment_intent'
    | 'incremental'
}
/**
 * A value of the metadata of the invoice.
 */
export interface MetadataOperand {
  /**
   * A value of the metadata of the invoice.
   */
  kind: 'metadata'
  /**
   * Its key.
   */
  key: string
}
/**
 * A number by which payments are distributed.
 */
export interface RandomOperand {
  /**
   * A number from 0 to 1, always the same for one payment and one rule.
   */
  kind: 'rand'
}
/**
 * A count of earlier payments.
 */
export interface VelocityOperand {
  /**
   * How many earlier payments had the same value.
   */
  kind: 'velocity'
  /**
   * The value that they have in common.
   */
  path: 'card_fingerprint' | 'card_iin' | 'customer_id' | 'ip_address'
  /**
   * Within which time, such as `1h`.
   */
  interval: string
}
/**
 * A condition that consists of others.
 */
export interface Combination {
  /**
   * Whether all parts must hold, or one.
   */
  kind: 'and' | 'or'
  /**
   * The parts, two or more.
   */
  conditions: Condition[]
}
/**
 * A condition that holds where another does not.
 */
export interface Negation {
  /**
   * Holds where its part does not.
   */
  kind: 'not'
  /**
   * The part.
   */
  condition: Condition
}
/**
 * What can be done with payments there.
 */
export interface Capabilities {
  /**
   * Reserve money without taking it. Where it is false, there are sales only.
   */
  authorize: boolean
  /**
   * Capture a part of what is reserved.
   */
  partial_capture: boolean
  /**
   * Capture in several parts.
   */
  multiple_captures: boolean
  /**
   * Release a part of what is reserved.
   */
  partial_void: boolean
  /**
   * Raise what is reserved.
   */
  incremental_authorization: boolean
  /**
   * Give captured money back.
   */
  refund: boolean
  /**
   * Give a part of it back.
   */
  partial_refund: boolean
  /**
   * Authenticate customers in apps with 3-D Secure, without a page.
   */
  native_3ds: boolean
  /**
   * The only currencies it takes; null for all.
   */
  currencies: string[] | null
  /**
   * The only card schemes it takes; null for all.
   */
  schemes: string[] | null
}
/**
 * A card. Neither its number nor its security code is in any answer. It pays one invoice, however often that is tried, or becomes one token.
 */
export interface Card {
  /**
   * The card. It is a `source` of payments and tokens.
   */
  id: string
  /**
   * The project that the object belongs to.
   */
  project_id: string
  /**
   * The card scheme, such as `visa` or `mastercard`.
   */
  scheme: string
  /**
   * The second scheme of a co-badged card, such as `carte bancaire`.
   */
  co_scheme: string | null
  /**
   * The scheme that is used where the card carries it.
   */
  preferred_scheme: string | null
  /**
   * The kind of account behind the card, such as `credit`, `debit` or `prepaid`.
   */
  type: string | null
  /**
   * The bank that issued the card.
   */
  bank_name: string | null
  /**
   * The product of the scheme, such as `platinum`.
   */
  brand: string | null
  /**
   * Whether the card is for private or for business use.
   */
  category: 'consumer' | 'commercial' | null
  /**
   * The first six digits of the number, which identify the issuer.
   */
  iin: string
  /**
   * The last four digits of the number.
   */
  last_4_digits: string
  /**
   * The same for every card with this number in your project, and for no other number.
   */
  fingerprint: string
  /**
   * The month of expiry, 1 to 12.
   */
  exp_month: number
  /**
   * The year of expiry, in four digits.
   */
  exp_year: number
  /**
   * True from the month before the last one on; null where the object is not read at an instant.
   */
  expires_soon: boolean | null
  /**
   * The name of the holder.
   */
  name: string | null
  /**
   * The first line of the holder’s address.
   */
  address1: string | null
  /**
   * The second line of the holder’s address.
   */
  address2: string | null
  /**
   * The city of the holder’s address.
   */
  city: string | null
  /**
   * The state or region of the holder’s address.
   */
  state: string | null
  /**
   * The postal code of the holder’s address.
   */
  zip: string | null
  /**
   * Where the card was issued.
   */
  country_code: string | null
  /**
   * Where the holder lives.
   */
  billing_country_code: string | null
  /**
   * What issuer and gateway found about security code and address. Null before anybody has looked.
   */
  checks: CardChecks | null
  /**
   * What the issuer found about the security code.
   */
  cvc_check: 'passed' | 'failed' | 'unchecked' | 'unavailable' | 'unknown' | null
  /**
   * What the issuer found about the billing address.
   */
  avs_check: 'passed' | 'failed' | 'unchecked' | 'unavailable' | 'unknown' | null
  /**
   * Whether a security code was given. It is kept for one hour at most.
   */
  cvc_tokenized: boolean
  /**
   * The wallet or network behind a number that is not the card’s own, such as `applepay`.
   */
  token_type: string | null
  /**
   * Another name for `token_type`.
   */
  tokenization_method: string | null
  /**
   * The token that the card has become.
   */
  token_id: string | null
  /**
   * The token that the card has become.
   */
  token: Token | null
  /**
   * Whether the card pays an invoice or has become a token, so that it cannot do another.
   */
  used: boolean
  /**
   * Whether an issuer has approved a payment with the card.
   */
  has_been_authorized: boolean
  /**
   * The last change of the card’s data by its scheme.
   */
  update_type: string | null
  /**
   * Why the scheme changed the card’s data.
   */
  update_reason_code: string | null
  /**
   * The address of the browser in which the card was entered.
   */
  ip_address: string | null
  /**
   * The browser in which the card was entered.
   */
  user_agent: string | null
  /**
   * The header `Accept` of that browser.
   */
  header_accept: string | null
  /**
   * The page from which the customer came.
   */
  header_referer: string | null
  /**
   * Bits per pixel of that browser’s screen.
   */
  app_color_depth: number | null
  /**
   * Whether that browser runs Java.
   */
  app_java_enabled: boolean | null
  /**
   * The language of that browser, such as `de-AT`.
   */
  app_language: string | null
  /**
   * Height of that browser’s screen in pixels.
   */
  app_screen_height: number | null
  /**
   * Width of that browser’s screen in pixels.
   */
  app_screen_width: number | null
  /**
   * Minutes between UTC and that browser’s time, positive west of Greenwich.
   */
  app_timezone_offset: number | null
  /**
   * Your own keys and values.
   */
  metadata: {
    [k: string]: string
  }
  /**
   * Whether the object belongs to the sandbox; false in the live environment.
   */
  sandbox: boolean
  /**
   * When the object was created.
   */
  created_at: string
  /**
   * When the object was last changed.
   */
  updated_at: string
}
/**
 * What issuer and gateway found about security code and address.
 */
export interface CardChecks {
  /**
   * What the issuer found about the security code.
   */
  cvc_check: 'passed' | 'failed' | 'unchecked' | 'unavailable' | 'unknown'
  /**
   * What the issuer found about the billing address.
   */
  avs_check: 'passed' | 'failed' | 'unchecked' | 'unavailable' | 'unknown'
}
/**
 * A payment source that is stored for a customer. It pays as often as you like, for this customer only.
 */
export interface Token {
  /**
   * The token. It is a `source` of payments.
   */
  id: string
  /**
   * The project that the object belongs to.
   */
  project_id: string
  /**
   * The customer that the token belongs to.
   */
  customer_id: string
  /**
   * The card that the token was made of. As a `source` it stands for the token.
   */
  card_id: string | null
  /**
   * The invoice that verified the token.
   */
  invoice_id: string | null
  /**
   * What the token was made of; `pending` as long as it waits for its source.
   */
  type: 'card' | 'gateway_token' | 'bank_account' | 'pending'
  /**
   * Whether the token is the default one of its customer.
   */
  is_default: boolean
  /**
   * Whether the token can pay.
   */
  is_chargeable: boolean
  /**
   * The customer that the token belongs to.
   */
  customer: Customer | null
  /**
   * The card that the token was made of.
   */
  card: Card | null
  /**
   * The invoice that verified the token.
   */
  invoice: Invoice | null
  /**
   * Whether the token can pay only what you initiate.
   */
  is_subscription_only: boolean
  /**
   * The source in a few words, such as `visa 4242`.
   */
  summary: string | null
  /**
   * Your own description of the source.
   */
  description: string | null
  /**
   * Your own keys and values.
   */
  metadata: {
    [k: string]: string
  }
  /**
   * Where the customer is sent after a verification.
   */
  return_url: string | null
  /**
   * Where the customer is sent after cancelling a verification.
   */
  cancel_url: string | null
  /**
   * The address that is sent the events of this token.
   */
  webhook_url: string | null
  /**
   * The account that you named; it does not limit where the token is charged.
   */
  gateway_configuration_id: string | null
  /**
   * The account that you named.
   */
  gateway_configuration: GatewayConfiguration | null
  /**
   * The scheme that is used where the card carries it; it counts before that of the card.
   */
  preferred_scheme: string | null
  /**
   * Whether what a verification reserved stays until you release it.
   */
  manual_invoice_cancellation: boolean
  /**
   * Whether the issuer was asked about the source, and its answer.
   */
  verification_status: 'success' | 'pending' | 'failed' | 'not-requested' | 'unknown'
  /**
   * The first payment of a series by the name of its scheme; later payments that you initiate refer to it.
   */
  scheme_transaction_ids: {
    [k: string]: SchemeTransactionId
  }
  /**
   * Always false: balances of cards cannot be read.
   */
  can_get_balance: boolean
  /**
   * Whether the object belongs to the sandbox; false in the live environment.
   */
  sandbox: boolean
  /**
   * When the object was created.
   */
  created_at: string
  /**
   * When the object was last changed.
   */
  updated_at: string
}
/**
 * A customer, for whom payment sources can be stored.
 */
export interface Customer {
  /**
   * The customer. As a `source` it stands for the default token.
   */
  id: string
  /**
   * The project that the object belongs to.
   */
  project_id: string
  /**
   * The token that is charged where the customer is the `source`.
   */
  default_token_id: string | null
  /**
   * The default token.
   */
  default_token: Token | null
  /**
   * The stored payment sources of the customer.
   */
  tokens: Token[] | null
  /**
   * The payments of the customer.
   */
  transactions: Transaction[] | null
  /**
   * The email address.
   */
  email: string | null
  /**
   * The first name.
   */
  first_name: string | null
  /**
   * The last name.
   */
  last_name: string | null
  /**
   * The first line of the address.
   */
  address1: string | null
  /**
   * The second line of the address.
   */
  address2: string | null
  /**
   * The city.
   */
  city: string | null
  /**
   * The state or region.
   */
  state: string | null
  /**
   * The country, by ISO 3166.
   */
  country_code: string | null
  /**
   * The postal code.
   */
  zip: string | null
  /**
   * The phone number with its dialing code.
   */
  phone: Phone | null
  /**
   * The phone number in one piece.
   */
  phone_number: string | null
  /**
   * The number of an identity document or tax registration.
   */
  legal_document: string | null
  /**
   * The address of the customer’s device.
   */
  ip_address: string | null
  /**
   * The sex of the customer.
   */
  sex: 'male' | 'female' | null
  /**
   * The day of birth, as its beginning in UTC.
   */
  date_of_birth: string | null
  /**
   * Whether the customer is a business.
   */
  is_business: boolean
  /**
   * The currency of the balance; it cannot be changed once it is set.
   */
  currency: string | null
  /**
   * A balance that you keep here, negative where the customer owes. No payment takes from it.
   */
  balance: string
  /**
   * Your own keys and values.
   */
  metadata: {
    [k: string]: string
  }
  /**
   * Your own id of the customer.
   */
  reference_id: string | null
  /**
   * When the customer became yours.
   */
  registered_at: string | null
  /**
   * Whether the object belongs to the sandbox; false in the live environment.
   */
  sandbox: boolean
  /**
   * When the object was created.
   */
  created_at: string
  /**
   * When the object was last changed.
   */
  updated_at: string
}
/**
 * The payment of an invoice. An invoice has one, however often its payment is tried.
 */
export interface Transaction {
  /**
   * The transaction.
   */
  id: string
  /**
   * The project that the object belongs to.
   */
  project_id: string
  /**
   * The invoice that it pays.
   */
  invoice_id: string
  /**
   * The invoice that it pays.
   */
  invoice: Invoice | null
  /**
   * Who pays.
   */
  customer_id: string | null
  /**
   * Who pays.
   */
  customer: Customer | null
  /**
   * The stored payment source that was charged, or that the card has become.
   */
  token_id: string | null
  /**
   * The stored payment source that was charged, or that the card has become.
   */
  token: Token | null
  /**
   * The card that was tried last.
   */
  card_id: string | null
  /**
   * The card that was tried last.
   */
  card: Card | null
  /**
   * The account that was tried last; null where a routing rule refused the payment.
   */
  gateway_configuration_id: string | null
  /**
   * The account that was tried last.
   */
  gateway_configuration: GatewayConfiguration | null
  /**
   * The gateway of that account, such as `stripe`.
   */
  gateway_name: string | null
  /**
   * The name of the invoice when it was paid.
   */
  name: string
  /**
   * The currency of every amount of the transaction.
   */
  currency: string
  /**
   * What the invoice asked for when it was paid, with every increment.
   */
  amount: string
  /**
   * What was reserved in all, with every increment.
   */
  authorized_amount: string
  /**
   * What was captured in all.
   */
  captured_amount: string
  /**
   * What was given back in all.
   */
  refunded_amount: string
  /**
   * What was released of the authorization.
   */
  voided_amount: string
  /**
   * What can be refunded: captured, not given back and not disputed.
   */
  available_amount: string
  /**
   * What disputes hold back or have taken: those that are open or lost.
   */
  disputed_amount: string
  /**
   * Until when the first dispute that evidence can still decide must be answered; null where none is known.
   */
  evidence_due_at: string | null
  /**
   * When a dispute was last reported.
   */
  disputed_at: string | null
  /**
   * By how much the authorization was raised.
   */
  incremented_amount: string
  /**
   * How far the payment came.
   */
  status:
    | 'waiting'
    | 'pending'
    | 'authorized'
    | 'pending-capture'
    | 'completed'
    | 'failed'
    | 'voided'
    | 'partially-refunded'
    | 'refunded'
    | 'in-review'
    | 'blocked'
    | 'retrieval-request'
    | 'fraud-notification'
    | 'chargeback-initiated'
    | 'solved'
    | 'reversed'
  /**
   * Whether money was ever reserved.
   */
  authorized: boolean
  /**
   * Whether money was captured.
   */
  captured: boolean
  /**
   * Whether the whole authorization was released.
   */
  voided: boolean
  /**
   * Whether money was given back.
   */
  refunded: boolean
  /**
   * When the approved attempt began, shortly before its operation was recorded.
   */
  authorized_at: string | null
  /**
   * When money was first captured.
   */
  captured_at: string | null
  /**
   * When the authorization was released.
   */
  voided_at: string | null
  /**
   * When money was last given back.
   */
  refunded_at: string | null
  /**
   * Whether the issuer has ever taken the money back.
   */
  chargedback: boolean
  /**
   * When the issuer took the money back.
   */
  chargedback_at: string | null
  /**
   * Until when the reserved money can be captured.
   */
  authorization_expires_at: string | null
  /**
   * When it is captured by itself.
   */
  auto_capture_at: string | null
  /**
   * What is captured then; null for all that is reserved.
   */
  auto_capture_amount: string | null
  /**
   * Whether the authorization may be raised.
   */
  incremental: boolean
  /**
   * What can be asked for now.
   *
   * Items: An action.
   */
  supported_actions: (
    'capture' | 'partial_capture' | 'void' | 'partial_void' | 'increment_authorization' | 'refund' | 'partial_refund'
  )[]
  /**
   * Why the last try failed; one of the error codes, or a word of the gateway.
   */
  error_code: string | null
  /**
   * The same in a sentence.
   */
  error_message: string | null
  /**
   * Since when an outcome is not known; null while all are.
   */
  outcome_unknown_since: string | null
  /**
   * How often an authorization was tried.
   */
  attempts_count: number
  /**
   * The scheme’s id of the authorization, which later payments of a series refer to.
   */
  scheme_id: string | null
  /**
   * The scheme’s id of the first payment of the series.
   */
  initial_scheme_transaction_id: string | null
  /**
   * The scheme that carried the payment.
   */
  scheme_used: string | null
  /**
   * How the authentication of the customer ended.
   */
  three_d_s_status: 'authenticated' | 'attempted' | 'failed' | 'rejected' | 'unavailable' | null
  /**
   * The version of 3-D Secure, such as `2.2.0`.
   */
  three_d_s_version: string | null
  /**
   * How the customer was authenticated; null where nobody was.
   */
  three_d_s: Authentication | null
  /**
   * The electronic commerce indicator of the authentication, two digits.
   */
  eci: string | null
  /**
   * Whether the issuer, and not you, is liable for fraud.
   */
  liability_shift: boolean | null
  /**
   * What issuer and gateway found about security code and address. Null before anybody has looked.
   */
  card_checks: CardChecks | null
  /**
   * What the issuer found about the security code.
   */
  cvc_check: 'passed' | 'failed' | 'unchecked' | 'unavailable' | 'unknown' | null
  /**
   * What the issuer found about the billing address.
   */
  avs_check: 'passed' | 'failed' | 'unchecked' | 'unavailable' | 'unknown' | null
  /**
   * The scheme’s advice with a decline: two digits of Mastercard’s advice code, or Visa’s category, 1 to 4.
   */
  merchant_advice_code: string | null
  /**
   * What that advice means, in the scheme’s words.
   */
  merchant_advice_reason: string | null
  /**
   * What to do about the decline, in a word such as `retry-later` or `do-not-retry`.
   */
  recommendation_code: string | null
  /**
   * What to do about the decline, in a sentence.
   */
  recommendation_reason: string | null
  /**
   * Before this instant the payment should not be tried again.
   */
  retry_after: string | null
  /**
   * What to do about `error_code`, in sentences; null without one.
   */
  error_recommendations: string[] | null
  /**
   * The routing rules that had a part in it, and their tags.
   *
   * Items: A tag.
   */
  routing_tags: string[]
  /**
   * The version of the routing rules that decided.
   */
  rule_set_id: string | null
  /**
   * The number of that version.
   */
  rule_set_version: number | null
  /**
   * Whether the cardholder told the issuer of fraud.
   */
  received_fraud_notification: boolean
  /**
   * Whether the issuer asked for evidence.
   */
  received_retrieval_request: boolean
  /**
   * Every step of the payment.
   */
  operations: Operation[] | null
  /**
   * Every refund.
   */
  refunds: Refund[] | null
  /**
   * The metadata of the invoice when it was paid.
   */
  metadata: {
    [k: string]: string
  }
  /**
   * Whether the object belongs to the sandbox; false in the live environment.
   */
  sandbox: boolean
  /**
   * When the object was created.
   */
  created_at: string
}
/**
 * What a customer is asked to pay.
 */
export interface Invoice {
  /**
   * The invoice.
   */
  id: string
  /**
   * The project that the object belongs to.
   */
  project_id: string
  /**
   * Who pays the invoice.
   */
  customer_id: string | null
  /**
   * Always null: there are no subscriptions.
   */
  subscription_id: string | null
  /**
   * Who pays the invoice.
   */
  customer: Customer | null
  /**
   * The stored payment source that the invoice is meant for.
   */
  token_id: string | null
  /**
   * The stored payment source that the invoice is meant for.
   */
  token: Token | null
  /**
   * The lines of the invoice; null without any. They need not add up to the amount.
   */
  details: InvoiceLine[] | null
  /**
   * The payment of the invoice; null before the first try.
   */
  transaction_id: string | null
  /**
   * The payment of the invoice.
   */
  transaction: Transaction | null
  /**
   * The name of the invoice, which the customer reads on the payment page.
   */
  name: string
  /**
   * Your order. Several invoices may have the same.
   */
  order_id: string | null
  /**
   * Your own id of the invoice, unique in project and environment.
   */
  reference_id: string | null
  /**
   * What is to be paid.
   */
  amount: string
  /**
   * The currency of every amount of the invoice, by ISO 4217.
   */
  currency: string
  /**
   * How far the invoice came. It follows from its payment: `pending` before the first try, `expired` where `expires_at` has passed unpaid.
   */
  status: 'pending' | 'processing' | 'authorized' | 'completed' | 'failed' | 'canceled' | 'expired' | 'refunded'
  /**
   * Whether the invoice only verifies a payment source.
   */
  verification: boolean
  /**
   * Your own keys and values.
   */
  metadata: {
    [k: string]: string
  }
  /**
   * Data for gateways, as you sent it.
   */
  gateway_data: {
    [k: string]: unknown
  }
  /**
   * Why the payment asks to go without authentication of the customer.
   */
  exemption_reason_3ds2: 'low-value' | 'trusted-beneficiary' | 'transaction-risk-analysis' | null
  /**
   * Another name of `exemption_reason_3ds2`.
   */
  sca_exemption_reason: 'low-value' | 'trusted-beneficiary' | 'transaction-risk-analysis' | null
  /**
   * Whether you wish the issuer to challenge the customer.
   */
  challenge_indicator:
    | 'no-preference'
    | 'no-challenge-requested'
    | 'challenge-requested'
    | 'challenge-requested-mandate'
    | 'no-challenge-requested-tra-performed'
    | 'no-challenge-requested-data-share-only'
    | 'no-challenge-requested-sca-performed'
    | 'no-challenge-requested-whitelist-exemption'
    | 'challenge-requested-whitelist-prompt'
    | 'cb-scoring'
    | null
  /**
   * What the customer’s statement says; empty where you have named nothing.
   */
  statement_descriptor: string
  /**
   * Your phone number on the statement.
   */
  statement_descriptor_phone: string | null
  /**
   * Your city on the statement.
   */
  statement_descriptor_city: string | null
  /**
   * Your company on the statement, and on the payment page.
   */
  statement_descriptor_company: string | null
  /**
   * Your address in the web on the statement.
   */
  statement_descriptor_url: string | null
  /**
   * The address that is sent the events of this invoice, beside your webhook endpoints.
   */
  webhook_url: string | null
  /**
   * Where the customer comes back to after the payment page or an authentication.
   */
  return_url: string | null
  /**
   * Where the customer comes back to who does not pay.
   */
  cancel_url: string | null
  /**
   * Why you pay in the customer’s absence.
   */
  merchant_initiator_type: 'recurring' | 'one-off' | null
  /**
   * Who initiates the payment: the cardholder (`cit`) or you (`mit`).
   */
  initiation_type: 'cit' | 'mit' | null
  /**
   * What the payment is for, as schemes tell payments apart.
   */
  payment_intent:
    | 'one-off'
    | 'recurring'
    | 'recurring-standing-order'
    | 'recurring-subscription'
    | 'installment'
    | 'unscheduled'
    | 'unscheduled-delayed-charge'
    | 'unscheduled-resubmission'
    | 'unscheduled-no-show'
    | 'unscheduled-reauthorization'
    | null
  /**
   * Whether the customer orders in the web, or by mail or phone.
   */
  payment_type: 'moto' | 'ecommerce' | null
  /**
   * Whether the authorization may be raised later.
   */
  incremental: boolean
  unsupported_feature_bypass: UnsupportedFeatureBypass
  /**
   * When a payment of the invoice is captured by itself.
   */
  auto_capture_at: string | null
  /**
   * Until when the invoice can be paid.
   */
  expires_at: string | null
  /**
   * Whether only your server may capture.
   */
  require_backend_capture: boolean
  device: Device
  risk: Risk | null
  shipping: Shipping | null
  billing: BillingAddress | null
  tax: Tax | null
  /**
   * Data for tools against fraud.
   */
  external_fraud_tools: ExternalFraudTools | null
  /**
   * The ways to pay, as you sent them.
   */
  payment_methods: unknown[] | null
  /**
   * Whether the object belongs to the sandbox; false in the live environment.
   */
  sandbox: boolean
  /**
   * When the object was created.
   */
  created_at: string
  /**
   * When you last changed the invoice itself. Its payment changes `status` and leaves this instant; the events of the payment tell when.
   */
  updated_at: string
}
/**
 * One line of an invoice. It costs `amount` × `quantity` − `discount_amount`.
 */
export interface InvoiceLine {
  /**
   * The line. Captures and refunds choose lines by it, in `invoice_detail_ids`.
   */
  id: string
  /**
   * The name of the article.
   */
  name: string
  /**
   * A kind of your own.
   */
  type: string | null
  /**
   * The price of one piece.
   */
  amount: string
  /**
   * How many pieces.
   */
  quantity: number
  /**
   * What is taken off the whole line.
   */
  discount_amount: string | null
  /**
   * What was captured of the line.
   */
  captured_amount: string
  /**
   * What was given back of the line.
   */
  refunded_amount: string
  /**
   * Your own keys and values.
   */
  metadata: {
    [k: string]: string
  }
  /**
   * The kind of article.
   */
  category:
    | 'food'
    | 'entertainment'
    | 'home'
    | 'appliance'
    | 'bidding'
    | 'gift'
    | 'technology'
    | 'media'
    | 'communication'
    | 'health'
    | 'sport'
    | 'personal-service'
    | 'professional-service'
    | 'clothing'
    | 'travel'
    | 'tickets'
    | 'transport'
    | 'other'
    | null
  /**
   * Your own id of the article.
   */
  reference: string | null
  /**
   * A description of the article.
   */
  description: string | null
  /**
   * The brand of the article.
   */
  brand: string | null
  /**
   * The model of the article.
   */
  model: string | null
  /**
   * The condition of the article.
   */
  condition: 'new' | 'refurbished' | 'used' | 'other' | null
  /**
   * The seller, where you are a marketplace.
   */
  marketplace_merchant: string | null
  /**
   * Whether that seller is a business.
   */
  marketplace_merchant_is_business: boolean | null
  /**
   * Since when that seller sells on your marketplace.
   */
  marketplace_merchant_created_at: string | null
}
/**
 * What may be left out where the gateway cannot do it.
 */
export interface UnsupportedFeatureBypass {
  /**
   * Authorize without later increments where the gateway has none.
   */
  incremental_authorization: boolean
  /**
   * Always false: payments are not split.
   */
  split_payments: boolean
}
/**
 * The device with which the customer pays.
 */
export interface Device {
  /**
   * Where the customer pays: on a page, or in an app. It decides the steps of 3-D Secure.
   */
  channel: 'web' | 'ios' | 'android'
  /**
   * Your own id of the device.
   */
  id: string | null
  /**
   * The address of the device.
   */
  ip_address: string | null
  /**
   * The library for 3-D Secure that the app has.
   */
  threeds_sdk: 'web' | 'ios' | 'android' | null
  /**
   * The system of the device.
   */
  platform: 'web' | 'ios' | 'android' | 'other' | null
}
/**
 * Your own assessment of the payment.
 */
export interface Risk {
  /**
   * Your score of the payment.
   */
  score: string | null
  /**
   * Whether you hold the payment for honest.
   */
  is_legit: boolean | null
  /**
   * Whether the gateway is to leave out its own rules against fraud.
   */
  skip_gateway_rules: boolean | null
}
/**
 * Where and how the order is sent.
 */
export interface Shipping {
  /**
   * The first line of the address.
   */
  address1: string | null
  /**
   * The second line of the address.
   */
  address2: string | null
  /**
   * The city.
   */
  city: string | null
  /**
   * The state or region.
   */
  state: string | null
  /**
   * The country, by ISO 3166.
   */
  country_code: string | null
  /**
   * The postal code.
   */
  zip: string | null
  /**
   * What shipping costs.
   */
  amount: string | null
  /**
   * How the order reaches the customer.
   */
  method: 'web' | 'collect-at-shop' | 'relay' | 'travel-station' | 'home' | 'shipping' | 'locker' | 'other' | null
  /**
   * Who carries the order.
   */
  provider: string | null
  /**
   * How fast the order is sent.
   */
  delay: 'express' | 'priority' | 'standard' | 'other' | null
  /**
   * The phone number of the recipient in one piece.
   */
  phone_number: string | null
  /**
   * The phone number of the recipient.
   */
  phone: Phone | null
  /**
   * The email address of the recipient.
   */
  email: string | null
  /**
   * The first name of the recipient.
   */
  first_name: string | null
  /**
   * The last name of the recipient.
   */
  last_name: string | null
  /**
   * When the order is expected to be sent.
   */
  expects_shipping_at: string | null
  /**
   * The store at which the order waits.
   */
  relay_store_name: string | null
}
/**
 * A phone number with its dialing code.
 */
export interface Phone {
  /**
   * The number, without the dialing code.
   */
  number: string | null
  /**
   * The dialing code of the country, such as `+33`.
   */
  dialing_code: string | null
}
/**
 * The tax within the amount.
 */
export interface Tax {
  /**
   * The tax.
   */
  amount: string | null
  /**
   * The rate in percent, such as `20` or `5.5`.
   */
  rate: string | null
}
/**
 * Data for tools against fraud, each as it was sent.
 */
export interface ExternalFraudTools {
  /**
   * The data that Forter takes, as you sent it.
   */
  forter: {
    [k: string]: unknown
  }
  /**
   * The data that Ravelin takes, as you sent it.
   */
  ravelin: {
    [k: string]: unknown
  }
  /**
   * The data that Signifyd takes, as you sent it.
   */
  signifyd: {
    [k: string]: unknown
  }
  /**
   * The data that Riskified takes, as you sent it.
   */
  riskified: {
    [k: string]: unknown
  }
}
/**
 * Your account at a gateway.
 */
export interface GatewayConfiguration {
  /**
   * The gateway configuration.
   */
  id: string
  /**
   * The project that the object belongs to.
   */
  project_id: string
  /**
   * The gateway, such as `stripe`.
   */
  gateway_name: string
  /**
   * Your own name of the account.
   */
  name: string
  /**
   * Whether new payments may go there. What is there goes on in any case.
   */
  enabled: boolean
  /**
   * Since when it is enabled.
   */
  enabled_at: string | null
  /**
   * Since when the account is draining: the operator sends no new payments there.
   */
  draining_since: string | null
  /**
   * The currency of the account, for you and for routing.
   */
  default_currency: string | null
  /**
   * Where the account is processed, such as `EEA`.
   */
  processing_region: string | null
  /**
   * The country of the account.
   */
  merchant_account_country_code: string | null
  /**
   * The scheme of co-badged cards where nothing else names one.
   */
  default_preferred_scheme: string | null
  /**
   * What pages may know of the settings, such as Stripe’s publishable key.
   */
  public_keys: {
    [k: string]: string
  }
  /**
   * Your own keys and values.
   */
  metadata: {
    [k: string]: string
  }
  /**
   * The gateway. It is always shown; null where it is not installed any more.
   */
  gateway: Gateway | null
  /**
   * The credentials by their names. No answer tells a value, nor a part of one.
   */
  credentials: {
    [k: string]: CredentialState
  }
  /**
   * How the adapter of the gateway is set up.
   */
  settings: {
    [k: string]: string
  }
  /**
   * What can be done there; null where the gateway is not installed any more.
   */
  capabilities: Capabilities | null
  /**
   * How long authorizations hold where that is less than 7 days; the shortest that fits holds.
   */
  authorization_validity: AuthorizationValidity[]
  circuit: Circuit
  /**
   * Whether the object belongs to the sandbox; false in the live environment.
   */
  sandbox: boolean
  /**
   * When the object was created.
   */
  created_at: string
  /**
   * When the object was last changed.
   */
  updated_at: string
}
/**
 * A gateway that is installed here.
 */
export interface Gateway {
  /**
   * The gateway, such as `stripe`.
   */
  name: string
  /**
   * Its name for people.
   */
  display_name: string
  /**
   * Whether money is given back there.
   */
  can_refund: boolean
}
/**
 * A credential, of which only this is ever told.
 */
export interface CredentialState {
  /**
   * When the credential was last set.
   */
  set_at: string
}
/**
 * Whether payments are sent there at present.
 */
export interface Circuit {
  /**
   * `closed`: payments are sent; `open`: none, because too many failed; `half_open`: one tries whether the gateway is back.
   */
  state: 'closed' | 'open' | 'half_open'
  /**
   * Why it is not closed.
   */
  reason: string | null
  /**
   * Since when.
   */
  changed_at: string | null
  /**
   * In how many processes of the service it is not closed.
   */
  processes: number
}
/**
 * One step of a transaction. Steps are added and never changed.
 */
export interface Operation {
  /**
   * The operation. That of an attempt is our reference towards the gateway.
   */
  id: string
  /**
   * The project that the object belongs to.
   */
  project_id: string
  /**
   * The transaction that it is a step of.
   */
  transaction_id: string
  /**
   * What was done, or reported.
   */
  type:
    | 'request'
    | 'three_d_s_check'
    | 'authorization'
    | 'increment_authorization'
    | 'capture'
    | 'void'
    | 'refund'
    | 'chargeback'
  /**
   * Whether this is the attempt, written before the gateway was called; its result is another operation.
   */
  is_attempt: boolean
  /**
   * Of a result: the attempt that it is the result of.
   */
  attempt_operation_id: string | null
  /**
   * Whether the step has failed.
   */
  has_failed: boolean
  /**
   * Whether the step moved or reserved money.
   */
  is_accountable: boolean
  /**
   * Of a result: how the attempt ended. `unknown` is looked up.
   */
  outcome: 'succeeded' | 'failed' | 'pending' | 'unknown' | null
  /**
   * The amount of the step.
   */
  amount: string
  /**
   * The currency of the amount.
   */
  currency: string
  /**
   * The account at which it was tried.
   */
  gateway_configuration_id: string | null
  /**
   * The card that it was tried with.
   */
  card_id: string | null
  /**
   * The stored payment source that it was tried with.
   */
  token_id: string | null
  /**
   * The refund that it is a step of.
   */
  refund_id: string | null
  /**
   * The lines of the invoice that it captures or gives back.
   *
   * Items: A line of the invoice.
   */
  invoice_detail_ids: string[]
  /**
   * The gateway’s own id of the step.
   */
  gateway_operation_id: string | null
  /**
   * Why the step has failed; one of the error codes, or a word of the gateway.
   */
  error_code: string | null
  /**
   * The same in a sentence.
   */
  error_message: string | null
  /**
   * The scheme’s id of the authorization.
   */
  scheme_id: string | null
  /**
   * The scheme that carried it.
   */
  scheme_used: string | null
  /**
   * The scheme’s id of the first payment of the series.
   */
  initial_scheme_transaction_id: string | null
  /**
   * The code by which the issuer approved.
   */
  authorization_code: string | null
  /**
   * What issuer and gateway found about security code and address. Null before anybody has looked.
   */
  card_checks: CardChecks | null
  /**
   * Of a dispute: the reason that the scheme gives.
   */
  chargeback_reason: string | null
  /**
   * Of a dispute: the gateway’s own id of it, the same for all its steps.
   */
  dispute_id: string | null
  /**
   * Of a dispute: until when the gateway takes evidence, if it says so.
   */
  evidence_due_at: string | null
  /**
   * The scheme’s advice with a decline: two digits of Mastercard’s advice code, or Visa’s category, 1 to 4.
   */
  merchant_advice_code: string | null
  /**
   * What that advice means, in the scheme’s words.
   */
  merchant_advice_reason: string | null
  /**
   * What to do about the decline, in a word such as `retry-later` or `do-not-retry`.
   */
  recommendation_code: string | null
  /**
   * What to do about the decline, in a sentence.
   */
  recommendation_reason: string | null
  /**
   * Before this instant the payment should not be tried again.
   */
  retry_after: string | null
  /**
   * Who asked for it or reported it.
   */
  actor: 'merchant' | 'client' | 'scheduler' | 'reconciler' | 'gateway_webhook' | 'staff'
  /**
   * What happened beside what was asked, such as `is_sale` or `mac_override`.
   */
  metadata: {
    [k: string]: string
  }
  /**
   * Whether the object belongs to the sandbox; false in the live environment.
   */
  sandbox: boolean
  /**
   * When the object was created.
   */
  created_at: string
}
/**
 * Captured money that is given back.
 */
export interface Refund {
  /**
   * The refund.
   */
  id: string
  /**
   * The project that the object belongs to.
   */
  project_id: string
  /**
   * The transaction whose money is given back.
   */
  transaction_id: string
  /**
   * The transaction whose money is given back.
   */
  transaction: Transaction | null
  /**
   * The attempt of the refund among the operations of the transaction.
   */
  operation_id: string
  /**
   * What is given back.
   */
  amount: string
  /**
   * The currency of the amount.
   */
  currency: string
  /**
   * Why it is given back.
   */
  reason: 'customer_request' | 'duplicate' | 'fraud' | 'other'
  /**
   * A note for your own staff.
   */
  information: string | null
  /**
   * Your own keys and values.
   */
  metadata: {
    [k: string]: string
  }
  /**
   * The lines that are given back; empty where an amount was named.
   *
   * Items: A line of the invoice.
   */
  invoice_detail_ids: string[]
  /**
   * Whether the gateway has confirmed it. A refund that had succeeded may still fail.
   */
  status: 'pending' | 'succeeded' | 'failed'
  /**
   * Whether the status is `failed`; the money then stays captured.
   */
  has_failed: boolean
  /**
   * Why the refund has failed.
   */
  error_code: string | null
  /**
   * When the refund failed.
   */
  failed_at: string | null
  /**
   * Whether the object belongs to the sandbox; false in the live environment.
   */
  sandbox: boolean
  /**
   * When the object was created.
   */
  created_at: string
}
/**
 * A scheme’s id of the first payment of a series.
 */
export interface SchemeTransactionId {
  /**
   * The id by which the scheme knows the first payment.
   */
  id: string
  /**
   * When the scheme told the id.
   */
  obtained_at: string
}
/**
 * An event about a card.
 */
export interface CardEventData {
  /**
   * The name of the event.
   */
  name: 'card.updated'
  /**
   * Whether it happened in the sandbox.
   */
  sandbox: boolean
  /**
   * The card as it was.
   */
  card: Card
}
/**
 * What the first digits of a card tell.
 */
export interface CardInformation {
  /**
   * The digits that were asked for.
   */
  iin: string
  /**
   * The card scheme.
   */
  scheme: string
  /**
   * The second scheme of co-badged cards.
   */
  co_scheme: string | null
  /**
   * The kind of account behind such cards: `credit`, `debit` or `prepaid`.
   */
  type: string | null
  /**
   * The bank that issues such cards.
   */
  bank_name: string | null
  /**
   * The product of the scheme.
   */
  brand: string | null
  /**
   * Whether such cards are for private or for business use.
   */
  category: 'consumer' | 'commercial' | null
  /**
   * Where such cards are issued.
   */
  country: string | null
  /**
   * The same as `country`.
   */
  country_code: string | null
}
/**
 * Every error code once: in the category of its first word, or else in `generic`.
 */
export interface CategorizedErrorCodes {
  /**
   * The codes of `generic`.
   */
  generic: ErrorCode[]
  /**
   * The codes of `service`.
   */
  service: ErrorCode[]
  /**
   * The codes of `gateway`.
   */
  gateway: ErrorCode[]
  /**
   * The codes of `card`.
   */
  card: ErrorCode[]
  /**
   * The codes of `check`.
   */
  check: ErrorCode[]
  /**
   * The codes of `shipping`.
   */
  shipping: ErrorCode[]
  /**
   * The codes of `customer`.
   */
  customer: ErrorCode[]
  /**
   * The codes of `payment`.
   */
  payment: ErrorCode[]
  /**
   * The codes of `refund`.
   */
  refund: ErrorCode[]
  /**
   * The codes of `wallet`.
   */
  wallet: ErrorCode[]
  /**
   * The codes of `request`.
   */
  request: ErrorCode[]
}
/**
 * The clock of the payment.
 */
export interface Clock {
  /**
   * The time that it is for the payment.
   */
  now: string
  /**
   * The instant that the clock was to be advanced to.
   */
  target: string
}
/**
 * A payment whose clock was advanced.
 */
export interface ClockAdvance {
  /**
   * Always true.
   */
  success: boolean
  /**
   * `success` where all that was due has happened; `pending` where it took too long.
   */
  outcome: 'success' | 'pending'
  /**
   * What to do where the outcome is `pending`; missing elsewhere.
   */
  message?: string
  /**
   * The payment as it is then.
   */
  transaction: Transaction
  clock: Clock
}
/**
 * A step of 3-D Secure that the customer has to take now.
 */
export interface CustomerAction {
  /**
   * `fingerprint`: load `value` in a hidden frame; `redirect`: show it in a frame; `url`: in a frame or as a full page; the mobile ones are for the library of an app.
   */
  type: 'fingerprint' | 'redirect' | 'url' | 'fingerprint-mobile' | 'challenge-mobile'
  /**
   * An address, or for the mobile types base64 of JSON.
   */
  value: string
  /**
   * How to show it; null where there is nothing to say.
   */
  metadata: {
    /**
     * The page cannot be shown in a frame.
     */
    no_iframe: 'true'
  } | null
}
/**
 * An event about a customer.
 */
export interface CustomerEventData {
  /**
   * The name of the event.
   */
  name: 'customer.created' | 'customer.updated' | 'customer.deleted'
  /**
   * Whether it happened in the sandbox.
   */
  sandbox: boolean
  /**
   * The customer as it was.
   */
  customer: Customer
}
/**
 * What a gateway has reported of a chargeback, a retrieval request or a fraud notification: an operation with its step.
 */
export interface Dispute {
  /**
   * The operation. That of an attempt is our reference towards the gateway.
   */
  id: string
  /**
   * The project that the object belongs to.
   */
  project_id: string
  /**
   * The transaction that it is a step of.
   */
  transaction_id: string
  /**
   * What was done, or reported.
   */
  type:
    | 'request'
    | 'three_d_s_check'
    | 'authorization'
    | 'increment_authorization'
    | 'capture'
    | 'void'
    | 'refund'
    | 'chargeback'
  /**
   * Whether this is the attempt, written before the gateway was called; its result is another operation.
   */
  is_attempt: boolean
  /**
   * Of a result: the attempt that it is the result of.
   */
  attempt_operation_id: string | null
  /**
   * Whether the step has failed.
   */
  has_failed: boolean
  /**
   * Whether the step moved or reserved money.
   */
  is_accountable: boolean
  /**
   * Of a result: how the attempt ended. `unknown` is looked up.
   */
  outcome: 'succeeded' | 'failed' | 'pending' | 'unknown' | null
  /**
   * The amount of the step.
   */
  amount: string
  /**
   * The currency of the amount.
   */
  currency: string
  /**
   * The account at which it was tried.
   */
  gateway_configuration_id: string | null
  /**
   * The card that it was tried with.
   */
  card_id: string | null
  /**
   * The stored payment source that it was tried with.
   */
  token_id: string | null
  /**
   * The refund that it is a step of.
   */
  refund_id: string | null
  /**
   * The lines of the invoice that it captures or gives back.
   *
   * Items: A line of the invoice.
   */
  invoice_detail_ids: string[]
  /**
   * The gateway’s own id of the step.
   */
  gateway_operation_id: string | null
  /**
   * Why the step has failed; one of the error codes, or a word of the gateway.
   */
  error_code: string | null
  /**
   * The same in a sentence.
   */
  error_message: string | null
  /**
   * The scheme’s id of the authorization.
   */
  scheme_id: string | null
  /**
   * The scheme that carried it.
   */
  scheme_used: string | null
  /**
   * The scheme’s id of the first payment of the series.
   */
  initial_scheme_transaction_id: string | null
  /**
   * The code by which the issuer approved.
   */
  authorization_code: string | null
  /**
   * What issuer and gateway found about security code and address. Null before anybody has looked.
   */
  card_checks: CardChecks | null
  /**
   * Of a dispute: the reason that the scheme gives.
   */
  chargeback_reason: string | null
  /**
   * Of a dispute: the gateway’s own id of it, the same for all its steps.
   */
  dispute_id: string | null
  /**
   * Of a dispute: until when the gateway takes evidence, if it says so.
   */
  evidence_due_at: string | null
  /**
   * The scheme’s advice with a decline: two digits of Mastercard’s advice code, or Visa’s category, 1 to 4.
   */
  merchant_advice_code: string | null
  /**
   * What that advice means, in the scheme’s words.
   */
  merchant_advice_reason: string | null
  /**
   * What to do about the decline, in a word such as `retry-later` or `do-not-retry`.
   */
  recommendation_code: string | null
  /**
   * What to do about the decline, in a sentence.
   */
  recommendation_reason: string | null
  /**
   * Before this instant the payment should not be tried again.
   */
  retry_after: string | null
  /**
   * Who asked for it or reported it.
   */
  actor: 'merchant' | 'client' | 'scheduler' | 'reconciler' | 'gateway_webhook' | 'staff'
  /**
   * What happened beside what was asked, such as `is_sale` or `mac_override`.
   */
  metadata: {
    [k: string]: string
  }
  /**
   * Whether the object belongs to the sandbox; false in the live environment.
   */
  sandbox: boolean
  /**
   * When the object was created.
   */
  created_at: string
  /**
   * How far the dispute is.
   */
  step:
    | 'retrieval-request'
    | 'fraud-notification'
    | 'inquiry-closed'
    | 'dispute-answered'
    | 'chargeback-created'
    | 'chargeback-won'
    | 'chargeback-lost'
    | null
  /**
   * The disputed transaction.
   */
  transaction: Transaction | null
}
/**
 * A request that was refused, and has changed nothing.
 */
export interface Error {
  /**
   * Always false.
   */
  success: boolean
  /**
   * What went wrong, in a sentence for you.
   */
  message: string
  /**
   * The page that explains the code and says what to do.
   */
  doc_url: string
  /**
   * For secret keys: the request in the request log of the dashboard.
   */
  request_log_url?: string
  /**
   * The fields that are wrong, 20 at most.
   */
  invalid_fields?: InvalidField[]
  /**
   * The `X-Request-Id` of the answer, by which support finds this case.
   */
  request_id: string
  error_type: ErrorCode
}
/**
 * A field of the request that cannot be accepted.
 */
export interface InvalidField {
  /**
   * The name of the field, with dots where it is nested.
   */
  name: string
  /**
   * What is wrong with it.
   */
  message: string
  /**
   * In a text of several lines: the line, from 1.
   */
  line?: number
  /**
   * In a text of several lines: the column, from 1.
   */
  column?: number
}
/**
 * An error code with its meaning.
 */
export interface ErrorDescription {
  code: ErrorCode
  /**
   * The status of an answer with the code.
   */
  http_status: number
  /**
   * What it means.
   */
  message: string
  /**
   * What to do about it.
   */
  advice: string
  /**
   * What a payment that failed with it needs before another try; null where no payment fails with it.
   */
  retry_class: 'never' | 'fix-data' | 'authenticate' | 'later' | 'other-gateway' | null
}
/**
 * Something that has changed, written together with the change.
 */
export interface Event {
  /**
   * The event.
   */
  id: string
  /**
   * The project that the object belongs to.
   */
  project_id: string
  name: EventName
  /**
   * Whether it happened in the sandbox.
   */
  sandbox: boolean
  /**
   * When it happened.
   */
  fired_at: string | null
  /**
   * Its place among the events of its transaction, from 1; null where it is about none.
   */
  sequence: number | null
  /**
   * The transaction that it is about.
   */
  transaction_id: string | null
  /**
   * The invoice that it is about.
   */
  invoice_id: string | null
  /**
   * Its deliveries, one for each target.
   */
  webhooks: Webhook[] | null
  data: EventData
}
/**
 * A delivery: an event on its way to one target.
 */
export interface Webhook {
  /**
   * The delivery.
   */
  id: string
  /**
   * The project that the object belongs to.
   */
  project_id: string
  /**
   * The event that is delivered.
   */
  event_id: string
  /**
   * The event that is delivered.
   */
  event: Event | null
  /**
   * The webhook endpoint; null where the target is the `webhook_url` of an invoice or token.
   */
  endpoint_id: string | null
  /**
   * The address of the last attempt, or of the first one to come.
   */
  request_url: string
  /**
   * Always `POST`.
   */
  request_method: 'POST'
  /**
   * `pending` as long as an attempt will follow.
   */
  status: 'pending' | 'delivered' | 'failed'
  /**
   * Which sending of the event it is: 0 for the first one, n for the nth `resend`.
   */
  run: number
  /**
   * The last attempt of this run, 0 for the first; null before it.
   */
  attempt: number | null
  /**
   * The HTTP status that the receiver answered, as a text.
   */
  response_code: string | null
  /**
   * The beginning of the receiver’s answer, without secrets.
   */
  response_body: string | null
  /**
   * The headers of the receiver’s answer, one a line.
   */
  response_headers: string | null
  /**
   * How long the attempt took, in milliseconds.
   */
  response_time_ms: number | null
  /**
   * Why the last attempt has failed, as a word such as `timeout` or `http_status`; `endpoint_deleted` where none follows since the endpoint was deleted; null otherwise.
   */
  failure_reason: string | null
  /**
   * When the first attempt of this run began; the schedule counts from it.
   */
  first_attempt_at: string | null
  /**
   * When the next attempt is due; null before the first and after the last.
   */
  release_at: string | null
  /**
   * Every attempt of the last 90 days.
   */
  attempts: WebhookAttempt[] | null
  /**
   * Whether the object belongs to the sandbox; false in the live environment.
   */
  sandbox: boolean
  /**
   * When the object was created.
   */
  created_at: string
}
/**
 * One HTTP request of a delivery.
 */
export interface WebhookAttempt {
  /**
   * The attempt.
   */
  id: string
  /**
   * Which sending of the event it belongs to: 0 for the first one, n for the nth `resend`.
   */
  run: number
  /**
   * 0 for the first attempt of its run, 1 to 12 for its retries.
   */
  attempt: number
  /**
   * The address that it was sent to.
   */
  request_url: string | null
  /**
   * The HTTP status that the receiver answered, as a text.
   */
  response_code: string | null
  /**
   * The beginning of the receiver’s answer, without secrets.
   */
  response_body: string | null
  /**
   * The headers of the receiver’s answer, one a line.
   */
  response_headers: string | null
  /**
   * How long the attempt took, in milliseconds.
   */
  response_time_ms: number | null
  /**
   * Why the attempt has failed, as a word such as `timeout` or `http_status`; null where it was accepted.
   */
  failure_reason: string | null
  /**
   * When it began.
   */
  started_at: string
}
/**
 * An event about a payment.
 */
export interface PaymentEventData {
  /**
   * The name of the event.
   */
  name:
    | 'transaction.requested'
    | 'transaction.pending'
    | 'transaction.authorized'
    | 'transaction.authorization.incremented'
    | 'transaction.authorization.expiring'
    | 'transaction.captured'
    | 'transaction.failed'
    | 'transaction.voided'
    | 'transaction.operation.capture.pending'
    | 'transaction.operation.capture.failed'
    | 'transaction.operation.void.pending'
    | 'transaction.operation.void.failed'
    | 'transaction.chargeback.retrieval-request'
    | 'transaction.chargeback.fraud-notification'
    | 'transaction.chargeback.inquiry-closed'
    | 'transaction.chargeback.answered'
    | 'transaction.chargeback.created'
    | 'transaction.chargeback.won'
    | 'transaction.chargeback.lost'
  /**
   * Whether it happened in the sandbox.
   */
  sandbox: boolean
  /**
   * The invoice as it was.
   */
  invoice: Invoice
  transaction: TransactionSnapshot
}
/**
 * The transaction as it was, expanded by one level.
 */
export interface TransactionSnapshot {
  /**
   * The transaction.
   */
  id: string
  /**
   * The project that the object belongs to.
   */
  project_id: string
  /**
   * The invoice that it pays.
   */
  invoice_id: string
  /**
   * The invoice that it pays.
   */
  invoice: Invoice | null
  /**
   * Who pays.
   */
  customer_id: string | null
  /**
   * Who pays.
   */
  customer: Customer | null
  /**
   * The stored payment source that was charged, or that the card has become.
   */
  token_id: string | null
  /**
   * The stored payment source that was charged, or that the card has become.
   */
  token: Token | null
  /**
   * The card that was tried last.
   */
  card_id: string | null
  /**
   * The card that was tried last.
   */
  card: Card | null
  /**
   * The account that was tried last; null where a routing rule refused the payment.
   */
  gateway_configuration_id: string | null
  /**
   * The account that was tried last.
   */
  gateway_configuration: GatewayAccount | null
  /**
   * The gateway of that account, such as `stripe`.
   */
  gateway_name: string | null
  /**
   * The name of the invoice when it was paid.
   */
  name: string
  /**
   * The currency of every amount of the transaction.
   */
  currency: string
  /**
   * What the invoice asked for when it was paid, with every increment.
   */
  amount: string
  /**
   * What was reserved in all, with every increment.
   */
  authorized_amount: string
  /**
   * What was captured in all.
   */
  captured_amount: string
  /**
   * What was given back in all.
   */
  refunded_amount: string
  /**
   * What was released of the authorization.
   */
  voided_amount: string
  /**
   * What can be refunded: captured, not given back and not disputed.
   */
  available_amount: string
  /**
   * What disputes hold back or have taken: those that are open or lost.
   */
  disputed_amount: string
  /**
   * Until when the first dispute that evidence can still decide must be answered; null where none is known.
   */
  evidence_due_at: string | null
  /**
   * When a dispute was last reported.
   */
  disputed_at: string | null
  /**
   * By how much the authorization was raised.
   */
  incremented_amount: string
  /**
   * How far the payment came.
   */
  status:
    | 'waiting'
    | 'pending'
    | 'authorized'
    | 'pending-capture'
    | 'completed'
    | 'failed'
    | 'voided'
    | 'partially-refunded'
    | 'refunded'
    | 'in-review'
    | 'blocked'
    | 'retrieval-request'
    | 'fraud-notification'
    | 'chargeback-initiated'
    | 'solved'
    | 'reversed'
  /**
   * Whether money was ever reserved.
   */
  authorized: boolean
  /**
   * Whether money was captured.
   */
  captured: boolean
  /**
   * Whether the whole authorization was released.
   */
  voided: boolean
  /**
   * Whether money was given back.
   */
  refunded: boolean
  /**
   * When the approved attempt began, shortly before its operation was recorded.
   */
  authorized_at: string | null
  /**
   * When money was first captured.
   */
  captured_at: string | null
  /**
   * When the authorization was released.
   */
  voided_at: string | null
  /**
   * When money was last given back.
   */
  refunded_at: string | null
  /**
   * Whether the issuer has ever taken the money back.
   */
  chargedback: boolean
  /**
   * When the issuer took the money back.
   */
  chargedback_at: string | null
  /**
   * Until when the reserved money can be captured.
   */
  authorization_expires_at: string | null
  /**
   * When it is captured by itself.
   */
  auto_capture_at: string | null
  /**
   * What is captured then; null for all that is reserved.
   */
  auto_capture_amount: string | null
  /**
   * Whether the authorization may be raised.
   */
  incremental: boolean
  /**
   * What can be asked for now.
   *
   * Items: An action.
   */
  supported_actions: (
    'capture' | 'partial_capture' | 'void' | 'partial_void' | 'increment_authorization' | 'refund' | 'partial_refund'
  )[]
  /**
   * Why the last try failed; one of the error codes, or a word of the gateway.
   */
  error_code: string | null
  /**
   * The same in a sentence.
   */
  error_message: string | null
  /**
   * Since when an outcome is not known; null while all are.
   */
  outcome_unknown_since: string | null
  /**
   * How often an authorization was tried.
   */
  attempts_count: number
  /**
   * The scheme’s id of the authorization, which later payments of a series refer to.
   */
  scheme_id: string | null
  /**
   * The scheme’s id of the first payment of the series.
   */
  initial_scheme_transaction_id: string | null
  /**
   * The scheme that carried the payment.
   */
  scheme_used: string | null
  /**
   * How the authentication of the customer ended.
   */
  three_d_s_status: 'authenticated' | 'attempted' | 'failed' | 'rejected' | 'unavailable' | null
  /**
   * The version of 3-D Secure, such as `2.2.0`.
   */
  three_d_s_version: string | null
  /**
   * How the customer was authenticated; null where nobody was.
   */
  three_d_s: Authentication | null
  /**
   * The electronic commerce indicator of the authentication, two digits.
   */
  eci: string | null
  /**
   * Whether the issuer, and not you, is liable for fraud.
   */
  liability_shift: boolean | null
  /**
   * What issuer and gateway found about security code and address. Null before anybody has looked.
   */
  card_checks: CardChecks | null
  /**
   * What the issuer found about the security code.
   */
  cvc_check: 'passed' | 'failed' | 'unchecked' | 'unavailable' | 'unknown' | null
  /**
   * What the issuer found about the billing address.
   */
  avs_check: 'passed' | 'failed' | 'unchecked' | 'unavailable' | 'unknown' | null
  /**
   * The scheme’s advice with a decline: two digits of Mastercard’s advice code, or Visa’s category, 1 to 4.
   */
  merchant_advice_code: string | null
  /**
   * What that advice means, in the scheme’s words.
   */
  merchant_advice_reason: string | null
  /**
   * What to do about the decline, in a word such as `retry-later` or `do-not-retry`.
   */
  recommendation_code: string | null
  /**
   * What to do about the decline, in a sentence.
   */
  recommendation_reason: string | null
  /**
   * Before this instant the payment should not be tried again.
   */
  retry_after: string | null
  /**
   * What to do about `error_code`, in sentences; null without one.
   */
  error_recommendations: string[] | null
  /**
   * The routing rules that had a part in it, and their tags.
   *
   * Items: A tag.
   */
  routing_tags: string[]
  /**
   * The version of the routing rules that decided.
   */
  rule_set_id: string | null
  /**
   * The number of that version.
   */
  rule_set_version: number | null
  /**
   * Whether the cardholder told the issuer of fraud.
   */
  received_fraud_notification: boolean
  /**
   * Whether the issuer asked for evidence.
   */
  received_retrieval_request: boolean
  /**
   * Every step of the payment.
   */
  operations: Operation[] | null
  /**
   * Every refund.
   */
  refunds: Refund[] | null
  /**
   * The metadata of the invoice when it was paid.
   */
  metadata: {
    [k: string]: string
  }
  /**
   * Whether the object belongs to the sandbox; false in the live environment.
   */
  sandbox: boolean
  /**
   * When the object was created.
   */
  created_at: string
}
/**
 * A gateway configuration as events show it: without what opens it and how it is set up.
 */
export interface GatewayAccount {
  /**
   * The gateway configuration.
   */
  id: string
  /**
   * The project that the object belongs to.
   */
  project_id: string
  /**
   * The gateway, such as `stripe`.
   */
  gateway_name: string
  /**
   * Your own name of the account.
   */
  name: string
  /**
   * Whether new payments may go there. What is there goes on in any case.
   */
  enabled: boolean
  /**
   * Since when it is enabled.
   */
  enabled_at: string | null
  /**
   * Since when the account is draining: the operator sends no new payments there.
   */
  draining_since: string | null
  /**
   * The currency of the account, for you and for routing.
   */
  default_currency: string | null
  /**
   * Where the account is processed, such as `EEA`.
   */
  processing_region: string | null
  /**
   * The country of the account.
   */
  merchant_account_country_code: string | null
  /**
   * The scheme of co-badged cards where nothing else names one.
   */
  default_preferred_scheme: string | null
  /**
   * What pages may know of the settings, such as Stripe’s publishable key.
   */
  public_keys: {
    [k: string]: string
  }
  /**
   * Your own keys and values.
   */
  metadata: {
    [k: string]: string
  }
  /**
   * Whether the object belongs to the sandbox; false in the live environment.
   */
  sandbox: boolean
  /**
   * When the object was created.
   */
  created_at: string
}
/**
 * An event about an invoice. Where nobody has tried to pay, there is no transaction.
 */
export interface InvoiceEventData {
  /**
   * The name of the event.
   */
  name: 'invoice.completed' | 'invoice.pending' | 'invoice.expired'
  /**
   * Whether it happened in the sandbox.
   */
  sandbox: boolean
  /**
   * The invoice as it was.
   */
  invoice: Invoice
  transaction: TransactionSnapshot | null
}
/**
 * An event about a refund.
 */
export interface RefundEventData {
  /**
   * The name of the event.
   */
  name: 'transaction.refunded' | 'transaction.operation.refund.pending' | 'transaction.operation.refund.failed'
  /**
   * Whether it happened in the sandbox.
   */
  sandbox: boolean
  /**
   * The invoice as it was.
   */
  invoice: Invoice
  transaction: TransactionSnapshot
  /**
   * The refund as it was.
   */
  refund: Refund
}
/**
 * An event about a stored payment source.
 */
export interface SourceEventData {
  /**
   * The name of the event.
   */
  name: 'customer.token.created' | 'customer.token.updated' | 'customer.token.deleted'
  /**
   * Whether it happened in the sandbox.
   */
  sandbox: boolean
  /**
   * The token as it was, with its customer and card.
   */
  token: Token
}
/**
 * An event about the card of a stored payment source.
 */
export interface StoredCardEventData {
  /**
   * The name of the event.
   */
  name: 'card.expires_soon'
  /**
   * Whether it happened in the sandbox.
   */
  sandbox: boolean
  /**
   * The card as it was.
   */
  card: Card
  /**
   * The token as it was.
   */
  token: Token
  /**
   * The customer as it was.
   */
  customer: Customer
}
/**
 * An event about a reconciliation.
 */
export interface ReconciliationEventData {
  /**
   * The name of the event.
   */
  name: 'reconciliation.differences-found'
  /**
   * Whether it happened in the sandbox.
   */
  sandbox: boolean
  /**
   * The reconciliation as it was when it ended.
   */
  reconciliation: Reconciliation
}
/**
 * One comparison of our books with what a gateway has booked at your account.
 */
export interface Reconciliation {
  /**
   * The reconciliation.
   */
  id: string
  /**
   * The project that the object belongs to.
   */
  project_id: string
  /**
   * The account at the gateway.
   */
  gateway_configuration_id: string
  /**
   * The account at the gateway.
   */
  gateway_configuration: GatewayConfiguration | null
  /**
   * `list`: what the gateway has listed of a day; `file`: a file of it that you have handed in.
   */
  source: 'list' | 'file'
  /**
   * The day in UTC that was listed; null for a file.
   */
  day: string | null
  /**
   * `waiting` until it is done; what fails is tried again until then.
   */
  status: 'waiting' | 'completed'
  /**
   * How often it was begun.
   */
  tries: number
  /**
   * When it is begun again at the latest, unless it is done before; null once it is done.
   */
  next_try_at: string | null
  /**
   * Why the last try has failed; null where none has since.
   */
  failure: string | null
  /**
   * How many lines the gateway has listed, without fees, payouts and disputes.
   */
  lines_count: number
  /**
   * How many differences it has found, those that are resolved included.
   */
  differences_count: number
  /**
   * What one side had before this instant and the other had not by then, has been told as a difference.
   */
  judged_until: string | null
  /**
   * When it was done.
   */
  completed_at: string | null
  /**
   * Whether the object belongs to the sandbox; false in the live environment.
   */
  sandbox: boolean
  /**
   * When the object was created.
   */
  created_at: string
  /**
   * When the object was last changed.
   */
  updated_at: string
}
/**
 * An event about a webhook endpoint.
 */
export interface WebhookEndpointEventData {
  /**
   * The name of the event.
   */
  name: 'webhook-endpoint.test' | 'webhook-endpoint.disabled'
  /**
   * Whether it happened in the sandbox.
   */
  sandbox: boolean
  /**
   * The webhook endpoint as it was, without its secret.
   */
  webhook_endpoint: WebhookEndpoint
}
/**
 * An address of yours that is sent the events of your project.
 */
export interface WebhookEndpoint {
  /**
   * The webhook endpoint.
   */
  id: string
  /**
   * The project that the object belongs to.
   */
  project_id: string
  /**
   * Where events are sent to.
   */
  url: string
  /**
   * Your own description.
   */
  description: string | null
  /**
   * The events that are sent; null for all, those of later versions included.
   */
  events_whitelist: EventName[] | null
  /**
   * Whether events are sent.
   */
  enabled: boolean
  /**
   * Why it is not enabled: you have switched it off, or it answered 410, or accepted nothing for days.
   */
  disabled_reason: 'merchant' | 'gone' | 'failing' | null
  /**
   * Since when it is not enabled.
   */
  disabled_at: string | null
  /**
   * Whether webhooks are signed with Ed25519 as well.
   */
  sign_with_ed25519: boolean
  /**
   * The key that verifies these signatures, `whpk_…`; null where they are not wanted.
   */
  public_key: string | null
  /**
   * Since when it has accepted nothing; null while it fares well.
   */
  failing_since: string | null
  /**
   * Whether the object belongs to the sandbox; false in the live environment.
   */
  sandbox: boolean
  /**
   * When the object was created.
   */
  created_at: string
  /**
   * When the object was last changed.
   */
  updated_at: string
}
/**
 * A condition that consists of others.
 */
export interface ExplainedCombination {
  /**
   * Whether all parts must hold, or one.
   */
  kind: 'and' | 'or'
  /**
   * The parts.
   */
  conditions: ExplainedCondition[]
  /**
   * Whether it holds; null where a value is missing.
   */
  result: boolean | null
}
/**
 * A comparison with both of its values.
 */
export interface ExplainedComparison {
  /**
   * Compares a value of the payment.
   */
  kind: 'comparison'
  /**
   * What is compared, such as `card_country` or `metadata.plan`.
   */
  operand: string
  /**
   * The value of the payment; null where it has none. An amount has its currency.
   */
  actual: string | number | boolean | null
  /**
   * How it is compared.
   */
  operator: '==' | '!=' | '<' | '<=' | '>' | '>=' | 'in' | 'not-in' | 'contains'
  /**
   * What it is compared with.
   */
  expected: string | boolean | string[] | null
  /**
   * Of an amount: the currencies it is compared in.
   *
   * Items: A currency.
   */
  currencies?: string[]
  /**
   * Whether it holds; null where a value is missing.
   */
  result: boolean | null
}
/**
 * A condition that holds where another does not.
 */
export interface ExplainedNegation {
  /**
   * Holds where its part does not.
   */
  kind: 'not'
  /**
   * The part.
   */
  condition: ExplainedCondition
  /**
   * Whether it holds; null where a value is missing.
   */
  result: boolean | null
}
/**
 * A rule, and why it had a part in the decision or none.
 */
export interface ExplainedRule {
  /**
   * The rule.
   */
  id: string
  /**
   * Its place in the set, from 1.
   */
  position: number
  /**
   * What it does.
   */
  kind: 'block' | 'trigger_3ds' | 'route' | 'dynamic_3ds'
  /**
   * Its name in `routing_tags`, such as `rule-2-route`.
   */
  name: string
  /**
   * Its tags.
   *
   * Items: A tag.
   */
  tags: string[]
  /**
   * Its part in the decision.
   */
  standing: 'applied' | 'not-matched' | 'came-too-late' | 'switched-off' | 'not-for-card-verifications'
  /**
   * Whether its condition holds.
   */
  matches: boolean
  condition: ExplainedCondition | null
}
/**
 * A payment that was declined, or waits for its customer.
 */
export interface FailedPayment {
  /**
   * Always false.
   */
  success: boolean
  /**
   * What went wrong, in a sentence for you.
   */
  message: string
  /**
   * The page that explains the code and says what to do.
   */
  doc_url: string
  /**
   * For secret keys: the request in the request log of the dashboard.
   */
  request_log_url?: string
  /**
   * The fields that are wrong, 20 at most.
   */
  invalid_fields?: InvalidField[]
  /**
   * The `X-Request-Id` of the answer, by which support finds this case.
   */
  request_id: string
  /**
   * Why: one of the error codes, or a word of the gateway, which is a decline like any other.
   */
  error_type: string
  /**
   * `pending` only where the customer has to authenticate on the page in `customer_action`.
   */
  outcome: 'failed' | 'pending'
  /**
   * Whether money is reserved now.
   */
  authorized: boolean
  /**
   * Whether money is captured now.
   */
  captured: boolean
  customer_action?: CustomerAction
  /**
   * Of a refund only: the refund, which has failed.
   */
  refund?: Refund
  /**
   * The payment as it is now, with the scheme’s advice about another try.
   */
  transaction?: Transaction
}
/**
 * A line of the gateway.
 */
export interface GatewaySide {
  /**
   * The gateway’s id of the line.
   */
  line_id: string | null
  /**
   * `reversed`: booked before, and taken back.
   */
  state: 'booked' | 'reversed'
  /**
   * The amount.
   */
  amount: string
  /**
   * The currency of the amount.
   */
  currency: string
  /**
   * When the gateway has booked it.
   */
  booked_at: string | null
}
/**
 * A request of yours in the log, without its bodies.
 */
export interface ListedApiRequest {
  /**
   * The logged request.
   */
  id: string
  /**
   * The `X-Request-Id` of its answer. Several may share one that you chose.
   */
  request_id: string
  /**
   * The project that the object belongs to.
   */
  project_id: string
  /**
   * The secret key that it came with; null where a client sent it.
   */
  api_key_id: string | null
  /**
   * The HTTP method.
   */
  method: string
  /**
   * The address, without its query.
   */
  path: string
  /**
   * The parameters of the query; a repeated one is a list.
   */
  query: {
    [k: string]: unknown
  } | null
  /**
   * The HTTP status of the answer.
   */
  status: number
  /**
   * The `error_type` of the answer; null without an error.
   */
  error_type: string | null
  /**
   * The person of the dashboard who asked; null for a call with a key.
   */
  person_id: string | null
  /**
   * Whether it came with an idempotency key. The key is not kept.
   */
  has_idempotency_key: boolean
  /**
   * From which address it came.
   */
  ip: string | null
  /**
   * The header `User-Agent`.
   */
  user_agent: string | null
  /**
   * The header `API-Version`.
   */
  api_version: string | null
  /**
   * How long the answer took, in milliseconds.
   */
  latency_ms: number
  /**
   * Whether the object belongs to the sandbox; false in the live environment.
   */
  sandbox: boolean
  /**
   * When the object was created.
   */
  created_at: string
}
/**
 * A version of the routing rules, without its rules.
 */
export interface ListedRuleSet {
  /**
   * The version.
   */
  id: string
  /**
   * The project that the object belongs to.
   */
  project_id: string
  /**
   * Its number, from 1.
   */
  version: number
  /**
   * Whether it decides about payments now.
   */
  active: boolean
  /**
   * Since when it decides.
   */
  activated_at: string | null
  /**
   * The currency of amounts that name none.
   */
  default_currency: string
  /**
   * The secret key, or the operator, that made it.
   */
  created_by: string
  /**
   * Whether the object belongs to the sandbox; false in the live environment.
   */
  sandbox: boolean
  /**
   * When the object was created.
   */
  created_at: string
}
/**
 * A capture or refund as our books had it.
 */
export interface OurSide {
  /**
   * The attempt, whose id is our reference towards the gateway.
   */
  operation_id: string | null
  /**
   * `open`: pending, or not known.
   */
  state: 'succeeded' | 'failed' | 'open'
  /**
   * The amount.
   */
  amount: string
  /**
   * The currency of the amount.
   */
  currency: string
}
/**
 * A step of a payment that is done, or under way.
 */
export interface PaymentAnswer {
  /**
   * Always true.
   */
  success: boolean
  /**
   * `pending`: the customer has to act, or the gateway has not decided. The transaction and its events tell the outcome.
   */
  outcome: 'success' | 'pending'
  /**
   * With `pending`: what it waits for.
   */
  message?: string
  customer_action?: CustomerAction
  /**
   * The stored payment source that was charged, or that the card has just become.
   */
  customer_token_id: string | null
  /**
   * The payment as it is now; missing where the step has just begun and nothing of it is on the record yet.
   */
  transaction?: Transaction
}
/**
 * A project: a merchant’s invoices, customers, accounts and keys.
 */
export interface Project {
  /**
   * The project, without the `test-` of the sandbox.
   */
  id: string
  /**
   * Its name, as the operator has given it.
   */
  name: string
  /**
   * The currency where no other is named, such as for the verification of a card.
   */
  default_currency: string
  /**
   * Whether the object belongs to the sandbox; false in the live environment.
   */
  sandbox: boolean
  /**
   * When the object was created.
   */
  created_at: string
}
/**
 * What our books and those of a gateway do not agree about, as both sides stood when it was found.
 */
export interface ReconciliationDifference {
  /**
   * The difference.
   */
  id: string
  /**
   * The project that the object belongs to.
   */
  project_id: string
  /**
   * The reconciliation that has found it.
   */
  reconciliation_id: string
  /**
   * The reconciliation that has found it.
   */
  reconciliation: Reconciliation | null
  /**
   * The account at the gateway.
   */
  gateway_configuration_id: string
  /**
   * The account at the gateway.
   */
  gateway_configuration: GatewayConfiguration | null
  /**
   * The payment; null where the line names none of ours.
   */
  transaction_id: string | null
  /**
   * The payment.
   */
  transaction: Transaction | null
  /**
   * `missing-at-gateway`: only our books have it; `missing-in-books`: only the gateway has it; `amount`, `currency`: both have it with another one; `state`: it succeeded on one side only; `twice`: the gateway has booked it more than once.
   */
  kind: 'missing-at-gateway' | 'missing-in-books' | 'amount' | 'currency' | 'state' | 'twice'
  /**
   * `open` until somebody has resolved it, or both sides agree.
   */
  status: 'open' | 'resolved'
  /**
   * Whether money was taken or given back.
   */
  type: 'capture' | 'refund'
  /**
   * The gateway’s id of the capture or refund.
   */
  gateway_reference: string | null
  /**
   * Our side; null where our books have nothing.
   */
  ours: OurSide | null
  /**
   * The side of the gateway; null where it has nothing.
   */
  gateways: GatewaySide | null
  /**
   * When it was resolved.
   */
  resolved_at: string | null
  /**
   * `person:…` or `api_key:…`, or `reconciliation:…` where both sides were found to agree.
   */
  resolved_by: string | null
  /**
   * Why the difference is settled.
   */
  resolution: string | null
  /**
   * Whether the object belongs to the sandbox; false in the live environment.
   */
  sandbox: boolean
  /**
   * When the object was created.
   */
  created_at: string
  /**
   * When the object was last changed.
   */
  updated_at: string
}
/**
 * A refund that is done, or under way.
 */
export interface RefundAnswer {
  /**
   * Always true.
   */
  success: boolean
  /**
   * `pending`: the customer has to act, or the gateway has not decided. The transaction and its events tell the outcome.
   */
  outcome: 'success' | 'pending'
  /**
   * With `pending`: what it waits for.
   */
  message?: string
  customer_action?: CustomerAction
  /**
   * The stored payment source that was charged, or that the card has just become.
   */
  customer_token_id: string | null
  /**
   * The refund; missing where it has just begun and is not on the record yet.
   */
  refund?: Refund
  /**
   * The payment as it is now; missing where the step has just begun and nothing of it is on the record yet.
   */
  transaction?: Transaction
}
/**
 * A gateway that cannot take the payment.
 */
export interface RejectedGateway {
  /**
   * The gateway configuration.
   */
  gateway_configuration_id: string
  /**
   * Why it cannot.
   */
  reason:
    | 'unknown'
    | 'disabled'
    | 'draining'
    | 'unsupported-currency'
    | 'unsupported-scheme'
    | 'sale-only'
    | 'no-partial-capture'
    | 'no-multiple-captures'
    | 'no-increments'
}
/**
 * Chooses the gateways of payments.
 */
export interface RouteRule {
  /**
   * The rule.
   */
  id: string
  /**
   * Its place in the set, from 1.
   */
  position: number
  /**
   * Whether it takes part.
   */
  enabled: boolean
  condition: Condition | null
  /**
   * The condition in the text form; null for every payment.
   */
  condition_text: string | null
  /**
   * What the transaction shows in its `routing_tags`.
   *
   * Items: A tag.
   */
  tags: string[]
  /**
   * Chooses the gateways.
   */
  kind: 'route'
  /**
   * The gateways, in their order.
   */
  gateways: WeightedGateway[]
  /**
   * `priority` tries the gateways in their order, `split` distributes payments by weight.
   */
  strategy: 'priority' | 'split'
  fallback: Fallback
}
/**
 * A gateway of a rule.
 */
export interface WeightedGateway {
  /**
   * The gateway configuration.
   */
  gateway_configuration_id: string
  /**
   * Its share of the payments of a `split`.
   */
  weight: number | null
}
/**
 * What would become of a payment, and why.
 */
export interface RoutingExplanation {
  /**
   * The version that decides; null where the rules came with the request, or there are none.
   */
  rule_set_id: string | null
  /**
   * The number of that version.
   */
  rule_set_version: number | null
  /**
   * Whether a gateway would be asked.
   */
  outcome: 'routed' | 'not-sent'
  /**
   * With which error the payment would fail; null where it is routed.
   */
  error_type: string | null
  /**
   * The name of the rule that refuses it.
   */
  blocked_by: string | null
  /**
   * The name of the rule that asks for an authentication.
   */
  three_d_s_triggered_by: string | null
  route: AppliedRoute | null
  /**
   * The gateways that would be tried, in their order.
   */
  gateways: UsableGateway[]
  /**
   * The gateways that would be left out.
   */
  rejected_gateways: RejectedGateway[]
  /**
   * What the transaction would show in its `routing_tags`.
   *
   * Items: A tag.
   */
  routing_tags: string[]
  /**
   * Every rule.
   */
  rules: ExplainedRule[]
  facts: RoutingFacts
  /**
   * The counts that rules ask for.
   */
  velocities: VelocityCount[]
}
/**
 * A gateway that can take the payment.
 */
export interface UsableGateway {
  /**
   * The gateway configuration.
   */
  gateway_configuration_id: string
  /**
   * The gateway.
   */
  gateway_name: string
  /**
   * Your own name of the account.
   */
  name: string
  /**
   * Whether the authorization could be raised there.
   */
  incremental: boolean
  /**
   * Whether the money would be taken at once.
   */
  sale_only: boolean
  dynamic_3ds: AppliedThreeDs | null
}
/**
 * What rules read of the payment, by the names that the fields have in rules.
 */
export interface RoutingFacts {
  /**
   * The amount.
   */
  amount: string
  /**
   * The currency.
   */
  currency: string
  /**
   * The country of the customer.
   */
  customer_country: string | null
  /**
   * The country of the customer’s address.
   */
  ip_country: string | null
  /**
   * The country of the card’s issuer.
   */
  card_country: string | null
  /**
   * The scheme of the card.
   */
  card_scheme: string | null
  /**
   * The second scheme of the card.
   */
  card_co_scheme: string | null
  /**
   * The kind of account behind the card.
   */
  card_type: string | null
  /**
   * Whether the card is for private or business use.
   */
  card_category: string | null
  /**
   * The first digits of the card.
   */
  card_iin: string | null
  /**
   * The last four digits of the card.
   */
  card_last4: string | null
  /**
   * The fingerprint of the card.
   */
  card_fingerprint: string | null
  /**
   * Where the customer pays.
   */
  channel: string | null
  /**
   * Whether you initiate the payment.
   */
  merchant_initiated: boolean
  /**
   * What the payment is for.
   */
  payment_intent: string | null
  /**
   * Whether the authorization may be raised.
   */
  incremental: boolean
  /**
   * The metadata of the invoice.
   */
  metadata: {
    [k: string]: string
  }
}
/**
 * A count of earlier payments that a rule asks for.
 */
export interface VelocityCount {
  /**
   * The value that the payments have in common.
   */
  path: 'card_fingerprint' | 'card_iin' | 'customer_id' | 'ip_address'
  /**
   * Within so many seconds.
   */
  interval_seconds: number
  /**
   * How many there were; null where the payment has no such value.
   */
  count: number | null
}
/**
 * Sets parameters of the authentication.
 */
export interface ThreeDsRule {
  /**
   * The rule.
   */
  id: string
  /**
   * Its place in the set, from 1.
   */
  position: number
  /**
   * Whether it takes part.
   */
  enabled: boolean
  condition: Condition | null
  /**
   * The condition in the text form; null for every payment.
   */
  condition_text: string | null
  /**
   * What the transaction shows in its `routing_tags`.
   *
   * Items: A tag.
   */
  tags: string[]
  /**
   * Sets parameters of the authentication.
   */
  kind: 'dynamic_3ds'
  /**
   * The gateways, in their order.
   */
  gateways: WeightedGateway[]
  dynamic_3ds_params: ThreeDsParameters
  /**
   * Whether it also holds for verifications, which move no money.
   */
  run_for_card_verifications: boolean
}
/**
 * Parameters of the authentication.
 */
export interface ThreeDsParameters {
  /**
   * The exemption that is asked for; null takes that of the invoice.
   */
  sca_exemption_reason: 'low-value' | 'trusted-beneficiary' | 'transaction-risk-analysis' | null
  /**
   * The challenge that is wished for; null takes that of the invoice.
   */
  challenge_indicator:
    | 'no-preference'
    | 'no-challenge-requested'
    | 'challenge-requested'
    | 'challenge-requested-mandate'
    | 'no-challenge-requested-tra-performed'
    | 'no-challenge-requested-data-share-only'
    | 'no-challenge-requested-sca-performed'
    | 'no-challenge-requested-whitelist-exemption'
    | 'challenge-requested-whitelist-prompt'
    | 'cb-scoring'
    | null
}
/**
 * A version of the routing rules. It never changes.
 */
export interface RuleSet {
  /**
   * The version.
   */
  id: string
  /**
   * The project that the object belongs to.
   */
  project_id: string
  /**
   * Its number, from 1.
   */
  version: number
  /**
   * Whether it decides about payments now.
   */
  active: boolean
  /**
   * Since when it decides.
   */
  activated_at: string | null
  /**
   * The currency of amounts that name none.
   */
  default_currency: string
  /**
   * The secret key, or the operator, that made it.
   */
  created_by: string
  /**
   * Whether the object belongs to the sandbox; false in the live environment.
   */
  sandbox: boolean
  /**
   * When the object was created.
   */
  created_at: string
  /**
   * The rules as they were written, comments included.
   */
  text: string
  /**
   * The rules as they were read.
   */
  rules: Rule[]
}
/**
 * What the gateway tells of a payment now.
 */
export interface Synchronization {
  /**
   * Always true.
   */
  success: boolean
  /**
   * `pending`: the customer has to act, or the gateway has not decided. The transaction and its events tell the outcome.
   */
  outcome: 'success' | 'pending'
  /**
   * With `pending`: what it waits for.
   */
  message?: string
  customer_action?: CustomerAction
  /**
   * The stored payment source that was charged, or that the card has just become.
   */
  customer_token_id: string | null
  /**
   * The payment as it is now; missing where nobody has tried to pay.
   */
  transaction?: Transaction
  /**
   * The invoice as it is now.
   */
  invoice: Invoice
}
/**
 * The whole body of a webhook. Fetch the event by its id for its data.
 */
export interface WebhookBody {
  /**
   * The event: `GET /events/{id}`. An id that cannot be fetched did not come from here.
   */
  event_id: string
  event_type: EventName
}
/**
 * A webhook endpoint with its new secret.
 */
export interface WebhookEndpointWithSecret {
  /**
   * The webhook endpoint.
   */
  id: string
  /**
   * The project that the object belongs to.
   */
  project_id: string
  /**
   * Where events are sent to.
   */
  url: string
  /**
   * Your own description.
   */
  description: string | null
  /**
   * The events that are sent; null for all, those of later versions included.
   */
  events_whitelist: EventName[] | null
  /**
   * Whether events are sent.
   */
  enabled: boolean
  /**
   * Why it is not enabled: you have switched it off, or it answered 410, or accepted nothing for days.
   */
  disabled_reason: 'merchant' | 'gone' | 'failing' | null
  /**
   * Since when it is not enabled.
   */
  disabled_at: string | null
  /**
   * Whether webhooks are signed with Ed25519 as well.
   */
  sign_with_ed25519: boolean
  /**
   * The key that verifies these signatures, `whpk_…`; null where they are not wanted.
   */
  public_key: string | null
  /**
   * Since when it has accepted nothing; null while it fares well.
   */
  failing_since: string | null
  /**
   * What webhooks are signed with, `whsec_…`. It is told in this answer only, and where that is repeated with its idempotency key.
   */
  secret: string
  /**
   * Whether the object belongs to the sandbox; false in the live environment.
   */
  sandbox: boolean
  /**
   * When the object was created.
   */
  created_at: string
  /**
   * When the object was last changed.
   */
  updated_at: string
}
/**
 * A routing rule, as it is sent.
 */
export interface BlockingRuleInput {
  /**
   * What it does: refuses the payment, or asks for an authentication.
   */
  kind: 'block' | 'trigger_3ds'
  /**
   * Accepted without effect.
   */
  id?: {
    [k: string]: unknown
  }
  /**
   * Accepted without effect.
   */
  position?: {
    [k: string]: unknown
  }
  /**
   * Whether it takes part.
   */
  enabled?: boolean | null
  /**
   * For which payments the rule holds; null for every payment.
   */
  condition?: string | Condition | null
  /**
   * The condition in the text form; null for every payment.
   */
  condition_text?: string | null
  /**
   * What the transaction shows in its `routing_tags`.
   */
  tags?: string[] | null
  /**
   * Whether it also holds for verifications, which move no money.
   */
  run_for_card_verifications?: boolean | null
}
/**
 * A routing rule, as it is sent.
 */
export interface RouteRuleInput {
  /**
   * Chooses the gateways.
   */
  kind: 'route'
  /**
   * Accepted without effect.
   */
  id?: {
    [k: string]: unknown
  }
  /**
   * Accepted without effect.
   */
  position?: {
    [k: string]: unknown
  }
  /**
   * Whether it takes part.
   */
  enabled?: boolean | null
  /**
   * For which payments the rule holds; null for every payment.
   */
  condition?: string | Condition | null
  /**
   * The condition in the text form; null for every payment.
   */
  condition_text?: string | null
  /**
   * What the transaction shows in its `routing_tags`.
   */
  tags?: string[] | null
  /**
   * The gateways, in their order.
   *
   * @maxItems 20
   */
  gateways?: unknown[] | null
  /**
   * `priority` tries the gateways in their order, `split` distributes payments by weight.
   */
  strategy?: 'priority' | 'split' | null
  /**
   * Whether the next gateway is tried after a failure.
   */
  fallback?: {
    /**
     * Whether the next gateway is tried.
     */
    enabled?: boolean | null
    /**
     * The failures after which it is; empty for all that another gateway may not repeat.
     */
    error_codes?: string[] | null
    /**
     * Attempts of one payment in all, the first included.
     */
    max_attempts?: number | null
  } | null
}
/**
 * A routing rule, as it is sent.
 */
export interface ThreeDsRuleInput {
  /**
   * Sets parameters of the authentication.
   */
  kind: 'dynamic_3ds'
  /**
   * Accepted without effect.
   */
  id?: {
    [k: string]: unknown
  }
  /**
   * Accepted without effect.
   */
  position?: {
    [k: string]: unknown
  }
  /**
   * Whether it takes part.
   */
  enabled?: boolean | null
  /**
   * For which payments the rule holds; null for every payment.
   */
  condition?: string | Condition | null
  /**
   * The condition in the text form; null for every payment.
   */
  condition_text?: string | null
  /**
   * What the transaction shows in its `routing_tags`.
   */
  tags?: string[] | null
  /**
   * Whether it also holds for verifications, which move no money.
   */
  run_for_card_verifications?: boolean | null
  /**
   * The gateways, in their order.
   *
   * @maxItems 20
   */
  gateways?: unknown[] | null
  /**
   * Parameters of the authentication.
   */
  dynamic_3ds_params?: {
    /**
     * The exemption that is asked for; null takes that of the invoice.
     */
    sca_exemption_reason?: string | null
    /**
     * The challenge that is wished for; null takes that of the invoice.
     */
    challenge_indicator?: string | null
  } | null
}
/**
 * A new invoice.
 */
export interface InvoiceInput {
  /**
   * The name of the invoice, which the customer reads on the payment page.
   */
  name: string
  /**
   * What is to be paid.
   */
  amount: string
  /**
   * The currency of every amount of the invoice, by ISO 4217.
   */
  currency: string
  /**
   * Who pays the invoice.
   */
  customer_id?: string | null
  /**
   * The stored payment source that the invoice is meant for.
   */
  token_id?: string | null
  /**
   * The lines of the invoice; null without any. They need not add up to the amount.
   *
   * @maxItems 1000
   */
  details?:
    | {
        /**
         * Accepted without effect.
         */
        id?: {
          [k: string]: unknown
        }
        /**
         * The name of the article.
         */
        name: string
        /**
         * A kind of your own.
         */
        type?: string | null
        /**
         * The price of one piece.
         */
        amount: string
        /**
         * How many pieces.
         */
        quantity?: number | null
        /**
         * What is taken off the whole line.
         */
        discount_amount?: string | null
        /**
         * Accepted without effect.
         */
        captured_amount?: {
          [k: string]: unknown
        }
        /**
         * Accepted without effect.
         */
        refunded_amount?: {
          [k: string]: unknown
        }
        /**
         * Your own keys and values.
         */
        metadata?: {
          [k: string]: string
        } | null
        /**
         * The kind of article.
         */
        category?:
          | 'food'
          | 'entertainment'
          | 'home'
          | 'appliance'
          | 'bidding'
          | 'gift'
          | 'technology'
          | 'media'
          | 'communication'
          | 'health'
          | 'sport'
          | 'personal-service'
          | 'professional-service'
          | 'clothing'
          | 'travel'
          | 'tickets'
          | 'transport'
          | 'other'
          | null
        /**
         * Your own id of the article.
         */
        reference?: string | null
        /**
         * A description of the article.
         */
        description?: string | null
        /**
         * The brand of the article.
         */
        brand?: string | null
        /**
         * The model of the article.
         */
        model?: string | null
        /**
         * The condition of the article.
         */
        condition?: 'new' | 'refurbished' | 'used' | 'other' | null
        /**
         * The seller, where you are a marketplace.
         */
        marketplace_merchant?: string | null
        /**
         * Whether that seller is a business.
         */
        marketplace_merchant_is_business?: boolean | null
        /**
         * Since when that seller sells on your marketplace.
         */
        marketplace_merchant_created_at?: string | null
      }[]
    | null
  /**
   * Your order. Several invoices may have the same.
   */
  order_id?: string | null
  /**
   * Your own id of the invoice, unique in project and environment.
   */
  reference_id?: string | null
  /**
   * Whether the invoice only verifies a payment source.
   */
  verification?: boolean | null
  /**
   * Your own keys and values.
   */
  metadata?: {
    [k: string]: string
  } | null
  /**
   * Data for gateways, as you sent it.
   */
  gateway_data?: {
    [k: string]: unknown
  } | null
  /**
   * Why the payment asks to go without authentication of the customer.
   */
  exemption_reason_3ds2?: 'low-value' | 'trusted-beneficiary' | 'transaction-risk-analysis' | null
  /**
   * Another name of `exemption_reason_3ds2`.
   */
  sca_exemption_reason?: 'low-value' | 'trusted-beneficiary' | 'transaction-risk-analysis' | null
  /**
   * Whether you wish the issuer to challenge the customer.
   */
  challenge_indicator?:
    | 'no-preference'
    | 'no-challenge-requested'
    | 'challenge-requested'
    | 'challenge-requested-mandate'
    | 'no-challenge-requested-tra-performed'
    | 'no-challenge-requested-data-share-only'
    | 'no-challenge-requested-sca-performed'
    | 'no-challenge-requested-whitelist-exemption'
    | 'challenge-requested-whitelist-prompt'
    | 'cb-scoring'
    | null
  /**
   * What the customer’s statement says; empty where you have named nothing.
   */
  statement_descriptor?: string | null
  /**
   * Your phone number on the statement.
   */
  statement_descriptor_phone?: string | null
  /**
   * Your city on the statement.
   */
  statement_descriptor_city?: string | null
  /**
   * Your company on the statement, and on the payment page.
   */
  statement_descriptor_company?: string | null
  /**
   * Your address in the web on the statement.
   */
  statement_descriptor_url?: string | null
  /**
   * The address that is sent the events of this invoice, beside your webhook endpoints.
   */
  webhook_url?: string | null
  /**
   * Where the customer comes back to after the payment page or an authentication.
   */
  return_url?: string | null
  /**
   * Where the customer comes back to who does not pay.
   */
  cancel_url?: string | null
  /**
   * Why you pay in the customer’s absence.
   */
  merchant_initiator_type?: 'recurring' | 'one-off' | null
  /**
   * Who initiates the payment: the cardholder (`cit`) or you (`mit`).
   */
  initiation_type?: string | null
  /**
   * What the payment is for, as schemes tell payments apart.
   */
  payment_intent?:
    | 'one-off'
    | 'recurring'
    | 'recurring-standing-order'
    | 'recurring-subscription'
    | 'installment'
    | 'unscheduled'
    | 'unscheduled-delayed-charge'
    | 'unscheduled-resubmission'
    | 'unscheduled-no-show'
    | 'unscheduled-reauthorization'
    | null
  /**
   * Whether the customer orders in the web, or by mail or phone.
   */
  payment_type?: 'moto' | 'ecommerce' | null
  /**
   * Whether the authorization may be raised later.
   */
  incremental?: boolean | null
  /**
   * What may be left out where the gateway cannot do it.
   */
  unsupported_feature_bypass?: {
    /**
     * Authorize without later increments where the gateway has none.
     */
    incremental_authorization?: boolean | null
    /**
     * Not supported: refused where it asks for something.
     */
    split_payments?: {
      [k: string]: unknown
    }
  } | null
  /**
   * When a payment of the invoice is captured by itself.
   */
  auto_capture_at?: string | null
  /**
   * Until when the invoice can be paid.
   */
  expires_at?: string | null
  /**
   * Whether only your server may capture.
   */
  require_backend_capture?: boolean | null
  /**
   * The device with which the customer pays.
   */
  device?: {
    /**
     * Where the customer pays: on a page, or in an app. It decides the steps of 3-D Secure.
     */
    channel?: 'web' | 'ios' | 'android' | null
    /**
     * Your own id of the device.
     */
    id?: string | null
    /**
     * The address of the device.
     */
    ip_address?: string | null
    /**
     * The library for 3-D Secure that the app has.
     */
    threeds_sdk?: 'web' | 'ios' | 'android' | null
    /**
     * The system of the device.
     */
    platform?: 'web' | 'ios' | 'android' | 'other' | null
  } | null
  /**
   * Your own assessment of the payment.
   */
  risk?: {
    /**
     * Your score of the payment.
     */
    score?: string | null
    /**
     * Whether you hold the payment for honest.
     */
    is_legit?: boolean | null
    /**
     * Whether the gateway is to leave out its own rules against fraud.
     */
    skip_gateway_rules?: boolean | null
  } | null
  /**
   * Where and how the order is sent.
   */
  shipping?: {
    /**
     * The first line of the address.
     */
    address1?: string | null
    /**
     * The second line of the address.
     */
    address2?: string | null
    /**
     * The city.
     */
    city?: string | null
    /**
     * The state or region.
     */
    state?: string | null
    /**
     * The country, by ISO 3166.
     */
    country_code?: string | null
    /**
     * The postal code.
     */
    zip?: string | null
    /**
     * What shipping costs.
     */
    amount?: string | null
    /**
     * How the order reaches the customer.
     */
    method?: 'web' | 'collect-at-shop' | 'relay' | 'travel-station' | 'home' | 'shipping' | 'locker' | 'other' | null
    /**
     * Who carries the order.
     */
    provider?: string | null
    /**
     * How fast the order is sent.
     */
    delay?: 'express' | 'priority' | 'standard' | 'other' | null
    /**
     * The phone number of the recipient in one piece.
     */
    phone_number?: string | null
    /**
     * The phone number of the recipient.
     */
    phone?: {
      /**
       * The number, without the dialing code.
       */
      number?: string | null
      /**
       * The dialing code of the country, such as `+33`.
       */
      dialing_code?: string | null
    } | null
    /**
     * The email address of the recipient.
     */
    email?: string | null
    /**
     * The first name of the recipient.
     */
    first_name?: string | null
    /**
     * The last name of the recipient.
     */
    last_name?: string | null
    /**
     * When the order is expected to be sent.
     */
    expects_shipping_at?: string | null
    /**
     * The store at which the order waits.
     */
    relay_store_name?: string | null
  } | null
  /**
   * The address of the bill.
   */
  billing?: {
    /**
     * The first line of the address.
     */
    address1?: string | null
    /**
     * The second line of the address.
     */
    address2?: string | null
    /**
     * The city.
     */
    city?: string | null
    /**
     * The state or region.
     */
    state?: string | null
    /**
     * The country, by ISO 3166.
     */
    country_code?: string | null
    /**
     * The postal code.
     */
    zip?: string | null
  } | null
  /**
   * The tax within the amount.
   */
  tax?: {
    /**
     * The tax.
     */
    amount?: string | null
    /**
     * The rate in percent, such as `20` or `5.5`.
     */
    rate?: string | null
  } | null
  /**
   * Data for tools against fraud.
   */
  external_fraud_tools?: {
    /**
     * The data that Forter takes, as you sent it.
     */
    forter?: {
      [k: string]: unknown
    }
    /**
     * The data that Ravelin takes, as you sent it.
     */
    ravelin?: {
      [k: string]: unknown
    }
    /**
     * The data that Signifyd takes, as you sent it.
     */
    signifyd?: {
      [k: string]: unknown
    }
    /**
     * The data that Riskified takes, as you sent it.
     */
    riskified?: {
      [k: string]: unknown
    }
  } | null
  /**
   * The ways to pay, as you sent them.
   */
  payment_methods?: unknown[] | null
  /**
   * Accepted without effect.
   */
  submerchant_id?: {
    [k: string]: unknown
  }
  /**
   * Accepted without effect.
   */
  native_apm?: {
    [k: string]: unknown
  }
  /**
   * Accepted without effect.
   */
  company_name?: {
    [k: string]: unknown
  }
  /**
   * Accepted without effect.
   */
  provision_network_token?: {
    [k: string]: unknown
  }
  /**
   * Not supported: refused where it asks for something.
   */
  split_allocations?: {
    [k: string]: unknown
  }
  /**
   * Not supported: refused where it asks for something.
   */
  submerchant?: {
    [k: string]: unknown
  }
  /**
   * Not supported: refused where it asks for something.
   */
  subscription_id?: {
    [k: string]: unknown
  }
}
/**
 * What is to be changed.
 */
export interface InvoiceChanges {
  /**
   * The name of the invoice, which the customer reads on the payment page.
   */
  name?: string | null
  /**
   * What is to be paid.
   */
  amount?: string | null
  /**
   * The currency of every amount of the invoice, by ISO 4217.
   */
  currency?: string | null
  /**
   * Who pays the invoice.
   */
  customer_id?: string | null
  /**
   * The stored payment source that the invoice is meant for.
   */
  token_id?: string | null
  /**
   * The lines of the invoice; null without any. They need not add up to the amount.
   *
   * @maxItems 1000
   */
  details?:
    | {
        /**
         * Accepted without effect.
         */
        id?: {
          [k: string]: unknown
        }
        /**
         * The name of the article.
         */
        name: string
        /**
         * A kind of your own.
         */
        type?: string | null
        /**
         * The price of one piece.
         */
        amount: string
        /**
         * How many pieces.
         */
        quantity?: number | null
        /**
         * What is taken off the whole line.
         */
        discount_amount?: string | null
        /**
         * Accepted without effect.
         */
        captured_amount?: {
          [k: string]: unknown
        }
        /**
         * Accepted without effect.
         */
        refunded_amount?: {
          [k: string]: unknown
        }
        /**
         * Your own keys and values.
         */
        metadata?: {
          [k: string]: string
        } | null
        /**
         * The kind of article.
         */
        category?:
          | 'food'
          | 'entertainment'
          | 'home'
          | 'appliance'
          | 'bidding'
          | 'gift'
          | 'technology'
          | 'media'
          | 'communication'
          | 'health'
          | 'sport'
          | 'personal-service'
          | 'professional-service'
          | 'clothing'
          | 'travel'
          | 'tickets'
          | 'transport'
          | 'other'
          | ''
          | null
        /**
         * Your own id of the article.
         */
        reference?: string | null
        /**
         * A description of the article.
         */
        description?: string | null
        /**
         * The brand of the article.
         */
        brand?: string | null
        /**
         * The model of the article.
         */
        model?: string | null
        /**
         * The condition of the article.
         */
        condition?: 'new' | 'refurbished' | 'used' | 'other' | '' | null
        /**
         * The seller, where you are a marketplace.
         */
        marketplace_merchant?: string | null
        /**
         * Whether that seller is a business.
         */
        marketplace_merchant_is_business?: boolean | null
        /**
         * Since when that seller sells on your marketplace.
         */
        marketplace_merchant_created_at?: string | null
      }[]
    | null
  /**
   * Your order. Several invoices may have the same.
   */
  order_id?: string | null
  /**
   * Your own id of the invoice, unique in project and environment.
   */
  reference_id?: string | null
  /**
   * Whether the invoice only verifies a payment source.
   */
  verification?: boolean | null
  /**
   * Your own keys and values.
   */
  metadata?: {
    [k: string]: string
  } | null
  /**
   * Data for gateways, as you sent it.
   */
  gateway_data?: {
    [k: string]: unknown
  } | null
  /**
   * Why the payment asks to go without authentication of the customer.
   */
  exemption_reason_3ds2?: 'low-value' | 'trusted-beneficiary' | 'transaction-risk-analysis' | '' | null
  /**
   * Another name of `exemption_reason_3ds2`.
   */
  sca_exemption_reason?: 'low-value' | 'trusted-beneficiary' | 'transaction-risk-analysis' | '' | null
  /**
   * Whether you wish the issuer to challenge the customer.
   */
  challenge_indicator?:
    | 'no-preference'
    | 'no-challenge-requested'
    | 'challenge-requested'
    | 'challenge-requested-mandate'
    | 'no-challenge-requested-tra-performed'
    | 'no-challenge-requested-data-share-only'
    | 'no-challenge-requested-sca-performed'
    | 'no-challenge-requested-whitelist-exemption'
    | 'challenge-requested-whitelist-prompt'
    | 'cb-scoring'
    | ''
    | null
  /**
   * What the customer’s statement says; empty where you have named nothing.
   */
  statement_descriptor?: string | null
  /**
   * Your phone number on the statement.
   */
  statement_descriptor_phone?: string | null
  /**
   * Your city on the statement.
   */
  statement_descriptor_city?: string | null
  /**
   * Your company on the statement, and on the payment page.
   */
  statement_descriptor_company?: string | null
  /**
   * Your address in the web on the statement.
   */
  statement_descriptor_url?: string | null
  /**
   * The address that is sent the events of this invoice, beside your webhook endpoints.
   */
  webhook_url?: string | null
  /**
   * Where the customer comes back to after the payment page or an authentication.
   */
  return_url?: string | null
  /**
   * Where the customer comes back to who does not pay.
   */
  cancel_url?: string | null
  /**
   * Why you pay in the customer’s absence.
   */
  merchant_initiator_type?: 'recurring' | 'one-off' | '' | null
  /**
   * Who initiates the payment: the cardholder (`cit`) or you (`mit`).
   */
  initiation_type?: string | null
  /**
   * What the payment is for, as schemes tell payments apart.
   */
  payment_intent?:
    | 'one-off'
    | 'recurring'
    | 'recurring-standing-order'
    | 'recurring-subscription'
    | 'installment'
    | 'unscheduled'
    | 'unscheduled-delayed-charge'
    | 'unscheduled-resubmission'
    | 'unscheduled-no-show'
    | 'unscheduled-reauthorization'
    | ''
    | null
  /**
   * Whether the customer orders in the web, or by mail or phone.
   */
  payment_type?: 'moto' | 'ecommerce' | '' | null
  /**
   * Whether the authorization may be raised later.
   */
  incremental?: boolean | null
  /**
   * What may be left out where the gateway cannot do it.
   */
  unsupported_feature_bypass?: {
    /**
     * Authorize without later increments where the gateway has none.
     */
    incremental_authorization?: boolean | null
    /**
     * Not supported: refused where it asks for something.
     */
    split_payments?: {
      [k: string]: unknown
    }
  } | null
  /**
   * When a payment of the invoice is captured by itself.
   */
  auto_capture_at?: string | null
  /**
   * Until when the invoice can be paid.
   */
  expires_at?: string | null
  /**
   * Whether only your server may capture.
   */
  require_backend_capture?: boolean | null
  /**
   * The device with which the customer pays.
   */
  device?: {
    /**
     * Where the customer pays: on a page, or in an app. It decides the steps of 3-D Secure.
     */
    channel?: 'web' | 'ios' | 'android' | '' | null
    /**
     * Your own id of the device.
     */
    id?: string | null
    /**
     * The address of the device.
     */
    ip_address?: string | null
    /**
     * The library for 3-D Secure that the app has.
     */
    threeds_sdk?: 'web' | 'ios' | 'android' | '' | null
    /**
     * The system of the device.
     */
    platform?: 'web' | 'ios' | 'android' | 'other' | '' | null
  } | null
  /**
   * Your own assessment of the payment.
   */
  risk?: {
    /**
     * Your score of the payment.
     */
    score?: string | null
    /**
     * Whether you hold the payment for honest.
     */
    is_legit?: boolean | null
    /**
     * Whether the gateway is to leave out its own rules against fraud.
     */
    skip_gateway_rules?: boolean | null
  } | null
  /**
   * Where and how the order is sent.
   */
  shipping?: {
    /**
     * The first line of the address.
     */
    address1?: string | null
    /**
     * The second line of the address.
     */
    address2?: string | null
    /**
     * The city.
     */
    city?: string | null
    /**
     * The state or region.
     */
    state?: string | null
    /**
     * The country, by ISO 3166.
     */
    country_code?: string | null
    /**
     * The postal code.
     */
    zip?: string | null
    /**
     * What shipping costs.
     */
    amount?: string | null
    /**
     * How the order reaches the customer.
     */
    method?:
      'web' | 'collect-at-shop' | 'relay' | 'travel-station' | 'home' | 'shipping' | 'locker' | 'other' | '' | null
    /**
     * Who carries the order.
     */
    provider?: string | null
    /**
     * How fast the order is sent.
     */
    delay?: 'express' | 'priority' | 'standard' | 'other' | '' | null
    /**
     * The phone number of the recipient in one piece.
     */
    phone_number?: string | null
    /**
     * The phone number of the recipient.
     */
    phone?: {
      /**
       * The number, without the dialing code.
       */
      number?: string | null
      /**
       * The dialing code of the country, such as `+33`.
       */
      dialing_code?: string | null
    } | null
    /**
     * The email address of the recipient.
     */
    email?: string | null
    /**
     * The first name of the recipient.
     */
    first_name?: string | null
    /**
     * The last name of the recipient.
     */
    last_name?: string | null
    /**
     * When the order is expected to be sent.
     */
    expects_shipping_at?: string | null
    /**
     * The store at which the order waits.
     */
    relay_store_name?: string | null
  } | null
  /**
   * The address of the bill.
   */
  billing?: {
    /**
     * The first line of the address.
     */
    address1?: string | null
    /**
     * The second line of the address.
     */
    address2?: string | null
    /**
     * The city.
     */
    city?: string | null
    /**
     * The state or region.
     */
    state?: string | null
    /**
     * The country, by ISO 3166.
     */
    country_code?: string | null
    /**
     * The postal code.
     */
    zip?: string | null
  } | null
  /**
   * The tax within the amount.
   */
  tax?: {
    /**
     * The tax.
     */
    amount?: string | null
    /**
     * The rate in percent, such as `20` or `5.5`.
     */
    rate?: string | null
  } | null
  /**
   * Data for tools against fraud.
   */
  external_fraud_tools?: {
    /**
     * The data that Forter takes, as you sent it.
     */
    forter?: {
      [k: string]: unknown
    }
    /**
     * The data that Ravelin takes, as you sent it.
     */
    ravelin?: {
      [k: string]: unknown
    }
    /**
     * The data that Signifyd takes, as you sent it.
     */
    signifyd?: {
      [k: string]: unknown
    }
    /**
     * The data that Riskified takes, as you sent it.
     */
    riskified?: {
      [k: string]: unknown
    }
  } | null
  /**
   * The ways to pay, as you sent them.
   */
  payment_methods?: unknown[] | null
  /**
   * Accepted without effect.
   */
  submerchant_id?: {
    [k: string]: unknown
  }
  /**
   * Accepted without effect.
   */
  native_apm?: {
    [k: string]: unknown
  }
  /**
   * Accepted without effect.
   */
  company_name?: {
    [k: string]: unknown
  }
  /**
   * Accepted without effect.
   */
  provision_network_token?: {
    [k: string]: unknown
  }
  /**
   * Not supported: refused where it asks for something.
   */
  split_allocations?: {
    [k: string]: unknown
  }
  /**
   * Not supported: refused where it asks for something.
   */
  submerchant?: {
    [k: string]: unknown
  }
  /**
   * Not supported: refused where it asks for something.
   */
  subscription_id?: {
    [k: string]: unknown
  }
}
/**
 * The options of a payment.
 */
export interface PaymentOptions {
  /**
   * Needed where nothing is authorized yet: a card (`card_…`), a token (`tok_…`), a customer for the default token (`cust_…`), or the continuation of a step of 3-D Secure (`gway_req_…`).
   */
  source?: string | null
  /**
   * Whether money is only reserved. Absent it is true of `authorize` and false of `capture`.
   */
  authorize_only?: boolean | null
  /**
   * When a payment of the invoice is captured by itself.
   */
  auto_capture_at?: string | null
  /**
   * How much is captured; all that is reserved by default.
   */
  capture_amount?: string | null
  /**
   * `final`, the default, releases what the capture leaves; `non-final` leaves it for further captures.
   */
  capture_type?: 'final' | 'non-final' | null
  /**
   * The scheme that is used where the card carries it; before that of token, card and gateway.
   */
  preferred_scheme?: string | null
  /**
   * Whether the authorization may be raised later.
   */
  incremental?: boolean | null
  /**
   * The lines of the invoice to capture: their sum is the amount. A line is captured once; leave the field out for everything.
   *
   * @minItems 1
   * @maxItems 1000
   */
  invoice_detail_ids?: string[] | null
  /**
   * The scheme’s id of the first payment of a series; by default that of the token’s first payment.
   */
  initial_scheme_transaction_id?: string | null
  /**
   * Send it although the scheme has advised against trying this card again.
   */
  override_mac_blocking?: boolean | null
  /**
   * Take the money at once where the gateway does not support separate authorization and capture; never with `auto_capture_at`.
   */
  allow_fallback_to_sale?: boolean | null
  /**
   * Store the card as a token of the invoice’s customer once the payment is approved; needs `client_secret`.
   */
  save_source?: boolean | null
  /**
   * The client secret of the invoice, from its header `X-Service-Client-Secret`.
   */
  client_secret?: string | null
  /**
   * You show the steps of 3-D Secure yourself, by `customer_action`; otherwise the customer is sent to a page.
   */
  enable_three_d_s_2?: boolean | null
  /**
   * Accepted without effect.
   */
  third_party_sdk_version?: {
    [k: string]: unknown
  }
  /**
   * Accepted without effect: every call waits for its outcome.
   */
  synchronous?: boolean | null
  /**
   * Accepted without effect.
   */
  device?: {
    [k: string]: unknown
  }
  /**
   * Not supported: refused where it is true.
   */
  authenticate_only?: boolean | null
  /**
   * Not supported: refused where it is true.
   */
  retry_drop_liability_shift?: boolean | null
  /**
   * Accepted without effect: the statement says what the invoice says.
   */
  capture_statement_descriptor?: string | null
  /**
   * Accepted without effect: the transaction has the metadata of the invoice.
   */
  metadata?: {
    [k: string]: string
  } | null
  /**
   * Accepted without effect.
   */
  provision_network_token?: {
    [k: string]: unknown
  }
  /**
   * Accepted without effect.
   */
  native_apm?: {
    [k: string]: unknown
  }
  /**
   * Not supported: refused where it asks for something.
   */
  split_allocations?: {
    [k: string]: unknown
  }
  /**
   * An authentication that you have made with another provider, for this payment.
   */
  external_three_d_s?: {
    /**
     * Of version 1: the id of the authentication.
     */
    xid?: string | null
    /**
     * `Y`: authenticated; `A`: attempted.
     */
    trans_status?: 'Y' | 'A' | null
    /**
     * The electronic commerce indicator.
     */
    eci?: string | null
    /**
     * The issuer’s proof, in base64. It is in no log and no answer.
     */
    cavv?: string | null
    /**
     * Of version 2: the id at the directory server.
     */
    ds_trans_id?: string | null
    /**
     * The version of 3-D Secure.
     */
    version?: string | null
    /**
     * Whether the customer had to do something.
     */
    authentication_flow?: 'FRICTIONLESS' | 'CHALLENGE' | null
  } | null
  /**
   * Not supported: refused where it asks for something.
   */
  invoice_line_items?: {
    [k: string]: unknown
  }
  /**
   * Not supported: refused where it asks for something.
   */
  transaction_link_id?: {
    [k: string]: unknown
  }
}
/**
 * By how much.
 */
export interface IncrementInput {
  /**
   * By how much the authorization is raised.
   */
  amount: string
  /**
   * Accepted without effect.
   */
  metadata?: {
    [k: string]: string
  } | null
}
/**
 * How much is released; by default everything.
 */
export interface VoidInput {
  /**
   * How much is released; everything by default.
   */
  amount?: string | null
  /**
   * Accepted without effect.
   */
  metadata?: {
    [k: string]: string
  } | null
}
/**
 * What is given back, and why.
 */
export interface RefundInput {
  /**
   * How much is given back; all that is left by default.
   */
  amount?: string | null
  /**
   * The lines to give back: their sum is the amount. Each line once; leave the field out for everything.
   *
   * @minItems 1
   * @maxItems 1000
   */
  invoice_detail_ids?: string[] | null
  /**
   * Why it is given back.
   */
  reason?: 'customer_request' | 'duplicate' | 'fraud' | 'other' | null
  /**
   * A note for your own staff.
   */
  information?: string | null
  /**
   * Your own keys and values.
   */
  metadata?: {
    [k: string]: string
  } | null
}
/**
 * How far to advance: one of the two.
 */
export interface ClockAdvanceInput {
  /**
   * By how many seconds the clock is advanced, 1 to 7776000.
   */
  seconds?: number | null
  /**
   * The instant to which the clock is advanced, in place of `seconds`.
   */
  to?: string | null
}
/**
 * A card as it was entered.
 */
export interface CardInput {
  /**
   * The number of the card; spaces and dashes are left out.
   */
  number: string
  /**
   * The month of expiry, 1 to 12.
   */
  exp_month: number
  /**
   * The year of expiry, in two or four digits.
   */
  exp_year: number
  /**
   * The security code. It is kept until the first payment, for one hour at most.
   */
  cvc2?: string | null
  /**
   * The name of the holder.
   */
  name?: string | null
  /**
   * The scheme that is used where the card carries it.
   */
  preferred_scheme?: string | null
  /**
   * Your own keys and values.
   */
  metadata?: {
    [k: string]: string
  } | null
  /**
   * The address of the holder.
   */
  contact?: {
    /**
     * The first line of the holder’s address.
     */
    address1?: string | null
    /**
     * The second line of the holder’s address.
     */
    address2?: string | null
    /**
     * The city of the holder’s address.
     */
    city?: string | null
    /**
     * The state or region of the holder’s address.
     */
    state?: string | null
    /**
     * Where the card was issued.
     */
    country_code?: string | null
    /**
     * The postal code of the holder’s address.
     */
    zip?: string | null
    /**
     * Where the holder lives.
     */
    billing_country_code?: string | null
  } | null
  /**
   * The browser of the holder, as you saw it; issuers judge by it.
   */
  device?: {
    /**
     * Accepted without effect.
     */
    request_origin?: {
      [k: string]: unknown
    }
    /**
     * Accepted without effect.
     */
    channel?: {
      [k: string]: unknown
    }
    /**
     * Accepted without effect.
     */
    id?: {
      [k: string]: unknown
    }
    /**
     * The address of the browser in which the card was entered.
     */
    ip_address?: string | null
    /**
     * The browser in which the card was entered.
     */
    user_agent?: string | null
    /**
     * The header `Accept` of that browser.
     */
    header_accept?: string | null
    /**
     * The page from which the customer came.
     */
    header_referer?: string | null
    /**
     * Bits per pixel of that browser’s screen.
     */
    app_color_depth?: number | null
    /**
     * Whether that browser runs Java.
     */
    app_java_enabled?: boolean | null
    /**
     * The language of that browser, such as `de-AT`.
     */
    app_language?: string | null
    /**
     * Height of that browser’s screen in pixels.
     */
    app_screen_height?: number | null
    /**
     * Width of that browser’s screen in pixels.
     */
    app_screen_width?: number | null
    /**
     * Minutes between UTC and that browser’s time, positive west of Greenwich.
     */
    app_timezone_offset?: number | null
  } | null
  /**
   * The wallet or network behind a number that is not the card’s own, such as `applepay`.
   */
  token_type?: string | null
  /**
   * Not supported: refused where it asks for something.
   */
  payment_token?: {
    [k: string]: unknown
  }
}
/**
 * What is to be changed.
 */
export interface CardChanges {
  /**
   * The security code. It is kept until the first payment, for one hour at most.
   */
  cvc2?: string | null
  /**
   * The scheme that is used where the card carries it.
   */
  preferred_scheme?: string | null
  /**
   * The name of the holder.
   */
  name?: string | null
  /**
   * Your own keys and values.
   */
  metadata?: {
    [k: string]: string
  } | null
}
/**
 * The customer.
 */
export interface AssignedCustomer {
  /**
   * The email address.
   */
  email?: string | null
  /**
   * The first name.
   */
  first_name?: string | null
  /**
   * The last name.
   */
  last_name?: string | null
  /**
   * The first line of the address.
   */
  address1?: string | null
  /**
   * The second line of the address.
   */
  address2?: string | null
  /**
   * The city.
   */
  city?: string | null
  /**
   * The state or region.
   */
  state?: string | null
  /**
   * The country, by ISO 3166.
   */
  country_code?: string | null
  /**
   * The postal code.
   */
  zip?: string | null
  /**
   * The phone number with its dialing code.
   */
  phone?: {
    /**
     * The number, without the dialing code.
     */
    number?: string | null
    /**
     * The dialing code of the country, such as `+33`.
     */
    dialing_code?: string | null
  } | null
  /**
   * The phone number in one piece.
   */
  phone_number?: string | null
  /**
   * The number of an identity document or tax registration.
   */
  legal_document?: string | null
  /**
   * The address of the customer’s device.
   */
  ip_address?: string | null
  /**
   * The sex of the customer.
   */
  sex?: 'male' | 'female' | null
  /**
   * The day of birth, as its beginning in UTC.
   */
  date_of_birth?: string | null
  /**
   * Whether the customer is a business.
   */
  is_business?: boolean | null
  /**
   * The currency of the balance; it cannot be changed once it is set.
   */
  currency?: string | null
  /**
   * A balance that you keep here, negative where the customer owes. No payment takes from it.
   */
  balance?: string | null
  /**
   * Your own keys and values.
   */
  metadata?: {
    [k: string]: string
  } | null
  /**
   * Your own id of the customer.
   */
  reference_id?: string | null
  /**
   * When the customer became yours.
   */
  registered_at?: string | null
  /**
   * Accepted without effect.
   */
  company_name?: {
    [k: string]: unknown
  }
  /**
   * A customer that is there; without it a new one is made of the other fields.
   */
  customer_id?: string | null
}
/**
 * A new customer.
 */
export interface CustomerInput {
  /**
   * The email address.
   */
  email?: string | null
  /**
   * The first name.
   */
  first_name?: string | null
  /**
   * The last name.
   */
  last_name?: string | null
  /**
   * The first line of the address.
   */
  address1?: string | null
  /**
   * The second line of the address.
   */
  address2?: string | null
  /**
   * The city.
   */
  city?: string | null
  /**
   * The state or region.
   */
  state?: string | null
  /**
   * The country, by ISO 3166.
   */
  country_code?: string | null
  /**
   * The postal code.
   */
  zip?: string | null
  /**
   * The phone number with its dialing code.
   */
  phone?: {
    /**
     * The number, without the dialing code.
     */
    number?: string | null
    /**
     * The dialing code of the country, such as `+33`.
     */
    dialing_code?: string | null
  } | null
  /**
   * The phone number in one piece.
   */
  phone_number?: string | null
  /**
   * The number of an identity document or tax registration.
   */
  legal_document?: string | null
  /**
   * The address of the customer’s device.
   */
  ip_address?: string | null
  /**
   * The sex of the customer.
   */
  sex?: 'male' | 'female' | null
  /**
   * The day of birth, as its beginning in UTC.
   */
  date_of_birth?: string | null
  /**
   * Whether the customer is a business.
   */
  is_business?: boolean | null
  /**
   * The currency of the balance; it cannot be changed once it is set.
   */
  currency?: string | null
  /**
   * A balance that you keep here, negative where the customer owes. No payment takes from it.
   */
  balance?: string | null
  /**
   * Your own keys and values.
   */
  metadata?: {
    [k: string]: string
  } | null
  /**
   * Your own id of the customer.
   */
  reference_id?: string | null
  /**
   * When the customer became yours.
   */
  registered_at?: string | null
  /**
   * Accepted without effect.
   */
  company_name?: {
    [k: string]: unknown
  }
}
/**
 * What is to be changed.
 */
export interface CustomerChanges {
  /**
   * The email address.
   */
  email?: string | null
  /**
   * The first name.
   */
  first_name?: string | null
  /**
   * The last name.
   */
  last_name?: string | null
  /**
   * The first line of the address.
   */
  address1?: string | null
  /**
   * The second line of the address.
   */
  address2?: string | null
  /**
   * The city.
   */
  city?: string | null
  /**
   * The state or region.
   */
  state?: string | null
  /**
   * The country, by ISO 3166.
   */
  country_code?: string | null
  /**
   * The postal code.
   */
  zip?: string | null
  /**
   * The phone number with its dialing code.
   */
  phone?: {
    /**
     * The number, without the dialing code.
     */
    number?: string | null
    /**
     * The dialing code of the country, such as `+33`.
     */
    dialing_code?: string | null
  } | null
  /**
   * The phone number in one piece.
   */
  phone_number?: string | null
  /**
   * The number of an identity document or tax registration.
   */
  legal_document?: string | null
  /**
   * The address of the customer’s device.
   */
  ip_address?: string | null
  /**
   * The sex of the customer.
   */
  sex?: 'male' | 'female' | '' | null
  /**
   * The day of birth, as its beginning in UTC.
   */
  date_of_birth?: string | null
  /**
   * Whether the customer is a business.
   */
  is_business?: boolean | null
  /**
   * The currency of the balance; it cannot be changed once it is set.
   */
  currency?: string | null
  /**
   * A balance that you keep here, negative where the customer owes. No payment takes from it.
   */
  balance?: string | null
  /**
   * Your own keys and values.
   */
  metadata?: {
    [k: string]: string
  } | null
  /**
   * Your own id of the customer.
   */
  reference_id?: string | null
  /**
   * When the customer became yours.
   */
  registered_at?: string | null
  /**
   * Accepted without effect.
   */
  company_name?: {
    [k: string]: unknown
  }
  /**
   * The token that is charged where the customer is the `source`.
   */
  default_token_id?: string | null
}
/**
 * The payment source, and what is said of it.
 */
export interface TokenInput {
  /**
   * A card that was not used (`card_…`). Without it the token waits for one. Of a token whose verification waits for the customer: the answer to `customer_action` (`gway_req_…`).
   */
  source?: string | null
  /**
   * Whether the token becomes the default one of its customer.
   */
  set_default?: boolean | null
  /**
   * The source in a few words, such as `visa 4242`.
   */
  summary?: string | null
  /**
   * Your own description of the source.
   */
  description?: string | null
  /**
   * Your own keys and values.
   */
  metadata?: {
    [k: string]: string
  } | null
  /**
   * Where the customer is sent after a verification.
   */
  return_url?: string | null
  /**
   * Where the customer is sent after cancelling a verification.
   */
  cancel_url?: string | null
  /**
   * The address that is sent the events of this token.
   */
  webhook_url?: string | null
  /**
   * The account that you named; it does not limit where the token is charged.
   */
  gateway_configuration_id?: string | null
  /**
   * The scheme that is used where the card carries it; it counts before that of the card.
   */
  preferred_scheme?: string | null
  /**
   * Whether what a verification reserved stays until you release it.
   */
  manual_invoice_cancellation?: boolean | null
  /**
   * Whether the issuer is asked about the card, without a charge.
   */
  verify?: boolean | null
  /**
   * The metadata of the invoice that verifies it.
   */
  verify_metadata?: {
    [k: string]: string
  } | null
  /**
   * What the statement says of the verification.
   */
  verify_statement_descriptor?: string | null
  /**
   * An unpaid invoice of yours with `verification`, by which it is verified; one of nothing by default.
   */
  invoice_id?: string | null
  /**
   * Where the customer comes back to after the verification.
   */
  invoice_return_url?: string | null
  /**
   * The device with which the customer pays.
   */
  device?: {
    /**
     * Where the customer pays: on a page, or in an app. It decides the steps of 3-D Secure.
     */
    channel?: 'web' | 'ios' | 'android' | null
    /**
     * Your own id of the device.
     */
    id?: string | null
    /**
     * The address of the device.
     */
    ip_address?: string | null
    /**
     * The library for 3-D Secure that the app has.
     */
    threeds_sdk?: 'web' | 'ios' | 'android' | null
    /**
     * The system of the device.
     */
    platform?: 'web' | 'ios' | 'android' | 'other' | null
    /**
     * Accepted without effect.
     */
    request_origin?: {
      [k: string]: unknown
    }
    /**
     * Accepted without effect.
     */
    app_color_depth?: {
      [k: string]: unknown
    }
    /**
     * Accepted without effect.
     */
    app_java_enabled?: {
      [k: string]: unknown
    }
    /**
     * Accepted without effect.
     */
    app_language?: {
      [k: string]: unknown
    }
    /**
     * Accepted without effect.
     */
    app_screen_height?: {
      [k: string]: unknown
    }
    /**
     * Accepted without effect.
     */
    app_screen_width?: {
      [k: string]: unknown
    }
    /**
     * Accepted without effect.
     */
    app_timezone_offset?: {
      [k: string]: unknown
    }
  } | null
  /**
   * You show the steps of a verification yourself, by `customer_action`; otherwise it names a page for the customer.
   */
  enable_three_d_s_2?: boolean | null
  /**
   * Accepted without effect.
   */
  client_secret?: {
    [k: string]: unknown
  }
  /**
   * Accepted without effect.
   */
  third_party_sdk_version?: {
    [k: string]: unknown
  }
  /**
   * Accepted without effect.
   */
  settings?: {
    [k: string]: unknown
  }
  /**
   * Accepted without effect.
   */
  provision_network_token?: {
    [k: string]: unknown
  }
}
/**
 * To whom it is sent.
 */
export interface ResendInput {
  /**
   * The one endpoint that it is sent to.
   */
  endpoint_id?: string | null
}
/**
 * A new endpoint.
 */
export interface WebhookEndpointInput {
  /**
   * Where events are sent to.
   */
  url: string
  /**
   * Your own description.
   */
  description?: string | null
  /**
   * The events that are sent; null for all, those of later versions included.
   */
  events_whitelist?: string[] | null
  /**
   * Whether events are sent.
   */
  enabled?: boolean | null
  /**
   * Whether webhooks are signed with Ed25519 as well.
   */
  sign_with_ed25519?: boolean | null
}
/**
 * What is to be changed.
 */
export interface WebhookEndpointChanges {
  /**
   * Where events are sent to.
   */
  url?: string | null
  /**
   * Your own description.
   */
  description?: string | null
  /**
   * The events that are sent; null for all, those of later versions included.
   */
  events_whitelist?: string[] | null
  /**
   * Whether events are sent.
   */
  enabled?: boolean | null
  /**
   * Whether webhooks are signed with Ed25519 as well.
   */
  sign_with_ed25519?: boolean | null
}
/**
 * How long the previous secret also signs.
 */
export interface RotationInput {
  /**
   * How many seconds the previous secret also signs.
   */
  previous_expires_in?: number | null
}
/**
 * The time span.
 */
export interface RecoveryInput {
  /**
   * Events fired from this instant on.
   */
  since: string
  /**
   * Events fired before this instant; now by default.
   */
  until?: string | null
}
/**
 * A new account.
 */
export interface GatewayConfigurationInput {
  /**
   * Accepted without effect.
   */
  id?: {
    [k: string]: unknown
  }
  /**
   * Your own name of the account.
   */
  name: string
  /**
   * Whether new payments may go there. What is there goes on in any case.
   */
  enabled?: boolean | null
  /**
   * The currency of the account, for you and for routing.
   */
  default_currency?: string | null
  /**
   * Where the account is processed, such as `EEA`.
   */
  processing_region?: string | null
  /**
   * The country of the account.
   */
  merchant_account_country_code?: string | null
  /**
   * The scheme of co-badged cards where nothing else names one.
   */
  default_preferred_scheme?: string | null
  /**
   * Your own keys and values.
   */
  metadata?: {
    [k: string]: string
  } | null
  /**
   * The credentials by their names. No answer tells a value, nor a part of one.
   */
  credentials?: {
    [k: string]: string | null
  } | null
  /**
   * How the adapter of the gateway is set up.
   */
  settings?: {
    [k: string]: string | null
  } | null
  /**
   * What can be done there; null where the gateway is not installed any more.
   */
  capabilities?: {
    /**
     * Reserve money without taking it. Where it is false, there are sales only.
     */
    authorize?: boolean | null
    /**
     * Capture a part of what is reserved.
     */
    partial_capture?: boolean | null
    /**
     * Capture in several parts.
     */
    multiple_captures?: boolean | null
    /**
     * Release a part of what is reserved.
     */
    partial_void?: boolean | null
    /**
     * Raise what is reserved.
     */
    incremental_authorization?: boolean | null
    /**
     * Give captured money back.
     */
    refund?: boolean | null
    /**
     * Give a part of it back.
     */
    partial_refund?: boolean | null
    /**
     * Authenticate customers in apps with 3-D Secure, without a page.
     */
    native_3ds?: boolean | null
    /**
     * The only currencies it takes; null for all.
     *
     * @minItems 1
     */
    currencies?: string[] | null
    /**
     * The only card schemes it takes; null for all.
     *
     * @minItems 1
     */
    schemes?: string[] | null
  } | null
  /**
   * How long authorizations hold where that is less than 7 days; the shortest that fits holds.
   *
   * @maxItems 50
   */
  authorization_validity?:
    | {
        /**
         * Of this scheme only; null for all.
         */
        scheme?: string | null
        /**
         * Of payments that one of them initiates only; null for both.
         */
        initiation?: 'customer' | 'merchant' | null
        /**
         * So many seconds from the request.
         */
        seconds: number
      }[]
    | null
}
/**
 * What is to be changed.
 */
export interface GatewayConfigurationChanges {
  /**
   * Accepted without effect.
   */
  id?: {
    [k: string]: unknown
  }
  /**
   * Your own name of the account.
   */
  name?: string | null
  /**
   * Whether new payments may go there. What is there goes on in any case.
   */
  enabled?: boolean | null
  /**
   * The currency of the account, for you and for routing.
   */
  default_currency?: string | null
  /**
   * Where the account is processed, such as `EEA`.
   */
  processing_region?: string | null
  /**
   * The country of the account.
   */
  merchant_account_country_code?: string | null
  /**
   * The scheme of co-badged cards where nothing else names one.
   */
  default_preferred_scheme?: string | null
  /**
   * Your own keys and values.
   */
  metadata?: {
    [k: string]: string
  } | null
  /**
   * The credentials by their names. No answer tells a value, nor a part of one.
   */
  credentials?: {
    [k: string]: string | null
  } | null
  /**
   * How the adapter of the gateway is set up.
   */
  settings?: {
    [k: string]: string | null
  } | null
  /**
   * What can be done there; null where the gateway is not installed any more.
   */
  capabilities?: {
    /**
     * Reserve money without taking it. Where it is false, there are sales only.
     */
    authorize?: boolean | null
    /**
     * Capture a part of what is reserved.
     */
    partial_capture?: boolean | null
    /**
     * Capture in several parts.
     */
    multiple_captures?: boolean | null
    /**
     * Release a part of what is reserved.
     */
    partial_void?: boolean | null
    /**
     * Raise what is reserved.
     */
    incremental_authorization?: boolean | null
    /**
     * Give captured money back.
     */
    refund?: boolean | null
    /**
     * Give a part of it back.
     */
    partial_refund?: boolean | null
    /**
     * Authenticate customers in apps with 3-D Secure, without a page.
     */
    native_3ds?: boolean | null
    /**
     * The only currencies it takes; null for all.
     *
     * @minItems 1
     */
    currencies?: string[] | null
    /**
     * The only card schemes it takes; null for all.
     *
     * @minItems 1
     */
    schemes?: string[] | null
  } | null
  /**
   * How long authorizations hold where that is less than 7 days; the shortest that fits holds.
   *
   * @maxItems 50
   */
  authorization_validity?:
    | {
        /**
         * Of this scheme only; null for all.
         */
        scheme?: string | null
        /**
         * Of payments that one of them initiates only; null for both.
         */
        initiation?: 'customer' | 'merchant' | '' | null
        /**
         * So many seconds from the request.
         */
        seconds: number
      }[]
    | null
}
/**
 * A report.
 */
export interface SettlementFileInput {
  /**
   * The whole text of the report, with its line of headers.
   */
  content: string
}
/**
 * Why the difference is settled.
 */
export interface ResolutionInput {
  /**
   * Why nothing is left to be done, for those who audit the books.
   */
  reason: string
}
/**
 * The rules, in the text form or in JSON.
 */
export interface RuleSetInput {
  /**
   * The rules in their order: in the text form, or a list of rules as they are shown.
   */
  rules: string | RuleInput[]
  /**
   * Whether the version decides from the next payment on; true by default.
   */
  activate?: boolean | null
}
/**
 * The payment, and the rules.
 */
export interface ExplanationInput {
  /**
   * The invoice whose payment is explained.
   */
  invoice_id?: string | null
  /**
   * In place of an invoice: a hypothetical payment.
   */
  payment?: {
    /**
     * The amount.
     */
    amount: string
    /**
     * The currency of the amount.
     */
    currency: string
    /**
     * Who would pay.
     */
    customer_id?: string | null
    /**
     * The country of the customer.
     */
    customer_country?: string | null
    /**
     * The address of the customer’s device.
     */
    ip_address?: string | null
    /**
     * Where the customer would pay.
     */
    channel?: 'web' | 'ios' | 'android' | null
    /**
     * Why you would pay in the customer’s absence.
     */
    merchant_initiator_type?: 'recurring' | 'one-off' | null
    /**
     * Who would initiate the payment.
     */
    initiation_type?: 'cit' | 'mit' | null
    /**
     * What the payment would be for.
     */
    payment_intent?:
      | 'one-off'
      | 'recurring'
      | 'recurring-standing-order'
      | 'recurring-subscription'
      | 'installment'
      | 'unscheduled'
      | 'unscheduled-delayed-charge'
      | 'unscheduled-resubmission'
      | 'unscheduled-no-show'
      | 'unscheduled-reauthorization'
      | null
    /**
     * Whether it would only verify a source.
     */
    verification?: boolean | null
    /**
     * The metadata of the invoice.
     */
    metadata?: {
      [k: string]: string
    } | null
  } | null
  /**
   * What it would be paid with: a card, a token or a customer.
   */
  source?: string | null
  /**
   * In place of a source: a hypothetical card.
   */
  card?: {
    /**
     * The card scheme.
     */
    scheme?: string | null
    /**
     * The second scheme of a co-badged card.
     */
    co_scheme?: string | null
    /**
     * The kind of account behind the card.
     */
    type?: string | null
    /**
     * Whether the card is for private or business use.
     */
    category?: 'consumer' | 'commercial' | null
    /**
     * Where the card was issued.
     */
    country_code?: string | null
    /**
     * The first digits of the card.
     */
    iin?: string | null
    /**
     * Its last four digits.
     */
    last_4_digits?: string | null
    /**
     * The fingerprint of the card.
     */
    fingerprint?: string | null
  } | null
  /**
   * In place of the active rules: others, in the text form or as a list.
   */
  rules?: string | RuleInput[] | null
  /**
   * Whether the authorization should be one that can be raised.
   */
  incremental?: boolean | null
  /**
   * Whether money would only be reserved.
   */
  authorize_only?: boolean | null
  /**
   * Whether the money may be taken at once where the gateway does not support separate authorization and capture.
   */
  allow_fallback_to_sale?: boolean | null
}
export interface Done {
  success: true
}
export interface CreateTokenAnswer {
  /**
   * Always true.
   */
  success: boolean
  token: Token
  customer_action?: CustomerAction
}
export interface UpdateTokenAnswer {
  /**
   * Always true.
   */
  success: boolean
  token: Token
  customer_action?: CustomerAction
}
export interface ResendEventAnswer {
  /**
   * Always true.
   */
  success: boolean
  /**
   * The deliveries that are sent again.
   */
  webhooks: Webhook[]
}
export interface RecoverWebhookEndpointAnswer {
  /**
   * Always true.
   */
  success: boolean
  /**
   * How many events are sent again.
   */
  count: number
  /**
   * Whether the time span has more; call again.
   */
  has_more: boolean
}
export interface RetrieveRoutingRulesAnswer {
  /**
   * Always true.
   */
  success: boolean
  /**
   * The version that decides; null where none does.
   */
  rule_set: RuleSet | null
}
export interface DeactivateRoutingRulesAnswer {
  /**
   * Always true.
   */
  success: boolean
  /**
   * Null: no version decides.
   */
  rule_set: RuleSet | null
}
export interface ListVersionsAnswer {
  /**
   * Always true.
   */
  success: boolean
  /**
   * The name of the service.
   */
  name: 'holdfast'
  /**
   * The version of the interface that answers.
   */
  current_version: string
  /**
   * The latest version of the interface.
   */
  latest_version: string
  /**
   * All versions of the interface.
   *
   * Items: A version.
   */
  versions: string[]
}
export interface ListErrorCodesAnswer {
  /**
   * Always true.
   */
  success: boolean
  /**
   * Every code.
   */
  error_codes: ErrorDescription[]
  /**
   * The codes alone, as client libraries read them.
   */
  gateway: CategorizedErrorCodes
}
export interface CheckReadinessAnswer {
  /**
   * Always true.
   */
  success: boolean
  /**
   * Whether PostgreSQL answers.
   */
  database: boolean
  /**
   * Whether Temporal answers.
   */
  temporal: boolean
}
