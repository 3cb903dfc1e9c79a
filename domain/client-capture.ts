import type { AuthorizeCommand } from './command.ts'

/** What an invoice says of its capture. */
export interface CaptureTerms {
  requireBackendCapture: boolean
  /** Whether the merchant has set an instant for it on the invoice. */
  isScheduled: boolean
}

/**
 * The option by which a client would have money captured that the invoice leaves to the merchant's server
 * (`require_backend_capture`), or null where it would have none captured. What the merchant has scheduled itself is no
 * doing of the client's.
 */
export function captureByClient(
  { actor, capture, autoCaptureAt, mayFallBackToSale }: AuthorizeCommand,
  { requireBackendCapture, isScheduled }: CaptureTerms,
): 'authorize_only' | 'auto_capture_at' | 'allow_fallback_to_sale' | null {
  if (actor !== 'client' || !requireBackendCapture) return null
  if (capture !== null) return 'authorize_only'
  if (autoCaptureAt !== null && !isScheduled) return 'auto_capture_at'
  return mayFallBackToSale ? 'allow_fallback_to_sale' : null
}
