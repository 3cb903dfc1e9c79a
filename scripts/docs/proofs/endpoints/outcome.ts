import { ERRORS, type ErrorCode, PAYMENT_FAILED } from '../../../../domain/errors.ts'
import type { Proof } from '../proof.ts'

/** What an endpoint can answer, and the test that shows it. */
export interface Outcome {
  /** When it answers so, in a few words. */
  when: string
  status: number
  errorType: ErrorCode | null
  /** `outcome` of the body, where an answer is no plain success. */
  outcome: 'pending' | null
  proof: Proof
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

export function succeeds(when: string, proof: Proof): Outcome {
  return { when, status: 200, errorType: null, outcome: null, proof }
}

/** A success whose outcome the merchant learns later. */
export function pends(when: string, proof: Proof): Outcome {
  return { ...succeeds(when, proof), outcome: 'pending' }
}

/** The status is that of the code, wherever it is answered. */
export function fails(errorType: ErrorCode, when: string, proof: Proof): Outcome {
  return { when, status: ERRORS[errorType].status, errorType, outcome: null, proof }
}

/** A decline, whose code is the gateway's to say. */
export function declines(when: string, proof: Proof): Outcome {
  return { when, status: PAYMENT_FAILED, errorType: null, outcome: null, proof }
}
