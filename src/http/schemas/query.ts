import { z } from 'zod'
import type { ErrorCode } from '../../../domain/errors.ts'
import type { PageRequest } from '../../persistence/queries/page.ts'
import type { ApiContext } from '../context.ts'
import { expecting, optionalText, unsupported } from './fields.ts'
import { defineInput, type Problem, readInput } from './input.ts'

const CODE = 'request.pagination.invalid' satisfies ErrorCode
const LIMIT_DEFAULT = 10
const LIMIT_MAX = 100

/** A list of any resource. Clients send every parameter they know, unset ones as empty texts. */
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
    expand: unsupported,
    filter: unsupported,
  }),
  {
    limit: { invalid: 'request.pagination.invalid' },
    order: { invalid: 'request.pagination.invalid' },
    start_after: { invalid: 'request.pagination.invalid' },
    end_before: { invalid: 'request.pagination.invalid' },
  },
)

/** The page that the query asks for; its cursor can be an id of this kind. */
export function readPageRequest(ctx: ApiContext, isCursor: (id: string) => boolean): PageRequest {
  const fields = { ...ctx.query }
  const input = readInput(PAGE, { fields, isForm: true }, ({ start_after: after, end_before: before }) => [
    ...cursorProblems('start_after', after, isCursor),
    ...cursorProblems('end_before', before, isCursor),
    ...bothCursorsProblems(after, before),
  ])
  const { limit = LIMIT_DEFAULT, order, start_after: after, end_before: before } = input
  return {
    limit,
    order: order === 'asc' ? 'asc' : 'desc',
    cursor: after !== null ? { side: 'after', id: after } : before !== null ? { side: 'before', id: before } : null,
  }
}

function bothCursorsProblems(after: unknown, before: unknown): Problem[] {
  return after && before ? [{ name: 'end_before', message: 'cannot be combined with start_after', code: CODE }] : []
}

function cursorProblems(name: string, value: unknown, isCursor: (id: string) => boolean): Problem[] {
  if (typeof value !== 'string' || value === '' || isCursor(value)) return []
  return [{ name, message: 'is not the id of an object in this list', code: CODE }]
}

/**
 * A single object can be asked for with its relations in the interface, but not in this version.
 *
 * @throws ApiError where a relation is named.
 */
export function refuseExpansion(ctx: ApiContext): void {
  const { expand, 'expand[]': list } = ctx.query
  readInput(EXPANSION, { fields: { expand: expand ?? list }, isForm: true })
}

const EXPANSION = defineInput(() => ({ expand: unsupported }))
