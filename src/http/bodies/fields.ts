import { ApiError } from '../api-error.ts'

export type Fields = Record<string, unknown>

/** The limits of a body. Every name of an object and every item of a list is an entry. */
export interface BodyLimits {
  bytes: number
  depth: number
  entries: number
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Fields without a prototype: `constructor` is an ordinary, unknown name. */
export function emptyFields(): Fields {
  return Object.create(null) as Fields
}

/** Twice what any request has, written with dots: each of them may be unknown, and takes time until it is refused. */
const OUTERMOST_MAX = 200

/**
 * Goes level by level, so that a deep body cannot exhaust the stack.
 *
 * @throws ApiError beyond the limits, and for more outermost fields than any body may have.
 */
export function refuseBeyond(fields: Fields, limits: BodyLimits): void {
  if (Object.keys(fields).length > OUTERMOST_MAX)
    throw new ApiError('request.bad-format', `The body has more than ${OUTERMOST_MAX} outermost fields.`)
  let level: unknown[] = [fields]
  let entries = 0
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > limits.depth) throw tooDeep(limits)
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []))
    entries += level.length
    if (entries > limits.entries) throw tooManyEntries(limits)
  }
}

export function tooManyEntries({ entries }: BodyLimits): ApiError {
  const most = entries.toLocaleString('en')
  return new ApiError('request.bad-format', `The body has more than ${most} fields and items of lists.`)
}

export function tooDeep({ depth }: BodyLimits): ApiError {
  return new ApiError('request.bad-format', `The body is nested more than ${depth} levels deep.`)
}

export function givenTwice(name: string): ApiError {
  const message = 'is given twice'
  return new ApiError('request.bad-format', { message: `${name} ${message}.`, invalidFields: [{ name, message }] })
}
