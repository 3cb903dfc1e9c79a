import { z } from 'zod'
import type { ErrorCode } from '../../../domain/errors.ts'
import { type IdentifierKind, isIdentifier, otherKindIn } from '../../../domain/identifiers.ts'
import { expecting, optionalText, withoutEffect } from '../../objects/taken.ts'
import type { FilterField } from '../../persistence/queries/lists/list-conditions.ts'
import type { PageRequest } from '../../persistence/queries/lists/page.ts'
import type { ApiError } from '../api-error.ts'
import type { ApiContext } from '../context.ts'
import { defineInput, invalidField, type Problem, problem, readInput } from './input.ts'

const CODE = 'request.pagination.invalid' satisfies ErrorCode
export const LIMIT_DEFAULT = 10
/** A page of this size with its related data is read within a fraction of a second. */
export const LIMIT_MAX = 100

/** The paging of any list. Clients send all parameters they know, unset ones as empty texts. */
const PAGE = defineInput(
  () => ({
    limit: z
      .string(expecting(`a whole number from 0 to ${LIMIT_MAX}`))
      .regex(/^\d{0,9}$/, `must be a whole number from 0 to ${LIMIT_MAX}`)
      .transform((value) => Number(value) || LIMIT_DEFAULT)
      .refine((value) => value <= LIMIT_MAX, `must be ${LIMIT_MAX} at most`)
      .optional(),
    order: optionalText(4, { holds: (value) => value === 'asc' || value === 'desc', message: 'must be asc or desc' }),
    start_after: optionalText(80),
    end_before: optionalText(80),
  }),
  { limit: { invalid: CODE }, order: { invalid: CODE }, start_after: { invalid: CODE }, end_before: { invalid: CODE } },
)

/** @param kind what the list is of. */
export function readPageRequest(ctx: ApiContext, kind: IdentifierKind): PageRequest {
  const fields = Object.fromEntries(PAGE.names.map((name) => [name, ctx.query[name]]))
  const input = readInput(PAGE, { fields, isForm: true }, ({ start_after: after, end_before: before }) => [
    ...cursorProblems('start_after', after, kind),
    ...cursorProblems('end_before', before, kind),
    ...(after && before ? [problem('end_before', 'cannot be combined with start_after', CODE)] : []),
  ])
  const { limit = LIMIT_DEFAULT, order, start_after: after, end_before: before } = input
  return {
    limit,
    order: order === 'asc' ? 'asc' : 'desc',
    cursor: after !== null ? { side: 'after', id: after } : before !== null ? { side: 'before', id: before } : null,
  }
}

const CURSOR_PROBLEM = 'is not the id of an object in this list'

function cursorProblems(name: string, value: unknown, kind: IdentifierKind): Problem[] {
  if (typeof value !== 'string' || value === '' || isIdentifier(kind, value)) return []
  return [problem(name, otherKindIn(value, kind) ?? CURSOR_PROBLEM, CODE)]
}

/** The query parameters of a list. */
export const LIST_PARAMETERS: readonly string[] = ['filter', ...PAGE.names]

export type Filters = Readonly<Record<string, Pick<FilterField, 'kind'>>>

/**
 * Makes a function that refuses all query parameters except these and `expand`.
 *
 * @param filters of a list, the fields of `filter`, which other services take as parameters of their own.
 */
export function refuseUnknownParameters(
  own: readonly string[] = [],
  filters: Filters = {},
): (ctx: Pick<ApiContext, 'querystring'>) => void {
  const known = defineInput(() => Object.fromEntries(['expand', ...own].map((name) => [name, withoutEffect])))
  return ({ querystring }) => {
    if (querystring === '') return
    // `filter[]` and `filter[0]` are the parameter `filter`.
    const given = [...new URLSearchParams(querystring)].map(([name, value]) => [name.replace(/\[.*$/s, ''), value])
    // With every call clients send all list parameters they know: unset ones as empty texts, the limit as zero.
    const set = given.filter(([name = '', value = '']) => !isUnset(name, value))
    for (const [name = ''] of set)
      if (Object.hasOwn(filters, name)) throw invalidField(name, `is no parameter; write ${asFilter(name, filters)}`)
    readInput(known, { fields: Object.fromEntries(set), isForm: true })
  }
}

function asFilter(name: string, filters: Filters): string {
  const kind = filters[name]?.kind
  return kind === 'metadata' ? `filter=${name}.KEY:…` : `filter=${name}${kind === 'instant' ? '>=' : ':'}…`
}

function isUnset(name: string, value: string): boolean {
  return LIST_PARAMETERS.includes(name) && (value === '' || (name === 'limit' && value === '0'))
}

/** The error of a possible cursor that is not in the list. */
export function unknownCursor({ cursor }: PageRequest): ApiError {
  const name = cursor?.side === 'before' ? 'end_before' : 'start_after'
  return invalidField(name, CURSOR_PROBLEM, CODE)
}

/**
 * Every value of a parameter that may be given several times: `name=`, `name[]=`, `name[0]=`. Empty ones are unset.
 *
 * @throws what `refuse` makes of any other name in brackets: to ignore it would be to answer another question.
 */
export function textsOf(ctx: ApiContext, name: string, refuse: (written: string) => ApiError): string[] {
  // Most requests have no query, and one that is not there takes time to be read.
  if (ctx.querystring === '') return []
  return Object.entries(ctx.query).flatMap(([written, values]) => {
    if (written !== name && !written.startsWith(`${name}[`)) return []
    if (!/^\[\d{0,4}\]$/.test(written.slice(name.length) || '[]')) throw refuse(written.slice(0, 60))
    return [values ?? []].flat().filter((value) => value.trim() !== '')
  })
}
