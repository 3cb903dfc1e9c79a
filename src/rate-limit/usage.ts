import type { BucketKind } from '../../domain/rate-limits.ts'

/** What is left of a limit after a request; made by the limiter, shown in the headers of every answer. */
export interface Usage {
  kind: BucketKind
  /** Requests a minute, and how many the bucket holds when it is full. */
  limit: number
  isAllowed: boolean
  /** Never below 0. */
  remaining: number
  /** 0 where the request was admitted. */
  retryAfterMs: number
  /** How long until the bucket is full. */
  fullInMs: number
}
