import { LockMode } from '@mikro-orm/postgresql'
import type { Difference } from '../../../../domain/books.ts'
import { makeIdentifier, type RandomBytes } from '../../../../domain/identifiers.ts'
import type { ReconciliationRow } from '../../entities/reconciliation.ts'
import {
  ReconciliationDifferenceEntity,
  type ReconciliationDifferenceRow,
} from '../../entities/reconciliation-difference.ts'
import type { EntityManager } from '../../orm.ts'
import { recordAct } from '../audit/record-act.ts'
import type { Scope } from '../scope.ts'
import type { KnownEntry } from './entries.ts'

type Run = Pick<ReconciliationRow, 'id' | 'projectId' | 'sandbox' | 'gatewayConfigurationId'>

export type FoundDifference = Difference<KnownEntry>

/**
 * Writes differences that were found. One that is known stays as it is, also where somebody has resolved it; one that had
 * gone by itself is open again.
 *
 * @param paymentOf the payment of what only the gateway has, as far as it is known
 */
export async function storeDifferences(
  em: EntityManager,
  run: Run,
  found: readonly FoundDifference[],
  making: { now: Date; randomBytes: RandomBytes; paymentOf(found: FoundDifference): string | null },
): Promise<void> {
  const { now, randomBytes, paymentOf } = making
  for (const difference of found) {
    const { kind, entry, line } = difference
    await em.execute(
      `insert into reconciliation_difference as known
              (id, project_id, sandbox, reconciliation_id, gateway_configuration_id, kind, status, operation_id, transaction_id,
               type, our_state, our_amount_minor, our_currency, line_id, gateway_reference, gateway_state,
               gateway_amount_minor, gateway_currency, gateway_booked_at, created_at, updated_at)
       values (?, ?, ?, ?, ?, ?, 'open', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       on conflict (gateway_configuration_id, kind, coalesce(operation_id, line_id)) do update
          set status = 'open', resolved_at = null, resolved_by = null, resolution = null, updated_at = excluded.updated_at
        where known.status = 'resolved' and starts_with(known.resolved_by, 'reconciliation:')`,
      [
        ...[makeIdentifier('reconciliationDifference', randomBytes), run.projectId, run.sandbox, run.id],
        ...[run.gatewayConfigurationId, kind, entry?.reference ?? null, entry?.transactionId ?? paymentOf(difference)],
        ...[(entry ?? line)?.type ?? null, entry?.state ?? null, entry?.amountMinor ?? null, entry?.currency ?? null],
        ...[line?.id ?? null, line?.gatewayReference ?? entry?.gatewayReference ?? null, line?.state ?? null],
        ...[line?.amountMinor ?? null, line?.currency ?? null, line === null ? null : new Date(line.bookedAt)],
        ...[now, now],
      ],
    )
  }
}

/** A part of what is open at an account, in the order of ids. */
export async function findOpenDifferences(
  em: EntityManager,
  { gatewayConfigurationId }: Pick<Run, 'gatewayConfigurationId'>,
  { after, limit }: { after: string; limit: number },
): Promise<ReconciliationDifferenceRow[]> {
  const where = { gatewayConfigurationId, status: 'open' as const, id: { $gt: after } }
  return em.find(ReconciliationDifferenceEntity, where, { orderBy: { id: 'asc' }, limit, disableIdentityMap: true })
}

/** Locks a difference until the caller's database transaction ends. */
export async function lockDifference(
  em: EntityManager,
  { projectId, sandbox }: Scope,
  id: string,
): Promise<ReconciliationDifferenceRow | null> {
  const lock = { lockMode: LockMode.PESSIMISTIC_WRITE } as const
  return em.findOne(ReconciliationDifferenceEntity, { id, projectId, sandbox }, lock)
}

interface Resolution {
  by: string
  reason: string
  now: Date
}

/**
 * Resolves an open difference and records who did, in the caller's database transaction.
 *
 * @returns the row afterwards; unchanged where it was resolved before.
 */
export async function resolveDifference(
  em: EntityManager,
  row: ReconciliationDifferenceRow,
  { by, reason, now }: Resolution,
): Promise<ReconciliationDifferenceRow> {
  const { id, projectId, sandbox, reconciliationId, kind } = row
  const change = { status: 'resolved' as const, resolvedAt: now, resolvedBy: by, resolution: reason, updatedAt: now }
  const changed = await em.nativeUpdate(ReconciliationDifferenceEntity, { id, status: 'open' }, change)
  if (changed === 0) return row
  const facts = { reconciliation_difference_id: id, reconciliation_id: reconciliationId, kind }
  await recordAct(em, { projectId, sandbox, kind: 'reconciliation-difference.resolved', actor: by, facts })
  return { ...row, ...change }
}
