/**
 * A client as merchants of ProcessOut have it, written from the published behaviour of that interface and from nothing
 * of ours: everything it knows is repeated here, so that it fails where we differ.
 *
 * Like the client libraries it sends JSON, every field that it knows, null where nothing was set; parameters of lists in
 * the query of every request, empty where nothing was set; and takes an answer without a true `success` for a failure.
 */

const API_VERSION = '1.4.0.0'

/** ProcessOut's header names, whose brand is all that a merchant who moves has to change. */
const CLIENT_SECRET_HEADER = 'X-Service-Client-Secret'

const CUSTOMER_FIELDS =
  'default_token_id email first_name last_name address1 address2 city state zip country_code phone legal_document ip_address sex date_of_birth is_business currency balance metadata reference_id registered_at'
const TOKEN_FIELDS =
  'source settings device verify verify_metadata verify_statement_descriptor invoice_id invoice_return_url set_default manual_invoice_cancellation preferred_scheme summary description return_url cancel_url webhook_url metadata'
const CARD_FIELDS = 'number exp_month exp_year cvc2 name contact device preferred_scheme metadata'
const INVOICE_FIELDS =
  'customer_id token_id subscription_id details name order_id reference_id amount currency metadata gateway_data exemption_reason_3ds2 sca_exemption_reason challenge_indicator statement_descriptor statement_descriptor_phone statement_descriptor_city statement_descriptor_company statement_descriptor_url webhook_url return_url cancel_url device merchant_initiator_type initiation_type payment_intent payment_type incremental unsupported_feature_bypass auto_capture_at expires_at require_backend_capture verification risk shipping billing tax external_fraud_tools split_allocations submerchant native_apm'
const PAYMENT_FIELDS =
  'source authorize_only authenticate_only capture_amount capture_type capture_statement_descriptor invoice_detail_ids auto_capture_at allow_fallback_to_sale save_source client_secret enable_three_d_s_2 incremental preferred_scheme override_mac_blocking initial_scheme_transaction_id split_allocations external_three_d_s synchronous retry_drop_liability_shift metadata device'
const REFUND_FIELDS = 'amount reason information metadata invoice_detail_ids'
const AMOUNT_FIELDS = 'amount metadata'

const UNSET_LIST_PARAMETERS = { expand: null, filter: '', limit: 0, end_before: '', start_after: '' }

// biome-ignore lint/suspicious/noExplicitAny: a test that reads a field that is not there fails by itself.
export type ProcessOutObject = any

type Fields = Record<string, unknown>

export interface Options {
  idempotencyKey?: string
  expand?: readonly string[]
  filter?: string
  limit?: number
  order?: 'asc' | 'desc'
  startAfter?: string
  endBefore?: string
}

export interface Answered {
  body: ProcessOutObject
  text: string
  headers: Headers
}

export interface List {
  items: ProcessOutObject[]
  hasMore: boolean
  count: number
  totalCount: number
}

/** An answer without a true `success`. */
export class ProcessOutError extends Error {
  override readonly name = 'ProcessOutError'
  readonly status: number
  readonly errorType: string
  readonly body: ProcessOutObject

  constructor(status: number, body: ProcessOutObject) {
    super(`${status} ${body?.error_type}: ${body?.message}`)
    this.status = status
    this.errorType = String(body?.error_type)
    this.body = body
  }
}

export interface Credentials {
  host: string
  projectId: string
  projectSecret: string
  /** Puts the parameters of lists into the body of every request as well, as the library for Go does. */
  listParametersInBodies?: boolean
}

export type ProcessOut = ReturnType<typeof createProcessOut>

export function createProcessOut(credentials: Credentials) {
  const send = sender(credentials)
  const get = async (path: string, options?: Options) => (await send('GET', path, undefined, options)).body
  const remove = async (path: string, options?: Options) => (await send('DELETE', path, undefined, options)).body
  const change = (method: 'POST' | 'PUT', names: string) => async (path: string, fields: Fields, options?: Options) =>
    (await send(method, path, allFields(names, fields), options)).body
  const list = async (path: string, plural: string, options: Options = {}): Promise<List> => {
    const body = await get(path, options)
    return { items: body[plural], hasMore: body.has_more, count: body.count, totalCount: body.total_count }
  }
  const pay =
    (action: 'authorize' | 'capture') =>
    (invoiceId: string, source: string, more: Fields = {}, options?: Options) =>
      change('POST', PAYMENT_FIELDS)(`/invoices/${invoiceId}/${action}`, { source, ...more }, options)
  const tokensOf = (customerId: string) => `/customers/${customerId}/tokens`

  return {
    /** One request as it is, for what a client library would not do. */
    send,
    customers: {
      create: async (fields: Fields, options?: Options) =>
        (await change('POST', CUSTOMER_FIELDS)('/customers', fields, options)).customer,
      find: async (id: string, options?: Options) => (await get(`/customers/${id}`, options)).customer,
      update: async (id: string, fields: Fields, options?: Options) =>
        (await change('PUT', CUSTOMER_FIELDS)(`/customers/${id}`, fields, options)).customer,
      delete: (id: string, options?: Options) => remove(`/customers/${id}`, options),
      all: (options?: Options) => list('/customers', 'customers', options),
      transactions: (id: string, options?: Options) => list(`/customers/${id}/transactions`, 'transactions', options),
    },
    tokens: {
      create: async (customerId: string, fields: Fields, options?: Options) =>
        (await change('POST', TOKEN_FIELDS)(tokensOf(customerId), fields, options)).token,
      find: async (customerId: string, id: string, options?: Options) =>
        (await get(`${tokensOf(customerId)}/${id}`, options)).token,
      update: async (customerId: string, id: string, fields: Fields, options?: Options) =>
        (await change('PUT', TOKEN_FIELDS)(`${tokensOf(customerId)}/${id}`, fields, options)).token,
      delete: (customerId: string, id: string, options?: Options) => remove(`${tokensOf(customerId)}/${id}`, options),
      all: (customerId: string, options?: Options) => list(tokensOf(customerId), 'tokens', options),
    },
    cards: {
      create: async (fields: Fields, options?: Options) =>
        (await change('POST', CARD_FIELDS)('/cards', fields, options)).card,
      find: async (id: string, options?: Options) => (await get(`/cards/${id}`, options)).card,
      all: (options?: Options) => list('/cards', 'cards', options),
    },
    invoices: {
      create: async (fields: Fields, options?: Options) =>
        (await change('POST', INVOICE_FIELDS)('/invoices', fields, options)).invoice,
      /** The invoice, with the secret that a page of the merchant hands to its client. */
      createWithSecret: async (fields: Fields, options?: Options) => {
        const { body, headers } = await send('POST', '/invoices', allFields(INVOICE_FIELDS, fields), options)
        return { invoice: body.invoice, clientSecret: String(headers.get(CLIENT_SECRET_HEADER)) }
      },
      find: async (id: string, options?: Options) => (await get(`/invoices/${id}`, options)).invoice,
      update: async (id: string, fields: Fields, options?: Options) =>
        (await change('PUT', INVOICE_FIELDS)(`/invoices/${id}`, fields, options)).invoice,
      delete: (id: string, options?: Options) => remove(`/invoices/${id}`, options),
      all: (options?: Options) => list('/invoices', 'invoices', options),
      authorize: pay('authorize'),
      capture: pay('capture'),
      void: async (id: string, fields: Fields = {}, options?: Options) =>
        (await change('POST', AMOUNT_FIELDS)(`/invoices/${id}/void`, fields, options)).transaction,
      incrementAuthorization: async (id: string, amount: string, options?: Options) =>
        (await change('POST', AMOUNT_FIELDS)(`/invoices/${id}/increment_authorization`, { amount }, options))
          .transaction,
      refund: async (id: string, fields: Fields = {}, options?: Options) =>
        (await change('POST', REFUND_FIELDS)(`/invoices/${id}/refunds`, fields, options)).refund,
      sync: async (id: string, options?: Options) =>
        (await change('PUT', '')(`/invoices/${id}/sync-with-psp`, {}, options)).transaction,
      transactions: (id: string, options?: Options) => list(`/invoices/${id}/transactions`, 'transactions', options),
    },
    transactions: {
      all: (options?: Options) => list('/transactions', 'transactions', options),
      find: async (id: string, options?: Options) => (await get(`/transactions/${id}`, options)).transaction,
      refund: async (id: string, fields: Fields = {}, options?: Options) =>
        (await change('POST', REFUND_FIELDS)(`/transactions/${id}/refunds`, fields, options)).refund,
      refunds: (id: string, options?: Options) => list(`/transactions/${id}/refunds`, 'refunds', options),
      findRefund: async (id: string, refundId: string, options?: Options) =>
        (await get(`/transactions/${id}/refunds/${refundId}`, options)).refund,
    },
    events: {
      all: (options?: Options) => list('/events', 'events', options),
      find: async (id: string, options?: Options) => (await get(`/events/${id}`, options)).event,
      webhooks: (id: string, options?: Options) => list(`/events/${id}/webhooks`, 'webhooks', options),
    },
  }
}

function sender({ host, projectId, projectSecret, listParametersInBodies = false }: Credentials) {
  const authorization = `Basic ${Buffer.from(`${projectId}:${projectSecret}`).toString('base64')}`
  return async (method: string, path: string, body?: Fields, options: Options = {}): Promise<Answered> => {
    const sent = listParametersInBodies ? { ...UNSET_LIST_PARAMETERS, ...body } : body
    const response = await fetch(`${host}${path}?${queryOf(options)}`, {
      method,
      headers: {
        Authorization: authorization,
        Accept: 'application/json',
        'API-Version': API_VERSION,
        'User-Agent': 'ProcessOut Test-Bindings/1.0.0',
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(options.idempotencyKey === undefined ? {} : { 'Idempotency-Key': options.idempotencyKey }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(sent) }),
    })
    const text = await response.text()
    const parsed = JSON.parse(text)
    if (parsed?.success !== true) throw new ProcessOutError(response.status, parsed)
    return { body: parsed, text, headers: response.headers }
  }
}

function queryOf({ expand = [], filter = '', limit, order, startAfter = '', endBefore = '' }: Options): string {
  const query = new URLSearchParams({
    filter,
    // The client libraries count an unset limit as zero.
    limit: String(limit ?? 0),
    order: order ?? '',
    start_after: startAfter,
    end_before: endBefore,
  })
  for (const relation of expand) query.append('expand[]', relation)
  return query.toString()
}

function allFields(names: string, fields: Fields): Fields {
  const known = names === '' ? [] : names.split(' ')
  for (const name of Object.keys(fields)) {
    if (!known.includes(name)) throw new Error(`This client does not know the field ${name}.`)
  }
  return Object.fromEntries(known.map((name) => [name, fields[name] ?? null]))
}
