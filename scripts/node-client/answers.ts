import { nameOf, type Operation, type Schema } from './document.ts'

/** What a method of the client returns. */
export type AnswerKind =
  /** The object under `key`, or the whole answer where that is null. */
  | { kind: 'object'; type: string; key: string | null }
  | { kind: 'list'; type: string; key: string }
  /** The whole answer, which has no name in the document and gets `type` as its own. */
  | { kind: 'unnamed'; type: string; schema: Schema }

/** The answer of operations that return nothing. */
const NOTHING = 'Done'

export function answerOf({ operationId, responses }: Operation): AnswerKind {
  const schema = responses[200].content?.['application/json']?.schema
  if (schema === undefined) throw new Error(`${operationId} answers no JSON: no method of a client can answer it.`)
  const named = nameOf(schema)
  if (named !== null) return { kind: 'object', type: named, key: null }
  const { success: _, ...properties } = schema.properties ?? {}
  const entries = Object.entries(properties)
  if ('total_count' in properties) return listOf(operationId, entries)
  if (entries.length === 0) return { kind: 'object', type: NOTHING, key: null }
  const [[key, value] = ['', {}]] = entries
  const type = nameOf(value)
  if (entries.length === 1 && type !== null) return { kind: 'object', type, key }
  return { kind: 'unnamed', type: `${operationId[0]?.toUpperCase()}${operationId.slice(1)}Answer`, schema }
}

function listOf(operationId: string, properties: readonly (readonly [string, Schema])[]): AnswerKind {
  const lists = properties.flatMap(([key, { items }]) => {
    const type = nameOf(items ?? {})
    return type === null ? [] : [{ kind: 'list' as const, type, key }]
  })
  const [list] = lists
  if (list === undefined || lists.length > 1) throw new Error(`${operationId} answers ${lists.length} lists, not one.`)
  return list
}
