import type { ErrorCode } from '../../../domain/errors.ts'
import {
  type DetailStep,
  detailHindrance,
  lineAmountMinor,
  selectionAmountMinor,
} from '../../../domain/invoice-detail.ts'
import { InvoiceDetailEntity, type InvoiceDetailRow } from '../../../src/persistence/entities/invoice-detail.ts'
import type { OperationRow } from '../../../src/persistence/entities/operation.ts'
import type { Scope } from '../../../src/persistence/queries/scope.ts'
import { findRows } from '../../../src/persistence/rows.ts'
import type { Unit } from '../../../src/persistence/transact.ts'

const CLAIM = { capture: 'captureOperationId', refund: 'refundOperationId' } as const
const DONE = { capture: 'capturedMinor', refund: 'refundedMinor' } as const

/** The chosen lines of an invoice, or why one of them cannot be captured or refunded. Needs the lock of the payment. */
export async function findDetails(
  unit: Unit,
  { projectId, sandbox }: Scope,
  invoiceId: string,
  ids: readonly string[],
  step: DetailStep,
): Promise<{ details: InvoiceDetailRow[]; amountMinor: number } | { code: ErrorCode; message: string }> {
  const all = await findRows(unit, InvoiceDetailEntity, { invoiceId, projectId, sandbox })
  const selection = selectionAmountMinor(all, ids, (detail) => detailHindrance(step, detail, all))
  if (selection.kind === 'problem') return selection
  return { details: all.filter(({ id }) => ids.includes(id)), amountMinor: selection.amountMinor }
}

/** Each line is captured once and refunded once: the first attempt claims it. */
export function claimDetails(
  unit: Unit,
  details: readonly InvoiceDetailRow[],
  step: DetailStep,
  operationId: string,
): void {
  for (const detail of details) unit.update(detail, { [CLAIM[step]]: operationId })
}

/** The lines of a capture with their amounts; none for another step. */
export async function linesOfCapture(
  unit: Unit,
  attempt: OperationRow,
): Promise<{ id: string; amountMinor: number }[]> {
  if (attempt.detailIds == null || attempt.type !== 'capture') return []
  const details = await findRows(unit, InvoiceDetailEntity, { id: attempt.detailIds })
  return details.map((detail) => ({ id: detail.id, amountMinor: lineAmountMinor(detail) }))
}

/**
 * Marks the lines of an ended attempt as done, or frees them. A late approval of a closed attempt marks its lines as done
 * unless another attempt has claimed them.
 */
export async function updateDetails(unit: Unit, attempt: OperationRow, outcome: 'done' | 'free'): Promise<void> {
  if (attempt.detailIds == null || (attempt.type !== 'capture' && attempt.type !== 'refund')) return
  const step = attempt.type
  // Compared here, not in the query: another outcome in this database transaction may have changed a claim.
  const claims = outcome === 'done' ? [attempt.id, null] : [attempt.id]
  const chosen = await findRows(unit, InvoiceDetailEntity, { id: attempt.detailIds })
  const details = chosen.filter((detail) => claims.includes(detail[CLAIM[step]] ?? null))
  for (const detail of details)
    unit.update(
      detail,
      outcome === 'done'
        ? { [CLAIM[step]]: attempt.id, [DONE[step]]: lineAmountMinor(detail) }
        : { [CLAIM[step]]: null, [DONE[step]]: 0 },
    )
}
