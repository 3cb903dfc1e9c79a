import { ERRORS, type ErrorCode } from '../../../domain/errors.ts'
import { errorBody, withLinks } from '../../objects/error-body.ts'
import type { Examples, Refusal } from '../endpoint.ts'
import { EXAMPLE_REQUEST_ID, EXAMPLE_SERVICE } from './example-id.ts'
import { EVERYWHERE, headersNamed } from './headers.ts'
import { type JsonSchema, refTo } from './json-schema.ts'

/** What any operation can answer. */
export const ANYWHERE: readonly Refusal[] = [
  ['request.timeout', 'the request did not arrive in time'],
  ['request.headers-too-large', 'address and headers have more than 16 KiB'],
  ['server.internal-error', 'a defect of ours'],
  ['server.unavailable', 'the database is out of reach'],
]

/** Beside that, one that needs a key. */
export const WITH_KEY: readonly Refusal[] = [
  ['request.authentication.invalid', 'there is no key, or it is not one of the project'],
  ['request.authentication.missing-permission', 'the secret key lacks the permission, or a page uses one'],
  ['request.rate.exceeded', 'the limit of the project is used up'],
  ['request.not-started', 'the project has as many requests under way as it may; this one did nothing'],
  ['request.validation.error', 'a field or a parameter of the query is not known; the nearest name is told'],
]

/** Beside that, one that changes something. */
export const CHANGING: readonly Refusal[] = [
  ['request.bad-format', 'the body cannot be read'],
  ['request.body-too-large', 'the body is larger than the operation takes'],
  ['request.idempotency-key.invalid', 'the key is too long or has other characters, or came with another body'],
  ['request.still-processing', 'another request with the same key, or on the same object, is under way'],
]

const COMMON = [...WITH_KEY, ...CHANGING, ...ANYWHERE]

/** The names of refusals that many operations have in common, by their status. */
const SHARED: Readonly<Record<number, string>> = {
  401: 'Unauthorized',
  403: 'Forbidden',
  408: 'RequestTimeout',
  409: 'Conflict',
  413: 'BodyTooLarge',
  429: 'TooManyRequests',
  431: 'HeadersTooLarge',
  500: 'Failed',
  503: 'Unavailable',
}

/** Headers of answers with a status beside those of every answer. */
const OF_STATUS: Readonly<Record<number, readonly string[]>> = {
  401: ['WWW-Authenticate'],
  409: ['Retry-After'],
  429: ['Retry-After'],
  503: ['Retry-After'],
}

const statusOf = ([code]: Refusal) => ERRORS[code].status

/** Refusals by the names of their components. */
export function sharedResponses(): Record<string, JsonSchema> {
  const common = Map.groupBy(COMMON, statusOf)
  return Object.fromEntries(
    Object.entries(SHARED).map(([status, name]) => [name, refusalOf(Number(status), common.get(Number(status)) ?? [])]),
  )
}

/** What an operation answers with one status that is no refusal. */
export interface Answer {
  headers: readonly string[]
  schema: JsonSchema
  mediaType: string
  examples: Examples
}

/** By status: what the operation answers, and the codes with which it refuses. */
export function responsesOf(
  refusals: readonly Refusal[],
  answers: ReadonlyMap<number, Answer>,
  says: string,
): Record<string, JsonSchema> {
  const byStatus = Map.groupBy(refusals, statusOf)
  const statuses = [...new Set([...answers.keys(), ...byStatus.keys()])].sort((one, other) => one - other)
  return Object.fromEntries(
    statuses.map((status) => {
      const codes = byStatus.get(status) ?? []
      const answer = answers.get(status)
      if (answer !== undefined) return [String(status), answerOf(status, answer, codes, says)]
      return [String(status), isShared(codes) ? sharedOf(status) : refusalOf(status, codes)]
    }),
  )
}

function isShared(codes: readonly Refusal[]): boolean {
  return codes.every((refusal) => COMMON.includes(refusal) && SHARED[statusOf(refusal)] !== undefined)
}

const sharedOf = (status: number) => ({ $ref: `#/components/responses/${SHARED[status]}` })

/** Where refusals have a status that is also an answer of its own, such as that of a failed payment, they have its form. */
function answerOf(status: number, answer: Answer, codes: readonly Refusal[], says: string): JsonSchema {
  const { headers, schema, mediaType, examples } = answer
  return {
    description: status === 200 ? says : whenOf(codes) || says,
    headers: headersNamed([...headers, ...(OF_STATUS[status] ?? [])]),
    content: {
      [mediaType]: {
        schema,
        ...shown(examples),
      },
    },
  }
}

function refusalOf(status: number, codes: readonly Refusal[]): JsonSchema {
  return {
    description: whenOf(codes),
    headers: headersNamed([...EVERYWHERE, ...(OF_STATUS[status] ?? [])]),
    content: {
      'application/json': {
        schema: { $ref: refTo('Error') },
        examples: Object.fromEntries(codes.map(([code]) => [code, exampleOf(code)])),
      },
    },
  }
}

const whenOf = (codes: readonly Refusal[]) => codes.map(([code, when]) => `- \`${code}\`: ${when}`).join('\n')

const exampleOf = (code: ErrorCode) => ({ $ref: `#/components/examples/${code}` })

/** One example as it is, several by their names. */
function shown(examples: Examples): JsonSchema {
  const { example } = examples
  if (example !== undefined) return { example }
  const named = Object.entries(examples).map(([name, value]) => [name, { summary: name, value }])
  return named.length === 0 ? {} : { examples: Object.fromEntries(named) }
}

/** The answer with a code, where nothing more exact can be said. */
export function errorExample(code: ErrorCode): object {
  const { message } = ERRORS[code]
  const invalidFields = code.startsWith('request.validation.') ? [{ name: fieldOf(code), message }] : undefined
  const answer = errorBody({ errorType: code, message, requestId: EXAMPLE_REQUEST_ID, invalidFields })
  return withLinks(answer, EXAMPLE_SERVICE)
}

/** `request.validation.invalid-amount` is most often about the field `amount`. */
function fieldOf(code: string): string {
  return (
    code
      .split('.')
      .at(-1)
      ?.replace(/^(invalid|missing)-/, '')
      .replaceAll('-', '_') ?? ''
  )
}
