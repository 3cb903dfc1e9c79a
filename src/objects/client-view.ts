import { codeForClients } from '../../domain/client-errors.ts'
import { ERRORS, isErrorCode } from '../../domain/errors.ts'

/**
 * What clients see of each kind of object: the fields that are named here, and no other, so that a field of tomorrow stays
 * hidden until somebody shows it. A name stands for another kind of object, or a list of them; `plain` for texts, numbers,
 * booleans, nulls and lists of them, and hides an object that stands in their place.
 */
type View = Readonly<Record<string, 'plain' | ClientViewName>>

const plain = <const Names extends string>(...names: readonly Names[]) =>
  Object.fromEntries(names.map((name) => [name, 'plain'])) as Record<Names, 'plain'>

export const VIEWS = {
  /** The answer itself, a success, a decline or a refusal. */
  answer: {
    ...plain(
      'success',
      'outcome',
      'message',
      'error_type',
      'request_id',
      'authorized',
      'captured',
      'customer_token_id',
    ),
    ...plain('has_more', 'count', 'total_count', 'total_count_capped', 'limit', 'order'),
    invalid_fields: 'invalid_field',
    customer_action: 'customer_action',
    invoice: 'invoice',
    transaction: 'transaction',
    card: 'card',
    card_information: 'card_information',
    token: 'token',
    gateway_configurations: 'gateway_configuration',
  },
  invalid_field: plain('name', 'message'),
  customer_action: { ...plain('type', 'value'), metadata: 'customer_action_metadata' },
  customer_action_metadata: plain('no_iframe'),
  /** What is to be paid. Who pays, where it goes and how the merchant keeps its books is nobody's who has only the id. */
  invoice: {
    ...plain('id', 'project_id', 'customer_id', 'transaction_id', 'name', 'amount', 'currency', 'status'),
    ...plain('verification', 'incremental', 'require_backend_capture', 'auto_capture_at', 'expires_at'),
    ...plain('return_url', 'cancel_url', 'sandbox', 'created_at'),
    details: 'invoice_detail',
    device: 'device',
    transaction: 'transaction',
  },
  invoice_detail: plain('id', 'name', 'amount', 'quantity', 'discount_amount', 'description', 'brand', 'model'),
  device: plain('channel'),
  /** How the payment stands. What issuer and gateway say beyond that would tell whoever tries cards which ones are good. */
  transaction: {
    ...plain('id', 'project_id', 'invoice_id', 'name', 'currency', 'status', 'error_code'),
    ...plain('amount', 'authorized_amount', 'captured_amount', 'voided_amount', 'refunded_amount'),
    ...plain(
      'authorized',
      'captured',
      'voided',
      'refunded',
      'authorized_at',
      'captured_at',
      'voided_at',
      'refunded_at',
    ),
    ...plain('authorization_expires_at', 'auto_capture_at', 'auto_capture_amount', 'incremental', 'supported_actions'),
    ...plain('sandbox', 'created_at'),
    invoice: 'invoice',
  },
  card: {
    ...plain('id', 'project_id', 'scheme', 'co_scheme', 'preferred_scheme', 'type', 'bank_name', 'brand', 'category'),
    ...plain('iin', 'last_4_digits', 'exp_month', 'exp_year', 'expires_soon', 'country_code', 'cvc_tokenized'),
    ...plain('sandbox', 'created_at'),
  },
  card_information: {
    ...plain('iin', 'scheme', 'co_scheme', 'type', 'bank_name', 'brand', 'category', 'country', 'country_code'),
  },
  token: {
    ...plain('id', 'project_id', 'customer_id', 'card_id', 'invoice_id', 'type', 'summary', 'description'),
    ...plain('verification_status', 'is_default', 'is_chargeable', 'return_url', 'cancel_url', 'sandbox', 'created_at'),
  },
  gateway_configuration: plain('id', 'gateway_name', 'name', 'enabled'),
} as const satisfies Record<string, Readonly<Record<string, string>>>

export type ClientViewName = keyof typeof VIEWS

/** What a client may see of the body of an answer. */
export function clientView(body: object): object {
  return viewOf(body, 'answer')
}

/**
 * An object of an answer with the error that a client is told. What is refused at once, such as a security code of two
 * digits, is no failed payment and names what is wrong.
 */
function withErrorForClients(value: object, name: ClientViewName): object {
  const { outcome, error_type: errorType, error_code: errorCode } = value as Record<string, unknown>
  if (name === 'transaction' && typeof errorCode === 'string')
    return { ...value, error_code: codeForClients(errorCode) }
  if (name !== 'answer' || outcome !== 'failed' || typeof errorType !== 'string') return value
  const shown = codeForClients(errorType)
  if (shown === errorType || !isErrorCode(shown)) return value
  return { ...value, error_type: shown, message: ERRORS[shown].message }
}

function viewOf(value: object, name: ClientViewName): object {
  const view: View = VIEWS[name]
  const shown = Object.entries(withErrorForClients(value, name)).flatMap(([field, inner]) => {
    const kind = Object.hasOwn(view, field) ? view[field] : undefined
    const seen = kind === undefined ? undefined : shownAs(inner, kind)
    return seen === undefined ? [] : [[field, seen] as const]
  })
  return Object.fromEntries(shown)
}

/** Undefined for what is not shown. */
function shownAs(value: unknown, kind: 'plain' | ClientViewName): unknown {
  if (Array.isArray(value)) return value.map((inner) => shownAs(inner, kind)).filter((inner) => inner !== undefined)
  const isObject = typeof value === 'object' && value !== null
  // A text where an object belongs is as little foreseen as the reverse; null is an object that is not there.
  if (kind === 'plain') return isObject ? undefined : value
  if (value === null) return null
  return isObject ? viewOf(value, kind) : undefined
}
