import type { GatewayOperationType, LookUp, Outcome } from '../../domain/operation.ts'
import { GATEWAY_TIMEOUT_MS, type Gateway, type LookUpRequest } from '../../src/gateways/gateway.ts'
import { findHindrances } from '../../src/persistence/queries/payments/find-hindrances.ts'
import type { PaymentActivityDeps } from '../dependencies.ts'
import { failures } from '../failures.ts'
import type { Attempt } from '../steps/begin-attempt.ts'
import { accessOf } from './access.ts'
import { gatewayAuthorizationIdOf } from './follow-up.ts'

/** A look-up and the call that may follow it fit into one step together; a gateway that is slower is asked again later. */
const LOOK_UP_TIMEOUT_MS = 5_000

/** Asks the gateway for what an attempt wants; the only part of a step in which the verbs differ. */
export type Ask = (gateway: Gateway, attempt: Attempt, signal: AbortSignal) => Promise<Outcome>

export type Asks = Record<GatewayOperationType, Ask>

/** Whatever goes wrong once the call has begun, the outcome is unknown: something may have been sent. */
export async function callGateway(gateway: Gateway, attempt: Attempt, ask: Ask): Promise<Outcome> {
  try {
    return await ask(gateway, attempt, AbortSignal.timeout(GATEWAY_TIMEOUT_MS))
  } catch (error) {
    return { kind: 'unknown', reason: reasonOf(error) }
  }
}

/**
 * Looks the attempt up by our reference. Only a gateway that never saw the reference, and that documents that a
 * repeated one is done once, is asked again; and only while somebody waits for it: of an attempt that staff have closed
 * the merchant was told that it failed. What never arrived is not sent while its project is suspended: it is looked up
 * again later, and may be sent then.
 */
export async function learnOutcome(
  deps: Pick<PaymentActivityDeps, 'orm'>,
  gateway: Gateway,
  attempt: Attempt,
  asks: Asks,
): Promise<Outcome> {
  const { id: reference, type } = attempt.operation
  if (type === 'request' || type === 'chargeback') throw failures.attemptNotFound(reference)
  const found = await lookUpAt(gateway, {
    ...accessOf(attempt),
    reference,
    type,
    gatewayAuthorizationId: gatewayAuthorizationIdOf(attempt),
  })
  if (found.kind === 'found') return found.outcome
  const maySendAgain = found.kind === 'never-seen' && gateway.referencesAreIdempotent && isAwaited(attempt)
  if (maySendAgain && !(await isHeld(deps, attempt)))
    return ofTheFirstCall(await callGateway(gateway, attempt, asks[type]))
  return { kind: 'unknown', reason: found.kind === 'unreachable' ? found.reason : 'never seen by the gateway' }
}

/** That this call was not taken up says nothing of the first one, which may have been. */
function ofTheFirstCall(outcome: Outcome): Outcome {
  return outcome.kind === 'declined' && outcome.isNotSent === true
    ? { kind: 'unknown', reason: outcome.gatewayCode }
    : outcome
}

/** Merchants read it in their operations: what it says of a class or a library of ours would be none of their business. */
function reasonOf(error: unknown): string {
  const isLate = error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')
  return isLate ? 'The gateway did not answer in time.' : 'The call ended without an answer.'
}

function isAwaited({ transaction, operation }: Attempt): boolean {
  return transaction.attemptsInFlight.some(
    ({ operationId, isAbandoned }) => operationId === operation.id && !isAbandoned,
  )
}

/** A void releases money, and goes on. */
async function isHeld({ orm }: Pick<PaymentActivityDeps, 'orm'>, { operation }: Attempt): Promise<boolean> {
  const { id, projectId, type } = operation
  if (type === 'void') return false
  return (await findHindrances(orm.em.fork(), { projectId, operationIds: [id] })).isSuspended
}

async function lookUpAt(gateway: Gateway, request: LookUpRequest): Promise<LookUp> {
  try {
    return await gateway.lookUp(request, AbortSignal.timeout(LOOK_UP_TIMEOUT_MS))
  } catch (error) {
    return { kind: 'unreachable', reason: reasonOf(error) }
  }
}
