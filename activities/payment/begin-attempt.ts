import { blockReasonOf, suspendCommand } from '../../domain/block-reason.ts'
import { cancellationHindrance } from '../../domain/cancellation.ts'
import { type AuthorizeCommand, answerOfResult, type CommandAnswer } from '../../domain/command.ts'
import { isBusyWithOther } from '../../domain/customer-action.ts'
import { decide, withinApproved } from '../../domain/decision.ts'
import { firstLookUp } from '../../domain/look-up.ts'
import { dueSince, isCancellation, isOwnStep } from '../../domain/own-step.ts'
import { type AttemptInFlight, beginAttempt as begin, type Payment, rejectLocally } from '../../domain/payment.ts'
import { GIVEN_UP } from '../../domain/reconcile.ts'
import { wallTime } from '../../domain/test-clock.ts'
import type { FiredEvent } from '../../domain/webhook-event.ts'
import type { InvoiceRow } from '../../src/persistence/entities/invoice.ts'
import type { OperationRow } from '../../src/persistence/entities/operation.ts'
import type { RefundRow } from '../../src/persistence/entities/refund.ts'
import type { TransactionRow } from '../../src/persistence/entities/transaction.ts'
import { findCardOf } from '../../src/persistence/queries/customers/cards.ts'
import { type OpenedPayment, openPayment } from '../../src/persistence/queries/payments/open-payment.ts'
import { finalResultOf, lastAttemptOf } from '../../src/persistence/queries/payments/operations.ts'
import { columnsOf, paymentOf } from '../../src/persistence/queries/payments/payment-rows.ts'
import { createVelocityRecord } from '../../src/persistence/queries/routing/velocity-records.ts'
import { transact, type Unit } from '../../src/persistence/transact.ts'
import { velocityValuesOf } from '../../src/routing/facts.ts'
import { requireDue } from '../authenticity.ts'
import type { PaymentActivityDeps } from '../dependencies.ts'
import { failures } from '../failures.ts'
import {
  type Beginning,
  earlierRunOf,
  type GatewayCommand,
  isSecondStep,
  OPERATION_OF,
  onPaymentClock,
  operationIdsOf,
  type StepInput,
  type StoredPayment,
} from './attempt.ts'
import { type AttemptPlan, planAttempt, type RejectedLocally, termsAt } from './authorization-plan.ts'
import { answeredAttemptOf, beginContinuation } from './continue-attempt.ts'
import { fireEvents } from './events.ts'
import { claimAnswer, keepAnswer } from './idempotency.ts'
import { recordOpened } from './record-outcome.ts'
import { refuseTooManyFailures } from './records/client-failures.ts'
import { declineMessage } from './records/decline-message.ts'
import { claimDetails } from './records/details.ts'
import { openTransaction, triedWith } from './records/open-transaction.ts'
import { configurationOf, openedAttempt } from './records/opened-attempt.ts'
import { recordAttempt, recordRejectedAuthorization, recordRequest } from './records/operations.ts'
import { findRefundOf, recordRefund } from './records/refunds.ts'
import { cardIn, forgetSecurityCode, type Source } from './records/sources.ts'
import { refusal } from './refusal.ts'

/**
 * Decides under the payment's lock whether the command may run and, if so, writes the attempt before the gateway call.
 * A repetition of the command finds its own attempt and never writes a second one.
 *
 * @returns also the step in the payment's own time.
 */
export async function beginAttempt(
  deps: PaymentActivityDeps,
  input: StepInput<GatewayCommand>,
): Promise<
  Beginning & Pick<StoredPayment, 'earlierRunId'> & { step: StepInput<GatewayCommand>; events: FiredEvent[] }
> {
  const { result, announced } = await transact(deps.orm, async (unit) => {
    const opened = await open(deps, unit, input)
    const step = onPaymentClock(input, opened.transaction)
    // Read first: the attempt is written with the run that makes it.
    const earlier = earlierRunOf(opened.transaction, input.runId)
    return { ...(await beginInTransaction(deps, unit, step, opened)), ...earlier, step }
  })
  return { ...result, events: announced }
}

async function open(deps: PaymentActivityDeps, unit: Unit, asked: StepInput<GatewayCommand>): Promise<OpenedPayment> {
  const { command, payment: reference } = asked
  const { projectId, invoiceId } = reference
  const opened = await openPayment(unit, {
    projectId,
    sandbox: reference.environment === 'sandbox',
    invoiceId,
    operationIds: operationIdsOf(asked),
    attemptId: null,
    authorization: command.kind === 'authorize' ? { cardId: cardIn(command), now: deps.clock.now() } : null,
  })
  if (opened === null) throw failures.paymentNotFound(invoiceId)
  return opened
}

async function beginInTransaction(
  deps: PaymentActivityDeps,
  unit: Unit,
  asked: StepInput<GatewayCommand>,
  opened: OpenedPayment,
): Promise<Beginning> {
  const { command } = asked
  const { invoice, transaction } = opened
  const payment = paymentOf(invoice, transaction)
  const answered = (answer: CommandAnswer): Beginning => ({ kind: 'answered', answer, payment, transaction })

  const earlier = earlierAttempt(opened, command.operationId)
  if (earlier !== null) {
    const { operation, answer } = earlier
    if (answer !== null) {
      // A look-up may have recorded the outcome; it does not know the idempotency key.
      keepAnswer(deps, unit, asked, { answer, payment, transaction, refund: await findRefundOf(unit, operation) })
      return answered(answer)
    }
    const attemptId = operation.type === 'three_d_s_check' ? answeredAttemptOf(transaction, operation) : operation.id
    // The gateway has asked for the next action already.
    if (attemptId === null) return answered({ kind: 'pending' })
    const attempt = await openedAttempt(unit, opened, attemptId)
    if (attempt === null) throw failures.attemptNotFound(attemptId)
    return { kind: 'interrupted', attempt }
  }
  const input = asTheRecordHasIt(deps, asked, opened, payment)
  if ('answer' in input) return answered(input.answer)
  const isSecond = isSecondStep(input)
  const hasBegun = isSecond && lastAttemptOf(opened.operations, input.answers.operationId) !== null
  const blockReason = blockReasonOf(input.command, opened.blocks, { hasBegun, now: deps.clock.now().getTime() })
  if (blockReason === 'too late') {
    const answer = refusal('request.not-started')
    // The sale's authorization, overtaken by another request, claimed the key. Keeping the refusal frees the key.
    const hasKey = isSecond && (await claimAnswer(deps, unit, input)) === 'claimed'
    if (hasKey) keepAnswer(deps, unit, input, { answer, payment, transaction })
    return answered(answer)
  }
  const refused =
    command.kind === 'authorize' ? await refuseAuthorization(deps, unit, { ...input, command }, opened) : null
  if (refused !== null) return answered(refused)
  if ((await claimAnswer(deps, unit, input)) === 'taken') return answered({ kind: 'duplicate' })
  if (blockReason === 'suspended') return suspend(deps, unit, input, { transaction, payment })

  const plan = await planAttempt(deps, unit, input, { opened, payment })
  if ('answer' in plan) {
    keepAnswer(deps, unit, input, { answer: plan.answer, payment, transaction })
    return answered(plan.answer)
  }
  if ('givesUp' in plan) return giveUp(deps, unit, input, opened, plan.givesUp)
  if ('continues' in plan) return beginContinuation(deps, unit, input, { opened, payment, attemptId: plan.continues })
  return 'rejected' in plan
    ? recordRejection(deps, unit, input, { invoice, transaction, payment, rejected: plan.rejected })
    : writeAttempt(deps, unit, input, { opened, payment, plan })
}

/** Refuses an authorization before it claims its idempotency key. */
async function refuseAuthorization(
  deps: PaymentActivityDeps,
  unit: Unit,
  { command, asOf }: StepInput<AuthorizeCommand>,
  opened: OpenedPayment,
): Promise<CommandAnswer | null> {
  if (isBusyWithOther(opened.transaction, command.source)) return refusal('card.pending-3ds')
  const payment = paymentOf(opened.invoice, opened.transaction)
  return decide(payment, command, asOf).kind === 'proceed' ? refuseTooManyFailures(deps, unit, opened, command) : null
}

const NOT_DUE = 'The payment asks for something else by now, or for nothing.'

/**
 * The record overrides the caller. It says whether a step of our own is due, and since when. It limits the capture of a sale
 * to the approved amount of its own authorization. A client can capture only its own authorization.
 */
function asTheRecordHasIt(
  deps: PaymentActivityDeps,
  asked: StepInput<GatewayCommand>,
  opened: OpenedPayment,
  payment: Payment,
): StepInput<GatewayCommand> | { answer: CommandAnswer } {
  const { command, answers } = asked
  if (isOwnStep(command)) {
    const asOf = dueSince(payment, command)
    if (asOf === null) {
      const hindrance = isCancellation(command) ? cancellationHindrance(payment) : null
      return { answer: refusal('request.validation.invalid-state', hindrance ?? NOT_DUE) }
    }
    requireDue(deps, asked.payment, asOf)
    return { ...asked, asOf }
  }
  if (command.kind !== 'capture' || answers.operationId === command.operationId) return asked
  const isApproved = earlierAttempt(opened, answers.operationId)?.answer?.kind === 'done'
  if (isApproved) return { ...asked, command: withinApproved(command, payment) }
  return command.actor === 'client' ? { answer: { kind: 'unchanged' } } : asked
}

/** Voids a payment whose authorization has no outcome yet: closes the attempt without a gateway call. */
async function giveUp(
  deps: PaymentActivityDeps,
  unit: Unit,
  input: StepInput<GatewayCommand>,
  opened: OpenedPayment,
  attemptId: string,
): Promise<Beginning> {
  const { actor } = input.command
  const ending = { attemptId, outcome: GIVEN_UP, at: input.at, actor, closedBy: 'merchant', step: null } as const
  const { payment } = await recordOpened(deps, unit, opened, ending)
  const { transaction } = opened
  const answer = { kind: 'done' } as const
  keepAnswer(deps, unit, input, { answer, payment, transaction })
  return { kind: 'answered', answer, payment, transaction }
}

/** Answers a command of a suspended project without a gateway call. A scheduled capture is postponed. */
function suspend(
  deps: PaymentActivityDeps,
  unit: Unit,
  input: StepInput<GatewayCommand>,
  { transaction, payment }: { transaction: TransactionRow | null; payment: Payment },
): Beginning {
  const { command, at } = input
  const held = suspendCommand(payment, command, { isSecondStep: isSecondStep(input), at })
  if (transaction !== null && held.payment !== payment)
    unit.update(transaction, { ...columnsOf(held.payment), updatedAt: deps.clock.now() })
  keepAnswer(deps, unit, input, { ...held, transaction })
  return { kind: 'answered', ...held, transaction }
}

async function writeAttempt(
  deps: PaymentActivityDeps,
  unit: Unit,
  { command, at, runId }: StepInput<GatewayCommand>,
  { opened, payment: found, plan }: { opened: OpenedPayment; payment: Payment; plan: AttemptPlan },
): Promise<Beginning> {
  const { invoice } = opened
  const { amountMinor, routed, details } = plan
  const row = opened.transaction ?? (routed === null ? null : openTransaction(deps, unit, { invoice, at }))
  if (row === null) throw failures.paymentNotFound(invoice.id)
  const operations = opened.transaction === null ? [recordRequest(deps, unit, row, command)] : []

  if (command.kind === 'authorize' && routed !== null)
    unit.update(row, {
      ...triedWith(row, {
        invoice,
        command,
        ...routed,
        terms: termsAt(routed.gateway, { invoice, command, ...routed }),
      }),
      ...routed.routedBy,
    })
  const wanted =
    command.kind === 'authorize' && routed !== null ? { ...command, incremental: routed.gateway.incremental } : command
  // The row now has the gateway's capabilities and the authorization's validity.
  const payment = opened.transaction === null ? { ...found, ...gatewayFacts(row) } : paymentOf(invoice, row)
  const attempt = inFlightOf(command, amountMinor, at)
  const { payment: begun, fires } = begin(payment, attempt, wanted)
  unit.update(row, { ...columnsOf(begun), workflowRunId: runId, updatedAt: deps.clock.now() })

  const detailIds = details?.map(({ id }) => id) ?? null
  const operation = recordAttempt(deps, unit, row, {
    command,
    type: attempt.type,
    before: payment,
    amountMinor,
    at,
    detailIds,
    released:
      opened.operations.find(({ id }) => command.kind === 'reverse-orphan' && id === command.orphanOperationId) ?? null,
    route: routed?.remaining ?? null,
    authentication: routed?.authentication ?? null,
  })
  if (routed !== null)
    recordVelocity(deps, unit, { invoice, operation, source: routed.source, command, at: wallTime(found, at) })
  if (details !== null) claimDetails(unit, details, command.kind === 'refund' ? 'refund' : 'capture', operation.id)
  let refund: RefundRow | null = null
  if (command.kind === 'refund') refund = await recordRefund(deps, unit, row, operation, command)
  const card = routed === null ? await findCardOf(unit, row) : routed.source.card
  await fireEvents(deps, unit, fires, {
    invoice,
    transaction: row,
    card,
    operations: [...operations, operation],
    gatewayConfigurations: opened.gatewayConfigurations,
    refund,
  })
  const configuration =
    routed?.gateway.configuration ?? (await configurationOf(unit, operation, row, opened.gatewayConfigurations))
  unit.update(operation, { accountVersion: configuration.accountVersion })
  const source = routed === null ? null : opened.source
  return { kind: 'begun', attempt: { invoice, transaction: row, operation, card, configuration, source } }
}

/** The attempt as the payment keeps it until its outcome is final. */
function inFlightOf(command: GatewayCommand, amountMinor: number, at: number): AttemptInFlight {
  return {
    operationId: command.operationId,
    type: OPERATION_OF[command.kind],
    amountMinor,
    isFinal: command.kind === 'capture' && command.isFinal,
    begunAt: at,
    isAbandoned: false,
    reverses: command.kind === 'reverse-orphan' ? command.orphanOperationId : null,
    ...firstLookUp(at),
  }
}

/** Routing rules count tries by these records. */
function recordVelocity(
  { clock }: Pick<PaymentActivityDeps, 'clock'>,
  unit: Unit,
  tried: { invoice: InvoiceRow; operation: OperationRow; source: Source; command: GatewayCommand; at: number },
): void {
  const { invoice, operation, source, command, at } = tried
  createVelocityRecord(unit, invoice, {
    operationId: operation.id,
    invoiceId: invoice.id,
    values: velocityValuesOf({ invoice, source }),
    isOfClient: command.actor === 'client',
    at: new Date(at),
    now: clock.now(),
  })
}

/** Records an authorization that a routing rule rejected. Its operation has the id of the command. */
async function recordRejection(
  deps: PaymentActivityDeps,
  unit: Unit,
  input: StepInput<GatewayCommand>,
  found: { invoice: InvoiceRow; transaction: TransactionRow | null; payment: Payment; rejected: RejectedLocally },
): Promise<Beginning> {
  const { command, at, runId } = input
  const { invoice, rejected } = found
  const { card, token } = rejected.source
  const row = found.transaction ?? openTransaction(deps, unit, { invoice, at })
  const operations = found.transaction === null ? [recordRequest(deps, unit, row, command)] : []
  const isBlocked = rejected.code === 'routing-rules.transaction-blocked'
  const { payment, fires } = rejectLocally(found.payment, isBlocked ? 'refused-by-rule' : 'authorization-declined')
  unit.update(row, {
    ...columnsOf(payment),
    ...rejected.routedBy,
    workflowRunId: runId,
    // Clears the values of an earlier try, as for the advice below.
    gatewayConfigurationId: null,
    gatewayName: null,
    schemeUsed: null,
    cardId: card?.id ?? null,
    tokenId: token?.id ?? null,
    cardChecks: null,
    errorCode: rejected.code,
    errorMessage: declineMessage(rejected.code),
    recommendationCode: null,
    merchantAdviceCode: null,
    retryAfter: null,
    updatedAt: deps.clock.now(),
  })
  operations.push(
    recordRejectedAuthorization(deps, unit, row, { command, amountMinor: invoice.amountMinor, code: rejected.code }),
  )
  await fireEvents(deps, unit, fires, { invoice, transaction: row, card, operations, refund: null })
  if (card !== null) forgetSecurityCode(unit, card)
  const answer: CommandAnswer = { kind: 'declined', code: rejected.code }
  keepAnswer(deps, unit, input, { answer, payment, transaction: row })
  return { kind: 'answered', answer, payment, transaction: row }
}

function gatewayFacts({ capabilities, authorizationValidityMs }: TransactionRow) {
  return { capabilities, authorizationValidityMs }
}

/** The last attempt that an earlier try of this activity wrote for the command, and its answer, if it has one. */
function earlierAttempt({ transaction, operations }: OpenedPayment, operationId: string) {
  const operation = lastAttemptOf(operations, operationId)
  if (transaction === null || operation === null) return null
  // An authorization that was rejected locally is its own result.
  if (!operation.isAttempt) return { operation, answer: answerOfResult(operation) }
  const result = finalResultOf(operations.filter(({ attemptOperationId }) => attemptOperationId === operation.id))
  return { operation, answer: result === null ? null : answerOfResult(result) }
}
