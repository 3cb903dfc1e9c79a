import type { Outcome } from '../../domain/operation.ts'
import { transact } from '../../src/persistence/transact.ts'
import type { PaymentReference } from '../../workflows/inputs.ts'
import type { PaymentActivityDeps } from '../dependencies.ts'
import { failures } from '../failures.ts'
import type { Attempt, StepResult } from './attempt.ts'
import { callGateway, learnOutcome, outcomeOf } from './call-gateway.ts'
import { announce } from './events.ts'
import type { Asks } from './gateway-requests.ts'
import { makeAnew } from './make-anew.ts'
import { openForChange } from './open-for-change.ts'
import { recordOutcome } from './record-outcome.ts'
import { openedAttempt } from './records/opened-attempt.ts'

export interface LookUpInput {
  payment: PaymentReference
  /** The attempt whose outcome is not known. */
  operationId: string
  /** Workflow time in epoch ms. */
  at: number
}

/** Looks up an attempt with an unknown outcome at the gateway, and records the result. */
export async function lookUp(
  deps: PaymentActivityDeps,
  { payment, operationId, at }: LookUpInput,
  asks: Asks,
): Promise<StepResult> {
  const attempt = await loadAttempt(deps, payment, operationId)
  const gateway = deps.gateways.find(attempt.configuration.gatewayName)
  const learned = await learnOutcome(deps, gateway, attempt, asks, at)
  const finish = ({ operation }: Attempt, outcome: Outcome) =>
    recordOutcome(deps, payment, { attemptId: operation.id, outcome, at, actor: 'reconciler', step: null })
  const again = learned.kind === 'undone' ? await makeAnew(deps, payment, { attemptId: operationId, at }) : null
  const finished =
    again === null
      ? await finish(attempt, outcomeOf(learned))
      : await finish(again, await callGateway(deps, gateway, again, asks.capture))
  // An earlier try of this look-up may have crashed after recording the outcome, before announcing its events.
  await announce(deps, payment, 'all')
  return { answer: finished.answer, payment: finished.payment, gatewayName: finished.gatewayName }
}

/** @throws ApplicationFailure if the payment has no such attempt. */
export async function loadAttempt(
  { orm }: Pick<PaymentActivityDeps, 'orm'>,
  reference: PaymentReference,
  attemptId: string,
): Promise<Attempt> {
  const { result } = await transact(orm, async (unit) =>
    openedAttempt(unit, await openForChange(unit, reference, { attemptId }), attemptId),
  )
  if (result === null) throw failures.attemptNotFound(attemptId)
  return result
}
