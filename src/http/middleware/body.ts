import bodyParser from 'koa-bodyparser'
import { ApiError } from '../api-error.ts'
import type { ApiContext, ApiMiddleware } from '../context.ts'
import { nestDottedNames } from '../nested-names.ts'

/** The largest body that a route accepts, in bytes; an invoice with all its metadata takes less than half of it. */
export const BODY_BYTES_MAX = 65_536

/** Deeper or wider than any resource of this interface. */
const DEPTH_MAX = 8
const ENTRIES_MAX = 1000

/** How deep and how wide the JSON of a body may be. Its outermost fields are `ENTRIES_MAX` at most in any case. */
export interface BodyLimits {
  depth: number
  entries: number
}
const ORDINARY: BodyLimits = { depth: DEPTH_MAX, entries: ENTRIES_MAX }

/** How `qs`, inside the parser, reads forms: `device.channel` and `device[channel]` mean the same. */
const FORM_RULES = {
  allowDots: true,
  depth: DEPTH_MAX,
  strictDepth: true,
  parameterLimit: ENTRIES_MAX,
  arrayLimit: ENTRIES_MAX,
  throwOnLimitExceeded: true,
  // Objects without a prototype have nothing that a name in a form could reach.
  plainObjects: true,
}

const NO_FIELDS = 'The body is not an object with fields.'

const LIST_PARAMETERS = ['expand', 'filter', 'limit', 'order', 'start_after', 'end_before'] as const

export type Fields = Record<string, unknown>

/** The fields of a request. In a form every value is text. */
export interface ParsedBody {
  fields: Fields
  isForm: boolean
}

/** Reads JSON and form bodies; whatever cannot be read is 400, what is too large 413. */
export function body(): ApiMiddleware {
  // The types of the parser do not know the option that it hands to `qs`.
  const options: bodyParser.Options & { queryString: object } = {
    enableTypes: ['json', 'form'],
    jsonLimit: `${BODY_BYTES_MAX}b`,
    formLimit: `${BODY_BYTES_MAX}b`,
    queryString: FORM_RULES,
    onerror: refuseUnreadable,
  }
  const parse = bodyParser(options)
  return async (ctx, next) => {
    refuseUnknownEncodings(ctx)
    await parse(ctx, async () => {})
    if (isForm(ctx) && isLikeJson(ctx.request.rawBody))
      throw new ApiError('request.bad-format', { message: JSON_AS_FORM })
    // Nothing needs the text again, and it may hold a card number.
    ctx.request.rawBody = undefined
    await next()
  }
}

/** The body that `body` read for this route. */
export function bodyOf(ctx: ApiContext, limits: BodyLimits = ORDINARY): ParsedBody {
  const fields: unknown = ctx.request.body ?? {}
  if (!isFields(fields)) throw new ApiError('request.bad-format', { message: NO_FIELDS })
  if (!isWithinLimits(fields, limits))
    throw new ApiError('request.bad-format', { message: 'The body is nested too deeply or has too many fields.' })
  return { fields: isForm(ctx) ? fields : withoutUnsetListParameters(nestDottedNames(fields)), isForm: isForm(ctx) }
}

const FORM = 'application/x-www-form-urlencoded'

function isForm(ctx: Pick<ApiContext, 'is'>): boolean {
  return ctx.is(FORM) === FORM
}

/** `curl -d '{…}'` sends JSON under the type of a form. No name of a field begins so. */
function isLikeJson(body: unknown): boolean {
  return typeof body === 'string' && /^\s*[{[]/.test(body)
}

const JSON_AS_FORM = `The body looks like JSON, and its Content-Type is ${FORM}. Send Content-Type: application/json with it.`

/**
 * Drops the parameters of lists where they are unset. Merchants' client libraries put them into the body of every
 * request; source: processout-go, where they are empty texts, and zero for the limit. One that is set is left to be
 * refused.
 */
function withoutUnsetListParameters(fields: Fields): Fields {
  for (const name of LIST_PARAMETERS) {
    const value = fields[name]
    const isUnset = value === '' || value === 0 || (Array.isArray(value) && value.length === 0)
    if (isUnset) delete fields[name]
  }
  return fields
}

function refuseUnknownEncodings(ctx: ApiContext): void {
  if (!hasBody(ctx)) return
  if (!ctx.is('application/json', 'application/x-www-form-urlencoded')) {
    throw new ApiError('request.bad-format', {
      message: 'The content type of a body is application/json or application/x-www-form-urlencoded.',
    })
  }
  if (!['', 'utf-8', 'utf8', 'us-ascii'].includes(ctx.request.charset.toLowerCase())) {
    throw new ApiError('request.bad-format', { message: 'The charset of a body is utf-8.' })
  }
  // A body this small gains nothing by compression, and an unpacked one could be of any size.
  if (!['', 'identity'].includes(ctx.get('Content-Encoding').toLowerCase())) {
    throw new ApiError('request.bad-format', { message: 'The body is sent as it is, without a content encoding.' })
  }
}

/** HTTP says that there is a body by its length or by its way of transfer. */
function hasBody(ctx: ApiContext): boolean {
  return ctx.get('Transfer-Encoding') !== '' || (ctx.request.length ?? 0) > 0
}

function refuseUnreadable(error: Error, ctx: Pick<ApiContext, 'is'>): never {
  if ('status' in error && error.status === 413) {
    // The rest of the body is still under way; without this the connection would wait for it.
    throw new ApiError('request.body-too-large', { headers: { Connection: 'close' } })
  }
  if (isForm(ctx) && 'body' in error && isLikeJson(error.body))
    throw new ApiError('request.bad-format', { message: JSON_AS_FORM })
  const isOtherValue = 'body' in error && typeof error.body === 'string' && isJsonWithoutFields(error.body)
  throw new ApiError('request.bad-format', isOtherValue ? { message: NO_FIELDS } : {})
}

/** The parser refuses a text, a number and null before it reads them, with the same error as what is no JSON. */
function isJsonWithoutFields(text: string): boolean {
  try {
    return !isFields(JSON.parse(text))
  } catch {
    return false
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Walks level by level, so that a deep body cannot exhaust the stack. */
function isWithinLimits(fields: Fields, limits: BodyLimits): boolean {
  let level: unknown[] = [fields]
  let entries = 0
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > limits.depth) return false
    const containers = level.filter((value) => typeof value === 'object' && value !== null)
    level = containers.flatMap((value) => Object.values(value as object))
    entries += level.length
    if (entries > limits.entries || (depth === 0 && entries > ENTRIES_MAX)) return false
  }
  return true
}
