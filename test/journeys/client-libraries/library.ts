import { request } from 'node:http'

/**
 * How ProcessOut's client libraries of five languages speak to the service: what they send, and what their merchants'
 * programs die of. Written from how the libraries behave on the wire. Nothing here knows more of us than they do.
 */

export type Fields = Record<string, unknown>

// biome-ignore lint/suspicious/noExplicitAny: a test that reads a field that is not there fails by itself.
export type LibraryObject = any

export interface Options {
  expand?: string[]
  filter?: string
  limit?: number
  idempotencyKey?: string
}

/** The merchant's program ends, or goes on with nothing in its hands. */
export class LibraryDies extends Error {
  override readonly name = 'LibraryDies'
}

/** An answer without a true `success`, as an exception of the library. */
export class LibraryError extends Error {
  override readonly name = 'LibraryError'
  readonly status: number
  readonly code: string

  constructor(status: number, { error_type: code, message }: Fields) {
    super(`${status} ${code}: ${message}`)
    this.status = status
    this.code = String(code)
  }
}

/** One call of the interface, as all of the libraries know it. */
interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** `:id` and `:other` are ids. */
  path: string
  /** What goes into the body or the query of every call, null where nothing was set. */
  fields?: string
  /** The object that the answer is read for, or the list of them. */
  reads?: string
  list?: string
  /** Whether `customer_action` is looked for, too. */
  mayAsk?: boolean
}

const PAYMENT =
  'device incremental synchronous retry_drop_liability_shift capture_amount enable_three_d_s_2 auto_capture_at metadata override_mac_blocking external_three_d_s save_source source'
const CUSTOMER =
  'balance currency email first_name last_name company_name address1 address2 city state zip country_code ip_address phone legal_document date_of_birth is_business sex metadata registered_at phone_number'
const TOKEN =
  'source settings device verify verify_metadata set_default verify_statement_descriptor invoice_return_url gateway_configuration_id provision_network_token'
const CONFIGURATION = 'id name enabled default_currency processing_region metadata settings sub_accounts_enabled'
const REFUND = 'amount reason information invoice_detail_ids metadata'

const CALLS = {
  'customer.create': { method: 'POST', path: '/customers', fields: `${CUSTOMER} id reference_id`, reads: 'customer' },
  'customer.save': { method: 'PUT', path: '/customers/:id', fields: `${CUSTOMER} default_token_id`, reads: 'customer' },
  'customer.find': { method: 'GET', path: '/customers/:id', reads: 'customer' },
  'customer.all': { method: 'GET', path: '/customers', list: 'customers' },
  'customer.tokens': { method: 'GET', path: '/customers/:id/tokens', list: 'tokens' },
  'customer.transactions': { method: 'GET', path: '/customers/:id/transactions', list: 'transactions' },
  'customer.delete': { method: 'DELETE', path: '/customers/:id' },
  'token.create': {
    method: 'POST',
    path: '/customers/:id/tokens',
    fields: `${TOKEN} metadata return_url cancel_url description invoice_id manual_invoice_cancellation webhook_url summary`,
    reads: 'token',
    mayAsk: true,
  },
  'token.find': { method: 'GET', path: '/customers/:id/tokens/:other', reads: 'token' },
  'token.save': { method: 'PUT', path: '/customers/:id/tokens/:other', fields: TOKEN },
  'token.delete': { method: 'DELETE', path: '/customers/:id/tokens/:other' },
  'invoice.create': {
    method: 'POST',
    path: '/invoices',
    fields:
      'customer_id name order_id amount currency metadata details submerchant submerchant_id reference_id exemption_reason_3ds2 sca_exemption_reason challenge_indicator gateway_data merchant_initiator_type initiation_type payment_intent statement_descriptor statement_descriptor_phone statement_descriptor_city statement_descriptor_company statement_descriptor_url return_url cancel_url webhook_url risk shipping device require_backend_capture external_fraud_tools tax payment_type billing unsupported_feature_bypass verification auto_capture_at expires_at',
    reads: 'invoice',
  },
  'invoice.find': { method: 'GET', path: '/invoices/:id', reads: 'invoice' },
  'invoice.update': { method: 'PUT', path: '/invoices/:id', fields: 'amount tax details shipping', reads: 'invoice' },
  'invoice.all': { method: 'GET', path: '/invoices', list: 'invoices' },
  'invoice.delete': { method: 'DELETE', path: '/invoices/:id' },
  'invoice.customer': { method: 'GET', path: '/invoices/:id/customers', reads: 'customer' },
  'invoice.assign': { method: 'POST', path: '/invoices/:id/customers', fields: 'customer_id', reads: 'customer' },
  'invoice.authorize': {
    method: 'POST',
    path: '/invoices/:id/authorize',
    fields: `${PAYMENT} allow_fallback_to_sale provision_network_token invoice_line_items transaction_link_id`,
    reads: 'transaction',
    mayAsk: true,
  },
  'invoice.capture': {
    method: 'POST',
    path: '/invoices/:id/capture',
    fields: `${PAYMENT} authorize_only capture_statement_descriptor provision_network_token transaction_link_id`,
    reads: 'transaction',
    mayAsk: true,
  },
  'invoice.increment': {
    method: 'POST',
    path: '/invoices/:id/increment_authorization',
    fields: 'metadata amount',
    reads: 'transaction',
  },
  'invoice.void': { method: 'POST', path: '/invoices/:id/void', fields: 'metadata amount', reads: 'transaction' },
  'invoice.transaction': { method: 'GET', path: '/invoices/:id/transactions', reads: 'transaction' },
  'invoice.sync': { method: 'PUT', path: '/invoices/:id/sync-with-psp', fields: '', reads: 'invoice' },
  'refund.createForInvoice': { method: 'POST', path: '/invoices/:id/refunds', fields: REFUND },
  'refund.create': { method: 'POST', path: '/transactions/:id/refunds', fields: REFUND },
  'refund.find': { method: 'GET', path: '/transactions/:id/refunds/:other', reads: 'refund' },
  'refund.all': { method: 'GET', path: '/transactions/:id/refunds', list: 'refunds' },
  'transaction.find': { method: 'GET', path: '/transactions/:id', reads: 'transaction' },
  'transaction.all': { method: 'GET', path: '/transactions', list: 'transactions' },
  'card.find': { method: 'GET', path: '/cards/:id', reads: 'card' },
  'card.all': { method: 'GET', path: '/cards', list: 'cards' },
  'card.anonymize': { method: 'DELETE', path: '/cards/:id' },
  'iin.fetch': { method: 'GET', path: '/iins/:id', reads: 'card_information' },
  'event.all': { method: 'GET', path: '/events', list: 'events' },
  'event.find': { method: 'GET', path: '/events/:id', reads: 'event' },
  'event.webhooks': { method: 'GET', path: '/events/:id/webhooks', list: 'webhooks' },
  'configuration.all': {
    method: 'GET',
    path: '/gateway-configurations',
    fields: 'expand_merchant_accounts',
    list: 'gateway_configurations',
  },
  'configuration.find': { method: 'GET', path: '/gateway-configurations/:id', reads: 'gateway_configuration' },
  'configuration.create': {
    method: 'POST',
    path: '/gateways/:id/gateway-configurations',
    fields: CONFIGURATION,
    reads: 'gateway_configuration',
  },
  'configuration.save': {
    method: 'PUT',
    path: '/gateway-configurations/:id',
    fields: CONFIGURATION,
    reads: 'gateway_configuration',
  },
  'configuration.ofGateway': {
    method: 'GET',
    path: '/gateways/:id/gateway-configurations',
    list: 'gateway_configurations',
  },
  'configuration.delete': { method: 'DELETE', path: '/gateway-configurations/:id' },
  'project.fetch': { method: 'GET', path: '/projects/:id', reads: 'project' },
  'errorCodes.all': { method: 'GET', path: '/error-codes', reads: 'gateway' },
} as const satisfies Record<string, Call>

export type CallName = keyof typeof CALLS

export interface Sent {
  query: string
  /** Null where none is sent. */
  body: string | null
}

/** In what one library differs from the others. */
export interface Dialect {
  language: string
  agent: string
  /** Headers that it sends with every call. */
  headers?: Record<string, string>
  /** Fields that this library does not know. */
  without: readonly string[]
  /** What goes over the wire of a call with these fields. */
  encode(method: Call['method'], fields: Fields, options: Options): Sent
  /**
   * The object that the merchant's program gets.
   *
   * @throws LibraryDies where the program does not get over it.
   */
  decode(body: Fields, name: string, mayAsk: boolean): LibraryObject
  /** The objects of a list. */
  decodeList(body: Fields, name: string): LibraryObject[]
}

export interface Library {
  language: string
  call(name: CallName, ids?: readonly string[], fields?: Fields, options?: Options): Promise<LibraryObject>
}

export interface Merchant {
  host: string
  projectId: string
  secretKey: string
}

export function createLibrary(dialect: Dialect, { host, projectId, secretKey }: Merchant): Library {
  const authorization = `Basic ${Buffer.from(`${projectId}:${secretKey}`).toString('base64')}`
  return {
    language: dialect.language,
    async call(name, ids = [], given = {}, options = {}) {
      const call: Call = CALLS[name]
      const known = (call.fields ?? '').split(' ').filter((field) => field !== '' && !dialect.without.includes(field))
      for (const field of Object.keys(given))
        if (!known.includes(field)) throw new Error(`This library does not know ${field} of ${name}.`)
      const fields = Object.fromEntries(known.map((field) => [field, given[field] ?? null]))
      const { query, body } = dialect.encode(call.method, fields, options)
      const [id = '', other = ''] = ids
      const path = call.path.replace(':id', encodeURIComponent(id)).replace(':other', encodeURIComponent(other))
      const { status, text } = await exchange(`${host}${path}${query}`, call.method, body, {
        authorization,
        'content-type': 'application/json',
        accept: 'application/json',
        'api-version': '1.4.0.0',
        'user-agent': dialect.agent,
        ...dialect.headers,
        ...(options.idempotencyKey === undefined ? {} : { 'idempotency-key': options.idempotencyKey }),
      })
      const answer = JSON.parse(text) as Fields
      if (answer.success !== true) throw new LibraryError(status, answer)
      if (call.list !== undefined) return dialect.decodeList(answer, call.list)
      return call.reads === undefined ? true : dialect.decode(answer, call.reads, call.mayAsk ?? false)
    },
  }
}

/** `fetch` sends no body with a GET; the library for Go does. */
function exchange(
  url: string,
  method: string,
  body: string | null,
  headers: Record<string, string>,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const length = body === null ? {} : { 'content-length': Buffer.byteLength(body) }
    const sent = request(url, { method, headers: { ...headers, ...length } }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (piece: string) => {
        text += piece
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
      response.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(body ?? undefined)
  })
}
