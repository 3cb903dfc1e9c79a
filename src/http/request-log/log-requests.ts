import type { Middleware, ParameterizedContext } from 'koa'
import { makeIdentifier, type RandomBytes } from '../../../domain/identifiers.ts'
import type { LoggedRequest } from '../../persistence/queries/projects/api-requests.ts'
import type { ApiState, Caller } from '../context.ts'
import type { AppDeps } from '../dependencies.ts'
import { loggableError } from '../loggable-error.ts'
import { isPolling } from './polling.ts'
import { redact, redactBody, redactQuery, redactText } from './redaction.ts'

/** Adds every request of a known caller to the request log, after its answer; a failure does not reach the caller. */
export function logRequests({
  requestLog,
  clock,
  randomBytes,
  logger,
}: Pick<AppDeps, 'requestLog' | 'clock' | 'randomBytes' | 'logger'>): Middleware<ApiState> {
  return async (ctx, next) => {
    const startedAt = clock.now()
    const begun = performance.now()
    try {
      await next()
    } finally {
      const latencyMs = performance.now() - begun
      // Taken now: a long answer is a stream of compressed bytes afterwards.
      const { body } = ctx
      setImmediate(() => add(ctx, { startedAt, latencyMs, body }))
    }
  }

  function add(ctx: ParameterizedContext<ApiState>, measured: Measured): void {
    const { caller, requestId } = ctx.state
    if (caller === undefined || isLook(ctx, caller) || isPolling(ctx)) return
    try {
      requestLog.add(entryOf(ctx, caller, measured, randomBytes))
    } catch (error) {
      logger.error({ request_id: requestId, err: loggableError(error) }, 'A request could not be put into its log')
    }
  }
}

/** A page of the dashboard reads all the time; the merchant looks here for its own requests, and for changes of people. */
function isLook({ method }: ParameterizedContext<ApiState>, { kind }: Caller): boolean {
  return kind === 'person' && (method === 'GET' || method === 'HEAD')
}

/** Characters kept of each body: several times a usual one, and small enough for thousands of rows in memory. */
const BODY_LENGTH_MAX = 16_384
/** Characters kept of a header: browsers send some 150. */
const HEADER_LENGTH_MAX = 255
/** An index of PostgreSQL holds no longer text than 2,700 bytes. No address of ours has 200 characters. */
const PATH_LENGTH_MAX = 1_024

type Answered = ParameterizedContext<ApiState>

interface Measured {
  startedAt: Date
  latencyMs: number
  /** The answer. */
  body: unknown
}

/** The row of an answered request. Sensitive data is dropped or masked here, before the row is stored anywhere. */
function entryOf(
  ctx: Answered,
  caller: Caller,
  { startedAt, latencyMs, body }: Measured,
  randomBytes: RandomBytes,
): LoggedRequest {
  const keepsBodies = ctx.get('Disable-Logging').toLowerCase() !== 'true'
  const { logs } = ctx.state
  // Successful results can be read again through the API, errors cannot.
  const error = ctx.status >= 400 ? redact(parsed(body)) : null
  return {
    id: makeIdentifier('apiRequest', randomBytes),
    projectId: caller.projectId,
    sandbox: caller.sandbox,
    apiKeyId: caller.apiKeyId,
    personId: caller.personId ?? null,
    requestId: redactText(ctx.state.requestId),
    method: ctx.method,
    path: redactPath(ctx.path).slice(0, PATH_LENGTH_MAX),
    query:
      ctx.querystring === '' ? null : redactQuery(logs !== undefined || ctx._matchedRoute === undefined, ctx.query),
    status: ctx.status,
    errorType: ctx.state.errorType ?? errorTypeOf(error),
    hasIdempotencyKey: ctx.get('Idempotency-Key') !== '',
    ip: ctx.ip === '' ? null : ctx.ip,
    userAgent: header(ctx, 'User-Agent'),
    apiVersion: header(ctx, 'API-Version'),
    latencyMs: Math.round(latencyMs),
    requestBody: keepsBodies ? boundedJson(redactBody(logs, ctx.request.fields)) : null,
    responseBody: keepsBodies ? boundedText(JSON.stringify(error)) : null,
    createdAt: startedAt,
    ...limitOf(ctx, caller),
  }
}

/** The limits of the project; that of a person is no business of the merchant. */
function limitOf({ state: { usage } }: Answered, { kind }: Caller) {
  if (usage === undefined || kind === 'person') return {}
  return { limitKind: usage.kind, remaining: usage.remaining, isRefused: !usage.isAllowed }
}

/** Answers are objects, or the text of a replayed one. */
function parsed(body: unknown): unknown {
  if (typeof body === 'object') return Buffer.isBuffer(body) ? null : body
  if (typeof body !== 'string') return null
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}

function errorTypeOf(answer: unknown): string | null {
  const { error_type: errorType } = (answer ?? {}) as { error_type?: unknown }
  return typeof errorType === 'string' ? errorType : null
}

/** A card number may be percent-encoded in an address. */
function redactPath(path: string): string {
  try {
    const readable = decodeURIComponent(path)
    const redacted = redactText(readable)
    return redacted === readable ? path : encodeURI(redacted)
  } catch {
    return redactText(path)
  }
}

function header(ctx: Answered, name: string): string | null {
  const value = redactText(ctx.get(name))
  return value === '' ? null : value.slice(0, HEADER_LENGTH_MAX)
}

/** Redacted before it is cut: half a card number has no check digit. */
function boundedJson(body: unknown): unknown {
  const text = JSON.stringify(body)
  if (text === undefined) return null
  return text.length <= BODY_LENGTH_MAX ? body : { truncated: boundedText(text) }
}

function boundedText(text: string | undefined): string | null {
  if (text === undefined || text === 'null') return null
  return text.length <= BODY_LENGTH_MAX ? text : `${text.slice(0, BODY_LENGTH_MAX).toWellFormed()} … [truncated]`
}
