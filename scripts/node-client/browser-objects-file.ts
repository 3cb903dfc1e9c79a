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

/** @throws Error for a field that the interface does not have. */
function part({ properties = {}, required = [] }: Schema = {}, fields: readonly string[], description: string): Schema {
  const shown = fields.map((name) => {
    const field = properties[name]
    if (field === undefined) throw new Error(`The library for browsers hands on ${name}, which the interface has not.`)
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
