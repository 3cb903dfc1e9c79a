/** What rows of a plain order of 29 euro have; columns that are not named here have a default in the database. */

export const INVOICE_DEFAULTS = {
  name: 'Order 1',
  amountMinor: 2900,
  currency: 'EUR',
  deviceChannel: 'web',
  incremental: false,
  bypassIncrementalAuthorization: false,
  metadata: {},
  gatewayData: {},
} as const

export const CARD_DEFAULTS = { scheme: 'visa', expMonth: 12, expYear: 2030, metadata: {} } as const

/** Of a payment that has moved no money. */
export const TRANSACTION_DEFAULTS = {
  gatewayName: 'simulator',
  name: 'Order 1',
  currency: 'EUR',
  amountMinor: 2900,
  authorizedMinor: 0,
  capturedMinor: 0,
  voidedMinor: 0,
  refundedMinor: 0,
  incrementedMinor: 0,
  incremental: false,
  incrementAttempts: 0,
  attemptsCount: 1,
  expired: false,
  eventCount: 0,
  metadata: {},
} as const
