/**
 * The limits of a project, in requests a minute. Source: the specification, section 8 — three that have nothing to do
 * with each other, for calls with a secret key; and decision 34 — two for calls of clients, who hold no secret and
 * must not be able to use up what the merchant has.
 */
export const PROJECT_LIMITS = {
  /** Live, everything but what is secondary. */
  primary: 3_000,
  /** Live, `GET /events` and `GET /events/{id}`. */
  secondary: 3_000,
  /** Everything in the sandbox. */
  sandbox: 3_000,
  /** Calls with the project id alone, from one address. */
  client_address: 300,
  /** The same, about one invoice: a customer who pays needs a handful of them. */
  client_invoice: 60,
} as const satisfies Record<string, number>

export type ProjectLimitName = keyof typeof PROJECT_LIMITS

/** What every answer shows whose caller is not known: the value of the worked example in the specification. */
export const DEFAULT_LIMIT = PROJECT_LIMITS.primary

/** Above this the microseconds between two requests are too few to be counted exactly: 10,000 a second. */
export const LIMIT_MAX = 600_000

/** Wrong secrets from one address, of any project: no secret can be guessed, but guessing costs us work. */
export const FAILED_AUTHENTICATION_LIMIT = 600

/** Notifications from one address that no gateway was proven to have sent; what is proven counts towards no limit. */
export const REFUSED_NOTIFICATION_LIMIT = 600

/** What a bucket is for: a limit of a project, or one of what is refused. */
export type BucketKind = ProjectLimitName | 'failed_authentication' | 'refused_notification'
