import * as api from '../../src/api/document.ts'

/** A JSON Schema, as far as the client is made from it. */
export interface Schema {
  $ref?: string
  description?: string
  type?: string | readonly string[]
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  enum?: readonly unknown[]
  anyOf?: readonly Schema[]
  items?: Schema
  pattern?: string
}

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  example?: unknown
}

interface Content {
  content?: {
    'application/json'?: { schema: Schema; example?: Example; examples?: Record<string, { value: Example }> }
  }
}

type Example = Readonly<Record<string, unknown>>

export interface Operation {
  operationId: string
  summary: string
  description: string
  parameters: readonly (Parameter | { $ref: string })[]
  requestBody?: Content & { required: boolean }
  responses: { 200: Content }
}

export interface Document {
  info: { version: string }
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  components: { schemas: Readonly<Record<string, Schema>> }
}

/**
 * The document of the interface, of which the client is made. The service takes amounts as numbers as well; whoever computes
 * with those is off by a cent one day, so that our clients take texts only.
 */
export function interfaceDocument(): Document {
  const document = api.interfaceDocument() as unknown as Document
  const { AmountInput: _, ...schemas } = document.components.schemas
  return { ...document, components: { ...document.components, schemas: withTexts(schemas) } }
}

/** Amounts as texts. */
function withTexts<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(withTexts) as Value
  if (typeof value !== 'object' || value === null) return value
  const { $ref, ...others } = value as { $ref?: unknown }
  if ($ref === AMOUNT) return { ...others, type: 'string' } as Value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withTexts(inner)])) as Value
}

const AMOUNT = '#/components/schemas/AmountInput'

/** The name of the schema that is meant; null where it is written in place. */
export function nameOf({ $ref }: Schema): string | null {
  return $ref?.split('/').at(-1) ?? null
}
