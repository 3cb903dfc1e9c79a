import { z } from 'zod'
import { type IdentifierKind, PREFIXES } from '../../domain/identifiers.ts'

/** Kinds of fields of answers, each with the sentence by which the reference describes it. */

export const text = (description: string) => z.string().describe(description)

export const flag = (description: string) => z.boolean().describe(description)

/** A whole number, not below zero. */
export const count = (description: string) => z.int().min(0).describe(description)

/** One word of a list. */
export const word = <const Word extends string>(words: readonly Word[], description: string) =>
  z.enum(words as readonly [Word, ...Word[]]).describe(description)

/** The id of an object of ours. */
export const id = (kind: IdentifierKind, description: string) =>
  z
    .string()
    .regex(new RegExp(`^${PREFIXES[kind]}[0-9A-Za-z]{1,64}$`))
    .describe(description)

/** A decimal text in the digits of the currency beside it. */
export const amount = (description: string) =>
  z
    .string()
    .regex(/^\d{1,15}(\.\d{1,4})?$/)
    .describe(description)

export const currency = (description: string) =>
  z
    .string()
    .regex(/^[A-Z]{3}$/)
    .describe(description)

export const country = (description: string) =>
  z
    .string()
    .regex(/^[A-Z]{2}$/)
    .describe(description)

/** RFC 3339 in UTC with milliseconds. */
export const instant = (description: string) =>
  z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
    .meta({ description, format: 'date-time' })

export const metadata = (description: string) => z.record(z.string(), z.string()).describe(description)

/** Data of the merchant or a gateway, shown as it was sent. */
export const opaque = (description: string) => z.record(z.string(), z.unknown()).describe(description)

export const list = <Item extends z.ZodType>(item: Item, description: string) => z.array(item).describe(description)

/** A field that has no value in many objects. */
export const orNull = <Field extends z.ZodType>(field: Field) => field.nullable()

/** What every stored object shows first. */
export const OWNER = {
  project_id: id('project', 'The project that the object belongs to.'),
}

/** What every stored object shows last. */
export const WRITTEN = {
  sandbox: flag('Whether the object belongs to the sandbox; false in the live environment.'),
  created_at: instant('When the object was created.'),
}

export const UPDATED = { updated_at: instant('When the object was last changed.') }

export const CHANGED = { ...WRITTEN, ...UPDATED }
