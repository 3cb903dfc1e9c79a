import { isSecretName } from '../../src/http/request-log/redaction.ts'
import { answerOf } from './answers.ts'
import { type Document, nameOf, type Operation, type Schema } from './document.ts'
import { METHODS } from './methods.ts'
import { idArgumentsOf } from './resources-file.ts'

/** The table of the command line: what each of its commands for an operation is called, takes and answers. */
export function operationsFile({ paths, components }: Document): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const name = METHODS[operation.operationId]
      if (name === undefined) return []
      const content = operation.requestBody?.content?.['application/json']
      const { properties = {}, required = [] } = components.schemas[nameOf(content?.schema ?? {}) ?? ''] ?? {}
      const fields = Object.entries(properties).filter(([, field]) => hasEffect(field))
      const listed = fields.filter(([field, schema]) => !isSecret(field, schema))
      const query = operation.parameters.flatMap((one) => ('in' in one && one.in === 'query' ? [one.name] : []))
      return [
        {
          method: name,
          summary: operation.summary,
          ids: idArgumentsOf(`${method.toUpperCase()} ${path}`),
          isList: answerOf(operation).kind === 'list',
          takesBody: content !== undefined,
          changes: method !== 'get',
          expands: query.includes('expand'),
          fields: listed.map(([field, schema]) => optionOf(field, schema, required.includes(field))),
          secretFields: fields.filter((one) => !listed.includes(one)).map(([field]) => field),
          example: exampleOf(operation, content?.example ?? {}),
        },
      ]
    }),
  )
  return [
    '// Made by `npm run node-client`.',
    '',
    "import type { Operation } from '../operations/operation.ts'",
    '',
    `export const OPERATIONS: readonly Operation[] = ${JSON.stringify(operations, null, 2)}`,
    '',
  ].join('\n')
}

/** What is only accepted, or refused, is no option of a command. */
function hasEffect({ description = '' }: Schema): boolean {
  return !/^(?:Accepted without effect|Not supported)/.test(description)
}

/** Other people of the machine see the arguments of a command: what no log may hold is no argument either. */
function isSecret(name: string, { properties = {} }: Schema): boolean {
  return [name, ...Object.keys(properties)].some(isSecretName)
}

function optionOf(name: string, schema: Schema, isRequired: boolean) {
  const choices = schema.enum?.filter((choice) => choice !== null)
  return {
    name,
    kind: kindOf(schema),
    about: schema.description ?? '',
    ...(choices === undefined ? {} : { choices }),
    ...(isRequired ? { isRequired } : {}),
  }
}

/** As what the service wants the text of an argument. */
function kindOf(schema: Schema): 'text' | 'number' | 'boolean' | 'list' | 'json' {
  const kinds = [schema, ...(schema.anyOf ?? [])]
  const types = kinds.flatMap(({ type = [] }) => type)
  if (types.includes('string')) {
    return kinds.some(({ type, items }) => type === 'array' && items?.type === 'string') ? 'list' : 'text'
  }
  if (types.includes('array')) return schema.items?.type === 'string' ? 'list' : 'json'
  if (types.includes('integer')) return 'number'
  return types.includes('boolean') ? 'boolean' : 'json'
}

/** Of the example in the document: the ids of the path, and the fields of the body. */
function exampleOf({ parameters }: Operation, body: Readonly<Record<string, unknown>>) {
  const ids = parameters.flatMap((one) =>
    'in' in one && one.in === 'path' ? [shortened(String(one.example ?? ''))] : [],
  )
  return { ids, body: JSON.parse(shortened(JSON.stringify(body))) }
}

/** Without the random part of ids, which says nothing. */
const shortened = (text: string) => text.replaceAll(/\b((?:[a-z]+_)+)[A-Za-z0-9]{32}\b/g, '$1…')
