import type { Resolution } from '../../domain/command.ts'
import type { Outcome } from '../../domain/operation.ts'
import { OperationEntity } from '../../src/persistence/entities/operation.ts'
import type { PaymentReference } from '../../workflows/inputs.ts'
import type { PaymentActivityDeps } from '../dependencies.ts'
import { failures } from '../failures.ts'
import type { StepTime, StoredPayment } from './attempt.ts'
import { announce } from './events.ts'
import { recordOutcome } from './record-outcome.ts'

export interface ResolveAttemptInput extends StepTime {
  payment: PaymentReference
  resolution: Resolution
}

/**
 * Records the finding of support staff about an attempt that look-ups did not resolve. If they close it as declined, look-ups
 * go on, so that a late approval is noticed and reversed.
 */
export async function resolveAttempt(
  deps: PaymentActivityDeps,
  { payment, resolution, ...time }: ResolveAttemptInput,
): Promise<StoredPayment> {
  const { operationId, outcome, gatewayOperationId } = resolution
  const owner = { projectId: payment.projectId, sandbox: payment.environment === 'sandbox' }
  const attempt = await deps.orm.em.fork().findOne(OperationEntity, { id: operationId, ...owner, isAttempt: true })
  if (attempt === null) throw failures.attemptNotFound(operationId)
  const { amountMinor, currency } = attempt
  const found: Outcome =
    outcome === 'approved'
      ? { kind: 'approved', gatewayOperationId: gatewayOperationId ?? '', amountMinor, currency }
      : { kind: 'declined', code: 'gateway.unknown-error', gatewayCode: 'RESOLVED_BY_STAFF' }
  const finished = await recordOutcome(deps, payment, {
    attemptId: operationId,
    outcome: found,
    ...time,
    actor: 'staff',
    closedBy: outcome === 'declined' ? 'staff' : null,
    step: null,
  })
  await announce(deps, payment, 'all')
  return { payment: finished.payment, gatewayName: finished.gatewayName }
}
