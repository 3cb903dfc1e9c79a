import { z } from 'zod'
import { isFields } from '../bodies/fields.ts'

/** A JSON Schema of the dialect of OpenAPI 3.1. */
export type JsonSchema = Record<string, unknown>

export const refTo = (name: string) => `#/components/schemas/${name}`

interface Conversion {
  /** `input`: what a request may send; `output`: what an answer has. */
  io: 'input' | 'output'
  /** False: an object may have fields beside those that are listed, so that a later version can add some. */
  isClosed: boolean
}

/** The JSON Schemas of several zod schemas by their names, which refer to one another. */
export function jsonSchemasOf(
  schemas: ReadonlyMap<string, z.ZodType>,
  { io, isClosed }: Conversion,
): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of schemas) registry.add(schema, { id })
  const { schemas: made } = z.toJSONSchema(registry, {
    uri: refTo,
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => Object.assign(jsonSchema, discriminatorOf(zodSchema, registry)),
  })
  return Object.fromEntries(
    Object.entries(made).map(([name, { $schema: _, $id: _id, ...schema }]) => [
      name,
      tidy(schema, isClosed) as JsonSchema,
    ]),
  )
}

/** Which of several named objects it is, by the value of one field: without that, generated clients try them all. */
function discriminatorOf(schema: z.core.$ZodType, registry: z.core.$ZodRegistry<{ id: string }>): JsonSchema {
  if (!(schema instanceof z.ZodDiscriminatedUnion)) return {}
  const { discriminator: propertyName } = schema.def
  const mapping = schema.options.flatMap((option) => {
    const name = registry.get(option)?.id
    const words = [...(option._zod.propValues?.[propertyName] ?? [])]
    return words.map((word) => [String(word), name === undefined ? null : refTo(name)] as const)
  })
  const isNamed = mapping.every(([, reference]) => reference !== null)
  return isNamed ? { discriminator: { propertyName, mapping: Object.fromEntries(mapping) } } : {}
}

/** Whole numbers have these limits in zod, and none in a document. */
const SAFE_INTEGERS: readonly unknown[] = [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]

/**
 * Without what zod adds and nobody reads; a value or null is written as one type, as people write it. A value of one of several
 * types is written as alternatives, and a constant of two words as its type: generators of clients read nothing else.
 */
function tidy(value: unknown, isClosed: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => tidy(item, isClosed))
  if (!isFields(value)) return value
  const kept = Object.entries(value).filter(
    ([name, inner]) =>
      inner !== undefined &&
      !((name === 'maximum' || name === 'minimum') && SAFE_INTEGERS.includes(inner)) &&
      !(name === 'additionalProperties' && inner === false && !isClosed),
  )
  return orNull(alternatives(Object.fromEntries(kept.map(([name, inner]) => [name, tidy(inner, isClosed)]))))
}

function alternatives(schema: JsonSchema): JsonSchema {
  const { const: _, ...typed } = schema
  const { type, ...others } = schema
  if (type === 'boolean') return typed
  if (Array.isArray(type) && type.filter((one) => one !== 'null').length > 1)
    return { ...others, anyOf: type.map((one) => ({ type: one })) }
  if (!Array.isArray(schema.anyOf)) return schema
  return { ...schema, anyOf: schema.anyOf.flatMap((option: JsonSchema) => (isUnion(option) ? option.anyOf : [option])) }
}

const isUnion = (schema: JsonSchema): schema is { anyOf: JsonSchema[] } => Object.keys(schema).join() === 'anyOf'

/** `{anyOf: [{type: 'string'}, {type: 'null'}]}` as `{type: ['string', 'null']}`. */
function orNull({ anyOf, ...outer }: JsonSchema): JsonSchema {
  if (anyOf === undefined) return outer
  const options = anyOf as JsonSchema[]
  const others = options.filter(({ type }) => type !== 'null')
  const [only] = others
  if (others.length === options.length || only === undefined || others.length > 1) return { ...outer, anyOf }
  if (typeof only.type === 'string') return { ...nullable(only), ...outer }
  // What is said of the value is said of the field.
  const { description, ...inner } = only
  // Anything is also null.
  if (Object.keys(inner).length === 0) return { ...(description === undefined ? {} : { description }), ...outer }
  return { ...(description === undefined ? {} : { description }), ...outer, anyOf: [inner, { type: 'null' }] }
}

/** The same, or null. */
export function nullable(schema: JsonSchema): JsonSchema {
  const { type, enum: words, const: constant } = schema
  if (typeof type === 'string' || Array.isArray(type)) {
    const { const: _, ...others } = schema
    const allowed = constant === undefined ? words : [constant]
    return {
      ...others,
      type: [...new Set([...[type].flat(), 'null'])],
      ...(Array.isArray(allowed) ? { enum: [...new Set([...allowed, null])] } : {}),
    }
  }
  const { description, anyOf, ...rest } = schema
  // Without a type anything goes, also null.
  if (Object.keys(rest).length === 0 && anyOf === undefined) return schema
  const options: JsonSchema[] = Array.isArray(anyOf) ? anyOf : [rest]
  const others = options.filter((option) => option.type !== 'null')
  return { anyOf: [...others, { type: 'null' }], ...(description === undefined ? {} : { description }) }
}
