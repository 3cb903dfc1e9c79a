import type { OperationRow } from '../../src/persistence/entities/operation.ts'
import type { PaymentReference } from '../../workflows/inputs.ts'
import type { PaymentActivityDeps } from '../dependencies.ts'
import { type Ending, type Finished, finishAttempt } from './record-outcome.ts'
import { reviseEnding } from './revise-ending.ts'

/**
 * Books what a call has come to. A step can be run twice at once, and what one run could not send the other may have sent:
 * an approval of what is booked as failed by then is not lost, but treated like any that comes late.
 */
export async function bookOutcome(
  deps: PaymentActivityDeps,
  reference: PaymentReference,
  { attempt, ...ending }: Omit<Ending, 'attemptId'> & { attempt: OperationRow },
): Promise<Finished> {
  const { id: attemptId, type } = attempt
  const { outcome, at } = ending
  const finished = await finishAttempt(deps, reference, { ...ending, attemptId })
  if (finished.isContradicted !== true) return finished
  const said = { attemptId, type, outcome, isKnown: false, at }
  if ((await reviseEnding(deps, reference, said)) !== 'reopened') return finished
  // Its caller has been told by the run that was first.
  const { payment, gatewayName, events } = await finishAttempt(deps, reference, { ...ending, attemptId, step: null })
  return { ...finished, payment, gatewayName, events: [...finished.events, ...events] }
}
