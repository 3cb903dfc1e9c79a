import type { GatewayOperationType, LookUp, Outcome } from '../../domain/operation.ts'
import { GATEWAY_TIMEOUT_MS, type Gateway, type GatewayAccess, type LookUpRequest } from '../../src/gateways/gateway.ts'
import { findHindrances } from '../../src/persistence/queries/payments/find-hindrances.ts'
import { findAuthorizationTold } from '../../src/persistence/queries/payments/gateway-notifications.ts'
import type { PaymentActivityDeps } from '../dependencies.ts'
import { failures } from '../failures.ts'
import type { Attempt } from '../steps/begin-attempt.ts'
import { type AccessDeps, accessOf, NOT_OPENED } from './access.ts'
import { gatewayAuthorizationIdOf } from './follow-up.ts'
import { isKeptOpen, keepOwnReleaseOpen } from './own-release.ts'

/** A look-up and the call that may follow it fit into one step together; a gateway that is slower is asked again later. */
const LOOK_UP_TIMEOUT_MS = 5_000

/** An attempt with what opens the account that it goes to. */
export interface OpenedAttempt extends Attempt {
  access: GatewayAccess
}

/** Asks the gateway for what an attempt wants; the only part of a step in which the verbs differ. */
export type Ask = (gateway: Gateway, attempt: OpenedAttempt, signal: AbortSignal) => Promise<Outcome>

export type Asks = Record<GatewayOperationType, Ask>

/**
 * Makes the call. Whatever goes wrong once it has begun, the outcome is unknown: something may have been sent. What keeps it
 * from beginning, such as credentials that cannot be opened, is an outcome that says so.
 */
export async function callGateway(deps: AccessDeps, gateway: Gateway, attempt: Attempt, ask: Ask): Promise<Outcome> {
  const access = openAccess(deps, attempt)
  if (access === null) return keepOwnReleaseOpen(NOT_OPENED, attempt)
  try {
    const outcome = await ask(gateway, { ...attempt, access }, AbortSignal.timeout(GATEWAY_TIMEOUT_MS))
    return keepOwnReleaseOpen(outcome, attempt)
  } catch (error) {
    return { kind: 'unknown', reason: reasonOf(error) }
  }
}

/** Null where the account cannot be opened, whatever the reason: then nothing is sent. */
function openAccess(deps: AccessDeps, attempt: Attempt): GatewayAccess | null {
  try {
    return accessOf(deps, attempt)
  } catch {
    return null
  }
}

/**
 * Looks the attempt up by our reference. Only a gateway that never saw the reference, and that documents that a
 * repeated one is done once, is asked again; and only while somebody waits for it: of an attempt that staff have closed
 * the merchant was told that it failed. What never arrived is not sent while its project is suspended: it is looked up
 * again later, and may be sent then.
 */
export async function learnOutcome(
  deps: Pick<PaymentActivityDeps, 'orm'> & AccessDeps,
  gateway: Gateway,
  attempt: Attempt,
  asks: Asks,
): Promise<Outcome> {
  const { id: reference, type } = attempt.operation
  if (type === 'request' || type === 'chargeback') throw failures.attemptNotFound(reference)
  const found = await lookUpOnce(deps, gateway, attempt)
  if (found.kind === 'found') return found.outcome
  const maySendAgain = gateway.referencesAreIdempotent && isAwaited(attempt)
  const hasNotArrived = maySendAgain && (found.kind === 'never-seen' || (await isKeptOpen(deps, attempt)))
  if (hasNotArrived && !(await isHeld(deps, attempt)))
    return ofTheFirstCall(await callGateway(deps, gateway, attempt, asks[type]))
  return { kind: 'unknown', reason: found.kind === 'unreachable' ? found.reason : 'never seen by the gateway' }
}

/** Asks the gateway what became of an attempt, and sends nothing. */
export async function lookUpOnce(
  deps: Pick<PaymentActivityDeps, 'orm'> & AccessDeps,
  gateway: Gateway,
  attempt: Attempt,
): Promise<LookUp> {
  const { id: reference, type } = attempt.operation
  if (type === 'request' || type === 'chargeback') throw failures.attemptNotFound(reference)
  const access = openAccess(deps, attempt)
  if (access === null) return { kind: 'unreachable', reason: 'The credentials of the account cannot be opened.' }
  const gatewayAuthorizationId =
    type === 'authorization'
      ? await findAuthorizationTold(deps.orm.em.fork(), access.gatewayConfigurationId, attempt.operation)
      : gatewayAuthorizationIdOf(attempt)
  return lookUpAt(gateway, { ...access, reference, type, gatewayAuthorizationId })
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
