import { answerOfResult, type CommandAnswer } from '../../domain/command.ts'
import { decide, withinApproved } from '../../domain/decision.ts'
import { firstLookUp } from '../../domain/look-up.ts'
import type { Outcome } from '../../domain/operation.ts'
import { dueSince, isOwnStep } from '../../domain/own-step.ts'
import { beginAttempt as begin, endUnsent, type Payment } from '../../domain/payment.ts'
import { holdCommand } from '../../domain/suspension.ts'
import type { FiredEvent } from '../../domain/webhook-event.ts'
import type { InvoiceRow } from '../../src/persistence/entities/invoice.ts'
import type { InvoiceDetailRow } from '../../src/persistence/entities/invoice-detail.ts'
import type { RefundRow } from '../../src/persistence/entities/refund.ts'
import type { TransactionRow } from '../../src/persistence/entities/transaction.ts'
import type { EntityManager } from '../../src/persistence/orm.ts'
import { findCardOf } from '../../src/persistence/queries/customers/find-card.ts'
import { finalResultOf, lastAttemptOf } from '../../src/persistence/queries/payments/last-attempt.ts'
import { type OpenedPayment, openPayment } from '../../src/persistence/queries/payments/open-payment.ts'
import { columnsOf, paymentOf } from '../../src/persistence/queries/payments/payment-rows.ts'
import { markAttempt } from '../../src/persistence/queries/routing/attempt-marks.ts'
import { transact, type Unit } from '../../src/persistence/transact.ts'
import { velocityValuesOf } from '../../src/routing/facts.ts'
import { requireDue } from '../authenticity.ts'
import type { PaymentActivityDeps } from '../dependencies.ts'
import { failures } from '../failures.ts'
import {
  type Attempt,
  type GatewayCommand,
  isSecondStep,
  OPERATION_OF,
  operationIdsOf,
  type StepInput,
} from './attempt.ts'
import { refuseClientCapture } from './client-capture.ts'
import { gatherEvents } from './events.ts'
import { hindranceOf } from './hindrance.ts'
import { claimReply, keepReply } from './idempotency.ts'
import { finishOpened } from './record-outcome.ts'
import { refuseTooManyFailures } from './records/client-failures.ts'
import { configurationOf } from './records/configurations.ts'
import { declineMessage } from './records/decline-message.ts'
import { claimDetails, findDetails } from './records/details.ts'
import { openTransaction, refuseInstant, triedWith } from './records/open-transaction.ts'
import { recordAttempt, recordRequest, recordUnsent } from './records/operations.ts'
import { findRefundOf, recordRefund } from './records/refunds.ts'
import { cardIn, claimSource, findSource, forgetSecurityCode, type Source } from './records/sources.ts'
import { refusal } from './refusal.ts'
import { type RoutedPayment, routePayment } from './route-payment.ts'
import { refuseSelection, selectionProblem } from './selection-problem.ts'

export type Beginning =
  /** The attempt is written; the gateway may be called, with the attempt's id as reference. */
  | { kind: 'begun'; attempt: Attempt }
  /** The attempt was written by an earlier try of this activity, which ended before it booked an outcome. */
  | { kind: 'interrupted'; attempt: Attempt }
  /** Nothing is to be sent: the answer is known. */
  | { kind: 'answered'; answer: CommandAnswer; payment: Payment; transaction: TransactionRow | null }

/** An authorization that goes to a gateway, with what it is charged to. */
type Routed = Extract<RoutedPayment, { kind: 'routed' }> & { source: Source }

/** An authorization that a routing rule keeps from every gateway. */
type Unsent = Extract<RoutedPayment, { kind: 'unsent' }> & { source: Source }

/** What a command turned out to need, once it may run. */
interface Permit {
  amountMinor: number
  /** Of an authorization. */
  routed: Routed | null
  /** Of a capture or a refund by lines. */
  details: InvoiceDetailRow[] | null
}

/**
 * Decides under the lock whether the command may run, and if so writes and commits the attempt before anything
 * leaves the house. A repetition of the same command finds its own attempt and never writes a second one.
 */
export async function beginAttempt(
  deps: PaymentActivityDeps,
  input: StepInput<GatewayCommand>,
): Promise<Beginning & { events: FiredEvent[] }> {
  const { result, announced } = await transact(deps.orm, (unit) => beginInTransaction(deps, unit, input))
  return { ...result, events: announced }
}

async function beginInTransaction(
  deps: PaymentActivityDeps,
  unit: Unit,
  asked: StepInput<GatewayCommand>,
): Promise<Beginning> {
  const { em } = unit
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
  const { invoice, transaction } = opened
  const payment = paymentOf(invoice, transaction)
  const answered = (answer: CommandAnswer): Beginning => ({ kind: 'answered', answer, payment, transaction })

  const earlier = earlierAttempt(opened, command.operationId)
  if (earlier !== null) {
    const { transaction, operation, answer } = earlier
    if (answer !== null) {
      // A look-up books an outcome without knowing of the key.
      keepReply(deps, unit, asked, { answer, payment, transaction, refund: await findRefundOf(em, operation) })
      return answered(answer)
    }
    const configuration = await configurationOf(em, operation, transaction, opened.gatewayConfigurations)
    const card = await findCardOf(em, operation)
    return { kind: 'interrupted', attempt: { invoice, transaction, operation, card, configuration, source: null } }
  }
  const input = asTheRecordHasIt(deps, asked, opened, payment)
  if ('answer' in input) return answered(input.answer)
  const isSecond = isSecondStep(input)
  const hasBegun = isSecond && lastAttemptOf(opened.operations, input.answers.operationId) !== null
  const hindrance = hindranceOf(deps, input, opened.hindrances, { hasBegun })
  if (hindrance === 'too late') {
    const answer = refusal('request.not-started')
    // The first step of a sale that was overtaken has taken the key, and nothing else would give it back.
    const hasKey = isSecond && (await claimReply(deps, em, input)) === 'claimed'
    if (hasKey) keepReply(deps, unit, input, { answer, payment, transaction })
    return answered(answer)
  }
  const refused =
    command.kind === 'authorize' && decide(payment, command, input.asOf).kind !== 'answer'
      ? await refuseTooManyFailures(deps, unit, opened, command)
      : null
  if (refused !== null) return answered(refused)
  if ((await claimReply(deps, em, input)) === 'taken') return answered({ kind: 'duplicate' })
  if (hindrance === 'suspended') return hold(deps, unit, input, { transaction, payment })

  const permit = await findPermit(deps, em, input, { opened, payment })
  if ('answer' in permit) {
    keepReply(deps, unit, input, { answer: permit.answer, payment, transaction })
    return answered(permit.answer)
  }
  if ('givesUp' in permit) return giveUp(deps, unit, input, opened, permit.givesUp)
  return 'unsent' in permit
    ? endWithoutAttempt(deps, unit, input, { invoice, transaction, payment, unsent: permit.unsent })
    : writeAttempt(deps, unit, input, { opened, payment, permit })
}

const NOT_DUE = 'The payment asks for something else by now, or for nothing.'

/**
 * What of a step follows from the record is taken from there, whatever was asked for: whether a step of our own is due, and
 * since when; how much the capture of a sale may take of what its own authorization was approved for. A client captures
 * nothing but what it has authorized itself.
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
    if (asOf === null) return { answer: refusal('request.validation.invalid-state', NOT_DUE) }
    requireDue(deps, asked.payment, asOf)
    return { ...asked, asOf }
  }
  if (command.kind !== 'capture' || answers.operationId === command.operationId) return asked
  const isApproved = earlierAttempt(opened, answers.operationId)?.answer?.kind === 'done'
  if (isApproved) return { ...asked, command: withinApproved(command, payment) }
  return command.actor === 'client' ? { answer: { kind: 'unchanged' } } : asked
}

const GIVEN_UP: Outcome = { kind: 'declined', code: 'gateway.unknown-error', gatewayCode: 'GIVEN_UP' }

/** Voids a payment whose authorization has no outcome: nothing is sent, and that attempt is closed. */
async function giveUp(
  deps: PaymentActivityDeps,
  unit: Unit,
  input: StepInput<GatewayCommand>,
  opened: OpenedPayment,
  attemptId: string,
): Promise<Beginning> {
  const { actor } = input.command
  const ending = { attemptId, outcome: GIVEN_UP, at: input.at, actor, closedBy: 'merchant', step: null } as const
  const { payment } = await finishOpened(deps, unit, opened, ending)
  const { transaction } = opened
  const answer = { kind: 'done' } as const
  keepReply(deps, unit, input, { answer, payment, transaction })
  return { kind: 'answered', answer, payment, transaction }
}

/** Keeps a command from its gateway while its project is suspended; the payment remembers what is to come again. */
function hold(
  deps: PaymentActivityDeps,
  unit: Unit,
  input: StepInput<GatewayCommand>,
  { transaction, payment }: { transaction: TransactionRow | null; payment: Payment },
): Beginning {
  const { command, at } = input
  const held = holdCommand(payment, command, { isSecondStep: isSecondStep(input), at })
  if (transaction !== null && held.payment !== payment)
    unit.em.assign(transaction, { ...columnsOf(held.payment), updatedAt: deps.clock.now() })
  keepReply(deps, unit, input, { ...held, transaction })
  return { kind: 'answered', ...held, transaction }
}

/** Everything that can still refuse, the claim of a card last of all, since a claim is for good. */
async function findPermit(
  deps: PaymentActivityDeps,
  em: EntityManager,
  { command, at, asOf }: StepInput<GatewayCommand>,
  { opened, payment }: { opened: OpenedPayment; payment: Payment },
): Promise<Permit | { unsent: Unsent } | { givesUp: string } | { answer: CommandAnswer }> {
  const { invoice, activeRuleSetId, gatewayConfigurations: configurations } = opened
  const decision = decide(payment, command, asOf)
  if (decision.kind === 'answer') return decision
  if (decision.kind === 'give up') return { givesUp: decision.operationId }
  const { amountMinor } = decision
  if (command.kind === 'authorize') {
    if (command.currency !== invoice.currency)
      return { answer: refusal('request.validation.invalid-state', 'The invoice was changed meanwhile. Try again.') }
    const refused = refuseClientCapture(invoice, command) ?? (await refuseSelection(em, invoice, command, amountMinor))
    if (refused !== null) return { answer: refused }
    const source = await findSource(em, invoice, command, opened.source?.card ?? null)
    if ('kind' in source) return { answer: source }
    const routed = await routePayment(deps, em, { invoice, command, source, at, activeRuleSetId, configurations })
    if (routed.kind === 'refused') return { answer: routed }
    const lateInstant =
      routed.kind === 'routed' ? refuseInstant(command, { invoice, gateway: routed.gateway, source, asOf }) : null
    if (lateInstant !== null) return { answer: lateInstant }
    claimSource(invoice, source)
    return routed.kind === 'unsent'
      ? { unsent: { ...routed, source } }
      : { amountMinor, routed: { ...routed, source }, details: null }
  }
  const ids = detailIdsOf(command, payment)
  if (ids === null) return { amountMinor, routed: null, details: null }
  const found = await findDetails(em, invoice, invoice.id, ids, command.kind === 'refund' ? 'refund' : 'capture')
  const problem = selectionProblem(found, amountMinor)
  if (problem === null && 'details' in found) return { amountMinor, routed: null, details: found.details }
  // What the clock asks for must come to an end: what was scheduled is captured without the lines that are gone.
  if (problem === null || command.actor === 'scheduler') return { amountMinor, routed: null, details: null }
  return { answer: problem }
}

/** The lines that a capture or a refund names; a capture of everything takes those chosen with the authorization. */
function detailIdsOf(command: GatewayCommand, payment: Payment): string[] | null {
  if (command.kind === 'refund') return command.detailIds
  if (command.kind !== 'capture') return null
  return command.detailIds ?? (command.amountMinor === null ? payment.autoCaptureDetailIds : null)
}

async function writeAttempt(
  deps: PaymentActivityDeps,
  unit: Unit,
  { command, at }: StepInput<GatewayCommand>,
  { opened, payment: found, permit }: { opened: OpenedPayment; payment: Payment; permit: Permit },
): Promise<Beginning> {
  const { em } = unit
  const { invoice } = opened
  const { amountMinor, routed, details } = permit
  const row = opened.transaction ?? (routed === null ? null : openTransaction(deps, em, { invoice, at }))
  if (row === null) throw failures.paymentNotFound(invoice.id)
  const operations = opened.transaction === null ? [recordRequest(deps, em, row, command)] : []

  if (command.kind === 'authorize' && routed !== null)
    em.assign(row, { ...triedWith(row, { invoice, command, ...routed }), ...routed.routedBy })
  const wanted =
    command.kind === 'authorize' && routed !== null ? { ...command, incremental: routed.gateway.incremental } : command
  // The row has just learned how long the authorization will hold and what its gateway can do.
  const payment = opened.transaction === null ? { ...found, ...gatewayFacts(row) } : paymentOf(invoice, row)
  const attempt = {
    operationId: command.operationId,
    type: OPERATION_OF[command.kind],
    amountMinor,
    isFinal: command.kind === 'capture' && command.isFinal,
    begunAt: at,
    isAbandoned: false,
    releases: command.kind === 'release' ? command.orphanOperationId : null,
    ...firstLookUp(at),
  }
  const { payment: begun, fires } = begin(payment, attempt, wanted)
  em.assign(row, { ...columnsOf(begun), updatedAt: deps.clock.now() })

  const detailIds = details?.map(({ id }) => id) ?? null
  const operation = recordAttempt(deps, em, row, {
    command,
    type: attempt.type,
    before: payment,
    amountMinor,
    at,
    detailIds,
    released:
      opened.operations.find(({ id }) => command.kind === 'release' && id === command.orphanOperationId) ?? null,
    route: routed?.remaining ?? null,
  })
  if (routed !== null) {
    const { source } = routed
    markAttempt(em, invoice, {
      operationId: operation.id,
      invoiceId: invoice.id,
      values: velocityValuesOf({ invoice, source }),
      isOfClient: command.actor === 'client',
      at: new Date(at),
      now: deps.clock.now(),
    })
  }
  if (details !== null) claimDetails(details, command.kind === 'refund' ? 'refund' : 'capture', operation.id)
  let refund: RefundRow | null = null
  if (command.kind === 'refund') refund = await recordRefund(deps, em, row, operation, command)
  const card = routed === null ? await findCardOf(em, row) : routed.source.card
  await gatherEvents(deps, unit, fires, {
    invoice,
    transaction: row,
    card,
    operations: [...operations, operation],
    gatewayConfigurations: opened.gatewayConfigurations,
    refund,
  })
  const configuration =
    routed?.gateway.configuration ?? (await configurationOf(em, operation, row, opened.gatewayConfigurations))
  operation.accountVersion = configuration.accountVersion
  const source = routed === null ? null : opened.source
  return { kind: 'begun', attempt: { invoice, transaction: row, operation, card, configuration, source } }
}

/** Books an authorization that a routing rule keeps from every gateway: its operation has the id of the command. */
async function endWithoutAttempt(
  deps: PaymentActivityDeps,
  unit: Unit,
  input: StepInput<GatewayCommand>,
  found: { invoice: InvoiceRow; transaction: TransactionRow | null; payment: Payment; unsent: Unsent },
): Promise<Beginning> {
  const { em } = unit
  const { command, at } = input
  const { invoice, unsent } = found
  const { card, token } = unsent.source
  const row = found.transaction ?? openTransaction(deps, em, { invoice, at })
  const operations = found.transaction === null ? [recordRequest(deps, em, row, command)] : []
  const isBlocked = unsent.code === 'routing-rules.transaction-blocked'
  const { payment, fires } = endUnsent(found.payment, isBlocked ? 'refused-by-rule' : 'authorization-declined')
  em.assign(row, {
    ...columnsOf(payment),
    ...unsent.routedBy,
    // Of an earlier try, like the advice further down.
    gatewayConfigurationId: null,
    gatewayName: null,
    schemeUsed: null,
    cardId: card?.id ?? null,
    tokenId: token?.id ?? null,
    errorCode: unsent.code,
    errorMessage: declineMessage(unsent.code),
    recommendationCode: null,
    merchantAdviceCode: null,
    retryAfter: null,
    updatedAt: deps.clock.now(),
  })
  operations.push(recordUnsent(deps, em, row, { command, amountMinor: invoice.amountMinor, code: unsent.code }))
  await gatherEvents(deps, unit, fires, { invoice, transaction: row, card, operations, refund: null })
  if (card !== null) forgetSecurityCode(unit, card)
  const answer: CommandAnswer = { kind: 'declined', code: unsent.code }
  keepReply(deps, unit, input, { answer, payment, transaction: row })
  return { kind: 'answered', answer, payment, transaction: row }
}

function gatewayFacts({ capabilities, authorizationValidityMs }: TransactionRow) {
  return { capabilities, authorizationValidityMs }
}

/** What an earlier try of this activity has written: the last attempt of the command, and its answer where there is one. */
function earlierAttempt({ transaction, operations }: OpenedPayment, operationId: string) {
  const operation = lastAttemptOf(operations, operationId)
  if (transaction === null || operation === null) return null
  // One that never went to a gateway is its own result.
  if (!operation.isAttempt) return { operation, transaction, answer: answerOfResult(operation) }
  const result = finalResultOf(operations.filter(({ attemptOperationId }) => attemptOperationId === operation.id))
  return { operation, transaction, answer: result === null ? null : answerOfResult(result) }
}
