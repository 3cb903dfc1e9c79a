import { z } from 'zod'
import { card } from './card.ts'
import { customer } from './customer.ts'
import { invoice } from './invoice.ts'
import { objectIn, personalFields } from './object.ts'
import { refund } from './refund.ts'
import { token } from './token.ts'

/** By the name of a field: the value with which it says nothing, null, or no entries where it is never null. */
type Blanks = ReadonlyMap<string, unknown>

const blanksOf = (...objects: z.ZodObject[]): Blanks =>
  new Map(
    objects.flatMap((object) =>
      personalFields(object).map((name) => [name, object.shape[name] instanceof z.ZodRecord ? {} : null] as const),
    ),
  )

/** The objects about a person, by the names of the fields that show them. */
const PERSONS: ReadonlyMap<string, Blanks> = new Map([
  ['customer', blanksOf(customer)],
  ['token', blanksOf(token)],
  ['card', blanksOf(card)],
])

/** Below a person, what has no name here is nobody else's: another version may have put it there. */
const ANY_PERSON = blanksOf(customer, token, card)

/** What an invoice knows of its payer, and what somebody wrote about a refund, wherever it stands. */
const ANYWHERE = blanksOf(invoice, refund)

const OF_DEVICES = blanksOf(...[objectIn(invoice.shape.device)].filter((object) => object !== null))

/** The data of an event about a customer, after the customer was deleted: what happened stays, and to whom does not. */
export function eraseEventData(data: Record<string, unknown>): Record<string, unknown> {
  return erase(data, null) as Record<string, unknown>
}

/** @param person what is personal here; null outside of the objects about a person. */
function erase(value: unknown, person: Blanks | null): unknown {
  if (Array.isArray(value)) return value.map((inner) => erase(inner, person))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const blanks = [person, ANYWHERE].find((one) => one?.has(name))
      if (blanks) return [name, blanks.get(name)]
      // The channel is no person's; the rest tells the device.
      if (name === 'device') return [name, isObject(inner) ? erase(inner, OF_DEVICES) : null]
      return [name, erase(inner, PERSONS.get(name) ?? (person === null ? null : ANY_PERSON))]
    }),
  )
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)
