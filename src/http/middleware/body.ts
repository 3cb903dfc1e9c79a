import { METHODS } from 'node:http'
import { bodyParser } from '@koa/bodyparser'
import { ApiError } from '../api-error.ts'
import type { BodyLimits, Fields } from '../bodies/fields.ts'
import { readForm } from '../bodies/form.ts'
import { readJson } from '../bodies/json.ts'
import { jsonProblem } from '../bodies/json-problem.ts'
import type { ApiContext, ApiMiddleware } from '../context.ts'
import { endedEarly, refusalOf, refusePacked } from '../raw-body.ts'
import { withFacts } from '../route-access.ts'

export type { BodyLimits, Fields } from '../bodies/fields.ts'

/** Larger, deeper and wider than any resource except those below. */
const ORDINARY_BODY: BodyLimits = { bytes: 65_536, depth: 8, entries: 1_000 }

/** An invoice of 1,000 lines with 260 bytes and 9 fields each. */
export const INVOICE_BODY: BodyLimits = { bytes: 262_144, depth: 8, entries: 10_000 }

/** A capture or refund of 1,000 lines, whose ids take 80 bytes each in a form. */
export const LINES_BODY: BodyLimits = { bytes: 98_304, depth: 8, entries: 1_100 }

/** The largest body of a route, but for reports of gateways, which come after the caller is known. */
export const BODY_BYTES_MAX = INVOICE_BODY.bytes

const LIST_PARAMETERS = ['expand', 'filter', 'limit', 'order', 'start_after', 'end_before'] as const

const FORM = 'application/x-www-form-urlencoded'

/** All values of a form are text. */
export interface ParsedBody {
  fields: Fields
  isForm: boolean
}

declare module 'koa' {
  interface Request {
    /** The fields of the body, if the route reads one; the request log reads them, too. */
    fields?: Fields
  }
}

/**
 * Reads JSON and form bodies; answers 400 to an unreadable and 413 to a too large body, and as the guard of the route does to
 * a person who is not let in any more by the time that the body is there.
 */
export function body(limits: BodyLimits = ORDINARY_BODY): ApiMiddleware {
  const parse = bodyParser({
    parsedMethods: METHODS,
    // Of a form the library returns the text: its own reading has other limits, and drops what is beyond them.
    enableTypes: ['json', 'text'],
    extendTypes: { text: [FORM] },
    jsonStrict: false,
    jsonLimit: limits.bytes,
    textLimit: limits.bytes,
    onError(error) {
      // The library's error has the whole body in it, and must not be logged.
      throw error instanceof SyntaxError ? unreadable(error) : refusalOf(error, limits.bytes)
    },
  })
  const read: ApiMiddleware = async (ctx, next) => {
    if (hasBody(ctx)) {
      refuseUnknownEncodings(ctx)
      await parse(ctx, async () => {})
      const { body: value, rawBody: text } = ctx.request
      // The library reads nothing where the caller has gone. A command without its fields would be another command.
      if (typeof text !== 'string') throw endedEarly()
      ctx.request.fields = isForm(ctx) ? readForm(text, limits) : readJson(value, text, limits)
      await ctx.state.stillAdmitted?.()
    }
    await next()
  }
  return withFacts(read, { body: limits })
}

function unreadable({ body: text = '' }: SyntaxError & { body?: string }): ApiError {
  const message = jsonProblem(text)
  return new ApiError('request.bad-format', message === null ? {} : message)
}

/** The body that `body` has read for this route. */
export function bodyOf(ctx: ApiContext): ParsedBody {
  const fields = ctx.request.fields ?? {}
  return isForm(ctx) ? { fields, isForm: true } : { fields: withoutUnsetListParameters(fields), isForm: false }
}

const isForm = (ctx: ApiContext): boolean => ctx.is(FORM) === FORM

/**
 * Drops unset list parameters, which merchants' client libraries add to every body; source: processout-go. One with a value
 * stays, and is refused later.
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
  if (!ctx.is('application/json', FORM)) {
    const message = 'The content type of a body is application/json or application/x-www-form-urlencoded.'
    throw new ApiError('request.bad-format', message)
  }
  if (!['', 'utf-8', 'utf8', 'us-ascii'].includes(ctx.request.charset.toLowerCase())) {
    throw new ApiError('request.bad-format', 'The charset of a body is utf-8.')
  }
  refusePacked(ctx.req)
  // What is left is `identity`, which the library knows in small letters only.
  delete ctx.req.headers['content-encoding']
}

/** In HTTP a length or a transfer encoding announces a body. */
function hasBody(ctx: ApiContext): boolean {
  return ctx.get('Transfer-Encoding') !== '' || (ctx.request.length ?? 0) > 0
}
