import { failedTries, isFailureOfCard } from '../../../domain/client-failures.ts'
import type { AuthorizeCommand } from '../../../domain/command.ts'
import type { Outcome } from '../../../domain/operation.ts'
import type { OperationRow } from '../../../src/persistence/entities/operation.ts'
import type { OpenedPayment } from '../../../src/persistence/queries/payments/open-payment.ts'
import {
  hasTooManyClientFailures,
  recordClientFailure,
} from '../../../src/persistence/queries/routing/velocity-records.ts'
import type { Unit } from '../../../src/persistence/transact.ts'
import type { PaymentActivityDeps } from '../../dependencies.ts'
import { type Refusal, refusal } from '../refusal.ts'
import { findSource } from './sources.ts'

/**
 * Refuses a client after too many failed attempts: see `domain/client-failures.ts`. It writes nothing, so refused requests
 * fill no table and their idempotency keys stay free.
 */
export async function refuseTooManyFailures(
  { clock }: Pick<PaymentActivityDeps, 'clock'>,
  unit: Unit,
  { invoice, operations, source: opened }: Pick<OpenedPayment, 'invoice' | 'operations' | 'source'>,
  command: AuthorizeCommand,
): Promise<Refusal | null> {
  if (command.actor !== 'client') return null
  const source = await findSource(unit, invoice, command, opened?.card ?? null)
  if ('kind' in source) return null
  const isTooMany = await hasTooManyClientFailures(unit, invoice, {
    cardFingerprint: source.card?.fingerprint ?? null,
    failedOfInvoice: failedTries(operations),
    now: clock.now(),
  })
  return isTooMany ? refusal('request.rate.too-many-failures') : null
}

/** Counts the outcome of a client's attempt, in the database transaction that records it. */
export async function recordClientOutcome(
  unit: Unit,
  { id, type, actor, fallbackOf }: OperationRow,
  outcome: Outcome,
): Promise<void> {
  if (type !== 'authorization' || actor !== 'client') return
  if (outcome.kind !== 'approved' && outcome.kind !== 'declined') return
  await recordClientFailure(unit, fallbackOf ?? id, outcome.kind === 'declined' && isFailureOfCard(outcome.code))
}
