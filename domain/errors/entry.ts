/**
 * What a failed payment needs before it may be tried again. The networks' labels "soft" and "hard" do not say this: a
 * mistyped expiry date and an empty account have the same label. `never`: not with this card; `fix-data`: with corrected
 * data; `authenticate`: after customer authentication; `later`: unchanged, after some time; `other-gateway`: at once,
 * through another gateway.
 */
export const RETRY_CLASSES = ['never', 'fix-data', 'authenticate', 'later', 'other-gateway'] as const
export type RetryClass = (typeof RETRY_CLASSES)[number]

export interface ErrorEntry<Status extends number = number> {
  /** The HTTP status of an answer with this code. A payment that fails with it is answered with 410. */
  status: Status
  /** What it means, in one sentence for the merchant. */
  message: string
  /** What the merchant should do, in one sentence. */
  advice: string
  /** Given for every code with which a payment can fail. */
  retryClass?: RetryClass
  /** Nothing was done, and the reason disappears by itself within minutes or hours. */
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

/** The status of every failed payment: the request was valid, and no money moved. */
export const PAYMENT_FAILED = 410

export const never = failure(PAYMENT_FAILED, 'never')
export const fixData = failure(PAYMENT_FAILED, 'fix-data')
export const authenticate = failure(PAYMENT_FAILED, 'authenticate')
export const later = failure(PAYMENT_FAILED, 'later')
export const otherGateway = failure(PAYMENT_FAILED, 'other-gateway')

/** Technical failures that disappear by themselves; the same request may then succeed. */
export const passing = failure(PAYMENT_FAILED, 'later', { isPassing: true })
/** The same, if another gateway can be tried at once. */
export const passingHere = failure(PAYMENT_FAILED, 'other-gateway', { isPassing: true })

/** Card data that is refused when the card is created. Data that only the gateway refuses is a failed payment. */
export const fixCardData = failure(400, 'fix-data')
export const neverThisNumber = failure(400, 'never')
