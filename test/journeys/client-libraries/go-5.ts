import { type Dialect, type Fields, LibraryDies } from './library.ts'

/** Go: every field that the library knows has a type, and one of another type fails the whole answer. */
export const GO: Dialect = {
  language: 'Go',
  agent: 'ProcessOut Go-Bindings/v5.6.0',
  without: ['submerchant_id', 'provision_network_token', 'invoice_line_items', 'transaction_link_id'],
  encode(_, fields, { expand, filter = '', limit = 0 }) {
    // The parameters of lists are in the query and in the body of every call, whatever its method.
    const query = new URLSearchParams({ end_before: '', filter, limit: String(limit), start_after: '' })
    for (const name of expand ?? []) query.append('expand[]', name)
    const options = { expand: expand ?? null, filter, limit, end_before: '', start_after: '' }
    return { query: `?${query}`, body: JSON.stringify({ ...options, ...fields }) }
  },
  decode(body, name, mayAsk) {
    const object = read(name, body[name] ?? null, name) as Fields | null
    const action = mayAsk ? read('customer_action', body.customer_action ?? null, 'customer_action') : null
    if (object === null) throw new LibraryDies(`There is no ${name}: nil is dereferenced.`)
    return action === null ? object : { ...object, customerAction: action }
  },
  decodeList(body, name) {
    return list(name, body[name] ?? [], name) as Fields[]
  },
}

/** The fields of an object by their types; what stands in none of them is passed over. */
interface Shape {
  texts?: string
  times?: string
  flags?: string
  numbers?: string
  /** Objects whose values are texts. */
  maps?: string
  /** Other objects, one or a list of them, by the name of the field. */
  objects?: string
}

const ADDRESS = 'address1 address2 city state country_code zip'

const SHAPES: Readonly<Record<string, Shape>> = {
  invoice: {
    texts:
      'id project_id transaction_id customer_id subscription_id token_id url url_qrcode name order_id amount currency merchant_initiator_type statement_descriptor statement_descriptor_phone statement_descriptor_city statement_descriptor_company statement_descriptor_url return_url cancel_url webhook_url exemption_reason_3ds2 sca_exemption_reason challenge_indicator payment_type initiation_type payment_intent reference_id',
    times: 'created_at expires_at auto_capture_at',
    flags: 'require_backend_capture sandbox incremental verification',
    maps: 'metadata gateway_data',
    objects:
      'transaction customer token details risk shipping device external_fraud_tools tax billing unsupported_feature_bypass',
  },
  details: {
    texts:
      'id name type amount reference description brand model discount_amount condition marketplace_merchant category',
    times: 'marketplace_merchant_created_at',
    flags: 'marketplace_merchant_is_business',
    numbers: 'quantity',
    maps: 'metadata',
  },
  shipping: {
    texts: `${ADDRESS} amount method provider delay phone_number relay_store_name first_name last_name email`,
    times: 'expects_shipping_at',
    objects: 'phone',
  },
  phone: { texts: 'number dialing_code' },
  billing: { texts: ADDRESS },
  device: { texts: 'id channel ip_address' },
  tax: { texts: 'amount rate' },
  risk: { texts: 'score', flags: 'is_legit skip_gateway_rules' },
  external_fraud_tools: {},
  unsupported_feature_bypass: { flags: 'incremental_authorization' },
  transaction: {
    texts:
      'id project_id invoice_id customer_id subscription_id token_id card_id gateway_configuration_id name amount amount_local authorized_amount authorized_amount_local captured_amount captured_amount_local refunded_amount refunded_amount_local available_amount available_amount_local voided_amount voided_amount_local currency error_code error_message acquirer_name gateway_name three_d_s_status status processout_fee estimated_fee gateway_fee gateway_fee_local currency_fee cvc_check avs_check initial_scheme_transaction_id scheme_id payment_type eci',
    times: 'created_at chargedback_at refunded_at authorized_at captured_at voided_at',
    flags:
      'authorized captured voided refunded chargedback received_fraud_notification received_retrieval_request sandbox',
    maps: 'metadata',
    objects: 'invoice customer token card gateway_configuration operations refunds three_d_s native_apm',
  },
  three_d_s: {},
  native_apm: {},
  operations: {
    texts:
      'id transaction_id token_id card_id gateway_configuration_id amount currency type gateway_operation_id arn error_code error_message initial_scheme_transaction_id scheme_id payment_type gateway_fee',
    times: 'created_at',
    flags: 'is_attempt has_failed is_accountable processed_with_network_token',
    maps: 'gateway_data metadata',
    objects: 'transaction token card gateway_configuration',
  },
  refund: {
    texts: 'id transaction_id amount reason information',
    times: 'created_at',
    flags: 'has_failed sandbox',
    maps: 'metadata',
    objects: 'transaction',
  },
  customer: {
    texts: `${ADDRESS} id project_id default_token_id balance currency email first_name last_name company_name ip_address phone_number legal_document sex reference_id`,
    times: 'created_at registered_at date_of_birth',
    flags: 'is_business sandbox',
    maps: 'metadata',
    objects: 'default_token tokens transactions phone',
  },
  token: {
    texts:
      'id customer_id gateway_configuration_id card_id type return_url cancel_url summary description invoice_id verification_status webhook_url',
    times: 'created_at',
    flags: 'is_subscription_only is_default is_chargeable manual_invoice_cancellation can_get_balance',
    maps: 'metadata',
    objects: 'customer gateway_configuration card invoice',
  },
  card: {
    texts: `${ADDRESS} id project_id scheme co_scheme preferred_scheme type bank_name brand category iin last_4_digits cvc_check avs_check name ip_address fingerprint token_type`,
    times: 'created_at',
    flags: 'used has_been_authorized expires_soon sandbox',
    numbers: 'exp_month exp_year',
    maps: 'metadata',
    objects: 'token',
  },
  card_information: { texts: 'iin scheme type bank_name brand category country' },
  event: { texts: 'id project_id name', times: 'fired_at', flags: 'sandbox' },
  webhooks: {
    texts: 'id project_id event_id request_url request_method response_body response_code response_headers status',
    times: 'created_at release_at',
    numbers: 'response_time_ms',
    objects: 'event',
  },
  gateway_configuration: {
    texts: 'id project_id name default_currency processing_region',
    times: 'created_at enabled_at',
    flags: 'enabled',
    numbers: 'gateway_id',
    maps: 'public_keys metadata',
    objects: 'gateway',
  },
  gateway: {
    texts: 'id name display_name logo_url url description',
    flags: 'can_pull_transactions can_refund is_oauth_authentication',
  },
  project: { texts: 'id supervisor_project_id name logo_url email default_currency private_key', times: 'created_at' },
  customer_action: { texts: 'type value', maps: 'metadata' },
}

/** Under which name the items of a list are described. */
const ITEMS: Readonly<Record<string, string>> = {
  invoices: 'invoice',
  transactions: 'transaction',
  customers: 'customer',
  tokens: 'token',
  default_token: 'token',
  cards: 'card',
  refunds: 'refund',
  events: 'event',
  gateway_configurations: 'gateway_configuration',
}

const LISTS = ['details', 'operations', 'refunds', 'tokens', 'transactions']

/** As RFC 3339 has it, which is all that the library reads. */
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/

const TYPES: readonly [keyof Shape, (value: unknown) => boolean][] = [
  ['texts', (value) => typeof value === 'string'],
  ['times', (value) => typeof value === 'string' && TIME.test(value)],
  ['flags', (value) => typeof value === 'boolean'],
  ['numbers', (value) => Number.isInteger(value)],
  ['maps', (value) => isObject(value) && Object.values(value).every((text) => typeof text === 'string')],
]

function read(kind: string, value: unknown, path: string): unknown {
  if (value === null) return null
  const shape = SHAPES[ITEMS[kind] ?? kind]
  if (shape === undefined) throw new Error(`What the library knows of ${kind} is not described.`)
  if (!isObject(value)) throw new LibraryDies(`${path} is no object.`)
  for (const [type, isOf] of TYPES) {
    for (const name of (shape[type] ?? '').split(' ')) {
      const given = value[name] ?? null
      if (given !== null && !isOf(given)) throw new LibraryDies(`${path}.${name} is none of the ${type}: ${given}.`)
    }
  }
  for (const name of (shape.objects ?? '').split(' ').filter((known) => known !== '')) {
    const inner = value[name] ?? null
    if (inner === null) continue
    if (LISTS.includes(name)) list(name, inner, `${path}.${name}`)
    else read(name, inner, `${path}.${name}`)
  }
  return value
}

function list(kind: string, value: unknown, path: string): unknown[] {
  if (!Array.isArray(value)) throw new LibraryDies(`${path} is no list.`)
  return value.map((item, index) => read(kind, item, `${path}.${index}`))
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
