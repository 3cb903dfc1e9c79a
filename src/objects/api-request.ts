import { z } from 'zod'
import { RETRY_CLASSES } from '../../domain/errors.ts'
import type { ApiRequestRow } from '../persistence/entities/api-request.ts'
import { errorCode } from './answers.ts'
import { shownColumns } from './columns.ts'
import { object, type Shown } from './object.ts'
import { count, flag, id, list, OWNER, opaque, orNull, text, WRITTEN, word } from './shown.ts'

const REQUEST = {
  id: id('apiRequest', 'The logged request.'),
  request_id: text('The `X-Request-Id` of its answer. Several may share one that you chose.'),
  ...OWNER,
  api_key_id: orNull(id('apiKey', 'The secret key that it came with; null where a client sent it.')),
  method: text('The HTTP method.'),
  path: text('The address, without its query.'),
  query: orNull(opaque('The parameters of the query; a repeated one is a list.')),
  status: z.int().min(100).max(599).describe('The HTTP status of the answer.'),
  error_type: orNull(text('The `error_type` of the answer; null without an error.')),
  person_id: orNull(text('The person of the dashboard who asked; null for a call with a key.')),
  has_idempotency_key: flag('Whether it came with an idempotency key. The key is not kept.'),
  ip: orNull(text('From which address it came.')),
  user_agent: orNull(text('The header `User-Agent`.')),
  api_version: orNull(text('The header `API-Version`.')),
  latency_ms: count('How long the answer took, in milliseconds.'),
  ...WRITTEN,
}

const listedApiRequest = object('ListedApiRequest', 'A request of yours in the log, without its bodies.', REQUEST)

export const apiRequest = object('ApiRequest', 'A request of yours in the log.', {
  ...REQUEST,
  request_body: z
    .unknown()
    .nullable()
    .describe('The fields of the request, its first 16 KiB, without secrets and whatever tells of a person.'),
  response_body: orNull(text('The answer as text, its first 16 KiB, where it was an error.')),
})

export const errorDescription = object('ErrorDescription', 'An error code with its meaning.', {
  code: errorCode,
  http_status: z.int().min(400).max(599).describe('The status of an answer with the code.'),
  message: text('What it means.'),
  advice: text('What to do about it.'),
  retry_class: orNull(
    word(
      RETRY_CLASSES,
      'What a payment that failed with it needs before another try; null where no payment fails with it.',
    ),
  ),
})

/** The categories in which ProcessOut's client libraries read the codes. */
export const CODE_CATEGORIES = [
  'generic',
  'service',
  'gateway',
  'card',
  'check',
  'shipping',
  'customer',
  'payment',
  'refund',
  'wallet',
  'request',
] as const

export const categorizedCodes = object(
  'CategorizedErrorCodes',
  'Every error code once: in the category of its first word, or else in `generic`.',
  Object.fromEntries(CODE_CATEGORIES.map((name) => [name, list(errorCode, `The codes of \`${name}\`.`)])),
)

export const versions = {
  name: z.literal('holdfast').describe('The name of the service.'),
  current_version: text('The version of the interface that answers.'),
  latest_version: text('The latest version of the interface.'),
  versions: list(text('A version.'), 'All versions of the interface.'),
}

export const readiness = {
  database: flag('Whether PostgreSQL answers.'),
  temporal: flag('Whether Temporal answers.'),
}

/** A logged request as it stands in a list: without its bodies, which are many times as long as the rest. */
export function presentListedApiRequest(row: ApiRequestRow): Shown<typeof listedApiRequest> {
  return {
    ...shownColumns(REQUEST, row),
  }
}

/** A logged request with its bodies, as far as they were kept. */
export function presentApiRequest(row: ApiRequestRow): Shown<typeof apiRequest> {
  return {
    ...presentListedApiRequest(row),
    request_body: row.requestBody ?? null,
    response_body: row.responseBody ?? null,
  }
}
