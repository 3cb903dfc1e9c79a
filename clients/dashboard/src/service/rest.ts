/** What the pages read of the objects of the REST interface. Amounts are decimal texts, instants RFC 3339 in UTC. */
import type { BookEntry, BookedType, DifferenceKind, SettlementLine } from '../../../../domain/books.ts'
import type { TransactionStatus } from '../../../../domain/transaction.ts'

/** A page of a list; the objects stand under their plural. */
export type List<Plural extends string, Item> = { [name in Plural]: Item[] } & {
  has_more: boolean
  total_count: number
  total_count_capped: boolean
}

export type SupportedAction =
  | 'capture'
  | 'partial_capture'
  | 'void'
  | 'partial_void'
  | 'increment_authorization'
  | 'refund'
  | 'partial_refund'

export interface Card {
  id: string
  scheme: string | null
  type: string | null
  bank_name: string | null
  last_4_digits: string
  exp_month: number
  exp_year: number
  name: string | null
  country_code: string | null
}

export interface Customer {
  id: string
  email: string | null
  first_name: string | null
  last_name: string | null
}

export interface Refund {
  id: string
  amount: string
  currency: string
  reason: string
  information: string | null
  status: 'pending' | 'succeeded' | 'failed'
  error_code: string | null
  created_at: string
}

export interface Transaction {
  id: string
  status: TransactionStatus
  currency: string
  amount: string
  authorized_amount: string
  captured_amount: string
  available_amount: string
  disputed_amount: string
  refunded_amount: string
  voided_amount: string
  supported_actions: SupportedAction[]
  authorization_expires_at: string | null
  auto_capture_at: string | null
  auto_capture_amount: string | null
  outcome_unknown_since: string | null
  gateway_configuration_id: string | null
  gateway_name: string | null
  gateway_configuration: { id: string; name: string; gateway_name: string } | null
  customer: Customer | null
  card: Card | null
  error_code: string | null
  error_message: string | null
  error_recommendations: string[] | null
  three_d_s_status: string | null
  three_d_s_version: string | null
  liability_shift: boolean | null
  rule_set_id: string | null
  rule_set_version: number | null
  routing_tags: string[]
  refunds: Refund[] | null
  created_at: string
}

export interface Invoice {
  id: string
  name: string
  order_id: string | null
  reference_id: string | null
  amount: string
  currency: string
  status: string
  metadata: Record<string, string>
  customer: Customer | null
  transaction: Transaction | null
  details: { id: string; name: string; quantity: number; amount: string }[] | null
  created_at: string
}

export interface WebhookAttempt {
  id: string
  run: number
  attempt: number
  request_url: string | null
  response_code: string | null
  response_body: string | null
  response_time_ms: number | null
  failure_reason: string | null
  started_at: string
}

export interface Webhook {
  id: string
  event_id: string
  event: { id: string; name: string; fired_at: string; invoice_id: string | null } | null
  endpoint_id: string | null
  request_url: string
  status: string
  run: number
  attempt: number | null
  response_code: string | null
  response_time_ms: number | null
  failure_reason: string | null
  release_at: string | null
  attempts: WebhookAttempt[] | null
  created_at: string
}

export interface WebhookEndpoint {
  id: string
  url: string
  description: string | null
  events_whitelist: string[] | null
  enabled: boolean
  disabled_reason: 'merchant' | 'gone' | 'failing' | null
  disabled_at: string | null
  sign_with_ed25519: boolean
  public_key: string | null
  failing_since: string | null
  /** Told where it is made only. */
  secret?: string
  created_at: string
}

export interface GatewayConfiguration {
  id: string
  gateway_name: string
  name: string
  enabled: boolean
  draining_since: string | null
  default_currency: string | null
  processing_region: string | null
  merchant_account_country_code: string | null
  credentials: Record<string, { set_at: string }>
  settings: Record<string, string>
  /** Null where no adapter of its gateway is installed any more. */
  capabilities: Capabilities | null
  circuit: { state: 'closed' | 'open' | 'half_open'; reason: string | null; changed_at: string | null }
  created_at: string
}

export interface Capabilities {
  authorize: boolean
  partial_capture: boolean
  multiple_captures: boolean
  partial_void: boolean
  incremental_authorization: boolean
  refund: boolean
  partial_refund: boolean
  native_3ds: boolean
  /** Null is all of them. */
  currencies: string[] | null
  schemes: string[] | null
}

export interface ListedRuleSet {
  id: string
  version: number
  active: boolean
  activated_at: string | null
  default_currency: string
  created_by: string
  created_at: string
}

export interface RuleSet extends ListedRuleSet {
  text: string
  rules: { position: number; kind: string; enabled: boolean; condition_text: string | null; tags: string[] }[]
}

export interface ApiRequest {
  id: string
  request_id: string
  api_key_id: string | null
  method: string
  path: string
  query: string | null
  status: number
  error_type: string | null
  has_idempotency_key: boolean
  ip: string | null
  user_agent: string | null
  latency_ms: number
  created_at: string
  /** Of one that was read by its id. */
  request_body?: unknown
  response_body?: string | null
}

export interface Reconciliation {
  id: string
  gateway_configuration_id: string
  gateway_configuration: GatewayConfiguration | null
  source: 'list' | 'file'
  /** In UTC; null for a file. */
  day: string | null
  status: 'waiting' | 'completed'
  next_try_at: string | null
  failure: string | null
  lines_count: number
  differences_count: number
}

export interface ReconciliationDifference {
  id: string
  gateway_configuration_id: string
  gateway_configuration: GatewayConfiguration | null
  transaction: { invoice_id: string } | null
  kind: DifferenceKind
  status: 'open' | 'resolved'
  type: BookedType
  gateway_reference: string | null
  /** Null where our books have nothing. */
  ours: { state: BookEntry['state']; amount: string; currency: string } | null
  /** Null where the gateway has nothing. */
  gateways: { state: SettlementLine['state']; amount: string; currency: string } | null
  resolved_at: string | null
  resolved_by: string | null
  resolution: string | null
  created_at: string
}
