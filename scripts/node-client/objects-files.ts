import type { Document, Schema } from './document.ts'
import { typesOf } from './schemas-file.ts'

const PLACE = ['address1', 'address2', 'city', 'state', 'zip', 'billing_country_code']

/** What the library for browsers shows of a card: nothing that a page of the merchant need not know. */
const CARD = [
  ...['id', 'scheme', 'co_scheme', 'preferred_scheme', 'type', 'last_4_digits', 'exp_month', 'exp_year'],
  'country_code',
]

/** What a page may decide about a payment. */
const OPTIONS = [
  ...['authorize_only', 'auto_capture_at', 'capture_amount', 'preferred_scheme', 'incremental', 'invoice_detail_ids'],
  ...['override_mac_blocking', 'initial_scheme_transaction_id', 'allow_fallback_to_sale', 'save_source'],
  'client_secret',
]

const OPTIONS_WORDS =
  'The options of a payment. Absent, `authorize_only` is false. The project must allow pages to choose `capture_amount` and lines.'

/** The parts of the interface that the library for browsers hands on, as its types. */
export async function browserObjectsFile({ components: { schemas } }: Document): Promise<string> {
  const text = await typesOf({
    Card: part(schemas.Card, CARD, 'A card that the API has stored. `id` is a source of one payment, or of a token.'),
    CardContact: part(schemas.CardInput?.properties?.contact, PLACE, 'The cardholder’s address.'),
    PaymentOptions: part(schemas.PaymentOptions, OPTIONS, OPTIONS_WORDS),
  })
  return forCallers(text)
}

/** What the library for React Native reads of an invoice and of its payment. */
const TRANSACTION = ['id', 'status', 'amount', 'authorized_amount', 'captured_amount', 'currency', 'error_code']
const INVOICE = ['id', 'name', 'amount', 'currency', 'status', 'return_url', 'device', 'transaction']
const ANSWER = ['success', 'outcome', 'customer_action', 'customer_token_id', 'transaction']

/** The parts of the interface that the library for React Native sends and reads. */
export async function reactNativeObjectsFile({ components: { schemas } }: Document): Promise<string> {
  const text = await typesOf({
    PaymentOptions: part(
      schemas.PaymentOptions,
      ['source', 'enable_three_d_s_2', ...OPTIONS.filter((name) => name !== 'client_secret')],
      'What is sent with an authorization; the client secret is a header.',
    ),
    PaymentAnswer: part(schemas.PaymentAnswer, ANSWER, 'The answer to an authorization.'),
    CustomerAction: part(schemas.CustomerAction, ['type', 'value'], 'A step that the customer has to take.'),
    Invoice: part(schemas.Invoice, INVOICE, 'An invoice.'),
    Device: part(schemas.Device, ['channel'], 'Where it is paid.'),
    Transaction: part(schemas.Transaction, TRANSACTION, 'The payment of an invoice.'),
    Refusal: part(
      schemas.Error,
      ['error_type', 'message', 'request_id', 'invalid_fields'],
      'Why a request is refused.',
    ),
    // One of a later version is read as well.
    ErrorCode: { type: 'string', description: 'Such as `card.declined`.' },
    InvalidField: part(schemas.InvalidField, ['name', 'message'], 'A field that is wrong.'),
  })
  return forCallers(text)
}

/** @throws Error for a field that the interface does not have. */
function part({ properties = {}, required = [] }: Schema = {}, fields: readonly string[], description: string): Schema {
  const shown = fields.map((name) => {
    const field = properties[name]
    if (field === undefined) throw new Error(`A client library uses ${name}, which the interface has not.`)
    return [name, field] as const
  })
  return {
    type: 'object',
    description,
    properties: Object.fromEntries(shown),
    required: required.filter((name) => fields.includes(name)),
  }
}

/** What may be left out may be undefined, and a list may be one that does not change. */
function forCallers(text: string): string {
  return text.replaceAll(/^( +\w+\?: .+)$/gm, '$1 | undefined').replaceAll(/(?<=: )string\[\]/g, 'readonly string[]')
}
