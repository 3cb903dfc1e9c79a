import type { AuthorizeCommand } from './command.ts'

export interface CaptureTerms {
  requireBackendCapture: boolean
  /** Whether the merchant has set an instant for it on the invoice. */
  isScheduled: boolean
}

/** What a client may not say of an invoice whose capture is the merchant's. */
export type CaptureOption =
  | 'authorize_only'
  | 'auto_capture_at'
  | 'invoice_detail_ids'
  | 'capture_amount'
  | 'allow_fallback_to_sale'

/** How much is to be captured, as the options of a payment say it: null stands for everything. */
export interface CaptureSelection {
  amountMinor: number | null
  detailIds: readonly string[] | null
}

/**
 * The option by which a client would say how much of an invoice is captured; null where it leaves that to the invoice. A
 * page can be made to send any amount, and a capture of one cent completes an invoice of any amount.
 */
export function amountOption({ amountMinor, detailIds }: CaptureSelection): CaptureOption | null {
  if (detailIds !== null) return 'invoice_detail_ids'
  return amountMinor === null ? null : 'capture_amount'
}

/**
 * The option by which a client would decide of a capture that the invoice leaves to the merchant's server
 * (`require_backend_capture`): whether, when, or how much of the invoice is captured; null where it decides nothing. What
 * the merchant has scheduled itself is no doing of the client's, and what a client chose would be taken by it, and by the
 * merchant's capture of everything.
 */
export function captureByClient(
  { actor, capture, autoCaptureAt, autoCaptureAmountMinor, autoCaptureDetailIds, mayFallBackToSale }: AuthorizeCommand,
  { requireBackendCapture, isScheduled }: CaptureTerms,
): CaptureOption | null {
  if (actor !== 'client' || !requireBackendCapture) return null
  // One that the merchant has scheduled for an instant that has passed is the merchant's as well.
  if (capture !== null && !isScheduled) return 'authorize_only'
  if (autoCaptureAt !== null && !isScheduled) return 'auto_capture_at'
  const option = amountOption({ amountMinor: autoCaptureAmountMinor, detailIds: autoCaptureDetailIds })
  return option ?? (mayFallBackToSale ? 'allow_fallback_to_sale' : null)
}
