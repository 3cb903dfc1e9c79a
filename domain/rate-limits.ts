/**
 * The limits of a project, in requests a minute. Three independent ones count calls with a secret key. Two count calls of
 * clients, which have no secret: a client must not be able to use up the limit of its merchant.
 */
export const PROJECT_LIMITS = {
  /** Live, everything but what is secondary. */
  primary: 3_000,
  /** Live, `GET /events` and `GET /events/{id}`. */
  secondary: 3_000,
  sandbox: 3_000,
  /** Calls with the project id alone, from one address. */
  client_address: 300,
  /** The same, about one invoice: a customer who pays needs a handful of them. */
  client_invoice: 60,
} as const satisfies Record<string, number>

export type ProjectLimitName = keyof typeof PROJECT_LIMITS

/** The limit that an answer shows where its caller is not known. */
export const DEFAULT_LIMIT = PROJECT_LIMITS.primary

/** Above this the microseconds between two requests are too few to be counted exactly: 10,000 a second. */
export const LIMIT_MAX = 600_000

/** Wrong secrets from one address, of any project: no secret can be guessed, but guessing costs us work. */
export const FAILED_AUTHENTICATION_LIMIT = 600

/** Notifications from one address that no gateway was proven to have sent; what is proven counts towards no limit. */
export const REFUSED_NOTIFICATION_LIMIT = 600

/** What a bucket is for: a limit of a project, or one of what is refused. */
export type BucketKind = ProjectLimitName | 'failed_authentication' | 'refused_notification'
