import { misuse } from '../errors.ts'
import type { PaymentOptions } from '../published.ts'

const OPTIONS = [
  'authorize_only',
  'auto_capture_at',
  'capture_amount',
  'preferred_scheme',
  'incremental',
  'invoice_detail_ids',
  'override_mac_blocking',
  'initial_scheme_transaction_id',
  'allow_fallback_to_sale',
  'save_source',
  'client_secret',
] as const satisfies readonly (keyof PaymentOptions)[]

export interface ReadOptions {
  /** The fields of the body. */
  fields: Readonly<Record<string, unknown>>
  /** Travels in a header. */
  clientSecret: string | null
}

/**
 * The options that are given. The server judges their values.
 *
 * @throws HoldfastError for an option that does not exist, which a mistyped one would be.
 */
export function readOptions(options: PaymentOptions | null | undefined): ReadOptions {
  const given = Object.entries(options ?? {}).filter(([, value]) => value != null)
  const unknown = given.find(([name]) => !(OPTIONS as readonly string[]).includes(name))
  if (unknown !== undefined) throw misuse(`There is no option "${unknown[0]}". There are: ${OPTIONS.join(', ')}.`)
  const { client_secret: secret, ...fields } = Object.fromEntries(given)
  return { fields: { authorize_only: false, ...fields }, clientSecret: typeof secret === 'string' ? secret : null }
}
