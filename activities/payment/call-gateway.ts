import { afterLookUp, type UnansweredCall } from '../../domain/after-look-up.ts'
import { actionOf } from '../../domain/customer-action.ts'
import { type Decline, type GatewayOperationType, type LookUp, notSent, type Outcome } from '../../domain/operation.ts'
import { GIVEN_UP } from '../../domain/reconcile.ts'
import { GATEWAY_TIMEOUT_MS, type Gateway, type GatewayAccess, type LookUpRequest } from '../../src/gateways/gateway.ts'
import type { GatewayConfigurationRow } from '../../src/persistence/entities/gateway-configuration.ts'
import { OperationEntity, type OperationRow } from '../../src/persistence/entities/operation.ts'
import type { EntityManager } from '../../src/persistence/orm.ts'
import { findCommandBlocks } from '../../src/persistence/queries/payments/commands.ts'
import { findReportedAuthorization } from '../../src/persistence/queries/payments/gateway-notifications.ts'
import { paymentOf } from '../../src/persistence/queries/payments/payment-rows.ts'
import { findRow, findRows } from '../../src/persistence/rows.ts'
import type { Vault } from '../../src/vault/vault.ts'
import type { PaymentActivityDeps } from '../dependencies.ts'
import { type Attempt, callTypeOf } from './attempt.ts'
import { answeredAction, authenticationToEnd, type EndedAuthentication, endAuthentication } from './authentication.ts'
import { type Ask, type Asks, gatewayAuthorizationIdOf } from './gateway-requests.ts'
import { refuseByAdvice } from './refuse-by-advice.ts'

/** Leaves time in the step for the call that may follow the look-up. A slower gateway is asked again later. */
const LOOK_UP_TIMEOUT_MS = 5_000

/**
 * Makes the call. Any error after its start gives an unknown outcome, since the request may have been sent. A call that
 * was not sent, also because its credentials cannot be decrypted, is a decline only where that proves that no money moved.
 */
export async function callGateway(deps: AccessDeps, gateway: Gateway, attempt: Attempt, ask: Ask): Promise<Outcome> {
  const outcome = await makeCall(deps, gateway, attempt, ask)
  const isNotSent = outcome.kind === 'declined' && outcome.isNotSent === true
  return isNotSent && mayGoOnByItself(gateway, attempt) ? undecided(outcome) : keepOwnReleaseOpen(outcome, attempt)
}

async function makeCall(deps: AccessDeps, gateway: Gateway, attempt: Attempt, ask: Ask): Promise<Outcome> {
  const access = openAccess(deps, attempt)
  if (access === null) return NOT_OPENED
  try {
    return await ask(gateway, { ...attempt, access }, AbortSignal.timeout(GATEWAY_TIMEOUT_MS))
  } catch (error) {
    return { kind: 'unknown', reason: reasonOf(error) }
  }
}

/** Whether the gateway, which has asked the customer to act, may authorize without another call of ours. */
function mayGoOnByItself({ authorizesInContinuation }: Gateway, { transaction, operation }: Attempt): boolean {
  return authorizesInContinuation !== true && actionOf(transaction, operation.id) !== null
}

/** The customer may have authenticated, and the money may be reserved: the attempt is looked up. */
function undecided({ gatewayCode }: Decline): Outcome {
  return { kind: 'unknown', reason: `The gateway could not be asked after the customer's action: ${gatewayCode}.` }
}

/** Null if the credentials cannot be decrypted, whatever the reason: then nothing is sent. */
export function openAccess(deps: AccessDeps, attempt: Pick<Attempt, 'configuration'>): GatewayAccess | null {
  try {
    return accessOf(deps, attempt)
  } catch {
    return null
  }
}

/** What a look-up leads to. `undone`: the call was certainly not made, and must be made under another reference. */
export type Learned = { kind: 'outcome'; outcome: Outcome } | { kind: 'undone' }

/** A call that was not made has an unknown outcome until it is made anew. */
export function outcomeOf(learned: Learned): Outcome {
  return learned.kind === 'outcome' ? learned.outcome : { kind: 'unknown', reason: 'never seen by the gateway' }
}

/** The gateway has certainly not seen the call, and it is not sent again. */
const NEVER_ARRIVED = notSent('NEVER_ARRIVED')

/**
 * Looks the attempt up by our reference. If nothing is found, `afterLookUp` decides. An authorization whose customer cannot
 * act any more is ended instead. `at` is workflow time in epoch ms.
 */
export async function learnOutcome(
  deps: Pick<PaymentActivityDeps, 'orm' | 'clock'> & AccessDeps,
  gateway: Gateway,
  attempt: Attempt,
  asks: Asks,
  at: number,
): Promise<Learned> {
  const type = callTypeOf(attempt)
  const end = async (ended: EndedAuthentication): Promise<Learned> => {
    const ask: Ask = (one, opened, signal) => endAuthentication(one, opened, ended, signal)
    return { kind: 'outcome', outcome: await callGateway(deps, gateway, attempt, ask) }
  }
  const overdue = authenticationToEnd(attempt, at)
  if (overdue !== null) return end(overdue)
  const found = await lookUpOnce(deps, gateway, attempt)
  const asked = found.kind === 'found' && found.outcome.kind === 'action-required' ? found.outcome.action : null
  if (asked !== null && isClosed(attempt)) return end({ continuation: asked.continuation, ended: GIVEN_UP })
  const isUnheard = asked !== null && answeredAction(attempt)?.continuation === asked.continuation
  if (found.kind === 'found' && !isUnheard) return { kind: 'outcome', outcome: found.outcome }
  const { call, now } = await describeCall(deps, gateway, attempt, type, at)
  const missed = found.kind === 'found' ? ({ kind: 'unheard' } as const) : found
  switch (afterLookUp(call, missed, paymentOf(attempt.invoice, attempt.transaction), now)) {
    case 'send again':
      return { kind: 'outcome', outcome: ofTheFirstCall(await callGateway(deps, gateway, attempt, asks[type])) }
    case 'make anew':
      return { kind: 'undone' }
    case 'fail':
      return { kind: 'outcome', outcome: NEVER_ARRIVED }
    case 'wait':
      return { kind: 'outcome', outcome: outcomeToWait(found) }
  }
}

function isClosed({ transaction, operation }: Attempt): boolean {
  return transaction.attemptsInFlight.some(
    ({ operationId, isAbandoned }) => operationId === operation.id && isAbandoned,
  )
}

/** Of an authorization that still waits for its customer: the action. */
function outcomeToWait(found: LookUp): Outcome {
  switch (found.kind) {
    case 'found':
      return found.outcome
    case 'unreachable':
      return { kind: 'unknown', reason: found.reason }
    case 'never-seen':
      return { kind: 'unknown', reason: 'never seen by the gateway' }
    case 'not-offered':
      return { kind: 'unknown', reason: 'the gateway has no look-up' }
  }
}

/**
 * The call as input of `afterLookUp`, and the payment's time in epoch ms. A repeated step has the workflow time of its start,
 * so the machine time since the attempt was written is added. Where the payment's clock was moved, that time alone tells
 * whether the call may still be on its way.
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
  const { isSuspended } = await findCommandBlocks(em, { projectId, operationId: id })
  const rows = await findRows(em, OperationEntity, { transactionId, type })
  const last = await lastCallOf(em, attempt)
  const begunAt = (last.begunAt ?? last.createdAt).getTime()
  const byWallClockMs = clock.now().getTime() - last.createdAt.getTime()
  const now = Math.max(at, begunAt + byWallClockMs)
  const ageMs = now - begunAt
  const hasTestClock = (transaction.clockOffsetMs ?? 0) > 0
  const command = fallbackOf ?? id
  const call: UnansweredCall = {
    type,
    ageMs,
    sentAgoMs: hasTestClock ? byWallClockMs : ageMs,
    isAwaited: transaction.attemptsInFlight.some(
      (one) => one.operationId === id && !one.isAbandoned && one.awaitsCustomerUntil === undefined,
    ),
    isConfirmed: rows.some((row) => row.attemptOperationId === id && row.outcome === 'pending'),
    isSameAccount: operation.accountVersion === configuration.accountVersion,
    isSuspended,
    isForbidden: (await refuseByAdvice(deps, attempt)) !== null,
    timesMadeAnew: rows.filter((row) => row.isAttempt && row.fallbackOf === command).length,
    referencesKeptForMs: gateway.referencesKeptForMs,
  }
  return { call, now }
}

/** The operation of the attempt's last call: its own, or that of the customer's answer. */
async function lastCallOf(em: EntityManager, attempt: Attempt): Promise<OperationRow> {
  const answered = answeredAction(attempt)?.answered
  return (answered && (await findRow(em, OperationEntity, { id: answered.by }))) ?? attempt.operation
}

/** Asks the gateway what became of an attempt, and sends nothing. */
export async function lookUpOnce(
  deps: Pick<PaymentActivityDeps, 'orm'> & AccessDeps,
  gateway: Gateway,
  attempt: Attempt,
): Promise<LookUp> {
  const reference = attempt.operation.id
  const type = callTypeOf(attempt)
  const access = openAccess(deps, attempt)
  if (access === null) return { kind: 'unreachable', reason: 'The credentials of the account cannot be decrypted.' }
  const gatewayAuthorizationId =
    type === 'authorization'
      ? await findReportedAuthorization(deps.orm.em.fork(), access.gatewayConfigurationId, attempt.operation)
      : gatewayAuthorizationIdOf(attempt)
  return lookUpAt(gateway, { ...access, reference, type, gatewayAuthorizationId })
}

/**
 * The outcome of the first call, as a repeated call reports it. It stays unknown if the repeated call was not sent, or did
 * not find its authorization: the first call was made when that authorization existed.
 */
function ofTheFirstCall(outcome: Outcome): Outcome {
  if (outcome.kind !== 'declined') return outcome
  const saysNothing = outcome.isNotSent === true || outcome.code === 'gateway.transaction-not-found'
  return saysNothing ? { kind: 'unknown', reason: outcome.gatewayCode } : outcome
}

/** Merchants read this text in their operations, so it names none of our classes or libraries. */
function reasonOf(error: unknown): string {
  const isLate = error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')
  return isLate ? 'The gateway did not answer in time.' : 'The call ended without an answer.'
}

/** Asks the gateway what became of a call; where it does not answer in time, that is the answer. */
export async function lookUpAt(gateway: Gateway, request: LookUpRequest): Promise<LookUp> {
  try {
    return await gateway.lookUp(request, AbortSignal.timeout(LOOK_UP_TIMEOUT_MS))
  } catch (error) {
    return { kind: 'unreachable', reason: reasonOf(error) }
  }
}

/** Decrypts the credentials of an account. */
export interface AccessDeps {
  vault: Pick<Vault, 'decryptCredentials'>
}

/**
 * The merchant's account with its credentials in clear text, decrypted for one call and kept nowhere.
 *
 * @throws VaultError if they cannot be decrypted; nothing has been sent then.
 */
function accessOf({ vault }: AccessDeps, { configuration }: { configuration: GatewayConfigurationRow }): GatewayAccess {
  return {
    gatewayConfigurationId: configuration.id,
    credentials: vault.decryptCredentials(configuration),
    settings: configuration.settings,
  }
}

/** The credentials could not be decrypted. Calls succeed again once the operator has repaired the key ring. */
const NOT_OPENED: Outcome = notSent('CREDENTIALS_NOT_OPENED')

const NOT_SENT_YET = 'It could not be sent to the gateway yet, and will be.'

/**
 * Keeps our own void of an expired authorization or an orphan open if it could not be sent. A merchant sees a failed void and
 * repeats it; our void has no caller. While it is open, every look-up that does not find it sends it again.
 */
function keepOwnReleaseOpen(outcome: Outcome, attempt: Attempt): Outcome {
  const isNotSent = outcome.kind === 'declined' && outcome.isNotSent === true
  return isNotSent && isOwnRelease(attempt) ? { kind: 'unknown', reason: NOT_SENT_YET } : outcome
}

function isOwnRelease({ operation: { type, actor } }: Attempt): boolean {
  return (type === 'void' || type === 'refund') && actor === 'scheduler'
}
