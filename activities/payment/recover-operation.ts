import { restrictCapabilities } from '../../domain/capabilities.ts'
import { decide } from '../../domain/decision.ts'
import { makeIdentifier } from '../../domain/identifiers.ts'
import { formatAmount } from '../../domain/money.ts'
import type { LookUp, Outcome } from '../../domain/operation.ts'
import { activeAttempts, capturesInFlight, exclusiveAttempt, type Payment } from '../../domain/payment.ts'
import { isFinal } from '../../domain/reconcile.ts'
import type { NamedOperation } from '../../domain/recovery.ts'
import type { GatewayConfigurationRow } from '../../src/persistence/entities/gateway-configuration.ts'
import type { OpenedPayment } from '../../src/persistence/queries/payments/open-payment.ts'
import { paymentOf } from '../../src/persistence/queries/payments/payment-rows.ts'
import { transact, type Unit } from '../../src/persistence/transact.ts'
import { derivedBytes } from '../../src/vault/derived-bytes.ts'
import type { PaymentReference } from '../../workflows/inputs.ts'
import { CLOCKS_DIFFER_MS } from '../authenticity.ts'
import type { PaymentActivityDeps } from '../dependencies.ts'
import { type GatewayCommand, onPaymentClock } from './attempt.ts'
import type { Routed } from './authorization-plan.ts'
import { writeAttempt } from './begin-attempt.ts'
import { lookUpAt, lookUpOnce, openAccess } from './call-gateway.ts'
import { loadAttempt } from './look-up.ts'
import { openForChange } from './open-for-change.ts'
import { recordOutcome } from './record-outcome.ts'

/** What became of an operation that the record had lost. `left`: nothing was booked, for the reason in the sentence. */
export type Recovered = { kind: 'booked' | 'pending' | 'known' } | { kind: 'left'; why: string }

/** Operations of one payment that the record does not know, in the order of `inOrder`, and the account that has made them. */
export interface LostOperations {
  operations: readonly NamedOperation[]
  configuration: GatewayConfigurationRow
}

interface LostOperation extends Pick<LostOperations, 'configuration'> {
  operation: NamedOperation
  /** The authorization was raised, and so was asked for as one that can be. */
  isRaised: boolean
}

/** An operation of a lost payment with what became of it. */
export interface BookedOperation {
  operation: NamedOperation
  recovered: Recovered
}

type Granted = Extract<Outcome, { kind: 'approved' | 'pending' }>

const left = (why: string): Extract<Recovered, { kind: 'left' }> => ({ kind: 'left', why })

/**
 * Books what the gateway has made of a payment and the record does not know: writes each attempt under its own reference, as
 * if it had just been sent, and records what the gateway says of it. The gateway is asked first, and nothing is sent to it.
 * What is booked is known from then on, so that the same again changes nothing.
 */
export async function recoverPayment(
  deps: PaymentActivityDeps,
  payment: PaymentReference,
  { operations, configuration }: LostOperations,
): Promise<BookedOperation[]> {
  await learnOpenAttempts(deps, payment)
  const isRaised = operations.some(({ type }) => type === 'increment_authorization')
  const booked: BookedOperation[] = []
  for (const operation of operations)
    booked.push({ operation, recovered: await recoverOperation(deps, payment, { operation, configuration, isRaised }) })
  return booked
}

/**
 * Records what has become of the attempts that the record has under way, as far as their gateways tell: what was lost was done
 * after them.
 */
async function learnOpenAttempts(deps: PaymentActivityDeps, payment: PaymentReference): Promise<void> {
  const { result: open } = await transact(deps.orm, async (unit) => {
    const { invoice, transaction } = await openForChange(unit, payment)
    return activeAttempts(paymentOf(invoice, transaction))
  })
  for (const { operationId } of open) {
    const attempt = await loadAttempt(deps, payment, operationId)
    const found = await lookUpOnce(deps, deps.gateways.find(attempt.configuration.gatewayName), attempt)
    if (found.kind !== 'found' || !isFinal(found.outcome)) continue
    const at = { at: deps.clock.now().getTime(), lacksOffset: true }
    const { outcome } = found
    await recordOutcome(deps, payment, { ...at, attemptId: operationId, outcome, actor: 'reconciler', step: null })
  }
}

async function recoverOperation(
  deps: PaymentActivityDeps,
  payment: PaymentReference,
  lost: LostOperation,
): Promise<Recovered> {
  const outcome = await askGateway(deps, lost)
  if (outcome.kind === 'left') return outcome
  const { result } = await transact(deps.orm, (unit) => writeLost(deps, unit, payment, lost, outcome))
  if (result.kind !== 'written') return result
  const { reference: attemptId } = lost.operation
  const { answer } = await recordOutcome(deps, payment, {
    attemptId,
    outcome,
    at: result.at,
    actor: 'staff',
    step: null,
  })
  // A partial approval that the project does not take is given back, as it would have been at once.
  if (answer.kind === 'declined') return left(`It is recorded as declined: ${answer.code}.`)
  return { kind: answer.kind === 'done' ? 'booked' : 'pending' }
}

async function askGateway(
  deps: Pick<PaymentActivityDeps, 'gateways' | 'vault'>,
  { operation, configuration }: LostOperation,
): Promise<Granted | Extract<Recovered, { kind: 'left' }>> {
  const access = openAccess(deps, { configuration })
  if (access === null) return left('The credentials of the account cannot be decrypted.')
  const { reference, type, gatewayAuthorizationId } = operation
  const gateway = deps.gateways.find(configuration.gatewayName)
  const found = await lookUpAt(gateway, { ...access, reference, type, gatewayAuthorizationId })
  if (found.kind !== 'found') return left(`The gateway does not tell what became of it: ${reasonOf(found)}`)
  const { outcome } = found
  if (outcome.kind !== 'approved' && outcome.kind !== 'pending') return left(`The gateway says: ${outcome.kind}.`)
  return outcome
}

function reasonOf(found: Exclude<LookUp, { kind: 'found' }>): string {
  return found.kind === 'unreachable' ? found.reason : `${found.kind}.`
}

/** Writes the attempt, if the payment as it stands allows what was done. */
async function writeLost(
  deps: PaymentActivityDeps,
  unit: Unit,
  payment: PaymentReference,
  { operation, configuration, isRaised }: LostOperation,
  outcome: Granted,
): Promise<Recovered | { kind: 'written'; at: number }> {
  const opened = await openForChange(unit, payment)
  const { invoice, transaction, operations } = opened
  if (operations.some(({ id }) => id === operation.reference)) return { kind: 'known' }
  const found = paymentOf(invoice, transaction)
  const command = commandOf(operation, found.incremental || isRaised)
  // A gateway's clock may be ahead of ours, and nothing of a payment lies in the future.
  const doneAt = Math.min(operation.at, deps.clock.now().getTime())
  const { at } = onPaymentClock({ at: doneAt, lacksOffset: true }, transaction)
  const decision = decide(found, command, at)
  if (decision.kind !== 'proceed')
    return left(isUnderWay(found) || decision.kind !== 'answer' ? UNDER_WAY : wordsOf(decision.answer, found))
  const { amountMinor } = decision
  const difference = differenceOf(opened, operation, { outcome, amountMinor })
  if (difference !== null) return left(difference)
  const routed = command.kind === 'authorize' ? routedTo(deps, configuration, command.incremental) : null
  const step = { command, at: ofSchedule(found, command, at), runId: transaction?.workflowRunId ?? null }
  const begun = await writeAttempt(deps, unit, step, {
    opened,
    payment: found,
    plan: { amountMinor, routed, details: null },
  })
  unit.update(begun.attempt.operation, { reason: 'recovered' })
  return { kind: 'written', at: step.at }
}

const BY_STAFF = { actor: 'staff', deadline: Number.MAX_SAFE_INTEGER, idempotency: null } as const

/** The command by which the operation was made, as far as the gateway knows it. */
function commandOf(operation: NamedOperation, incremental: boolean): GatewayCommand {
  const { type, reference: operationId, amountMinor, currency, isFinal } = operation
  const shared = { operationId, ...BY_STAFF }
  switch (type) {
    case 'authorization':
      return {
        kind: 'authorize',
        ...shared,
        currency,
        incremental,
        // The card is known to the gateway alone.
        source: operation.gatewayAuthorizationId,
        preferredScheme: null,
        initialSchemeTransactionId: null,
        mayFallBackToSale: false,
        saveSource: false,
        capturesAtOnce: false,
        autoCaptureAt: null,
        autoCaptureAmountMinor: null,
        autoCaptureDetailIds: null,
        autoCaptureIsFinal: true,
      }
    case 'increment_authorization':
      return { kind: 'increment', ...shared, amountMinor }
    case 'capture':
      return { kind: 'capture', ...shared, amountMinor, detailIds: null, isFinal }
    case 'void':
      return { kind: 'void', ...shared, amountMinor, reason: null }
    case 'refund': {
      const refundId = makeIdentifier('refund', derivedBytes(`refund of ${operationId}`))
      return { kind: 'refund', ...shared, refundId, amountMinor, detailIds: null, reason: 'other' }
    }
  }
}

const UNDER_WAY =
  'An attempt of the payment is under way in the record: run the command again when workers have looked it up.'

function isUnderWay(payment: Payment): boolean {
  return exclusiveAttempt(payment) !== null || capturesInFlight(payment).length > 0
}

type Answer = Extract<ReturnType<typeof decide>, { kind: 'answer' }>['answer']

function wordsOf(answer: Answer, { status }: Payment): string {
  return answer.kind === 'refused' ? answer.message : `The record has the payment as ${status ?? 'not paid'}.`
}

/** What of the operation is not as the record has the payment; null if it fits. Nothing is booked beyond what the gateway says. */
function differenceOf(
  { invoice, transaction }: OpenedPayment,
  { type, gatewayAuthorizationId }: NamedOperation,
  { outcome, amountMinor }: { outcome: Granted; amountMinor: number },
): string | null {
  const { currency } = transaction ?? invoice
  const mayBeLess = type === 'authorization'
  if (!mayBeLess && transaction?.gatewayAuthorizationId !== gatewayAuthorizationId)
    return 'It belongs to another authorization than the one that the record has of this payment.'
  if (outcome.kind === 'pending') return null
  if (outcome.currency !== currency) return `The record has the payment in ${currency}.`
  if (outcome.amountMinor === amountMinor || (mayBeLess && outcome.amountMinor < amountMinor)) return null
  return `The gateway says ${formatAmount(outcome.amountMinor, currency)}, the record ${formatAmount(amountMinor, currency)} ${currency}.`
}

/**
 * The instant at which it counts as done. A capture that was due then belongs to the schedule, which it ends: gateways count in
 * seconds, and clocks differ. Otherwise the same money would be captured a second time.
 */
function ofSchedule({ autoCaptureAt, autoCaptureRetryAt }: Payment, { kind }: GatewayCommand, at: number): number {
  if (kind !== 'capture' || autoCaptureAt === null) return at
  const dueAt = Math.max(autoCaptureAt, autoCaptureRetryAt ?? 0)
  return at < dueAt && dueAt <= at + CLOCKS_DIFFER_MS ? dueAt : at
}

const NOT_ASKED_FOR: Routed['authentication'] = {
  isAttended: false,
  isRequired: false,
  challengeIndicator: null,
  exemption: null,
  isExternal: false,
  channel: 'web',
}

/** An authorization at this account, with nothing known of its card and its rules. */
function routedTo(
  { gateways }: Pick<PaymentActivityDeps, 'gateways'>,
  configuration: GatewayConfigurationRow,
  incremental: boolean,
): Routed {
  const best = gateways.find(configuration.gatewayName).capabilities
  return {
    kind: 'routed',
    gateway: { configuration, capabilities: restrictCapabilities(best, configuration.capabilities), incremental },
    remaining: null,
    routedBy: { ruleSetId: null, ruleSetVersion: null, routingTags: [] },
    authentication: NOT_ASKED_FOR,
    source: { card: null, token: null, gatewayRequest: null },
  }
}
