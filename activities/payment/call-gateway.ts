import { afterLookUp, type UnansweredCall } from '../../domain/after-look-up.ts'
import { type GatewayOperationType, type LookUp, notSent, type Outcome } from '../../domain/operation.ts'
import { GATEWAY_TIMEOUT_MS, type Gateway, type GatewayAccess, type LookUpRequest } from '../../src/gateways/gateway.ts'
import type { GatewayConfigurationRow } from '../../src/persistence/entities/gateway-configuration.ts'
import { OperationEntity } from '../../src/persistence/entities/operation.ts'
import { findCommandBlocks } from '../../src/persistence/queries/payments/commands.ts'
import { findReportedAuthorization } from '../../src/persistence/queries/payments/gateway-notifications.ts'
import { paymentOf } from '../../src/persistence/queries/payments/payment-rows.ts'
import { findRows } from '../../src/persistence/rows.ts'
import type { Vault } from '../../src/vault/vault.ts'
import type { PaymentActivityDeps } from '../dependencies.ts'
import { failures } from '../failures.ts'
import type { Attempt } from './attempt.ts'
import { type Ask, type Asks, gatewayAuthorizationIdOf } from './gateway-requests.ts'
import { refuseByAdvice } from './refuse-by-advice.ts'

/**
 * A look-up and the call that may follow it fit into one step together; a gateway that is slower is asked again later.
 */
const LOOK_UP_TIMEOUT_MS = 5_000

/**
 * Makes the call. Whatever goes wrong once it has begun, the outcome is unknown: something may have been sent. What
 * keeps it from beginning, such as credentials that cannot be opened, is an outcome that says so.
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
 * What an attempt without an outcome has come to. `undone`: it certainly was not made, and is to be under another
 * reference.
 */
export type Learned = { kind: 'outcome'; outcome: Outcome } | { kind: 'undone' }

/** As long as nobody makes anew what was not made, its outcome is open. */
export function outcomeOf(learned: Learned): Outcome {
  return learned.kind === 'outcome' ? learned.outcome : { kind: 'unknown', reason: 'never seen by the gateway' }
}

/** The gateway has certainly not seen the call, and it is not sent any more. */
const NEVER_ARRIVED = notSent('NEVER_ARRIVED')

/**
 * Looks the attempt up by our reference, and does what `afterLookUp` says where nothing is found. `at` is workflow
 * time.
 */
export async function learnOutcome(
  deps: Pick<PaymentActivityDeps, 'orm' | 'clock'> & AccessDeps,
  gateway: Gateway,
  attempt: Attempt,
  asks: Asks,
  at: number,
): Promise<Learned> {
  const { id: reference, type } = attempt.operation
  if (type === 'request' || type === 'chargeback') throw failures.attemptNotFound(reference)
  const found = await lookUpOnce(deps, gateway, attempt)
  if (found.kind === 'found') return { kind: 'outcome', outcome: found.outcome }
  const { call, now } = await describeCall(deps, gateway, attempt, type, at)
  switch (afterLookUp(call, found, paymentOf(attempt.invoice, attempt.transaction), now)) {
    case 'send again':
      return { kind: 'outcome', outcome: ofTheFirstCall(await callGateway(deps, gateway, attempt, asks[type])) }
    case 'make anew':
      return { kind: 'undone' }
    case 'fail':
      return { kind: 'outcome', outcome: NEVER_ARRIVED }
    case 'wait':
      return { kind: 'outcome', outcome: { kind: 'unknown', reason: reasonToWait(found) } }
  }
}

function reasonToWait(found: Exclude<LookUp, { kind: 'found' }>): string {
  if (found.kind === 'unreachable') return found.reason
  return found.kind === 'never-seen' ? 'never seen by the gateway' : 'the gateway has no look-up'
}

/**
 * The call as `afterLookUp` judges it, and the payment's time: as the workflow says, or later where the step was begun
 * at that time and is run again, since when the machine's clock has gone on.
 */
async function describeCall(
  deps: Pick<PaymentActivityDeps, 'orm' | 'clock'>,
  gateway: Gateway,
  attempt: Attempt,
  type: GatewayOperationType,
  at: number,
): Promise<{ call: UnansweredCall; now: number }> {
  const { orm, clock } = deps
  const { transaction, operation, configuration } = attempt
  const { id, projectId, transactionId, fallbackOf } = operation
  const em = orm.em.fork()
  const { isSuspended } = await findCommandBlocks(em, { projectId, operationIds: [id] })
  const rows = await findRows(em, OperationEntity, { transactionId, type })
  const begunAt = (operation.begunAt ?? operation.createdAt).getTime()
  const now = Math.max(at, begunAt + clock.now().getTime() - operation.createdAt.getTime())
  const command = fallbackOf ?? id
  const call: UnansweredCall = {
    type,
    ageMs: now - begunAt,
    isAwaited: transaction.attemptsInFlight.some((one) => one.operationId === id && !one.isAbandoned),
    isConfirmed: rows.some((row) => row.attemptOperationId === id && row.outcome === 'pending'),
    isSameAccount: operation.accountVersion === configuration.accountVersion,
    isSuspended,
    isForbidden: (await refuseByAdvice(deps, attempt)) !== null,
    timesMadeAnew: rows.filter((row) => row.isAttempt && row.fallbackOf === command).length,
    referencesKeptForMs: gateway.referencesKeptForMs,
  }
  return { call, now }
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
      ? await findReportedAuthorization(deps.orm.em.fork(), access.gatewayConfigurationId, attempt.operation)
      : gatewayAuthorizationIdOf(attempt)
  return lookUpAt(gateway, { ...access, reference, type, gatewayAuthorizationId })
}

/**
 * What a repeated call says of the first one, which may have been made: nothing where it was not taken up, nor where its
 * authorization is not found, because that one was there when the first call was made.
 */
function ofTheFirstCall(outcome: Outcome): Outcome {
  if (outcome.kind !== 'declined') return outcome
  const saysNothing = outcome.isNotSent === true || outcome.code === 'gateway.transaction-not-found'
  return saysNothing ? { kind: 'unknown', reason: outcome.gatewayCode } : outcome
}

/**
 * Merchants read it in their operations: what it says of a class or a library of ours would be none of their business.
 */
function reasonOf(error: unknown): string {
  const isLate = error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')
  return isLate ? 'The gateway did not answer in time.' : 'The call ended without an answer.'
}

async function lookUpAt(gateway: Gateway, request: LookUpRequest): Promise<LookUp> {
  try {
    return await gateway.lookUp(request, AbortSignal.timeout(LOOK_UP_TIMEOUT_MS))
  } catch (error) {
    return { kind: 'unreachable', reason: reasonOf(error) }
  }
}

/** What opens the credentials of an account. */
export interface AccessDeps {
  vault: Pick<Vault, 'decryptCredentials'>
}

/**
 * The merchant's account that an attempt goes to, its credentials in the clear: opened for one call, kept nowhere.
 *
 * @throws VaultError where they cannot be opened; nothing has been sent then.
 */
function accessOf({ vault }: AccessDeps, { configuration }: { configuration: GatewayConfigurationRow }): GatewayAccess {
  return {
    gatewayConfigurationId: configuration.id,
    credentials: vault.decryptCredentials(configuration),
    settings: configuration.settings,
  }
}

/**
 * What a call has come to whose account could not be opened. It passes when whoever runs the service puts the keys
 * right.
 */
const NOT_OPENED: Outcome = notSent('CREDENTIALS_NOT_OPENED')

const NOT_SENT_YET = 'It could not be sent to the gateway yet, and will be.'

/**
 * The outcome of a call, where a release that nobody but us has asked for is not over because it could not be sent: at
 * the end of an authorization, or of one that the payment does not stand on. A merchant would be told, and ask again;
 * here it stays open, and every look-up that does not find it sends it again.
 */
function keepOwnReleaseOpen(outcome: Outcome, attempt: Attempt): Outcome {
  const isNotSent = outcome.kind === 'declined' && outcome.isNotSent === true
  return isNotSent && isOwnRelease(attempt) ? { kind: 'unknown', reason: NOT_SENT_YET } : outcome
}

function isOwnRelease({ operation: { type, actor } }: Attempt): boolean {
  return type === 'void' && actor === 'scheduler'
}
