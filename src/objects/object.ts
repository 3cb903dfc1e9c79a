import { z } from 'zod'

/** The objects of the interface by their names in the document, such as `Invoice`. */
const OBJECTS = new Map<string, z.ZodType>()

/**
 * An object of the interface. The document has it once, under its name, and refers to it from wherever it stands. Fields
 * that are not listed are a drift between answers and document: see `test/support/answer-check.ts`.
 */
export function object<Shape extends z.ZodRawShape>(name: string, description: string, shape: Shape) {
  if (OBJECTS.has(name)) throw new Error(`Two objects of the document are named ${name}.`)
  const schema = z.strictObject(shape).describe(description)
  OBJECTS.set(name, schema)
  return schema
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
