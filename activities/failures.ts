import { ApplicationFailure } from '@temporalio/common'

/**
 * The one place that makes failures for Temporal. A decline is a value and never comes here; what comes here is
 * either a passing fault, thrown as it is and retried, or a defect that no retry mends.
 */
export const failures = {
  /** A workflow names an invoice that its project does not have. */
  paymentNotFound: (invoiceId: string) =>
    ApplicationFailure.nonRetryable(
      `There is no invoice ${invoiceId} in this project and environment.`,
      'payment-not-found',
    ),
  /** A step refers to an attempt that was never written. */
  attemptNotFound: (operationId: string) =>
    ApplicationFailure.nonRetryable(`There is no attempt ${operationId}.`, 'attempt-not-found'),
}
