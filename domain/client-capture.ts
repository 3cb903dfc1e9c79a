import type { AuthorizeCommand } from './command.ts'

export interface CaptureTerms {
  requireBackendCapture: boolean
  /** Whether the merchant has set `auto_capture_at` on the invoice. */
  isScheduled: boolean
}

/** The options that a client may not use if only the merchant's server may capture. */
export type CaptureOption =
  | 'authorize_only'
  | 'auto_capture_at'
  | 'invoice_detail_ids'
  | 'capture_amount'
  | 'allow_fallback_to_sale'

/** The amount and lines to capture, from the options of a request; null means everything. */
export interface CaptureSelection {
  amountMinor: number | null
  detailIds: readonly string[] | null
}

/**
 * The option by which a client chooses how much to capture; null if it leaves that to the invoice. An attacker can make a
 * page send any amount, and a capture of one cent completes an invoice of any amount.
 */
export function amountOption({ amountMinor, detailIds }: CaptureSelection): CaptureOption | null {
  if (detailIds !== null) return 'invoice_detail_ids'
  return amountMinor === null ? null : 'capture_amount'
}

/**
 * The option by which a client decides whether, when or how much to capture of an invoice that only the merchant's server
 * may capture (`require_backend_capture`); null if it decides nothing. A capture that the merchant scheduled on the invoice
 * is allowed, but not a client's amount or lines: that capture, and a later one of everything, would use them.
 */
export function captureByClient(
  {
    capturesAtOnce,
    autoCaptureAt,
    autoCaptureAmountMinor,
    autoCaptureDetailIds,
    mayFallBackToSale,
  }: Pick<
    AuthorizeCommand,
    'capturesAtOnce' | 'autoCaptureAt' | 'autoCaptureAmountMinor' | 'autoCaptureDetailIds' | 'mayFallBackToSale'
  >,
  { requireBackendCapture, isScheduled }: CaptureTerms,
): CaptureOption | null {
  if (!requireBackendCapture) return null
  // An immediate capture is the merchant's own if the merchant scheduled it for an instant that has passed.
  if (capturesAtOnce && !isScheduled) return 'authorize_only'
  if (autoCaptureAt !== null && !isScheduled) return 'auto_capture_at'
  const option = amountOption({ amountMinor: autoCaptureAmountMinor, detailIds: autoCaptureDetailIds })
  return option ?? (mayFallBackToSale ? 'allow_fallback_to_sale' : null)
}
