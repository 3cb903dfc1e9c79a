import { z } from 'zod'
import { VIEWS } from '../../presenters/client-view.ts'
import type { EndpointAccess } from '../route-access.ts'
import { ANSWER_EXAMPLES } from './examples/answers.ts'
import { REQUEST_EXAMPLES } from './examples/requests.ts'
import { EVERYWHERE } from './headers.ts'
import { type JsonSchema, refTo } from './json-schema.ts'
import type { Operation, Refusal, RequestBody } from './operations/operation.ts'
import { expandParameter, listParameters, pathParameters, sharedParameters } from './parameters.ts'
import { ANYWHERE, type Answer, CHANGING, responsesOf, WITH_KEY } from './responses.ts'

const EXPANDING: Refusal = ['request.expand.invalid', 'there is nothing of that name to expand']

/** An operation of the document. `schemaOf`: the JSON Schema of an answer. */
export function operationObject(
  endpoint: EndpointAccess,
  operation: Operation,
  schemaOf: (schema: z.ZodType) => JsonSchema,
): JsonSchema {
  const { id, tag, summary, says, request } = operation
  const { access } = endpoint
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: descriptionOf(operation, access),
    security: securityOf(access),
    parameters: parametersOf(endpoint, operation),
    ...(request === undefined ? {} : { requestBody: requestBodyOf(endpoint, request) }),
    responses: responsesOf(refusalsOf(endpoint, operation), answersOf(endpoint, operation, schemaOf), says),
  }
}

const changes = ({ method, access }: EndpointAccess) => method !== 'GET' && access !== null

function descriptionOf(operation: Operation, access: EndpointAccess['access']): string {
  const { description, summary } = operation
  const needs = access === null ? [] : [`Needs the permission \`${access.permission}\`.`]
  const clients = access?.isOpenToClients === true ? [forClients(operation)] : []
  return [description ?? `${summary}.`, ...needs, ...clients].join('\n\n')
}

/** What clients are shown of the objects of an answer. */
function forClients({ answers }: Operation): string {
  const shape = answers[200] instanceof z.ZodObject ? answers[200].shape : {}
  const shown = Object.entries(VIEWS.answer).flatMap(([name, view]) => {
    if (view === 'plain' || !(name in shape)) return []
    const fields = Object.keys(VIEWS[view]).map((field) => `\`${field}\``)
    return [`Of \`${name}\` they are shown ${fields.join(', ')}.`]
  })
  return ['Clients may call it with the id of the project alone.', ...shown].join(' ')
}

function securityOf(access: EndpointAccess['access']) {
  if (access === null) return []
  return [{ secretKey: [] }, ...(access.isOpenToClients === true ? [{ clientKey: [] }] : [])]
}

function parametersOf(endpoint: EndpointAccess, { filters, expands, query = [] }: Operation) {
  const { path, access } = endpoint
  const expand = expands === undefined ? null : expandParameter(expands)
  const named = [
    ...(changes(endpoint) ? ['IdempotencyKey'] : []),
    ...(access?.isOpenToClients === true && /\/:(id|token_id)/.test(path) ? ['ClientSecret'] : []),
  ]
  return [
    ...pathParameters(path).parameters,
    ...(filters === undefined ? [] : listParameters(filters)),
    ...(expand === null ? [] : [expand]),
    ...sharedParameters([...query, ...named]),
  ]
}

function requestBodyOf({ method, path }: EndpointAccess, { name, description, input }: RequestBody): JsonSchema {
  const schema = { $ref: refTo(name) }
  const example = REQUEST_EXAMPLES[`${method} ${path}`] ?? REQUEST_EXAMPLES[name]
  return {
    description,
    // Without a field there is nothing to send.
    required: !input.json.safeParse({}).success,
    content: {
      'application/json': { schema, ...(example === undefined ? {} : { example }) },
      'application/x-www-form-urlencoded': { schema },
    },
  }
}

function refusalsOf(endpoint: EndpointAccess, { refuses = [], expands }: Operation): Refusal[] {
  const { path, access } = endpoint
  const { notFound } = pathParameters(path)
  const isTold = notFound === null || refuses.some(([code]) => code === notFound)
  return [
    ...refuses,
    ...(isTold ? [] : [[notFound, 'there is no such object in the project and environment'] as const]),
    ...(expands === undefined ? [] : [EXPANDING]),
    ...(access === null ? [] : WITH_KEY),
    ...(changes(endpoint) ? CHANGING : []),
    ...ANYWHERE,
  ]
}

function answersOf(
  endpoint: EndpointAccess,
  { answers, headers = [], mediaType = 'application/json' }: Operation,
  schemaOf: (schema: z.ZodType) => JsonSchema,
): Map<number, Answer> {
  const examples = ANSWER_EXAMPLES[`${endpoint.method} ${endpoint.path}`] ?? {}
  return new Map(
    Object.entries(answers).map(([status, schema]) => {
      const own = status === '200' ? [...headers, ...(changes(endpoint) ? ['Idempotent-Replayed'] : [])] : []
      const answer: Answer = {
        headers: [...EVERYWHERE, ...own],
        schema: schemaOf(schema),
        mediaType: status === '200' ? mediaType : 'application/json',
        examples: examples[Number(status)] ?? {},
      }
      return [Number(status), answer]
    }),
  )
}
