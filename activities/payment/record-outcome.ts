import { AUTHORIZATION_VALIDITY_MS } from '../../domain/authorization-validity.ts'
import { answerOfResult, type CommandAnswer } from '../../domain/command.ts'
import { isPassing } from '../../domain/errors.ts'
import { lookedUp } from '../../domain/look-up.ts'
import { withAdvice } from '../../domain/merchant-advice.ts'
import type { Actor, Outcome } from '../../domain/operation.ts'
import type { Change, Orphan, Payment } from '../../domain/payment.ts'
import {
  type AttemptFacts,
  abandonAttempt,
  applyOutcome,
  giveUpAuthorization,
  type Word,
} from '../../domain/payment-outcome.ts'
import type { FiredEvent } from '../../domain/webhook-event.ts'
import type { OperationRow } from '../../src/persistence/entities/operation.ts'
import type { RefundRow } from '../../src/persistence/entities/refund.ts'
import type { TransactionRow } from '../../src/persistence/entities/transaction.ts'
import type { EntityManager } from '../../src/persistence/orm.ts'
import { findCardOf } from '../../src/persistence/queries/customers/find-card.ts'
import { findReportedFailure } from '../../src/persistence/queries/payments/gateway-notifications.ts'
import { finalResultOf, lastAttemptOf } from '../../src/persistence/queries/payments/last-attempt.ts'
import { type OpenedPayment, openPayment } from '../../src/persistence/queries/payments/open-payment.ts'
import type { LockedPayment } from '../../src/persistence/queries/payments/payment-lock.ts'
import { columnsOf, paymentOf } from '../../src/persistence/queries/payments/payment-rows.ts'
import type { ToldRows } from '../../src/persistence/queries/payments/told-rows.ts'
import type { Changes } from '../../src/persistence/queries/webhooks/project-event.ts'
import { transact, type Unit } from '../../src/persistence/transact.ts'
import type { PaymentReference } from '../../workflows/inputs.ts'
import type { PaymentActivityDeps } from '../dependencies.ts'
import { failures } from '../failures.ts'
import { orWhenItAlwaysFails } from './always-failing.ts'
import { type Attempt, operationIdsOf, type StepInput, type StepResult } from './attempt.ts'
import { gatherEvents } from './events.ts'
import { type Failed, findNext, goOnAt } from './fall-back.ts'
import { keepReply } from './idempotency.ts'
import { isExpiryVoid, judgeOutcome } from './judge-outcome.ts'
import { recordAdvice } from './records/advice.ts'
import { recordClientOutcome } from './records/client-failures.ts'
import { settleDetails } from './records/details.ts'
import { findRefundOf, settleRefund } from './records/refunds.ts'
import { outcomeColumn, recordResults } from './records/results.ts'
import { settleToken } from './records/settle-token.ts'
import { forgetSecurityCode } from './records/sources.ts'
import { factsOf, unknownSince } from './records/transaction-facts.ts'

/** How long a closed attempt is still looked up: what an issuer then still holds, it lets go by itself. */
const ABANDONED_WATCH_MS = AUTHORIZATION_VALIDITY_MS

const UNCHANGED = { kind: 'unchanged' } as const

const NOT_RECORDED: Outcome = { kind: 'unknown', reason: 'The answer of the gateway could not be recorded.' }

export interface Ending {
  attemptId: string
  outcome: Outcome
  /** Workflow time in epoch ms. */
  at: number
  actor: Actor
  /** Who ends the attempt without the gateway's word, if anybody does; it is looked up further on. */
  closedBy?: 'staff' | 'merchant' | null
  /** The step whose caller waits for the answer; null where nobody does. */
  step: StepInput | null
  /** Whether the step has time for another gateway. */
  mayGoOn?: boolean
  /** True where the outcome is not the gateway's word, since that could not be recorded: staff have to look. */
  isUnrecordable?: true
}

export interface Finished extends StepResult {
  events: FiredEvent[]
  /** What the caller is told of, as it is now. */
  told: ToldRows
  /** The attempt at the next gateway, where the payment goes on there: its outcome is the answer. */
  next?: Attempt
  /** True where another run has booked as failed, meanwhile, what the outcome says may have been done. */
  isContradicted?: true
}

/**
 * Books what the gateway said: result row, money columns, status, events, all in one database transaction.
 * Said again, or said late, of an attempt that has its result already, it changes nothing and returns that result.
 * An outcome that cannot be recorded, however often that is tried, leaves the attempt open, to be looked up and shown to staff.
 */
export function finishAttempt(
  deps: PaymentActivityDeps,
  reference: PaymentReference,
  ending: Ending,
): Promise<Finished> {
  return orWhenItAlwaysFails(
    () => record(deps, reference, ending),
    (err) => {
      const { attemptId: operation_id } = ending
      deps.logger.error(
        { err, operation_id },
        'The outcome of an attempt cannot be recorded; its payment needs attention',
      )
      const { mayGoOn: _, closedBy: __, ...open } = ending
      return record(deps, reference, { ...open, outcome: NOT_RECORDED, isUnrecordable: true })
    },
  )
}

async function record(deps: PaymentActivityDeps, reference: PaymentReference, ending: Ending): Promise<Finished> {
  const { result, announced } = await transact(deps.orm, (unit) => finishInTransaction(deps, unit, reference, ending))
  return { ...result, events: [...announced, ...result.events] }
}

async function finishInTransaction(
  deps: PaymentActivityDeps,
  unit: Unit,
  reference: PaymentReference,
  ending: Ending,
): Promise<Finished> {
  const { projectId, invoiceId } = reference
  const opened = await openPayment(unit, {
    projectId,
    sandbox: reference.environment === 'sandbox',
    invoiceId,
    operationIds: ending.step === null ? [] : operationIdsOf(ending.step),
    attemptId: ending.attemptId,
    authorization: null,
  })
  if (opened === null) throw failures.paymentNotFound(invoiceId)
  return finishOpened(deps, unit, opened, ending)
}

/** The same for a payment that is held, and was read, by the caller's database transaction. */
export async function finishOpened(
  deps: PaymentActivityDeps,
  unit: Unit,
  opened: OpenedPayment,
  ending: Ending,
): Promise<Finished> {
  const { em } = unit
  const { invoice, transaction, operations, hindrances, acceptsPartialApprovals } = opened
  if (transaction === null) throw failures.paymentNotFound(invoice.id)
  const locked = { invoice, transaction }
  const attempt = operations.find((row) => row.id === ending.attemptId)
  if (attempt === undefined) throw failures.attemptNotFound(ending.attemptId)
  const found = paymentOf(invoice, transaction)
  const payment = ending.actor === 'reconciler' ? lookedUp(found, attempt.id, ending.at) : found
  const inFlight = payment.attemptsInFlight.find(({ operationId }) => operationId === attempt.id)
  const { outcome: judged, unwanted } = judgeOutcome(ending.outcome, attempt, acceptsPartialApprovals)
  const outcome = withAdvice((await failureSince(em, attempt, transaction)) ?? judged, deps.clock.now().getTime())
  const results = operations.filter((row) => row.attemptOperationId === attempt.id)
  // The rows' dates are of several machines' clocks, so a final result is looked for and not taken to be the latest.
  const known = results.find(isFinal) ?? results.find((row) => row.outcome === outcomeColumn(outcome))
  const isLate = inFlight?.isAbandoned === true
  if (isLate && !isFinalOutcome(outcome) && ending.at > inFlight.begunAt + ABANDONED_WATCH_MS) {
    const forgotten = {
      ...payment,
      attemptsInFlight: payment.attemptsInFlight.filter(({ operationId }) => operationId !== attempt.id),
    }
    em.assign(transaction, { ...columnsOf(forgotten), updatedAt: deps.clock.now() })
    return {
      answer: UNCHANGED,
      payment: forgotten,
      gatewayName: transaction.gatewayName ?? null,
      events: [],
      told: { transaction, refund: null },
    }
  }
  // A case is closed once, however often the activity runs.
  const isClosedAgain = isLate && ending.closedBy != null
  const isNews = isLate && isFinalOutcome(outcome) && !isClosedAgain
  if (inFlight === undefined || (known !== undefined && !isNews)) {
    const answer = known === undefined ? UNCHANGED : answerOfCommand(operations, attempt, known)
    const told = { transaction, refund: ending.step === null ? null : await findRefundOf(em, attempt) }
    // A look-up has followed the refusal, and does not tell that the money is free.
    const isRefused = inFlight !== undefined && !isLate && wasRefused(attempt, outcome, results)
    if (isRefused || ending.isUnrecordable === true) transaction.needsAttention = true
    const { needsAttention } = transaction
    const now = { ...payment, needsAttention }
    if (ending.step !== null) keepReply(deps, unit, ending.step, { answer, payment: now, ...told })
    if (payment !== found) em.assign(transaction, { ...columnsOf(now), updatedAt: deps.clock.now() })
    const isContradicted = inFlight === undefined && known?.outcome === 'failed' && outcome.kind !== 'declined'
    const gatewayName = transaction.gatewayName ?? null
    return { answer, payment: now, gatewayName, events: [], told, ...(isContradicted && { isContradicted }) }
  }

  await recordAdvice(deps, em, { invoice, attempt, outcome })
  recordClientOutcome(unit, attempt, outcome)
  const failed = failedAuthorization(ending, locked, { operations, attempt, results, outcome, isLate, hindrances })
  const next = failed === null || unwanted !== null ? null : await findNext(deps, em, failed)
  if (failed !== null && next !== null) {
    const going = goOnAt(deps, em, failed, next, ending.at)
    const answer = { kind: 'pending' } as const
    const gatewayName = going.configuration.gatewayName
    const told = { transaction, refund: null }
    return { answer, payment: paymentOf(invoice, transaction), gatewayName, events: [], told, next: going }
  }

  const facts: AttemptFacts = {
    ...inFlight,
    isExpiry: isExpiryVoid(attempt),
    isScheduled: attempt.actor === 'scheduler',
    targetTotalMinor: attempt.targetTotalMinor,
  }
  const change = changeOf(payment, facts, outcome, ending)
  const orphans: Orphan[] =
    unwanted === null ? [] : [{ operationId: attempt.id, ...unwanted, reason: 'partial_approval', foundAt: ending.at }]
  const settled: Payment = {
    ...change.payment,
    orphans: [...change.payment.orphans, ...orphans],
    needsAttention: change.payment.needsAttention || ending.isUnrecordable === true,
  }
  // That the outcome is open is told once, whichever of its kinds it takes while it stays open, and under whichever reference.
  const fires = !isFinalOutcome(outcome) && wasToldOpen(operations, attempt) ? [] : change.fires

  const recorded = recordResults(deps, em, {
    transaction,
    attempt,
    outcome,
    actor: ending.actor,
    before: payment,
    after: settled,
    isLate,
  })
  // What comes after its case was closed, and what concerns another authorization, tells nothing of the payment.
  const isOurs = !isLate && inFlight.releases === null
  em.assign(transaction, {
    ...columnsOf(settled),
    ...(isOurs && ending.closedBy !== 'merchant' ? factsOf(attempt, outcome, ending.at, settled) : {}),
    ...(ending.closedBy === 'merchant' ? { voidedAt: new Date(ending.at) } : {}),
    outcomeUnknownSince: unknownSince(settled),
    updatedAt: deps.clock.now(),
  })
  const tokenEvents: FiredEvent[] = []
  const changes: Changes = { ...deps, fired: (event) => tokenEvents.push(event) }
  const sideEffects = await settleRelated(changes, unit, locked, { attempt, outcome, at: ending.at, isLate })
  if (sideEffects.tokenId !== null) transaction.tokenId = sideEffects.tokenId
  await gatherEvents(deps, unit, fires, {
    invoice,
    transaction,
    card: sideEffects.card,
    operations: [...operations, ...recorded],
    gatewayConfigurations: opened.gatewayConfigurations,
    refund: sideEffects.refund,
  })
  const [result] = recorded
  const answer = result === undefined ? ({ kind: 'pending' } as const) : answerOfResult(result)
  const told = { transaction, refund: sideEffects.refund }
  if (ending.step !== null) keepReply(deps, unit, ending.step, { answer, payment: settled, ...told })
  return { answer, payment: settled, gatewayName: transaction.gatewayName ?? null, events: tokenEvents, told }
}

function changeOf(payment: Payment, facts: AttemptFacts, outcome: Outcome, { closedBy, at }: Ending): Change {
  switch (closedBy) {
    case 'staff':
      return abandonAttempt(payment, facts, at)
    case 'merchant':
      return giveUpAuthorization(payment, facts.operationId)
    default:
      return applyOutcome(payment, facts, wordOf(outcome, facts), at)
  }
}

/** Whether an attempt of the same command has had an open outcome before. */
function wasToldOpen(operations: readonly OperationRow[], { id, fallbackOf }: OperationRow): boolean {
  const command = fallbackOf ?? id
  const attempts = operations.filter((row) => row.id === command || row.fallbackOf === command).map((row) => row.id)
  return operations.some((row) => attempts.includes(row.attemptOperationId ?? '') && !isFinal(row))
}

/** What a caller is told again: of a payment that has gone on at another gateway, how it ended there, as far as it has. */
function answerOfCommand(
  operations: readonly OperationRow[],
  attempt: OperationRow,
  known: OperationRow,
): CommandAnswer {
  const last = lastAttemptOf(operations, attempt.fallbackOf ?? attempt.id)
  if (last === null || last.id === attempt.id) return answerOfResult(known)
  return answerOfResult(finalResultOf(operations.filter((row) => row.attemptOperationId === last.id)) ?? {})
}

/** An authorization whose failure nobody was told yet, and that may go on at another gateway; null for all else. */
function failedAuthorization(
  { step, mayGoOn }: Ending,
  { invoice, transaction }: LockedPayment,
  {
    results,
    isLate,
    ...found
  }: Pick<Failed, 'operations' | 'attempt' | 'outcome' | 'hindrances'> & {
    results: readonly OperationRow[]
    isLate: boolean
  },
): Failed | null {
  const isFirstWord = results.length === 0 && !isLate && transaction?.status === 'waiting'
  if (mayGoOn !== true || step?.command.kind !== 'authorize' || !isFirstWord) return null
  return { invoice, transaction, ...found, step: { ...step, command: step.command } }
}

/** The rows beside the transaction that an outcome changes: card, token, refund, lines of the invoice. */
async function settleRelated(
  changes: Changes,
  unit: Unit,
  { invoice, transaction }: LockedPayment,
  { attempt, outcome, at, isLate }: { attempt: OperationRow; outcome: Outcome; at: number; isLate: boolean },
): Promise<{ card: Awaited<ReturnType<typeof findCardOf>>; refund: RefundRow | null; tokenId: string | null }> {
  const { em } = unit
  const isAuthorization = attempt.type === 'authorization'
  const card = await findCardOf(em, isAuthorization || transaction === null ? attempt : transaction)
  const refund = await findRefundOf(em, attempt)
  if (!isFinalOutcome(outcome)) return { card, refund, tokenId: null }
  if (refund !== null) settleRefund(refund, outcome, { at, now: changes.clock.now() })
  await settleDetails(em, attempt, outcome.kind === 'approved' ? 'done' : 'free')
  if (!isAuthorization) return { card, refund, tokenId: null }
  if (card !== null) {
    if (outcome.cardChecks !== undefined) card.checks = outcome.cardChecks
    if (outcome.kind === 'approved') card.hasBeenAuthorized = true
  }
  // The rows are written in the same order as everywhere: customer, token, card.
  const tokenId = isLate ? null : await settleToken(changes, em, { invoice, attempt, card, outcome })
  if (card !== null) forgetSecurityCode(unit, card)
  return { card, refund, tokenId }
}

/** A gateway may tell that a capture or a refund has failed before we have heard that it had succeeded. */
async function failureSince(
  em: EntityManager,
  { id: reference, type, gatewayConfigurationId: ofAttempt }: OperationRow,
  { gatewayConfigurationId: ofTransaction }: TransactionRow,
): Promise<Outcome | null> {
  if (type !== 'capture' && type !== 'refund') return null
  return findReportedFailure(em, { gatewayConfigurationId: ofAttempt ?? ofTransaction ?? null, reference, type })
}

function isFinal({ outcome }: OperationRow): boolean {
  return outcome === 'succeeded' || outcome === 'failed'
}

function isFinalOutcome(outcome: Outcome): outcome is Extract<Outcome, { kind: 'approved' | 'declined' }> {
  return outcome.kind === 'approved' || outcome.kind === 'declined'
}

/** Whether the gateway has refused to release an authorization at its end, now or before, and the void is still open. */
function wasRefused(attempt: OperationRow, outcome: Outcome, results: readonly OperationRow[]): boolean {
  if (!isExpiryVoid(attempt) || isFinalOutcome(outcome)) return false
  const isRefusal = outcome.kind === 'unknown' && outcome.refusal !== undefined
  return isRefusal || results.some((row) => row.outcome === 'unknown' && row.errorCode != null)
}

/**
 * What an outcome means for the payment. A refusal that is an outcome of the void at the end of an authorization says that
 * the money is free; the record keeps what the gateway said.
 */
function wordOf(outcome: Outcome, { isExpiry, amountMinor: asked }: AttemptFacts): Word {
  switch (outcome.kind) {
    case 'approved': {
      const { amountMinor, gatewayOperationId, isSale = false, validForMs } = outcome
      return {
        ...{ kind: 'approved', amountMinor, gatewayOperationId, isSale },
        ...(validForMs !== undefined && { validForMs }),
      }
    }
    case 'declined':
      return isExpiry
        ? { kind: 'approved', amountMinor: asked, gatewayOperationId: '', isSale: false }
        : { kind: 'declined', isPassing: isPassing(outcome.code) }
    default:
      return { kind: 'open' }
  }
}
