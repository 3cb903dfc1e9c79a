import { z } from 'zod'
import { named, objectIn, personalFields } from './object.ts'

/** The objects that stand in the data of events, by the names of the fields that show them. */
const OBJECTS: Readonly<Record<string, z.ZodType>> = {
  invoice: named('Invoice'),
  device: named('Device'),
  refund: named('Refund'),
  refunds: named('Refund'),
  customer: named('Customer'),
  token: named('Token'),
  card: named('Card'),
}

/** The data of an event about a customer, after the customer was deleted: what happened stays, and to whom does not. */
export function eraseEventData(data: Record<string, unknown>): Record<string, unknown> {
  return erase(data, null) as Record<string, unknown>
}

function erase(value: unknown, schema: z.ZodObject | null): unknown {
  if (Array.isArray(value)) return value.map((inner) => erase(inner, schema))
  if (typeof value !== 'object' || value === null) return value
  const personal = schema === null ? [] : personalFields(schema)
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      personal.includes(name)
        ? nothing(schema?.shape[name])
        : erase(inner, OBJECTS[name] ? objectIn(OBJECTS[name]) : null),
    ]),
  )
}

/** The value of a field that says nothing: null, or no entries where it is never null. */
const nothing = (field: unknown) => (field instanceof z.ZodRecord ? {} : null)
