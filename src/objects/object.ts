import { z } from 'zod'
import type { Scalars } from './taken.ts'

/** The objects of the interface by their names in the document, such as `Invoice`. */
const OBJECTS = new Map<string, z.ZodType>()

/** What else is known of the fields of an object. */
interface FieldFacts<Field> {
  /** Those that clients see, who have no secret. None by default, so that a field of tomorrow stays hidden. */
  clients?: readonly Field[]
  /** Those that tell of a person: the deletion of a customer erases them from events. */
  personal?: readonly Field[]
}

/** By the definition of the schema, which it shares with its copies that have another description. */
const FACTS = new WeakMap<object, FieldFacts<string>>()

/**
 * An object of the interface. The document has it once, under its name, and refers to it from wherever it stands. Fields
 * that are not listed are a drift between answers and document: see `test/support/answer-check.ts`.
 */
export function object<Shape extends z.ZodRawShape>(
  name: string,
  description: string,
  shape: Shape,
  facts: FieldFacts<keyof Shape & string> = {},
) {
  if (OBJECTS.has(name)) throw new Error(`Two objects of the document are named ${name}.`)
  const schema = z.strictObject(shape).describe(description)
  OBJECTS.set(name, schema)
  FACTS.set(schema.def, facts)
  return schema
}

/** The fields of an object that clients see; all of a group that has no name of its own. */
export function clientFields(schema: z.ZodObject): readonly string[] {
  const facts = FACTS.get(schema.def)
  return facts === undefined ? Object.keys(schema.shape) : (facts.clients ?? [])
}

export const personalFields = (schema: z.ZodObject): readonly string[] => FACTS.get(schema.def)?.personal ?? []

/** The object that a field shows, or a list of which it shows; null for any other value. */
export function objectIn(schema: z.ZodType): z.ZodObject | null {
  if (schema instanceof z.ZodObject) return schema
  if (schema instanceof z.ZodArray) return objectIn(schema.element as z.ZodType)
  if (schema instanceof z.ZodLazy || schema instanceof z.ZodNullable || schema instanceof z.ZodOptional)
    return objectIn(schema.unwrap() as z.ZodType)
  return null
}

/** A value that is no object, and has a name of its own in the document, such as `ErrorCode`. */
export function value<Schema extends z.ZodType>(name: string, schema: Schema): Schema {
  OBJECTS.set(name, schema)
  return schema
}

/**
 * What a presenter makes of a row: every field that is declared, and no other. A word may be any text, since rows hold words as
 * texts; tests hold every answer to the words as well.
 */
export type Shown<Schema extends z.ZodType> = Widened<z.output<Schema>>

type Widened<Value> = Value extends string
  ? string
  : Value extends readonly (infer Item)[]
    ? readonly Widened<Item>[]
    : Value extends object
      ? { [Name in keyof Value]: Widened<Value[Name]> }
      : Value

/** By name: the order in which their files are loaded differs from one program to the next. */
export function namedObjects(): ReadonlyMap<string, z.ZodType> {
  return new Map([...OBJECTS].toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

/** By name, since objects show one another: a transaction its invoice, and an invoice its transaction. */
export function named(name: string): z.ZodType {
  return z.lazy(() => {
    const schema = OBJECTS.get(name)
    if (schema === undefined) throw new Error(`No object of the document is named ${name}.`)
    return schema
  })
}

/** A related object, shown where the request names the field in `expand`. */
export const related = (name: string, description: string) => named(name).nullable().describe(description)

/** The same for several, the oldest first. */
export const relatedList = (name: string, description: string) => z.array(named(name)).nullable().describe(description)

/** A field that requests take and answers show: how it is shown, and how it is read. */
interface Both<Shows extends z.ZodType, Takes extends z.ZodType> {
  shows: Shows
  takes(scalars: Scalars): Takes
}

/** @example email: both(orNull(text('The email address.')), emailAddress) */
export function both<Shows extends z.ZodType, Takes extends z.ZodType>(
  shows: Shows,
  takes: Takes | ((scalars: Scalars) => Takes),
): Both<Shows, Takes> {
  return { shows, takes: typeof takes === 'function' ? (takes as (scalars: Scalars) => Takes) : () => takes }
}

/** The fields of an object by name; those that are no `both` are shown only. */
type Table = Readonly<Record<string, z.ZodType | Both<z.ZodType, z.ZodType>>>

const isBoth = (field: Table[string]): field is Both<z.ZodType, z.ZodType> => 'shows' in field

/** The shape of the object in answers. */
export function shownFields<Fields extends Table>(fields: Fields) {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, isBoth(field) ? field.shows : field]),
  ) as {
    [Name in keyof Fields]: Fields[Name] extends Both<infer Shows, z.ZodType>
      ? Shows
      : Fields[Name] extends z.ZodType
        ? Fields[Name]
        : never
  }
}

/** The shape of the object in requests. */
export function takenFields<Fields extends Table>(fields: Fields, scalars: Scalars) {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => (isBoth(field) ? [[name, field.takes(scalars)]] : [])),
  ) as {
    [Name in keyof Fields as Fields[Name] extends Both<z.ZodType, z.ZodType> ? Name : never]: Fields[Name] extends Both<
      z.ZodType,
      infer Takes
    >
      ? Takes
      : never
  }
}
