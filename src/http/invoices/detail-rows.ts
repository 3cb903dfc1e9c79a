import { makeIdentifier, type RandomBytes } from '../../../domain/identifiers.ts'
import type { InvoiceRow } from '../../persistence/entities/invoice.ts'
import type { InvoiceDetailRow } from '../../persistence/entities/invoice-detail.ts'
import type { DetailColumns } from '../schemas/invoices/invoice-detail-input.ts'

/** The rows of new lines, in the order in which they were sent; nothing of them is captured or refunded yet. */
export function detailRows(
  { id: invoiceId, projectId, sandbox }: Pick<InvoiceRow, 'id' | 'projectId' | 'sandbox'>,
  details: readonly DetailColumns[],
  { randomBytes, now }: { randomBytes: RandomBytes; now: Date },
): InvoiceDetailRow[] {
  return details.map((columns, index) => ({
    ...columns,
    id: makeIdentifier('invoiceDetail', randomBytes),
    projectId,
    sandbox,
    invoiceId,
    position: index + 1,
    capturedMinor: 0,
    refundedMinor: 0,
    captureOperationId: null,
    refundOperationId: null,
    createdAt: now,
  }))
}
