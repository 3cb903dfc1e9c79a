import { STATUS_CODES } from 'node:http'
import { type RandomBytes, randomText } from '../../../domain/identifiers.ts'
import { errorBody } from '../../presenters/error-body.ts'
import { ApiError } from '../api-error.ts'
import { rateLimitHeadersOf } from '../middleware/rate-limit-headers.ts'
import { type Reach, securityHeadersOf } from '../middleware/security-headers.ts'

/** Why something never became a request. */
export type Unreadable = 'no-http' | 'unknown-method' | 'too-large' | 'late'

/** An answer that no route gives: the request never became one. */
export interface RawAnswer {
  status: number
  headers: Readonly<Record<string, string>>
  body: string
}

const ERROR_OF: Readonly<Record<Unreadable, () => ApiError>> = {
  'no-http': () => new ApiError('request.bad-format', 'The request is not HTTP/1.1 as RFC 9112 has it.'),
  // Node's parser knows the registered methods only, and says no more of what begins with something else.
  'unknown-method': () =>
    new ApiError('request.bad-format', 'The request begins with a method that this interface does not know.'),
  'too-large': () => new ApiError('request.headers-too-large'),
  late: () => new ApiError('request.timeout'),
}

/**
 * The answer to what cannot be read as a request, in the one form of every error and with the headers of every answer.
 * It says nothing of what was sent, and the connection ends with it: where the next request would begin is not known.
 */
export function answerUnreadable(problem: Unreadable, randomBytes: RandomBytes, reach: Reach): RawAnswer {
  const error = ERROR_OF[problem]()
  const requestId = `req_${randomText(randomBytes)}`
  const body = JSON.stringify(errorBody({ errorType: error.code, message: error.message, requestId }))
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

/** The answer as it goes over the wire, for a connection on which nobody else is about to write. */
export function wireOf({ status, headers, body }: RawAnswer): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nDate: ${new Date().toUTCString()}\r\n${lines.join('')}\r\n${body}`
}
