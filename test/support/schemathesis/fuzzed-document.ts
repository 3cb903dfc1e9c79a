import type { IdentifierKind } from '../../../domain/identifiers.ts'
import { interfaceDocument } from '../../../src/api/document.ts'
import { exampleId } from '../../../src/http/openapi/example-id.ts'

/** Objects that are there, by their kinds. */
export type KnownIds = Partial<Record<IdentifierKind, readonly string[]>>

interface Parameter {
  in?: string
  example?: unknown
  schema: object
}

/**
 * The document, closed, with objects that are there in place of those of its examples: only then do requests come further
 * than to an object that is not found. Webhooks go to a port of this machine on which nobody listens.
 */
export function fuzzedDocument(known: KnownIds): string {
  const document = interfaceDocument({ isClosed: true })
  const kinds = Object.keys(known) as IdentifierKind[]
  const idsOf = new Map(kinds.map((kind) => [exampleId(kind), known[kind] ?? []]))
  for (const operations of Object.values(document.paths as Record<string, Record<string, unknown>>)) {
    for (const { parameters } of Object.values(operations) as { parameters: Parameter[] }[]) {
      for (const parameter of parameters) {
        const ids = idsOf.get(String(parameter.example)) ?? []
        // More often one that is there than one that is not.
        if (parameter.in === 'path' && ids.length > 0)
          parameter.schema = { anyOf: [{ type: 'string', enum: ids }, { type: 'string', enum: ids }, parameter.schema] }
      }
    }
  }
  const text = JSON.stringify(document).replaceAll('https://shop.example', 'http://127.0.0.1:1')
  return [...idsOf].reduce((written, [example, [first = example]]) => written.replaceAll(example, first), text)
}
