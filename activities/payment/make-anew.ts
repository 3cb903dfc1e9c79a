import { makeIdentifier } from '../../domain/identifiers.ts'
import { attemptInFlight } from '../../domain/look-up.ts'
import { notSent } from '../../domain/operation.ts'
import { fallBack } from '../../domain/payment.ts'
import { InvoiceDetailEntity } from '../../src/persistence/entities/invoice-detail.ts'
import { OperationEntity } from '../../src/persistence/entities/operation.ts'
import { findCardOf } from '../../src/persistence/queries/customers/cards.ts'
import { paymentOf } from '../../src/persistence/queries/payments/payment-rows.ts'
import { findRows } from '../../src/persistence/rows.ts'
import { transact } from '../../src/persistence/transact.ts'
import { derivedBytes } from '../../src/vault/derived-bytes.ts'
import type { PaymentReference } from '../../workflows/inputs.ts'
import type { PaymentActivityDeps } from '../dependencies.ts'
import type { Attempt } from './attempt.ts'
import { openForChange } from './open-for-change.ts'
import { configurationOf } from './records/opened-attempt.ts'
import { recordResults } from './records/results.ts'
import { writePayment } from './records/write-payment.ts'

/**
 * Records that a capture was certainly not made, and a new attempt under another reference, in one database transaction:
 * after a crash both exist, or neither. The capture is still under way, so the status stays and no event fires.
 *
 * @param at workflow time in epoch ms.
 * @returns the attempt to send; null if the capture has ended meanwhile or is no longer allowed.
 */
export async function makeAnew(
  deps: PaymentActivityDeps,
  reference: PaymentReference,
  { attemptId, at }: { attemptId: string; at: number },
): Promise<Attempt | null> {
  const { result } = await transact(deps.orm, async (unit): Promise<Attempt | null> => {
    const opened = await openForChange(unit, reference, { attemptId })
    if (opened.transaction === null || opened.blocks.isSuspended) return null
    const { invoice, transaction, operations } = opened
    const payment = paymentOf(invoice, transaction)
    const attempt = operations.find(({ id }) => id === attemptId)
    const inFlight = payment.attemptsInFlight.find(({ operationId }) => operationId === attemptId)
    if (attempt === undefined || inFlight === undefined || inFlight.isAbandoned) return null

    recordResults(deps, unit, {
      transaction,
      attempt,
      outcome: notSent('MADE_ANEW'),
      actor: 'reconciler',
      before: payment,
      after: payment,
      isLate: false,
    })
    const configuration = await configurationOf(unit, attempt, transaction, opened.gatewayConfigurations)
    const { position: _, ...same } = attempt
    const operation = unit.insert(OperationEntity, {
      ...same,
      id: makeIdentifier('operation', derivedBytes(`${attemptId} made anew`)),
      fallbackOf: attempt.fallbackOf ?? attempt.id,
      accountVersion: configuration.accountVersion,
      begunAt: new Date(at),
      createdAt: deps.clock.now(),
    })
    const next = attemptInFlight({ ...inFlight, operationId: operation.id, begunAt: at })
    const changed = fallBack(payment, attemptId, { attempt: next, incremental: payment.incremental })
    writePayment(deps, unit, transaction, changed)
    const claimed = await findRows(unit, InvoiceDetailEntity, { invoiceId: invoice.id, captureOperationId: attemptId })
    for (const detail of claimed) unit.update(detail, { captureOperationId: operation.id })
    const card = await findCardOf(unit, operation)
    return { invoice, transaction, operation, card, configuration, source: null }
  })
  return result
}
