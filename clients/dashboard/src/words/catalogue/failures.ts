import type { RetryClass } from '../../../../../domain/errors/entry.ts'
import type { ERRORS } from '../../../../../domain/errors.ts'

/** A code with which a payment can fail: what it needs before another try is known. */
type FailureCode = {
  [Code in keyof typeof ERRORS]: (typeof ERRORS)[Code] extends { retryClass: RetryClass } ? Code : never
}[keyof typeof ERRORS]

/**
 * What the interface says in English of a payment that failed, in another language: what the code means, and what to do. English has
 * none: it shows the sentences of the interface.
 */
export type Failures = Readonly<Record<FailureCode, readonly [meaning: string, advice: string]>>
