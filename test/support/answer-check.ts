import { z } from 'zod'
import { ERRORS, isErrorCode } from '../../domain/errors.ts'
import { ENDPOINTS } from '../../src/api/endpoints.ts'
import type { Endpoint } from '../../src/http/endpoint.ts'
import { error } from '../../src/objects/answers.ts'
import { CLIENT_ANSWER } from '../../src/objects/client-view.ts'
import { clientFields, objectIn } from '../../src/objects/object.ts'

export interface CheckedAnswer {
  method: string
  /** With its query. */
  path: string
  /** The header `Authorization` of the request. */
  authorization: string
  status: number
  body: unknown
}

const PATTERNS = ENDPOINTS.map((endpoint) => ({
  endpoint,
  pattern: new RegExp(`^${endpoint.path.replaceAll(/:\w+/g, '[^/]+')}/?$`),
}))

/**
 * Holds an answer to its schema in the document of the interface, strictly: a field that is not described fails, as does
 * one that is missing, or has another form.
 *
 * @throws Error that names the fields.
 */
export function checkAnswer({ method, path, authorization, status, body }: CheckedAnswer): void {
  const [address = ''] = path.split('?')
  const found = PATTERNS.find(({ endpoint, pattern }) => endpoint.httpMethod === method && pattern.test(address))
  const schema = schemaOf(found?.endpoint, status, isOfClient(authorization))
  const problems = schema === null ? [`${status} is not described`] : problemsOf(schema, body)
  if (status >= 400 && status !== 410) problems.push(...codeProblems(status, body))
  if (problems.length > 0)
    throw new Error(`The answer to ${method} ${path} is not as described:\n${problems.join('\n')}`)
}

const CLIENT_SCHEMAS = new Map<z.ZodType, z.ZodType>()

function schemaOf(endpoint: Endpoint | undefined, status: number, forClient: boolean): z.ZodType | null {
  const described = endpoint?.answers.bodies[status]
  const whole = described ?? (status >= 400 ? error : null)
  if (whole === null || !forClient) return whole
  const known = CLIENT_SCHEMAS.get(whole)
  if (known !== undefined) return known
  const reduced = clientAnswer(whole)
  CLIENT_SCHEMAS.set(whole, reduced)
  return reduced
}

/** The part of an answer that clients are shown. Every field may be missing: what is hidden depends on the answer. */
function clientAnswer(answer: z.ZodType): z.ZodType {
  const shape = objectIn(answer)?.shape ?? {}
  const names = Object.keys(CLIENT_ANSWER.shape).filter((name) => name in shape)
  return z.strictObject(Object.fromEntries(names.map((name) => [name, clientField(shape[name] as z.ZodType)])))
}

/** Objects show one another without end. */
function clientField(field: z.ZodType): z.ZodType {
  const object = objectIn(field)
  if (object === null) return field.optional()
  const shown = z.lazy(() =>
    z.strictObject(
      Object.fromEntries(clientFields(object).map((name) => [name, clientField(object.shape[name] as z.ZodType)])),
    ),
  )
  return isList(field) ? z.array(shown).nullable().optional() : shown.nullable().optional()
}

function isList(field: z.ZodType): boolean {
  if (field instanceof z.ZodLazy || field instanceof z.ZodNullable || field instanceof z.ZodOptional)
    return isList(field.unwrap() as z.ZodType)
  return field instanceof z.ZodArray
}

function problemsOf(schema: z.ZodType, body: unknown): string[] {
  const { error: wrong } = schema.safeParse(body)
  return wrong === undefined ? [] : [z.prettifyError(wrong)]
}

/** Each code belongs to one status. */
function codeProblems(status: number, body: unknown): string[] {
  const { error_type: code } = body as { error_type?: unknown }
  if (typeof code !== 'string') return []
  if (!isErrorCode(code)) return [`${code} is no error code`]
  return ERRORS[code].status === status ? [] : [`${code} belongs to ${ERRORS[code].status}, not to ${status}`]
}

function isOfClient(authorization: string): boolean {
  const [, credentials = ''] = authorization.split(' ')
  return Buffer.from(credentials, 'base64').toString().endsWith(':')
}
