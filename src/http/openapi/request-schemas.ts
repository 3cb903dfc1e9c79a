import type { z } from 'zod'
import { isFields } from '../bodies/fields.ts'
import { OPAQUE } from '../bodies/json.ts'
import { RULE } from '../schemas/rules/rule-input.ts'
import { type JsonSchema, jsonSchemasOf, nullable, refTo } from './json-schema.ts'
import { OPERATIONS } from './operations/index.ts'
import type { RequestBody } from './operations/operation.ts'

/** The bodies of all requests by the names of their schemas. */
function requestBodies(): Map<string, RequestBody> {
  const bodies = Object.values(OPERATIONS).flatMap(({ request }) => (request === undefined ? [] : [request]))
  return new Map(bodies.map((body) => [body.name, body]))
}

/**
 * The schemas of all requests. A field without a description of its own has that of the field of the same name in the
 * object that the request is about, so that no text is written twice.
 */
export function requestSchemas(objects: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> {
  const bodies = requestBodies()
  const inputs = new Map<string, z.ZodType>([...bodies].map(([name, { input }]) => [name, input.json]))
  const made = jsonSchemasOf(inputs.set('RuleInput', RULE), { io: 'input', isClosed: true })
  return Object.fromEntries(
    Object.entries(made).map(([name, schema]) => {
      const body = bodies.get(name)
      const described = describe(schema, body?.about === undefined ? {} : (objects[body.about] ?? {}), objects)
      return [
        name,
        { ...withNulls(described, body?.clears === true), description: body?.description ?? 'A routing rule.' },
      ]
    }),
  )
}

/** What a schema says of the fields inside it: through references, lists and alternatives. */
function propertiesOf(schema: JsonSchema, objects: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> {
  const { properties, $ref, items, anyOf } = schema
  if (isFields(properties)) return properties as Record<string, JsonSchema>
  if (typeof $ref === 'string') return propertiesOf(objects[$ref.slice(refTo('').length)] ?? {}, objects)
  if (isFields(items)) return propertiesOf(items, objects)
  if (Array.isArray(anyOf)) return Object.assign({}, ...anyOf.map((option) => propertiesOf(option, objects)))
  return {}
}

function describe(schema: JsonSchema, like: JsonSchema, objects: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const { properties, items } = schema
  const described =
    schema.description === undefined && like.description !== undefined ? { description: like.description } : {}
  if (isFields(items)) return { ...schema, ...described, items: describe(items, like, objects) }
  if (!isFields(properties)) return { ...schema, ...described }
  const known = propertiesOf(like, objects)
  const fields = Object.entries(properties as Record<string, JsonSchema>)
  return {
    ...schema,
    ...described,
    properties: Object.fromEntries(fields.map(([name, field]) => [name, describe(field, known[name] ?? {}, objects)])),
  }
}

/** Null counts as absent, at every depth but inside the merchant's own data. In a change an empty text clears a word. */
function withNulls(schema: JsonSchema, clears: boolean): JsonSchema {
  const { properties, items, required = [] } = schema
  if (isFields(items)) return { ...schema, items: withNulls(items, clears) }
  if (!isFields(properties)) {
    const words = clears && Array.isArray(schema.enum) && schema.type === 'string' ? { enum: [...schema.enum, ''] } : {}
    return { ...schema, ...words }
  }
  const fields = Object.entries(properties as Record<string, JsonSchema>).map(([name, field]) => {
    const inner = OPAQUE.includes(name) ? field : withNulls(field, clears)
    return [name, (required as string[]).includes(name) ? inner : nullable(inner)]
  })
  return { ...schema, properties: Object.fromEntries(fields) }
}
