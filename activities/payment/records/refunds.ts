import type { RefundCommand } from '../../../domain/command.ts'
import type { Outcome } from '../../../domain/operation.ts'
import { CommandNoteEntity } from '../../../src/persistence/entities/command-note.ts'
import type { OperationRow } from '../../../src/persistence/entities/operation.ts'
import { RefundEntity, type RefundRow } from '../../../src/persistence/entities/refund.ts'
import type { TransactionRow } from '../../../src/persistence/entities/transaction.ts'
import { findRow } from '../../../src/persistence/rows.ts'
import type { Unit } from '../../../src/persistence/transact.ts'
import type { PaymentActivityDeps } from '../../dependencies.ts'

/** Writes a refund with its attempt, and takes over what the merchant wrote about it. */
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

/** The refund that an attempt is for; null for every other attempt. */
export async function findRefundOf(unit: Unit, attempt: OperationRow): Promise<RefundRow | null> {
  return attempt.refundId == null ? null : findRow(unit, RefundEntity, { id: attempt.refundId })
}

/** What the gateway's word makes of a refund; an open one stays pending. */
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
