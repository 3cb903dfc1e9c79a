import { captureByClient } from '../../domain/client-capture.ts'
import type { AuthorizeCommand } from '../../domain/command.ts'
import type { InvoiceRow } from '../../src/persistence/entities/invoice.ts'
import { type Refusal, refusal } from './refusal.ts'

/** The merchant may have kept the capture of the invoice for itself since the interface looked. */
export function refuseClientCapture(invoice: InvoiceRow, command: AuthorizeCommand): Refusal | null {
  const option = captureByClient(command, { ...invoice, isScheduled: invoice.autoCaptureAt != null })
  if (option === null) return null
  return refusal(
    'request.validation.invalid-state',
    `The merchant captures this invoice: ${option} is not for clients.`,
  )
}
