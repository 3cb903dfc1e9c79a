import { isErrorCode } from './errors.ts'

/**
 * How many attempts of clients may fail before further ones are refused. Whoever tests stolen cards on a payment page makes
 * many attempts that fail; a customer who pays makes a few. By default.
 */
export const CLIENT_FAILURE_LIMITS = {
  /** For one invoice, for good. */
  clientFailuresPerInvoice: 10,
  clientFailuresPerCard: 10,
  /** In one project and environment within `CLIENT_FAILURE_WINDOW_MS`. */
  clientFailuresPerProject: 1_000,
} as const satisfies Record<string, number>

export type ClientFailureLimits = Record<keyof typeof CLIENT_FAILURE_LIMITS, number>

/** More than any limit needs to be; it stands for no limit. */
export const CLIENT_FAILURE_LIMIT_MAX = 1_000_000

export const CLIENT_FAILURE_WINDOW_MS = 60 * 60 * 1000

/**
 * Whether a failed attempt tells something about the card. What fails for a reason of the gateway or of ours tells nothing,
 * and counts against nobody: customers try again while a gateway is down. A code that we do not know counts.
 */
export function isFailureOfCard(code: string): boolean {
  return !isErrorCode(code) || code.startsWith('card.')
}

/** An operation of a payment, as far as failures are counted by it. */
export interface CountedOperation {
  id: string
  type: string
  actor: string
  isAttempt: boolean
  attemptOperationId?: string | null | undefined
  /** The first attempt of the command, of one that went on to another gateway. */
  fallbackOf?: string | null | undefined
  hasFailed: boolean
  errorCode?: string | null | undefined
}

/** How often clients have tried to authorize a payment in vain; a command that went to several gateways is one try. */
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
