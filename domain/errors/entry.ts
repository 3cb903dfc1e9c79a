/**
 * What a failed payment needs before it may be tried again. The networks' label "soft" or "hard" does not say: it files
 * a mistyped expiry date and an empty account alike. `never`: not with this card; `fix-data`: with corrected data;
 * `authenticate`: after the customer has authenticated; `later`: unchanged, after some time; `other-gateway`: at once,
 * through another gateway.
 */
export type RetryClass = 'never' | 'fix-data' | 'authenticate' | 'later' | 'other-gateway'

export interface ErrorEntry<Status extends number = number> {
  /** The HTTP status of an answer with this code; a payment that fails with it is answered with 410 all the same. */
  status: Status
  /** What it means, in one sentence for the merchant. */
  message: string
  /** What the merchant should do, in one sentence. */
  advice: string
  /** Given for every code with which a payment can fail. */
  retryClass?: RetryClass
  /** Nothing was done, and the reason goes away by itself within minutes or hours. */
  isPassing?: true
}

interface PaymentFailure<Status extends number> extends ErrorEntry<Status> {
  retryClass: RetryClass
}

/** An error of a request, raised before any money moves. */
export const refusal =
  <Status extends number>(status: Status) =>
  (message: string, advice: string): ErrorEntry<Status> => ({ status, message, advice })

const failure =
  <Status extends number>(status: Status, retryClass: RetryClass, more: Pick<ErrorEntry, 'isPassing'> = {}) =>
  (message: string, advice: string): PaymentFailure<Status> => ({ status, message, advice, retryClass, ...more })

/** The status of every failure of a payment: the request was right, and the money did not move. */
export const PAYMENT_FAILED = 410

export const never = failure(PAYMENT_FAILED, 'never')
export const fixData = failure(PAYMENT_FAILED, 'fix-data')
export const authenticate = failure(PAYMENT_FAILED, 'authenticate')
export const later = failure(PAYMENT_FAILED, 'later')
export const otherGateway = failure(PAYMENT_FAILED, 'other-gateway')

/** Failures of the machinery, which nobody decided: they go away, and the same request may then succeed. */
export const passing = failure(PAYMENT_FAILED, 'later', { isPassing: true })
/** The same, where another gateway need not be waited for. */
export const passingHere = failure(PAYMENT_FAILED, 'other-gateway', { isPassing: true })

/** Data of a card that is refused where it is created; what only the gateway finds wrong is a failed payment. */
export const fixCardData = failure(400, 'fix-data')
export const neverThisNumber = failure(400, 'never')
