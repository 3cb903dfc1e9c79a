import type { Outcome } from '../../domain/operation.ts'

/** What a test of an account came to; only the first one lets payments through. */
export const CONNECTION_RESULTS = [
  'works',
  /** The key is right, but the gateway lets the account take no cards yet. */
  'not-active',
  'key-refused',
  /** The key is right, but lacks a right that payments need. */
  'forbidden',
  /** The key is right, and knows no such account. */
  'account-unknown',
  /** No connection was made. */
  'not-reached',
  /** An answer that means none of these, or none in time. */
  'unclear',
] as const

/** What a gateway has answered to a question that moves no money. */
export interface ConnectionTest {
  result: (typeof CONNECTION_RESULTS)[number]
  /** The account that has answered, as the gateway names it; null where it does not. */
  account: string | null
  /** The gateway's own code or the kind of the failure, for support; null where it works. */
  code: string | null
}

export function connected(account: string | null, isActive = true): ConnectionTest {
  return { result: isActive ? 'works' : 'not-active', account, code: null }
}

export function unconnected(result: ConnectionTest['result'], code: string): ConnectionTest {
  return { result, account: null, code }
}

const RESULT_OF: Readonly<Record<string, ConnectionTest['result']>> = {
  'gateway.invalid-credentials': 'key-refused',
  'gateway.forbidden': 'forbidden',
  'gateway.not-allowed': 'forbidden',
  'gateway.invalid-merchant': 'account-unknown',
  'gateway.network-error': 'not-reached',
}

/** A question that failed, read as the adapter reads the failure of a call. */
export function failedTest(outcome: Outcome): ConnectionTest {
  if (outcome.kind === 'unknown') return unconnected('unclear', outcome.reason)
  if (outcome.kind !== 'declined') return unconnected('unclear', outcome.kind)
  return unconnected(RESULT_OF[outcome.code] ?? 'unclear', outcome.gatewayCode ?? outcome.code)
}
