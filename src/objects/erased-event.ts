import { DEVICE_FIELDS } from '../../domain/device-fields.ts'
import { PREFIXES } from '../../domain/identifiers.ts'

/** The fields of a customer and of a card that tell of a person. */
const PERSONAL: ReadonlySet<string> = new Set([
  'email',
  'first_name',
  'last_name',
  'name',
  'address1',
  'address2',
  'city',
  'state',
  'zip',
  'billing_country_code',
  'phone',
  'phone_number',
  'legal_document',
  'sex',
  'date_of_birth',
  'reference_id',
  ...DEVICE_FIELDS,
])

/** What a token says of its source, and what a scheme called the customer's payments with it. */
const OF_TOKENS: ReadonlySet<string> = new Set(['summary', 'description', 'scheme_transaction_ids'])

/** The objects of an event's data in which they stand, at whatever depth. */
const PERSONS: ReadonlySet<string> = new Set(['customer', 'token', 'card'])

/** What an invoice knows of its payer: the ways there, and what others were told of them. */
const OF_PAYERS: ReadonlySet<string> = new Set(['shipping', 'billing', 'external_fraud_tools'])

/** The data of an event about a customer, after the customer was deleted: what happened stays, and to whom does not. */
export function eraseEventData(data: Record<string, unknown>): Record<string, unknown> {
  return eraseAround(data) as Record<string, unknown>
}

function eraseAround(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(eraseAround)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      if (PERSONS.has(name)) return [name, erasePerson(inner)]
      if (OF_PAYERS.has(name)) return [name, null]
      // What somebody wrote about a refund.
      if (name === 'information') return [name, null]
      // The channel is no person's; the rest tells the device.
      if (name === 'device') return [name, withChannelOnly(inner)]
      return [name, eraseAround(inner)]
    }),
  )
}

function withChannelOnly(device: unknown): unknown {
  if (typeof device !== 'object' || device === null) return null
  return Object.fromEntries(Object.entries(device).map(([name, value]) => [name, name === 'channel' ? value : null]))
}

function erasePerson(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const id = 'id' in value ? String(value.id) : ''
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      if (name === 'metadata') return [name, {}]
      // The country of a card is its issuer's.
      if (PERSONAL.has(name) || (id.startsWith(PREFIXES.customer) && name === 'country_code')) return [name, null]
      if (id.startsWith(PREFIXES.token) && OF_TOKENS.has(name))
        return [name, name === 'scheme_transaction_ids' ? {} : null]
      return [name, erasePerson(inner)]
    }),
  )
}
