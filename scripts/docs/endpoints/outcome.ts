import { ERRORS, type ErrorCode, PAYMENT_FAILED } from '../../../domain/errors.ts'

/** What an endpoint can answer. */
export interface Outcome {
  /** When it answers so, in a few words. */
  when: string
  status: number
  errorType: ErrorCode | null
  /** `outcome` of the body, where an answer is no plain success. */
  outcome: 'pending' | null
}

export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** As the router has it: `/cards/:id`. */
  path: string
  outcomes: readonly Outcome[]
}

export interface Section {
  title: string
  endpoints: readonly Endpoint[]
}

export function succeeds(when: string): Outcome {
  return { when, status: 200, errorType: null, outcome: null }
}

/** A success whose outcome the merchant learns later. */
export function pends(when: string): Outcome {
  return { ...succeeds(when), outcome: 'pending' }
}

/** The status is that of the code, wherever it is answered. */
export function fails(errorType: ErrorCode, when: string): Outcome {
  return { when, status: ERRORS[errorType].status, errorType, outcome: null }
}

/** A decline, whose code is the gateway's to say. */
export function declines(when: string): Outcome {
  return { when, status: PAYMENT_FAILED, errorType: null, outcome: null }
}
