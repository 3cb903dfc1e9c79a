import type { Command } from '../../domain/command.ts'
import { goesOnToCapture } from '../../domain/decision.ts'
import type { ErrorCode } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/operation.ts'
import { summarizeCommand } from '../../domain/payment-description.ts'
import { untilSent } from '../../src/gateways/until-sent.ts'
import type { AnswerRows } from '../../src/persistence/queries/payments/find-payment.ts'
import type { PaymentActivityDeps } from '../dependencies.ts'
import { type Attempt, type Begun, callTypeOf, type Step, type StepInput, type StepResult } from './attempt.ts'
import { beginAttempt } from './begin-attempt.ts'
import { callGateway, learnOutcome, outcomeOf } from './call-gateway.ts'
import { announce } from './events.ts'
import type { Asks } from './gateway-requests.ts'
import { recordOutcome } from './record-outcome.ts'
import { refuseByAdvice } from './refuse-by-advice.ts'
import { withdrawWhileLocked } from './withdraw-while-locked.ts'

/** The merchant deleted the invoice after sending the request. */
const GONE = 'resource.invoice.not-found' satisfies ErrorCode

/** A step has 25 s, of which a gateway call takes up to 15 s. The rest is left for the database. */
const FURTHER_CALLS_BEGIN_WITHIN_MS = 8_000

/**
 * Every step with a gateway call: write the attempt and commit, call, record the outcome and commit, answer the waiting
 * request, start the webhooks. Run again after a crash, it repeats none of them: it looks up an attempt without a result,
 * and answers from an existing result. An authorization that has certainly failed may fall back to the next gateway of its
 * route, as another attempt of the same step.
 */
export async function runCommand(
  deps: PaymentActivityDeps,
  input: StepInput<Command>,
  asks: Asks,
): Promise<StepResult> {
  const { command, payment } = input
  const lastCallAt = performance.now() + FURTHER_CALLS_BEGIN_WITHIN_MS
  const beginning = await beginAttempt(deps, input).catch(async (error: unknown) => {
    // The invoice is gone, but a request may still wait for its answer.
    const { type, message } = error as { type?: string; message: string }
    if (type === GONE) deps.pendingAnswers.answer(command.operationId, { kind: 'refused', code: GONE, message }, null)
    return { ...(await withdrawWhileLocked(deps, input, error)), step: null, events: [] }
  })
  const earlier = 'earlierRunId' in beginning ? { earlierRunId: beginning.earlierRunId } : {}
  if (beginning.kind === 'answered') {
    const { answer, payment: current, transaction } = beginning
    const gatewayName = transaction?.gatewayName ?? null
    const goesOn = 'goesOn' in beginning ? { goesOn: true as const } : {}
    const result = { answer, payment: current, gatewayName, ...earlier, ...goesOn }
    const told = handOver(deps, input, beginning.step, result, null)
    await announce(deps, payment, 'all')
    return told
  }
  const { attempt, step } = beginning
  const send = (attempt: Attempt) =>
    callGateway(deps, deps.gateways.find(attempt.configuration.gatewayName), attempt, asks[callTypeOf(attempt)])
  const ask = async (attempt: Attempt) => (await refuseByAdvice(deps, attempt)) ?? send(attempt)
  const finish = (attempt: Attempt, outcome: Outcome) =>
    recordOutcome(deps, payment, {
      attemptId: attempt.operation.id,
      outcome,
      at: step.at,
      actor: command.actor,
      step,
      mayTryNext: performance.now() < lastCallAt,
    })
  const outcome = await outcomeOfBegun(deps, beginning, { asks, ask, send, lastCallAt, at: step.at })
  let finished = await finish(attempt, outcome)
  const triedBefore: string[] = []
  for (let [last, said] = [attempt, outcome]; finished.next !== undefined; ) {
    triedBefore.push(describeFailure(last, said))
    last = finished.next
    said = await ask(last)
    finished = await finish(last, said)
  }
  const { answer, payment: current, gatewayName } = finished
  const result = { answer, payment: current, gatewayName, ...earlier, ...(triedBefore.length > 0 && { triedBefore }) }
  const told = handOver(deps, input, step, result, finished.rows)
  await announce(deps, payment, beginning.kind === 'interrupted' ? 'all' : [...beginning.events, ...finished.events])
  return told
}

type Call = (attempt: Attempt) => Promise<Outcome>

async function outcomeOfBegun(
  deps: PaymentActivityDeps,
  { kind, attempt }: Exclude<Begun, { kind: 'answered' }>,
  { asks, ask, send, lastCallAt, at }: { asks: Asks; ask: Call; send: Call; lastCallAt: number; at: number },
): Promise<Outcome> {
  switch (kind) {
    case 'begun':
      return ask(attempt)
    case 'continued':
      return untilSent(() => send(attempt), lastCallAt)
    case 'interrupted':
      return outcomeOf(
        await learnOutcome(deps, deps.gateways.find(attempt.configuration.gatewayName), attempt, asks, at),
      )
  }
}

function describeFailure({ configuration }: Attempt, outcome: Outcome): string {
  const why = outcome.kind === 'declined' ? outcome.code : outcome.kind
  return `${configuration.gatewayName} ${configuration.id}: ${why}`
}

/** Hands the answer to the caller who waits in this process, unless the command goes on to its capture. */
function handOver(
  { pendingAnswers }: PaymentActivityDeps,
  { command }: StepInput,
  step: Step | null,
  result: StepResult,
  rows: AnswerRows | null,
): StepResult {
  const isDue = step !== null && goesOnToCapture(step.command, result.answer, result.payment, step.at)
  const goesOn = isDue || result.goesOn === true
  if (!goesOn) pendingAnswers.answer(step?.answersTo ?? command.operationId, result.answer, rows)
  return {
    ...result,
    ...(command.kind === 'pay' && step !== null && { meant: summarizeCommand(step.command) }),
    ...(goesOn && { goesOn: true as const }),
  }
}
