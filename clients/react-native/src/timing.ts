/** How long the library waits, in milliseconds. The defaults suit a customer who looks at the screen. */
export interface Timing {
  /** How often one request is sent before the library asks what became of it. */
  attempts: number
  /** The longest pause before the second attempt; it doubles with each further one. */
  firstPauseMs: number
  longestPauseMs: number
  /** A `Retry-After` beyond this ends the call with `try-later`. */
  longestRetryAfterMs: number
  /** Of one request. The service answers within 30 s. */
  requestTimeoutMs: number
  /** How long an open outcome is asked for before `pending`. */
  pollForMs: number
  /** Of a fingerprint in a browser session. Source: EMVCo's specification of 3-D Secure 2. */
  fingerprintTimeoutMs: number
}

export const TIMING: Timing = {
  attempts: 4,
  firstPauseMs: 500,
  longestPauseMs: 8_000,
  longestRetryAfterMs: 30_000,
  requestTimeoutMs: 40_000,
  pollForMs: 60_000,
  fingerprintTimeoutMs: 10_000,
}
