import { blockReasonOf, suspendCommand } from '../../domain/block-reason.ts'
import type { AuthorizeCommand, CommandAnswer, DecidedCommand, ScheduleCaptureCommand } from '../../domain/command.ts'
import { isBusyWithOther } from '../../domain/customer-action.ts'
import type { Decision } from '../../domain/decision.ts'
import { attemptInFlight } from '../../domain/look-up.ts'
import { beginAttempt as begin, hasSchedule, moveSchedule, type Payment, rejectLocally } from '../../domain/payment.ts'
import { GIVEN_UP } from '../../domain/reconcile.ts'
import { wallTime } from '../../domain/test-clock.ts'
import type { FiredEvent } from '../../domain/webhook-event.ts'
import type { InvoiceRow } from '../../src/persistence/entities/invoice.ts'
import type { OperationRow } from '../../src/persistence/entities/operation.ts'
import type { RefundRow } from '../../src/persistence/entities/refund.ts'
import type { TransactionRow } from '../../src/persistence/entities/transaction.ts'
import { recordAct } from '../../src/persistence/queries/audit/record-act.ts'
import { findCardOf } from '../../src/persistence/queries/customers/cards.ts'
import { type OpenedPayment, openPayment } from '../../src/persistence/queries/payments/open-payment.ts'
import { paymentOf } from '../../src/persistence/queries/payments/payment-rows.ts'
import { createVelocityRecord } from '../../src/persistence/queries/routing/velocity-records.ts'
import { transact, type Unit } from '../../src/persistence/transact.ts'
import { readVelocityValues } from '../../src/routing/facts.ts'
import type { PaymentActivityDeps } from '../dependencies.ts'
import { failures } from '../failures.ts'
import {
  type Beginning,
  type Begun,
  earlierRunOf,
  type GatewayCommand,
  isSecondStep,
  onPaymentClock,
  operationIdsOf,
  operationTypeOf,
  type Step,
  type StepInput,
  type StoredPayment,
} from './attempt.ts'
import { type AttemptPlan, isSaleAt, planAttempt, type RejectedLocally, termsAt } from './authorization-plan.ts'
import { answeredAttemptOf, beginContinuation } from './continue-attempt.ts'
import { attemptIdOf, commandOfAttempt, decideStep, earlierAttempt, hasBegunCapture, stepOf } from './decide-step.ts'
import { fireEvents } from './events.ts'
import { claimAnswer, keepAnswer } from './idempotency.ts'
import { recordOpened } from './record-outcome.ts'
import { refuseTooManyFailures } from './records/client-failures.ts'
import { declineMessage } from './records/decline-message.ts'
import { claimDetails, findDetails } from './records/details.ts'
import { openTransaction, triedWith } from './records/open-transaction.ts'
import { configurationOf, openedAttempt } from './records/opened-attempt.ts'
import { recordAttempt, recordRejectedAuthorization, recordRequest } from './records/operations.ts'
import { findRefundOf, recordRefund } from './records/refunds.ts'
import { cardIn, forgetSecurityCode, type Source } from './records/sources.ts'
import { NOTHING_SAID, writePayment } from './records/write-payment.ts'
import { refusal } from './refusal.ts'

/**
 * Decides under the payment's lock what the command means and whether it may run; if so, writes the attempt before the
 * gateway call. A repetition of the command finds its own attempt and never writes a second one.
 *
 * @returns also the step in the payment's own time, with the decided command.
 */
export async function beginAttempt(
  deps: PaymentActivityDeps,
  input: StepInput,
): Promise<Begun & Pick<StoredPayment, 'earlierRunId'> & { events: FiredEvent[] }> {
  const { result, announced } = await transact(deps.orm, async (unit) => {
    const opened = await open(deps, unit, input)
    // Read first: the attempt is written with the run that makes it.
    const earlier = earlierRunOf(opened.transaction, input.runId)
    return { ...(await beginInTransaction(deps, unit, onPaymentClock(input, opened.transaction), opened)), ...earlier }
  })
  return { ...result, events: announced }
}

async function open(deps: PaymentActivityDeps, unit: Unit, asked: StepInput): Promise<OpenedPayment> {
  const { command, payment: reference, isSecondStep: isCapture } = asked
  const { projectId, invoiceId } = reference
  const mayAuthorize = command.kind === 'pay' && isCapture !== true && (command.source ?? command.continues) != null
  const opened = await openPayment(unit, {
    projectId,
    sandbox: reference.environment === 'sandbox',
    invoiceId,
    operationIds: operationIdsOf(command),
    attemptId: null,
    authorization: mayAuthorize ? { cardId: cardIn(command), now: deps.clock.now() } : null,
  })
  if (opened === null) throw failures.paymentNotFound(invoiceId)
  return opened
}

async function beginInTransaction(
  deps: PaymentActivityDeps,
  unit: Unit,
  asked: StepInput,
  opened: OpenedPayment,
): Promise<Begun> {
  const { invoice, transaction } = opened
  const payment = paymentOf(invoice, transaction)

  const earlier = earlierAttempt(opened, attemptIdOf(asked))
  if (earlier !== null) return goOnWith(deps, unit, earlier, asked, opened, payment)
  const decided = decideStep(deps, asked, opened, payment)
  if ('answer' in decided) return { ...answeredWith(decided.answer, payment, transaction), step: null }
  const { step, decision } = decided
  return { ...(await beginDecided(deps, unit, step, { opened, payment, decision })), step }
}

/** Begins a step with a decided command. */
async function beginDecided(
  deps: PaymentActivityDeps,
  unit: Unit,
  step: Step,
  { opened, payment, decision }: { opened: OpenedPayment; payment: Payment; decision: Decision },
): Promise<Beginning> {
  const { command } = step
  const answered = (answer: CommandAnswer): Beginning => answeredWith(answer, payment, opened.transaction)
  // An earlier try of a new schedule leaves no operation, only the schedule.
  const isDone = command.kind === 'schedule-capture' && hasSchedule(payment, command)
  const begins = { hasBegun: isSecondStep(step), now: deps.clock.now().getTime() }
  const blockReason = blockReasonOf(command, opened.blocks, begins)
  if (blockReason === 'too late' && !isDone) return answered(refusal('request.not-started'))
  const refused =
    command.kind === 'authorize'
      ? await refuseAuthorization(deps, unit, command, { opened, isNew: decision.kind === 'proceed' })
      : null
  if (refused !== null) return answered(refused)
  if ((await claimAnswer(deps, unit, step)) === 'taken') return answered({ kind: 'duplicate' })
  const beginning =
    blockReason === 'suspended' && decision.kind !== 'answer'
      ? suspend(deps, unit, step, opened.transaction, payment)
      : await beginClaimed(deps, unit, step, { opened, payment, decision, isDone })
  if (beginning.kind === 'answered') await keepAnswer(deps, unit, step, beginning)
  return beginning
}

/** Begins a step whose key is claimed. Its answer, where it needs no gateway, is kept by the caller. */
async function beginClaimed(
  deps: PaymentActivityDeps,
  unit: Unit,
  step: Step,
  { isDone, ...found }: { opened: OpenedPayment; payment: Payment; decision: Decision; isDone: boolean },
): Promise<Beginning> {
  const { command } = step
  const { opened, payment } = found
  const { invoice, transaction } = opened
  if (isDone) return answeredWith({ kind: 'done' }, payment, transaction)
  if (command.kind === 'schedule-capture') return scheduleCapture(deps, unit, command, found)
  const plan = await planAttempt(deps, unit, { ...step, command }, found)
  if ('answer' in plan) return answeredWith(plan.answer, payment, transaction)
  if ('givesUp' in plan) return giveUp(deps, unit, step, opened, plan.givesUp)
  if ('continues' in plan) return beginContinuation(deps, unit, step, { opened, payment, attemptId: plan.continues })
  return 'rejected' in plan
    ? recordRejection(deps, unit, step, { invoice, transaction, payment, rejected: plan.rejected })
    : writeAttempt(deps, unit, { ...step, command }, { opened, payment, plan })
}

function answeredWith(answer: CommandAnswer, payment: Payment, transaction: TransactionRow | null) {
  return { kind: 'answered', answer, payment, transaction } as const
}

/** Goes on with the attempt that an earlier try of this step has written. */
async function goOnWith(
  deps: PaymentActivityDeps,
  unit: Unit,
  { operation, answer }: NonNullable<ReturnType<typeof earlierAttempt>>,
  asked: StepInput,
  opened: OpenedPayment,
  payment: Payment,
): Promise<Begun> {
  const { transaction } = opened
  const step = stepOf(asked, commandOfAttempt(asked, operation, opened, payment))
  const answered = (known: CommandAnswer) => ({ ...answeredWith(known, payment, transaction), step })
  if (answer !== null && hasBegunCapture(asked, opened)) return { ...answered(answer), goesOn: true }
  if (answer !== null) {
    // A look-up may have recorded the outcome; it does not know the idempotency key.
    await keepAnswer(deps, unit, step, { answer, payment, transaction, refund: await findRefundOf(unit, operation) })
    return answered(answer)
  }
  const attemptId = operation.type === 'three_d_s_check' ? answeredAttemptOf(transaction, operation) : operation.id
  if (attemptId === null) {
    // The gateway has asked for the next action already.
    await keepAnswer(deps, unit, step, { answer: { kind: 'pending' }, payment, transaction })
    return answered({ kind: 'pending' })
  }
  const attempt = await openedAttempt(unit, opened, attemptId)
  if (attempt === null) throw failures.attemptNotFound(attemptId)
  return { kind: 'interrupted', attempt, step }
}

/** Refuses an authorization before it claims its idempotency key. */
async function refuseAuthorization(
  deps: PaymentActivityDeps,
  unit: Unit,
  command: AuthorizeCommand,
  { opened, isNew }: { opened: OpenedPayment; isNew: boolean },
): Promise<CommandAnswer | null> {
  if (isBusyWithOther(opened.transaction, command.source)) return refusal('card.pending-3ds')
  return isNew ? refuseTooManyFailures(deps, unit, opened, command) : null
}

/** Moves or drops the scheduled capture. The workflow's timer follows; no gateway call is needed. */
async function scheduleCapture(
  deps: PaymentActivityDeps,
  unit: Unit,
  command: ScheduleCaptureCommand,
  { opened, payment, decision }: { opened: OpenedPayment; payment: Payment; decision: Decision },
): Promise<Beginning> {
  const { invoice, transaction } = opened
  if (decision.kind === 'answer') return answeredWith(decision.answer, payment, transaction)
  const { autoCaptureDetailIds: ids } = command
  const lines = ids === null ? null : await findDetails(unit, invoice, invoice.id, ids, 'capture')
  if (lines !== null && 'code' in lines) return answeredWith(refusal(lines.code, lines.message), payment, transaction)
  if (transaction === null) throw failures.paymentNotFound(invoice.id)
  const scheduled = moveSchedule(payment, command)
  writePayment(deps, unit, transaction, scheduled)
  const at = command.autoCaptureAt === null ? null : new Date(command.autoCaptureAt).toISOString()
  const facts = { auto_capture_at: at, amount_minor: command.autoCaptureAmountMinor, detail_ids: ids }
  await recordPersonsAct(unit, invoice, command, 'payment.capture-scheduled', facts)
  return answeredWith({ kind: 'done' }, scheduled, transaction)
}

/** Writes into the audit log which person has done what leaves no attempt, which would name the person. */
async function recordPersonsAct(
  unit: Unit,
  { id: invoiceId, projectId, sandbox }: InvoiceRow,
  { personId, operationId }: DecidedCommand,
  kind: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  if (personId === undefined) return
  const facts = { invoice_id: invoiceId, operation_id: operationId, ...more }
  await recordAct(unit, { projectId, sandbox, kind, actor: `person:${personId}`, facts })
}

/** Voids a payment whose authorization has no outcome yet: closes the attempt without a gateway call. */
async function giveUp(
  deps: PaymentActivityDeps,
  unit: Unit,
  input: Step,
  opened: OpenedPayment,
  attemptId: string,
): Promise<Beginning> {
  const { actor } = input.command
  const ending = { attemptId, outcome: GIVEN_UP, at: input.at, actor, closedBy: 'merchant', step: null } as const
  const { payment } = await recordOpened(deps, unit, opened, ending)
  await recordPersonsAct(unit, opened.invoice, input.command, 'payment.given-up')
  return answeredWith({ kind: 'done' }, payment, opened.transaction)
}

/** Answers a command of a suspended project without a gateway call. A scheduled capture is postponed. */
function suspend(
  deps: PaymentActivityDeps,
  unit: Unit,
  step: Step,
  transaction: TransactionRow | null,
  payment: Payment,
): Beginning {
  const { command, at } = step
  const held = suspendCommand(payment, command, { isSecondStep: isSecondStep(step), at })
  if (transaction !== null && held.payment !== payment) writePayment(deps, unit, transaction, held.payment)
  return answeredWith(held.answer, held.payment, transaction)
}

/** Writes the attempt of an allowed command, with everything that follows from it. The call comes after the commit. */
export async function writeAttempt(
  deps: PaymentActivityDeps,
  unit: Unit,
  { command, at, runId }: Pick<Step<GatewayCommand>, 'command' | 'at'> & { runId: string | null },
  { opened, payment: found, plan }: { opened: OpenedPayment; payment: Payment; plan: AttemptPlan },
): Promise<Extract<Beginning, { kind: 'begun' }>> {
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
  const isSale = routed !== null && isSaleAt(routed.gateway, amountMinor)
  const attempt = attemptInFlight({
    operationId: command.operationId,
    type: operationTypeOf(command, payment),
    amountMinor,
    isFinal: command.kind === 'capture' && command.isFinal,
    isSale,
    reverses: command.kind === 'reverse-orphan' ? command.orphanOperationId : null,
    begunAt: at,
  })
  const { payment: begun, fires } = begin(payment, attempt, wanted)
  writePayment(deps, unit, row, begun, { workflowRunId: runId })

  const detailIds = details?.map(({ id }) => id) ?? null
  const operation = recordAttempt(deps, unit, row, {
    command,
    type: attempt.type,
    before: payment,
    amountMinor,
    isSale,
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
    values: readVelocityValues({ invoice, source }),
    isOfClient: command.actor === 'client',
    at: new Date(at),
    now: clock.now(),
  })
}

/** Records an authorization that a routing rule rejected. Its operation has the id of the command. */
async function recordRejection(
  deps: PaymentActivityDeps,
  unit: Unit,
  input: Step,
  found: { invoice: InvoiceRow; transaction: TransactionRow | null; payment: Payment; rejected: RejectedLocally },
): Promise<Beginning> {
  const { command, at, runId } = input
  const { invoice, rejected } = found
  const { card, token } = rejected.source
  const row = found.transaction ?? openTransaction(deps, unit, { invoice, at })
  const operations = found.transaction === null ? [recordRequest(deps, unit, row, command)] : []
  const isBlocked = rejected.code === 'routing-rules.transaction-blocked'
  const { payment, fires } = rejectLocally(found.payment, isBlocked ? 'refused-by-rule' : 'authorization-declined')
  writePayment(deps, unit, row, payment, {
    ...NOTHING_SAID,
    ...rejected.routedBy,
    workflowRunId: runId,
    gatewayConfigurationId: null,
    gatewayName: null,
    schemeUsed: null,
    cardId: card?.id ?? null,
    tokenId: token?.id ?? null,
    errorCode: rejected.code,
    errorMessage: declineMessage(rejected.code),
  })
  operations.push(
    recordRejectedAuthorization(deps, unit, row, { command, amountMinor: invoice.amountMinor, code: rejected.code }),
  )
  await fireEvents(deps, unit, fires, { invoice, transaction: row, card, operations, refund: null })
  if (card !== null) forgetSecurityCode(unit, card)
  return answeredWith({ kind: 'declined', code: rejected.code }, payment, row)
}

function gatewayFacts({ capabilities, authorizationValidityMs }: TransactionRow) {
  return { capabilities, authorizationValidityMs }
}
