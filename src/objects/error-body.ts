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
