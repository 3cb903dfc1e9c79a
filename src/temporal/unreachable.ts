/** gRPC status codes, https://grpc.io/docs/guides/status-codes/ */
const DEADLINE_EXCEEDED = 4
const RESOURCE_EXHAUSTED = 8
const UNAVAILABLE = 14
const AWAY: readonly unknown[] = [DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, UNAVAILABLE]

/** Whether a call of a Temporal client has failed because the server is away or has too much to do, not for what it asked. */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return ('code' in error && AWAY.includes(error.code)) || isUnreachable(error.cause)
}
