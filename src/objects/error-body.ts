import { isErrorCode } from '../../domain/errors.ts'

/** One field of a request that cannot be accepted. Nested fields have dotted names. */
export interface InvalidField {
  name: string
  message: string
  /** Where in a text of several lines; both count from 1. */
  line?: number
  column?: number
}

export interface ErrorAnswer {
  errorType: string
  message: string
  requestId: string
  invalidFields?: readonly InvalidField[] | undefined
}

/** The one form of every error. */
export function errorBody({ errorType, message, requestId, invalidFields }: ErrorAnswer) {
  return {
    success: false,
    error_type: errorType,
    message,
    ...(invalidFields === undefined || invalidFields.length === 0 ? {} : { invalid_fields: invalidFields }),
    request_id: requestId,
  }
}

/**
 * An error with the addresses that help: `doc_url` explains the code, and `request_log_url` is the request in the dashboard.
 *
 * @param service the address of the service, without a slash.
 * @param project the project of a caller who may know of the request, with the prefix of its environment; else null.
 */
export function withLinks(body: object, service: string, project: string | null = null): object {
  const { success, error_type: code, message, ...rest } = body as ReturnType<typeof errorBody>
  const requests = `${service}/dashboard/#/${project}/requests?request_id=${encodeURIComponent(rest.request_id)}`
  return {
    ...{ success, error_type: code, message, doc_url: explanationOf(service, code) },
    ...(project !== null && { request_log_url: requests }),
    ...rest,
  }
}

/** A word of a gateway is in no list: the page says how to take it. */
const explanationOf = (service: string, code: string) =>
  isErrorCode(code) ? `${service}/docs/errors#${code}` : `${service}/docs/errors`
