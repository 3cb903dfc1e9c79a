import type { z } from 'zod'
import { isFields } from '../bodies/fields.ts'
import { OPAQUE } from '../bodies/json.ts'
import type { Endpoint, EndpointBody } from '../endpoint.ts'
import { type JsonSchema, jsonSchemasOf, nullable, refTo } from './json-schema.ts'

type Schemas = Readonly<Record<string, JsonSchema>>

/** A part of requests that is parsed apart from the body it comes in. */
export interface InputPart extends Pick<EndpointBody, 'description' | 'about' | 'clears'> {
  schema: z.ZodType
}

/**
 * The schemas of all requests. A field without a description of its own has that of the field of the same name in the
 * object that the request is about, so that no text is written twice.
 */
export function requestSchemas(
  endpoints: readonly Endpoint[],
  parts: Readonly<Record<string, InputPart>>,
  objects: Schemas,
): Record<string, JsonSchema> {
  const bodies = endpoints.flatMap(({ body }) => body ?? [])
  const inputs: Readonly<Record<string, InputPart>> = {
    ...parts,
    ...Object.fromEntries(bodies.map((body) => [body.name, { ...body, schema: body.input.json }])),
  }
  const schemas = new Map(Object.entries(inputs).map(([name, { schema }]) => [name, schema]))
  return Object.fromEntries(
    Object.entries(jsonSchemasOf(schemas, { io: 'input', isClosed: true })).map(([name, schema]) => {
      const { description, about = [], clears }: Partial<InputPart> = inputs[name] ?? {}
      const known = Object.assign({}, ...about.toReversed().map((object) => fieldsOf({ $ref: refTo(object) }, objects)))
      const described = withDescriptions(schema, known, objects)
      return [name, { ...withNulls(described, clears === true), description }]
    }),
  )
}

/** The parts of a schema that are the value itself: alternatives, and what a list consists of. */
const PARTS = ['anyOf', 'oneOf'] as const

function mapParts(schema: JsonSchema, change: (part: JsonSchema) => JsonSchema): JsonSchema {
  const parts = PARTS.flatMap((name) => {
    const options = schema[name]
    return Array.isArray(options) ? [[name, options.map(change)] as const] : []
  })
  const { items } = schema
  return { ...schema, ...Object.fromEntries(parts), ...(isFields(items) ? { items: change(items) } : {}) }
}

/** The fields of an object, be it behind a reference, in a list or one of several alternatives. */
function fieldsOf(schema: JsonSchema, objects: Schemas): Record<string, JsonSchema> {
  const { properties, $ref, items } = schema
  if (isFields(properties)) return properties as Record<string, JsonSchema>
  if (typeof $ref === 'string') return fieldsOf(objects[$ref.slice(refTo('').length)] ?? {}, objects)
  if (isFields(items)) return fieldsOf(items, objects)
  const options = PARTS.flatMap((name) => (schema[name] ?? []) as JsonSchema[])
  return Object.assign({}, ...options.map((option) => fieldsOf(option, objects)))
}

/** A field that only refers to an object is described by it. */
function descriptionOf(schema: JsonSchema, objects: Schemas): { description?: unknown } {
  const { description, $ref, anyOf } = schema
  if (description !== undefined) return { description }
  if (typeof $ref === 'string') return descriptionOf(objects[$ref.slice(refTo('').length)] ?? {}, objects)
  const [first] = (anyOf ?? []) as JsonSchema[]
  return first === undefined ? {} : descriptionOf(first, objects)
}

function withDescriptions(schema: JsonSchema, known: Schemas, objects: Schemas): JsonSchema {
  const { properties } = schema
  if (!isFields(properties)) return mapParts(schema, (part) => withDescriptions(part, known, objects))
  const fields = Object.entries(properties as Record<string, JsonSchema>).map(([name, field]) => {
    const like = known[name]
    const inside = like === undefined ? known : fieldsOf(like, objects)
    const described = withDescriptions(field, inside, objects)
    return [name, { ...(like === undefined ? {} : descriptionOf(like, objects)), ...described }]
  })
  return { ...schema, properties: Object.fromEntries(fields) }
}

/** Null counts as absent, at every depth but inside the merchant's own data. In a change an empty text clears a word. */
function withNulls(schema: JsonSchema, clears: boolean): JsonSchema {
  const { properties, required = [], enum: words, type } = schema
  if (clears && Array.isArray(words) && type === 'string') return { ...schema, enum: [...words, ''] }
  if (!isFields(properties)) return mapParts(schema, (part) => withNulls(part, clears))
  const fields = Object.entries(properties as Record<string, JsonSchema>).map(([name, field]) => {
    const inner = OPAQUE.includes(name) ? field : withNulls(field, clears)
    return [name, (required as string[]).includes(name) ? inner : nullable(inner)]
  })
  return { ...schema, properties: Object.fromEntries(fields) }
}
