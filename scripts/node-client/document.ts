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

/** The document of the interface, of which the client is made. */
export function interfaceDocument(): Document {
  return api.interfaceDocument() as unknown as Document
}

/** The name of the schema that is meant; null where it is written in place. */
export function nameOf({ $ref }: Schema): string | null {
  return $ref?.split('/').at(-1) ?? null
}
