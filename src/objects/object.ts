import { z } from 'zod'
import { both, type Fields, isField, shownFields, takenGroup } from './fields.ts'

/** The objects of the interface by their names in the document, such as `Invoice`. */
const OBJECTS = new Map<string, z.ZodType>()

/** By the definition of the schema, which it shares with its copies that have another description. */
const FIELDS = new WeakMap<object, Fields>()

/**
 * An object of the interface. The document has it once, under its name, and refers to it from wherever it stands. Fields
 * that are not listed are a drift between answers and document: see `test/support/answer-check.ts`.
 */
export function object<Table extends Fields>(name: string, description: string, fields: Table) {
  if (OBJECTS.has(name)) throw new Error(`Two objects of the document are named ${name}.`)
  const schema = z.strictObject(shownFields(fields)).describe(description)
  OBJECTS.set(name, schema)
  FIELDS.set(schema.def, fields)
  return schema
}

/** An object as a field that requests give and answers show. */
export const objectField = <Table extends Fields>(name: string, description: string, fields: Table) =>
  both(object(name, description, fields), takenGroup(fields))

export const objectOrNull = <Table extends Fields>(name: string, description: string, fields: Table) =>
  both(object(name, description, fields).nullable(), takenGroup(fields))

/** The fields of an object that clients see; all of a group that has no name of its own. */
export function clientFields(schema: z.ZodObject): readonly string[] {
  return FIELDS.has(schema.def) ? fieldsWith(schema, 'isShownToClients') : Object.keys(schema.shape)
}

export const personalFields = (schema: z.ZodObject): readonly string[] => fieldsWith(schema, 'isPersonal')

function fieldsWith(schema: z.ZodObject, mark: 'isShownToClients' | 'isPersonal'): string[] {
  const fields = Object.entries(FIELDS.get(schema.def) ?? {})
  return fields.flatMap(([name, field]) => (isField(field) && field[mark] === true ? [name] : []))
}

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
