import { ERRORS, type ErrorEntry } from '../../../domain/errors.ts'
import type { ApiMiddleware } from '../context.ts'

/** The list of error codes, family by family; like the root it is documentation and needs no key. */
export function listErrorCodes(): ApiMiddleware {
  const codes = Object.entries<ErrorEntry>(ERRORS).map(([code, { status, message, advice, retryClass = null }]) => ({
    code,
    http_status: status,
    message,
    advice,
    retry_class: retryClass,
  }))
  return (ctx) => {
    ctx.body = { success: true, error_codes: codes }
  }
}
