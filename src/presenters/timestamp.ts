/** RFC 3339 in UTC with milliseconds, such as `2026-11-21T01:17:10.000Z`; null where there is no instant. */
export function presentTimestamp(instant: Date | null | undefined): string | null {
  return instant?.toISOString() ?? null
}
