/**
 * The limits of a project, in requests per minute. Three count calls with a secret key. Two others count calls of clients,
 * so that a client cannot use up the limit of its merchant.
 */
export const PROJECT_LIMITS = {
  /** Live, all calls except the secondary ones. */
  primary: 3_000,
  /** Live, `GET /events` and `GET /events/{id}`. */
  secondary: 3_000,
  sandbox: 3_000,
  /** Calls with the project id alone, from one IP address. */
  client_address: 300,
  /** Calls with the project id alone, about one invoice: a paying customer needs a handful. */
  client_invoice: 60,
} as const satisfies Record<string, number>

export type ProjectLimitName = keyof typeof PROJECT_LIMITS

/** The limit that an answer shows to an unknown caller. */
export const DEFAULT_LIMIT = PROJECT_LIMITS.primary

/** 10,000 requests per second. Above that the interval in microseconds is too short to be counted exactly. */
export const LIMIT_MAX = 600_000

/** Failed authentications from one IP address, over all projects. Secrets cannot be guessed, but each guess costs us work. */
export const FAILED_AUTHENTICATION_LIMIT = 600

/** Notifications without a valid proof of origin, from one IP address. Proven ones are not limited. */
export const REFUSED_NOTIFICATION_LIMIT = 600

/**
 * How many times as much as a network of 64 bits its whole site of 48 bits may ask, where a limit counts by address. A
 * provider gives its customer one or the other: neighbours are to share little, and who has 65,536 networks is to gain
 * little.
 */
export const SITE_SHARE = 16

/**
 * Whatever is answered without a key, from one IP address: pages of customers, scripts, documents, tries to sign in. A page
 * that pays loads half a dozen of them, so that a hundred customers a minute may pay behind one address.
 */
export const OPEN_ROUTE_LIMIT = 1_200

/** Calls of one person's sessions: a page makes some ten at once. They do not count towards the limits of the project. */
export const PERSON_LIMIT = 1_200

/**
 * Tries to sign in from one IP address, over all accounts, in browsers that have not signed in to the account before, and
 * uses of one-time links. An office shares an address.
 */
export const SIGN_IN_ADDRESS_LIMIT = 30

/** Tries to sign in to one account in the browsers that know it, right ones as well. */
export const SIGN_IN_KNOWN_LIMIT = 10

/** Invitations of a project within an hour: a whole department at once, and no list of addresses. */
export const INVITATION_LIMIT = 20

/** Tests of one account at its gateway. */
export const CONNECTION_TEST_LIMIT = 6

/** The purpose of a bucket: a limit of a project, one for refused requests, or one for people. */
export type BucketKind =
  | ProjectLimitName
  | 'failed_authentication'
  | 'refused_notification'
  | 'open_route'
  | 'person'
  | 'sign_in_address'
  | 'sign_in_known'
  | 'invitation'
  | 'connection_test'
