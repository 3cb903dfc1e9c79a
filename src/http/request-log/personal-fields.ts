/** Fields without personal data, in bodies that are otherwise about a person. */
const OF_CARDS = ['exp_month', 'exp_year', 'preferred_scheme', 'token_type', 'device'] as const
const OF_CUSTOMERS = ['customer_id', 'default_token_id', 'is_business', 'currency', 'balance', 'registered_at'] as const
const OF_TOKENS = [
  'source',
  'set_default',
  'gateway_configuration_id',
  'preferred_scheme',
  'manual_invoice_cancellation',
  'verify',
  'verify_statement_descriptor',
  'invoice_id',
  'return_url',
  'cancel_url',
  'webhook_url',
  'invoice_return_url',
  'device',
] as const
/** Credentials of a gateway account are sent beside its settings, and people mix them up. */
const OF_GATEWAY_CONFIGURATIONS = [
  'name',
  'enabled',
  'default_currency',
  'processing_region',
  'merchant_account_country_code',
  'default_preferred_scheme',
] as const

/** A made-up payment may still contain a real person's data. */
const OF_EXPLANATIONS = [
  'invoice_id',
  'source',
  'rules',
  'incremental',
  'authorize_only',
  'allow_fallback_to_sale',
] as const

/** The people of a project, by the dashboard. */
const OF_PEOPLE = ['role'] as const

/** By the beginning of the route, the more specific ones first. */
const KEPT: readonly (readonly [route: string, fields: readonly string[]])[] = [
  ['/cards', OF_CARDS],
  ['/customers/:id/tokens', OF_TOKENS],
  ['/customers', OF_CUSTOMERS],
  ['/invoices/:id/customers', OF_CUSTOMERS],
  ['/gateways/:name/gateway-configurations', OF_GATEWAY_CONFIGURATIONS],
  ['/gateway-configurations/:id', OF_GATEWAY_CONFIGURATIONS],
  ['/routing-rules/explain', OF_EXPLANATIONS],
  ['/dashboard/people', OF_PEOPLE],
  ['/dashboard/invitations', OF_PEOPLE],
]

/**
 * The only fields kept of the bodies of a route with personal data or secrets; null for any other route. Unknown fields are
 * masked too, because a misspelt one may hold a name or a security code.
 */
export function fieldsKeptOf(route: string): readonly string[] | null {
  return KEPT.find(([beginning]) => route.startsWith(beginning))?.[1] ?? null
}

/** Personal parts of other bodies, in lower case and without separators. */
const PERSONAL_NAME = /^(?:shipping|billing|device|externalfraudtools|information)$/

/** True if a value is personal, by its path; the channel of a device is not. */
export function isPersonal(steps: readonly string[]): boolean {
  if (steps.at(-2) === 'device' && steps.at(-1) === 'channel') return false
  return steps.some((step) => PERSONAL_NAME.test(step))
}
