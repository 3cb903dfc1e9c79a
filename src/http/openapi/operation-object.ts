import type { z } from 'zod'
import { ERRORS, type ErrorCode } from '../../../domain/errors.ts'
import type { EndpointAccess } from '../route-access.ts'
import { EVERYWHERE, headersNamed } from './headers.ts'
import { type JsonSchema, refTo } from './json-schema.ts'
import type { Operation, Refusal } from './operations/operation.ts'
import { expandParameter, headerParameters, listParameters, pathParameters } from './parameters.ts'

const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'

/** What any operation can answer. */
const ANYWHERE: readonly Refusal[] = [
  ['server.internal-error', 'a defect of ours'],
  ['server.unavailable', 'the database is out of reach'],
]

const WITH_KEY: readonly Refusal[] = [
  ['request.authentication.invalid', 'there is no key, or it is not one of the project'],
  ['request.authentication.missing-permission', 'the secret key lacks the permission, or a page uses one'],
  ['request.rate.exceeded', 'the limit of the project is used up'],
  ['request.validation.error', 'a field or a parameter of the query is not known; the nearest name is told'],
]

const CHANGING: readonly Refusal[] = [
  ['request.bad-format', 'the body cannot be read'],
  ['request.body-too-large', 'the body is larger than the operation takes'],
  ['request.idempotency-key.invalid', 'the key is empty or too long, or came with another body'],
  ['request.still-processing', 'another request with the same key, or on the same object, is under way'],
]

const EXPANDING: Refusal = ['request.expand.invalid', 'there is nothing of that name to expand']

/** An operation of the document. `schemaOf`: the JSON Schema of an answer. */
export function operationObject(
  { method, path, access }: EndpointAccess,
  operation: Operation,
  schemaOf: (schema: z.ZodType) => JsonSchema,
): JsonSchema {
  const { id, tag, summary, says, request, headers = [] } = operation
  const isChange = method !== 'GET'
  const bodies = Object.entries(operation.answers).map(([status, schema]) => {
    const own = status === '200' ? [...headers, ...(isChange && access !== null ? ['Idempotent-Replayed'] : [])] : []
    return [Number(status), { headers: [...EVERYWHERE, ...own], schema: schemaOf(schema) }] as const
  })
  const answers = new Map(bodies)
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: descriptionOf(operation, access),
    security: securityOf(access),
    parameters: parametersOf(path, operation, { isChange, access }),
    ...(request === undefined ? {} : { requestBody: requestBodyOf(request.name, request.description) }),
    responses: responsesOf(refusalsOf(path, operation, { isChange, access }), answers, says),
  }
}

type Answers = ReadonlyMap<number, { headers: readonly string[]; schema: JsonSchema }>

interface Circumstances {
  isChange: boolean
  access: EndpointAccess['access']
}

function descriptionOf({ description }: Operation, access: Circumstances['access']): string {
  const needs = access === null ? [] : [`Needs the permission \`${access.permission}\`.`]
  const clients = access?.isOpenToClients === true ? ['Clients may call it with the id of the project alone.'] : []
  return [...(description === undefined ? [] : [description]), ...needs, ...clients].join('\n\n')
}

function securityOf(access: Circumstances['access']) {
  if (access === null) return []
  return [{ secretKey: [] }, ...(access.isOpenToClients === true ? [{ clientKey: [] }] : [])]
}

function parametersOf(path: string, { filters, expands }: Operation, { isChange, access }: Circumstances) {
  const expand = expands === undefined ? null : expandParameter(expands)
  const named = [
    ...(isChange ? ['IdempotencyKey'] : []),
    ...(access?.isOpenToClients === true && /\/:(id|token_id)/.test(path) ? ['ClientSecret'] : []),
    'RequestId',
    'DisableLogging',
    'ApiVersion',
  ]
  return [
    ...pathParameters(path).parameters,
    ...(filters === undefined ? [] : listParameters(filters)),
    ...(expand === null ? [] : [expand]),
    ...(access === null ? [] : headerParameters(named)),
  ]
}

function requestBodyOf(name: string, description: string): JsonSchema {
  const schema = { $ref: refTo(name) }
  return { description, content: { [JSON_TYPE]: { schema }, [FORM_TYPE]: { schema } } }
}

function refusalsOf(path: string, { refuses = [], expands }: Operation, { isChange, access }: Circumstances) {
  const { notFound } = pathParameters(path)
  return [
    ...refuses,
    ...(notFound === null || refuses.some(([code]) => code === notFound)
      ? []
      : [[notFound, 'there is no such object in the project and environment'] as const]),
    ...(expands === undefined ? [] : [EXPANDING]),
    ...(access === null ? [] : [...WITH_KEY, ...(isChange ? CHANGING : [])]),
    ...ANYWHERE,
  ]
}

/** By status: what the operation answers, and the codes with which it refuses. */
function responsesOf(refusals: readonly Refusal[], answers: Answers, says: string): Record<string, JsonSchema> {
  const byStatus = Map.groupBy(refusals, ([code]) => ERRORS[code].status)
  const statuses = [...new Set([...answers.keys(), ...byStatus.keys()])].sort((one, other) => one - other)
  return Object.fromEntries(
    statuses.map((status) => {
      const answer = answers.get(status)
      const codes = byStatus.get(status) ?? []
      return [String(status), responseOf(status, answer, codes, says)]
    }),
  )
}

/** Headers of answers with a status beside those of every answer. */
const OF_STATUS: Readonly<Record<number, readonly string[]>> = {
  401: ['WWW-Authenticate'],
  409: ['Retry-After'],
  429: ['Retry-After'],
  503: ['Retry-After'],
}

function responseOf(
  status: number,
  answer: { headers: readonly string[]; schema: JsonSchema } | undefined,
  codes: readonly Refusal[],
  says: string,
): JsonSchema {
  const told = codes.map(([code, when]) => `- \`${code}\`: ${when}`).join('\n')
  const refused = { $ref: refTo('Error') }
  const schemas = [
    ...(answer === undefined ? [] : [answer.schema]),
    ...(codes.length > 0 && status !== 410 ? [refused] : []),
  ]
  const [only = refused] = schemas
  return {
    description: status === 200 ? says : told || 'It is not so.',
    headers: headersNamed([...(answer?.headers ?? EVERYWHERE), ...(OF_STATUS[status] ?? [])]),
    content: { [JSON_TYPE]: { schema: schemas.length > 1 ? { anyOf: schemas } : only } },
  }
}

/** Every code that the document names, for its examples. */
export type { ErrorCode }
