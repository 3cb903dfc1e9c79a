import type {
  AuthorizeRequest,
  CaptureRequest,
  IncrementRequest,
  LookUpRequest,
  RefundRequest,
  VoidRequest,
} from '../../../src/gateways/gateway.ts'

/** One request to Placeholder, as it goes over the wire. */
export interface WireRequest {
  method: 'GET' | 'POST'
  path: string
  /** JSON; null for a question. */
  body: Readonly<Record<string, unknown>> | null
}

/*
 * Our requests in the words of Placeholder, each a pure function. Null is a request that is not written: nothing is sent.
 * `reference` goes along with each, so that a look-up and a repetition find what was done.
 */

export function authorizationOf(_request: AuthorizeRequest): WireRequest | null {
  return null
}

export function captureOf(_request: CaptureRequest): WireRequest | null {
  return null
}

export function incrementOf(_request: IncrementRequest): WireRequest | null {
  return null
}

export function voidOf(_request: VoidRequest): WireRequest | null {
  return null
}

export function refundOf(_request: RefundRequest): WireRequest | null {
  return null
}

export function questionOf(_request: LookUpRequest): WireRequest | null {
  return null
}
