/** gRPC status codes, https://grpc.io/docs/guides/status-codes/ */
const CANCELLED = 1
const UNKNOWN = 2
const DEADLINE_EXCEEDED = 4
const RESOURCE_EXHAUSTED = 8
const UNAVAILABLE = 14
const AWAY: readonly unknown[] = [DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, UNAVAILABLE]

/**
 * What the SDK says when a connection is accepted and ends without an answer, as by a load balancer with no server behind
 * it. The codes alone say nothing: a server may answer with them to what one call has asked.
 */
const CUT_OFF: readonly [code: number, message: string][] = [
  [UNKNOWN, 'transport error'],
  [CANCELLED, 'operation was canceled'],
]

/** Whether a call of a Temporal client has failed because the server is away or has too much to do, not for what it asked. */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return ('code' in error && isAway(error.code, error.message)) || isUnreachable(error.cause)
}

function isAway(code: unknown, message: string): boolean {
  return AWAY.includes(code) || CUT_OFF.some(([cutOff, words]) => cutOff === code && words === message)
}
