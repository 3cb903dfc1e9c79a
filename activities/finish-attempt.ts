import { answerOfResult } from '../domain/command.ts'
import { ERRORS, isErrorCode } from '../domain/errors.ts'
import { makeIdentifier } from '../domain/identifiers.ts'
import type { Actor, OperationOutcome, Outcome } from '../domain/operation.ts'
import { applyOutcome, type Payment } from '../domain/payment.ts'
import { CardSecurityCodeEntity } from '../src/persistence/entities/card-security-code.ts'
import { OperationEntity, type OperationRow } from '../src/persistence/entities/operation.ts'
import type { TransactionRow } from '../src/persistence/entities/transaction.ts'
import type { EntityManager } from '../src/persistence/orm.ts'
import { findCardOf } from '../src/persistence/queries/find-card.ts'
import { lockPayment } from '../src/persistence/queries/payment-lock.ts'
import { columnsOf, paymentOf } from '../src/persistence/queries/payment-rows.ts'
import type { PaymentReference } from '../workflows/inputs.ts'
import { operationDefaults } from './begin-attempt.ts'
import type { PaymentActivityDeps } from './dependencies.ts'
import { failures } from './failures.ts'
import { type RecordedEvent, recordEvents } from './record-events.ts'
import type { StepResult } from './step.ts'

export interface Ending {
  attemptId: string
  outcome: Outcome
  /** Workflow time in epoch ms. */
  at: number
  actor: Actor
}

export interface Finished extends StepResult {
  events: RecordedEvent[]
}

/**
 * Books what the gateway said: result row, money columns, status, events, all in one database transaction.
 * Said again, or said late, of an attempt that has its result already, it changes nothing and returns that result.
 */
export function finishAttempt(
  deps: PaymentActivityDeps,
  reference: PaymentReference,
  ending: Ending,
): Promise<Finished> {
  return deps.orm.em.fork().transactional((em) => finishInTransaction(deps, em, reference, ending))
}

async function finishInTransaction(
  deps: PaymentActivityDeps,
  em: EntityManager,
  reference: PaymentReference,
  ending: Ending,
): Promise<Finished> {
  const { projectId, invoiceId } = reference
  const sandbox = reference.environment === 'sandbox'
  const locked = await lockPayment(em, { projectId, sandbox, invoiceId })
  if (locked?.transaction == null) throw failures.paymentNotFound(invoiceId)
  const { invoice, transaction } = locked
  const operations = await em.find(
    OperationEntity,
    { transactionId: transaction.id },
    { orderBy: { createdAt: 'asc', isAttempt: 'asc', id: 'asc' } },
  )
  const attempt = operations.find((row) => row.id === ending.attemptId)
  if (attempt === undefined) throw failures.attemptNotFound(ending.attemptId)
  const payment = paymentOf(invoice, transaction)
  const outcome = verified(ending.outcome, attempt)
  const results = operations.filter((row) => row.attemptOperationId === attempt.id)
  // The rows' dates are of several machines' clocks, so a final result is looked for and not taken to be the latest.
  const known = results.find(isFinal) ?? results.find((row) => row.outcome === outcomeColumn(outcome))
  if (known !== undefined) {
    return { answer: answerOfResult(known), payment, gatewayName: transaction.gatewayName, events: [] }
  }

  const isExpiry = attempt.metadata.reason === 'authorization_expired'
  const type = attempt.type
  if (type === 'request') throw failures.attemptNotFound(ending.attemptId)
  const { payment: settled, fires: told } = applyOutcome(
    payment,
    { type, amountMinor: attempt.amountMinor, begunAt: (attempt.begunAt ?? attempt.createdAt).getTime(), isExpiry },
    outcome.kind,
  )

  // That the outcome is open is told once, whichever of its kinds it takes while it stays open.
  const fires = results.length > 0 && settled.attemptInFlight !== null ? [] : told

  const recorded = recordResults(deps, em, {
    transaction,
    attempt,
    outcome,
    actor: ending.actor,
    before: payment,
    after: settled,
  })
  em.assign(transaction, {
    ...columnsOf(settled),
    ...factsOf(attempt, outcome, ending.at, settled),
    updatedAt: deps.clock.now(),
  })
  const card = await findCardOf(em, transaction)
  if (type === 'authorization' && (outcome.kind === 'approved' || outcome.kind === 'declined') && card !== null) {
    if (outcome.cardChecks !== undefined) card.checks = outcome.cardChecks
    await em.nativeDelete(CardSecurityCodeEntity, { cardId: card.id })
  }
  const events = recordEvents(deps, em, fires, { invoice, transaction, card, operations: [...operations, ...recorded] })
  const [result] = recorded
  return {
    answer: result === undefined ? { kind: 'pending' } : answerOfResult(result),
    payment: settled,
    gatewayName: transaction.gatewayName,
    events,
  }
}

function isFinal({ outcome }: OperationRow): boolean {
  return outcome === 'succeeded' || outcome === 'failed'
}

/**
 * An approval of another amount or currency than we asked for is not the approval we asked for: what really happened
 * is unknown until somebody looks.
 */
function verified(outcome: Outcome, attempt: OperationRow): Outcome {
  if (outcome.kind !== 'approved') return outcome
  if (outcome.amountMinor === attempt.amountMinor && outcome.currency === attempt.currency) return outcome
  return {
    kind: 'unknown',
    reason: `approved ${outcome.amountMinor} ${outcome.currency}, asked ${attempt.amountMinor} ${attempt.currency}`,
  }
}

const OUTCOME_COLUMN: Record<Outcome['kind'], OperationOutcome> = {
  approved: 'succeeded',
  declined: 'failed',
  pending: 'pending',
  'action-required': 'pending',
  unknown: 'unknown',
}

function outcomeColumn(outcome: Outcome): OperationOutcome {
  return OUTCOME_COLUMN[outcome.kind]
}

interface Booking {
  transaction: TransactionRow
  attempt: OperationRow
  outcome: Outcome
  actor: Actor
  before: Payment
  after: Payment
}

function recordResults(
  { clock, randomBytes }: PaymentActivityDeps,
  em: EntityManager,
  booking: Booking,
): OperationRow[] {
  const { transaction, attempt, outcome, actor, before, after } = booking
  const shared = operationDefaults(transaction, { actor }, clock.now())
  const result = em.create(OperationEntity, {
    ...shared,
    id: makeIdentifier('operation', randomBytes),
    type: attempt.type,
    isAttempt: false,
    attemptOperationId: attempt.id,
    outcome: outcomeColumn(outcome),
    hasFailed: outcome.kind === 'declined',
    isAccountable: outcome.kind === 'approved' || after.voidedMinor > before.voidedMinor,
    amountMinor: attempt.amountMinor,
    cardId: attempt.cardId ?? null,
    metadata: attempt.metadata,
    ...gatewayFacts(outcome),
  })
  const releasedMinor = attempt.type === 'capture' ? after.voidedMinor - before.voidedMinor : 0
  if (releasedMinor === 0) return [result]
  const release = em.create(OperationEntity, {
    ...shared,
    id: makeIdentifier('operation', randomBytes),
    type: 'void',
    isAttempt: false,
    outcome: 'succeeded',
    isAccountable: true,
    amountMinor: releasedMinor,
    metadata: { reason: 'final_capture' },
  })
  return [result, release]
}

function gatewayFacts(outcome: Outcome) {
  switch (outcome.kind) {
    case 'approved':
      return {
        gatewayOperationId: outcome.gatewayOperationId,
        schemeId: outcome.schemeTransactionId ?? null,
        authorizationCode: outcome.authorizationCode ?? null,
        cardChecks: outcome.cardChecks ?? null,
      }
    case 'declined':
      return {
        gatewayCode: outcome.gatewayCode,
        errorCode: outcome.code,
        errorMessage: messageOf(outcome.code),
        recommendationCode: outcome.recommendationCode ?? null,
        cardChecks: outcome.cardChecks ?? null,
      }
    case 'pending':
      return { gatewayOperationId: outcome.gatewayOperationId }
    case 'unknown':
      return { errorMessage: outcome.reason }
    case 'action-required':
      return {}
  }
}

function messageOf(code: string): string {
  return isErrorCode(code) ? ERRORS[code].message : ERRORS['gateway.unknown-error'].message
}

/** The columns of the transaction that tell of this outcome, beside those that `Payment` holds. */
function factsOf(attempt: OperationRow, outcome: Outcome, at: number, payment: Payment): Partial<TransactionRow> {
  const when = new Date(at)
  // Also where the gateway refused the void at the end of the authorization: the payment is voided and did not fail.
  if (attempt.type === 'void' && payment.status === 'voided') return { voidedAt: when }
  if (outcome.kind === 'declined') {
    return {
      errorCode: outcome.code,
      errorMessage: messageOf(outcome.code),
      recommendationCode: outcome.recommendationCode ?? null,
      ...(outcome.cardChecks && { cardChecks: outcome.cardChecks }),
    }
  }
  if (outcome.kind !== 'approved') return {}
  switch (attempt.type) {
    case 'authorization':
      return {
        authorizedAt: attempt.begunAt ?? when,
        gatewayAuthorizationId: outcome.gatewayOperationId,
        schemeId: outcome.schemeTransactionId ?? null,
        cardChecks: outcome.cardChecks ?? null,
      }
    case 'capture':
      return { capturedAt: when, errorCode: null, errorMessage: null }
    default:
      return {}
  }
}
