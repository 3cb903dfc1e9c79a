import { z } from 'zod'
import { CLIENT_ANSWER } from '../../objects/client-view.ts'
import { clientFields, objectIn } from '../../objects/object.ts'
import { accessOf, changes, type Endpoint, type EndpointBody, type Refusal } from '../endpoint.ts'
import { codeSamples } from './code-samples.ts'
import { EVERYWHERE } from './headers.ts'
import { type JsonSchema, refTo } from './json-schema.ts'
import { expandParameter, listParameters, pathParameters, sharedParameters } from './parameters.ts'
import { ANYWHERE, type Answer, CHANGING, responsesOf, WITH_KEY } from './responses.ts'

const EXPANDING: Refusal = ['request.expand.invalid', 'there is nothing of that name to expand']

/** An endpoint as an operation of the document. `schemaOf`: the JSON Schema of an answer. */
export function operationObject(endpoint: Endpoint, schemaOf: (schema: z.ZodType) => JsonSchema): JsonSchema {
  const { id, tag, summary, body } = endpoint
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: descriptionOf(endpoint),
    security: securityOf(endpoint),
    parameters: parametersOf(endpoint),
    ...(body === undefined ? {} : { requestBody: requestBodyOf(body) }),
    responses: responsesOf(refusalsOf(endpoint), answersOf(endpoint, schemaOf), saysOf(endpoint)),
    'x-codeSamples': codeSamples(endpoint),
  }
}

function descriptionOf(endpoint: Endpoint): string {
  const { description, summary } = endpoint
  const access = accessOf(endpoint)
  const needs = access === null ? [] : [`Needs the permission \`${access.permission}\`.`]
  const isLess = shownToClients(endpoint).length > 0
  const clients =
    access?.isOpenToClients === true
      ? [`Clients may call it with the id of the project alone${isLess ? '; they are shown less' : ''}.`]
      : []
  return [description ?? `${summary}.`, ...needs, ...clients].join('\n\n')
}

/** What the answer is, and in paragraphs of their own what clients are shown of its objects. */
const saysOf = (endpoint: Endpoint) => [endpoint.answers.says, ...shownToClients(endpoint)].join('\n\n')

/** What clients are shown of each object of an answer. */
function shownToClients(endpoint: Endpoint): string[] {
  if (accessOf(endpoint)?.isOpenToClients !== true) return []
  const body = endpoint.answers.bodies[200]
  const shape = body instanceof z.ZodObject ? body.shape : {}
  return Object.entries(CLIENT_ANSWER.shape).flatMap(([name, field]) => {
    const object = name in shape ? objectIn(field) : null
    if (object === null) return []
    return [
      `Of \`${name}\` clients are shown ${clientFields(object)
        .map((one) => `\`${one}\``)
        .join(', ')}.`,
    ]
  })
}

function securityOf(endpoint: Endpoint) {
  const access = accessOf(endpoint)
  if (access === null) return []
  return [{ secretKey: [] }, ...(access.isOpenToClients === true ? [{ clientKey: [] }] : [])]
}

function parametersOf(endpoint: Endpoint) {
  const { path, filters, answers, query = [] } = endpoint
  const expand = answers.expands === undefined ? null : expandParameter(answers.expands)
  const isOpenToClients = accessOf(endpoint)?.isOpenToClients === true
  const named = [
    ...(changes(endpoint) ? ['IdempotencyKey'] : []),
    ...(isOpenToClients && /\/:(id|token_id)/.test(path) ? ['ClientSecret'] : []),
  ]
  return [
    ...pathParameters(path).parameters,
    ...(filters === undefined ? [] : listParameters(filters)),
    ...(expand === null ? [] : [expand]),
    ...sharedParameters([...query, ...named]),
  ]
}

function requestBodyOf({ name, description, input, example }: EndpointBody): JsonSchema {
  const schema = { $ref: refTo(name) }
  return {
    description,
    // Without a field there is nothing to send.
    required: !input.json.safeParse({}).success,
    // Forms are taken as well; clients that are generated would send both, or write what is nested in a way of their own.
    content: { 'application/json': { schema, ...(example === undefined ? {} : { example }) } },
  }
}

function refusalsOf(endpoint: Endpoint): Refusal[] {
  const { path, refuses = [], answers } = endpoint
  const { notFound } = pathParameters(path)
  const isTold = notFound === null || refuses.some(([code]) => code === notFound)
  return [
    ...refuses,
    ...(isTold ? [] : [[notFound, 'there is no such object in the project and environment'] as const]),
    ...(answers.expands === undefined ? [] : [EXPANDING]),
    ...(accessOf(endpoint) === null ? [] : WITH_KEY),
    ...(changes(endpoint) ? CHANGING : []),
    ...ANYWHERE,
  ]
}

function answersOf(endpoint: Endpoint, schemaOf: (schema: z.ZodType) => JsonSchema): Map<number, Answer> {
  const { answers, headers = [], mediaType = 'application/json' } = endpoint
  return new Map(
    Object.entries(answers.bodies).map(([status, schema]) => {
      const own = status === '200' ? [...headers, ...(changes(endpoint) ? ['Idempotent-Replayed'] : [])] : []
      const answer: Answer = {
        headers: [...EVERYWHERE, ...own],
        schema: schemaOf(schema),
        mediaType: status === '200' ? mediaType : 'application/json',
        examples: answers.examples[Number(status)] ?? {},
      }
      return [Number(status), answer]
    }),
  )
}
