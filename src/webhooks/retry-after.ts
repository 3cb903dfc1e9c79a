/** As long as a whole schedule; a wait beyond it can change nothing, and a number far beyond it would be no instant. */
const SECONDS_MAX = 3 * 24 * 60 * 60

/**
 * When a receiver wants to be asked again, in epoch ms: `Retry-After` in seconds or as a date (RFC 9110, 10.2.3).
 *
 * @returns null without the header, and where it is neither.
 */
export function readRetryAfter(value: string | undefined, now: number): number | null {
  if (value === undefined) return null
  const text = value.trim()
  if (/^\d+$/.test(text)) return now + Math.min(Number(text), SECONDS_MAX) * 1000
  const instant = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text) ? Date.parse(text) : NaN
  return Number.isNaN(instant) ? null : instant
}
