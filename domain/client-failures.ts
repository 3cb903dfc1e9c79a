import { isErrorCode } from './errors.ts'

/**
 * Default limits for failed attempts of clients; further attempts are refused. A fraudster who tests stolen cards on a
 * payment page makes many failed attempts, a paying customer only a few.
 */
export const CLIENT_FAILURE_LIMITS = {
  /** For one invoice, permanently. */
  clientFailuresPerInvoice: 10,
  clientFailuresPerCard: 10,
  /** In one project and environment within `CLIENT_FAILURE_WINDOW_MS`. */
  clientFailuresPerProject: 1_000,
} as const satisfies Record<string, number>

export type ClientFailureLimits = Record<keyof typeof CLIENT_FAILURE_LIMITS, number>

/** The largest limit, which means no limit in practice. */
export const CLIENT_FAILURE_LIMIT_MAX = 1_000_000

export const CLIENT_FAILURE_WINDOW_MS = 60 * 60 * 1000

/**
 * Whether a failure is due to the card, and so counts. Failures of the gateway or of this service do not, because customers
 * try again while a gateway is down. Unknown codes count.
 */
export function isFailureOfCard(code: string): boolean {
  return !isErrorCode(code) || code.startsWith('card.')
}

/** The columns of an operation that counting needs. */
export interface CountedOperation {
  id: string
  type: string
  actor: string
  isAttempt: boolean
  attemptOperationId?: string | null | undefined
  /** For a fallback: the first attempt of its command. */
  fallbackOf?: string | null | undefined
  hasFailed: boolean
  errorCode?: string | null | undefined
}

/** The number of failed client commands to authorize a payment. A command with fallbacks counts once. */
export function failedTries(operations: readonly CountedOperation[]): number {
  const attempts = new Map(
    operations
      .filter(({ type, actor, isAttempt }) => isAttempt && type === 'authorization' && actor === 'client')
      .map((attempt) => [attempt.id, attempt]),
  )
  const tries = operations.flatMap(({ attemptOperationId, hasFailed, errorCode }) => {
    const attempt = attempts.get(attemptOperationId ?? '')
    const isCounted = attempt !== undefined && hasFailed && isFailureOfCard(errorCode ?? '')
    return isCounted ? [attempt.fallbackOf ?? attempt.id] : []
  })
  return new Set(tries).size
}
