import { STATUS_CODES } from 'node:http'
import { type RandomBytes, randomText } from '../../../domain/identifiers.ts'
import { errorBody, withLinks } from '../../objects/error-body.ts'
import { ApiError } from '../api-error.ts'
import { rateLimitHeadersOf } from '../middleware/rate-limit-headers.ts'
import { type Reach, securityHeadersOf } from '../middleware/security-headers.ts'

/** Why bytes never became a request. */
export type Unreadable = 'no-http' | 'unknown-method' | 'too-large' | 'late'

/** An answer without a route, since there was no request. */
export interface RawAnswer {
  status: number
  headers: Readonly<Record<string, string>>
  body: string
}

const ERROR_OF: Readonly<Record<Unreadable, () => ApiError>> = {
  'no-http': () => new ApiError('request.bad-format', 'The request is not HTTP/1.1 as RFC 9112 has it.'),
  // Node's parser knows only the registered methods, and reports nothing more about others.
  'unknown-method': () =>
    new ApiError('request.bad-format', 'The request begins with a method that this interface does not know.'),
  'too-large': () => new ApiError('request.headers-too-large'),
  late: () => new ApiError('request.timeout'),
}

/**
 * The answer to an unreadable request, in the form of every error and with the headers of every answer. It repeats nothing
 * of the request. The connection ends with it, since the beginning of the next request is unknown.
 */
export function answerUnreadable(
  problem: Unreadable,
  { randomBytes, reach, service }: { randomBytes: RandomBytes; reach: Reach; service: string },
): RawAnswer {
  const error = ERROR_OF[problem]()
  const requestId = `req_${randomText(randomBytes)}`
  const answer = errorBody({ errorType: error.code, message: error.message, requestId })
  const body = JSON.stringify(withLinks(answer, service))
  return {
    status: error.status,
    headers: {
      'X-Request-Id': requestId,
      ...securityHeadersOf(reach),
      ...rateLimitHeadersOf(),
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': String(Buffer.byteLength(body)),
      Connection: 'close',
    },
    body,
  }
}

/** The answer as bytes, for a connection on which nothing else writes. */
export function wireOf({ status, headers, body }: RawAnswer): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nDate: ${new Date().toUTCString()}\r\n${lines.join('')}\r\n${body}`
}
