import { z } from 'zod'
import { ERRORS, isErrorCode } from '../../domain/errors.ts'
import { error } from '../../src/http/openapi/answers/error.ts'
import { clientAnswer } from '../../src/http/openapi/client-answers.ts'
import { OPERATIONS } from '../../src/http/openapi/operations/index.ts'
import type { Operation } from '../../src/http/openapi/operations/operation.ts'

export interface CheckedAnswer {
  method: string
  /** With its query. */
  path: string
  /** The header `Authorization` of the request. */
  authorization: string
  status: number
  body: unknown
}

const PATTERNS = Object.entries(OPERATIONS).map(([place, operation]) => {
  const [method = '', path = ''] = place.split(' ')
  return { method, pattern: new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}/?$`), operation }
})

/**
 * Holds an answer to its schema in the document of the interface, strictly: a field that is not described fails, as does
 * one that is missing, or has another form.
 *
 * @throws Error that names the fields.
 */
export function checkAnswer({ method, path, authorization, status, body }: CheckedAnswer): void {
  const [address = ''] = path.split('?')
  const operation = PATTERNS.find((one) => one.method === method && one.pattern.test(address))?.operation
  const schema = schemaOf(operation, status, isOfClient(authorization))
  const problems = schema === null ? [`${status} is not described`] : problemsOf(schema, body)
  if (status >= 400 && status !== 410) problems.push(...codeProblems(status, body))
  if (problems.length > 0) throw new Error(`The answer to ${method} ${path} is not as described:\n${problems.join('\n')}`)
}

const CLIENT_SCHEMAS = new Map<z.ZodType, z.ZodType>()

function schemaOf(operation: Operation | undefined, status: number, forClient: boolean): z.ZodType | null {
  const described = operation?.answers[status]
  const whole = described ?? (status >= 400 ? error : null)
  if (whole === null || !forClient) return whole
  const known = CLIENT_SCHEMAS.get(whole)
  if (known !== undefined) return known
  const reduced = clientAnswer(whole)
  CLIENT_SCHEMAS.set(whole, reduced)
  return reduced
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
