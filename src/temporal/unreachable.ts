/** gRPC status codes, https://grpc.io/docs/guides/status-codes/ */
const CANCELLED = 1
const UNKNOWN = 2
const DEADLINE_EXCEEDED = 4
const RESOURCE_EXHAUSTED = 8
const UNAVAILABLE = 14
const AWAY: readonly unknown[] = [DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, UNAVAILABLE]

/**
 * The SDK's errors for a connection that is accepted and ends without an answer, as by a load balancer without a server.
 * The codes alone are ambiguous: a server may also answer with them to a call.
 */
const CUT_OFF: readonly [code: number, message: string][] = [
  [UNKNOWN, 'transport error'],
  [CANCELLED, 'operation was canceled'],
]

/**
 * True if a call of a Temporal client failed because the server is away or overloaded, and not because of the call itself.
 */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return ('code' in error && isAway(error.code, error.message)) || isUnreachable(error.cause)
}

function isAway(code: unknown, message: string): boolean {
  return AWAY.includes(code) || CUT_OFF.some(([cutOff, words]) => cutOff === code && words === message)
}
