import { saleGoesOn } from '../../domain/decision.ts'
import type { ErrorCode } from '../../domain/errors.ts'
import type { PaymentActivityDeps } from '../dependencies.ts'
import { type Asks, callGateway, learnOutcome } from '../gateway-calls/ask-gateway.ts'
import type { StepInput, StepResult } from '../step.ts'
import { announce } from './announce.ts'
import { beginAttempt, type GatewayCommand, OPERATION_OF } from './begin-attempt.ts'
import { finishAttempt } from './finish-attempt.ts'

/** The merchant has deleted the invoice since the request came. */
const GONE = 'resource.invoice.not-found' satisfies ErrorCode

/**
 * The way of every step that a gateway is asked for: write the attempt and commit; call; book the outcome and commit;
 * answer whoever waits; tell the webhooks. Run again after a crash at any point, it does none of them twice: an attempt
 * without a result is looked up at the gateway, one with a result is answered from it.
 */
export async function runStep(
  deps: PaymentActivityDeps,
  input: StepInput<GatewayCommand>,
  asks: Asks,
): Promise<StepResult> {
  const { command, at, payment } = input
  const beginning = await beginAttempt(deps, input).catch((error: unknown) => {
    // Nothing of the payment is left to go on with, but somebody may wait for an answer.
    const { type, message } = error as { type?: string; message: string }
    if (type === GONE) deps.pendingAnswers.answer(input.answers.operationId, { kind: 'refused', code: GONE, message })
    throw error
  })
  if (beginning.kind === 'answered') {
    const { answer, payment: current, gatewayName } = beginning
    handOver(deps, input, { answer, payment: current })
    await announce(deps, payment, 'whatever waits')
    return { answer, payment: current, gatewayName }
  }
  const { attempt } = beginning
  const gateway = deps.gateways.find(attempt.gatewayName)
  const outcome =
    beginning.kind === 'interrupted'
      ? await learnOutcome(deps, gateway, attempt, asks)
      : await callGateway(gateway, attempt, asks[OPERATION_OF[command.kind]])
  const finished = await finishAttempt(deps, payment, {
    attemptId: attempt.operation.id,
    outcome,
    at,
    actor: command.actor,
    step: input,
  })
  handOver(deps, input, finished)
  await announce(
    deps,
    payment,
    beginning.kind === 'interrupted' ? 'whatever waits' : [...beginning.events, ...finished.events],
  )
  return { answer: finished.answer, payment: finished.payment, gatewayName: finished.gatewayName }
}

function handOver(
  { pendingAnswers }: PaymentActivityDeps,
  { answers, command }: StepInput,
  { answer, payment }: Pick<StepResult, 'answer' | 'payment'>,
): void {
  const moreFollows = answers.unlessSaleGoesOn && saleGoesOn(command, answer, payment)
  if (!moreFollows) pendingAnswers.answer(answers.operationId, answer)
}
