import type { RefundCommand } from '../../../domain/command.ts'
import type { Outcome } from '../../../domain/operation.ts'
import { CommandNoteEntity } from '../../../src/persistence/entities/command-note.ts'
import type { OperationRow } from '../../../src/persistence/entities/operation.ts'
import { RefundEntity, type RefundRow } from '../../../src/persistence/entities/refund.ts'
import type { TransactionRow } from '../../../src/persistence/entities/transaction.ts'
import { findRow } from '../../../src/persistence/rows.ts'
import type { Unit } from '../../../src/persistence/transact.ts'
import type { PaymentActivityDeps } from '../../dependencies.ts'

/** Writes the refund of an attempt, with the merchant's information and metadata from the command's note. */
export async function recordRefund(
  { clock }: Pick<PaymentActivityDeps, 'clock'>,
  unit: Unit,
  transaction: TransactionRow,
  operation: OperationRow,
  command: RefundCommand,
): Promise<RefundRow> {
  const now = clock.now()
  const note = await findRow(unit, CommandNoteEntity, { operationId: command.operationId })
  if (note !== null) unit.delete(note)
  return unit.insert(RefundEntity, {
    id: command.refundId,
    projectId: transaction.projectId,
    sandbox: transaction.sandbox,
    transactionId: transaction.id,
    operationId: operation.id,
    amountMinor: operation.amountMinor,
    currency: operation.currency,
    reason: command.reason,
    information: note?.content.information ?? null,
    metadata: note?.content.metadata ?? {},
    detailIds: operation.detailIds ?? null,
    status: 'pending',
    createdAt: now,
    updatedAt: now,
  })
}

/** The refund of an attempt; null for attempts of other types. */
export async function findRefundOf(unit: Unit, attempt: OperationRow): Promise<RefundRow | null> {
  return attempt.refundId == null ? null : findRow(unit, RefundEntity, { id: attempt.refundId })
}

/** Updates a refund by its outcome; without a final outcome it stays pending. */
export function updateRefund(
  unit: Unit,
  refund: RefundRow,
  outcome: Outcome,
  { at, now }: { at: number; now: Date },
): void {
  unit.update(refund, {
    ...(outcome.kind === 'approved' && { status: 'succeeded' }),
    ...(outcome.kind === 'declined' && { status: 'failed', errorCode: outcome.code, failedAt: new Date(at) }),
    updatedAt: now,
  })
}
