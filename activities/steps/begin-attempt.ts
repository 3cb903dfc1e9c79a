import { answerOfResult, type Command, type CommandAnswer } from '../../domain/command.ts'
import { decide } from '../../domain/decision.ts'
import type { GatewayOperationType } from '../../domain/operation.ts'
import { beginAttempt as begin, type Payment } from '../../domain/payment.ts'
import { holdCommand } from '../../domain/suspension.ts'
import type { FiredEvent } from '../../domain/webhook-event.ts'
import type { CardRow } from '../../src/persistence/entities/card.ts'
import type { InvoiceRow } from '../../src/persistence/entities/invoice.ts'
import type { InvoiceDetailRow } from '../../src/persistence/entities/invoice-detail.ts'
import { OperationEntity, type OperationRow } from '../../src/persistence/entities/operation.ts'
import type { RefundRow } from '../../src/persistence/entities/refund.ts'
import type { TransactionRow } from '../../src/persistence/entities/transaction.ts'
import type { EntityManager } from '../../src/persistence/orm.ts'
import { findCardOf } from '../../src/persistence/queries/customers/find-card.ts'
import { lockPayment } from '../../src/persistence/queries/payments/payment-lock.ts'
import { columnsOf, paymentOf } from '../../src/persistence/queries/payments/payment-rows.ts'
import type { PaymentActivityDeps } from '../dependencies.ts'
import { failures } from '../failures.ts'
import { type ChosenGateway, chooseGateway, gatewayNameOf } from '../gateway-calls/choose-gateway.ts'
import { claimDetails, findDetails } from '../rows/claim-details.ts'
import { refuseClientCapture } from '../rows/client-capture.ts'
import { openTransaction, refuseInstant, triedWith } from '../rows/open-transaction.ts'
import { recordAttempt, recordRequest } from '../rows/operation-rows.ts'
import { findRefundOf, recordRefund } from '../rows/refund-rows.ts'
import { claimSource, findSource, type Source } from '../rows/take-source.ts'
import type { StepInput } from '../step.ts'
import { findHindrance } from './hindrance.ts'
import { recordEvents } from './record-events.ts'
import { refusal } from './refusal.ts'
import { claimReply, keepReply } from './reply.ts'
import { refuseSelection, selectionProblem } from './selection-problem.ts'

/** Everything that the call to the gateway and the booking of its outcome need. */
export interface Attempt {
  invoice: InvoiceRow
  transaction: TransactionRow
  operation: OperationRow
  card: CardRow | null
  /** Where the attempt is made: of an older try of the payment, not where it is made now. */
  gatewayName: string
}

export type Beginning =
  /** The attempt is written; the gateway may be called, with the attempt's id as reference. */
  | { kind: 'begun'; attempt: Attempt; events: FiredEvent[] }
  /** The attempt was written by an earlier try of this activity, which ended before it booked an outcome. */
  | { kind: 'interrupted'; attempt: Attempt }
  /** Nothing is to be sent: the answer is known. */
  | { kind: 'answered'; answer: CommandAnswer; payment: Payment; gatewayName: string | null }

/** A command that a gateway is asked for. */
export type GatewayCommand = Exclude<Command, { kind: 'schedule-capture' }>

/** The kind of row that a command writes. */
export const OPERATION_OF = {
  authorize: 'authorization',
  capture: 'capture',
  increment: 'increment_authorization',
  void: 'void',
  refund: 'refund',
  release: 'void',
} as const satisfies Record<GatewayCommand['kind'], GatewayOperationType>

/** What a command turned out to need, once it may run. */
interface Permit {
  amountMinor: number
  /** Of an authorization. */
  gateway: ChosenGateway | null
  source: Source | null
  /** Of a capture or a refund by lines. */
  details: InvoiceDetailRow[] | null
}

/**
 * Decides under the lock whether the command may run, and if so writes and commits the attempt before anything
 * leaves the house. A repetition of the same command finds its own attempt and never writes a second one.
 */
export function beginAttempt(deps: PaymentActivityDeps, input: StepInput<GatewayCommand>): Promise<Beginning> {
  return deps.orm.em.fork().transactional((em) => beginInTransaction(deps, em, input))
}

async function beginInTransaction(
  deps: PaymentActivityDeps,
  em: EntityManager,
  input: StepInput<GatewayCommand>,
): Promise<Beginning> {
  const { command, payment: reference } = input
  const { projectId, invoiceId } = reference
  const locked = await lockPayment(em, { projectId, sandbox: reference.environment === 'sandbox', invoiceId })
  if (locked === null) throw failures.paymentNotFound(invoiceId)
  const { invoice, transaction } = locked
  const payment = paymentOf(invoice, transaction)
  const answered = (answer: CommandAnswer): Beginning => {
    return { kind: 'answered', answer, payment, gatewayName: transaction?.gatewayName ?? null }
  }

  const earlier = await findEarlierAttempt(em, command.operationId, transaction)
  if (earlier !== null) {
    const { transaction, operation, answer } = earlier
    if (answer !== null) {
      // A look-up books an outcome without knowing of the key.
      await keepReply(deps, em, input, { answer, payment, transaction, refund: await findRefundOf(em, operation) })
      return answered(answer)
    }
    const gatewayName = await gatewayNameOf(em, operation, transaction)
    const card = await findCardOf(em, operation)
    return { kind: 'interrupted', attempt: { invoice, transaction, operation, card, gatewayName } }
  }
  const hindrance = await findHindrance(deps, em, input)
  if (hindrance === 'too late') return answered(refusal('request.not-started'))
  if ((await claimReply(deps, em, input)) === 'taken') return answered({ kind: 'duplicate' })
  if (hindrance === 'suspended') return hold(deps, em, input, { transaction, payment })

  const permit = await findPermit(deps, em, input, { invoice, payment })
  if ('answer' in permit) {
    await keepReply(deps, em, input, { answer: permit.answer, payment, transaction })
    return answered(permit.answer)
  }
  return writeAttempt(deps, em, input, { invoice, transaction, payment, permit })
}

/** Keeps a command from its gateway while its project is suspended; the payment remembers what is to come again. */
async function hold(
  deps: PaymentActivityDeps,
  em: EntityManager,
  input: StepInput<GatewayCommand>,
  { transaction, payment }: { transaction: TransactionRow | null; payment: Payment },
): Promise<Beginning> {
  const { command, answers, at } = input
  const isSecondStep = answers.operationId !== command.operationId
  const held = holdCommand(payment, command, { isSecondStep, at })
  if (transaction !== null && held.payment !== payment)
    em.assign(transaction, { ...columnsOf(held.payment), updatedAt: deps.clock.now() })
  await keepReply(deps, em, input, { ...held, transaction })
  return { kind: 'answered', ...held, gatewayName: transaction?.gatewayName ?? null }
}

/** Everything that can still refuse, the claim of a card last of all, since a claim is for good. */
async function findPermit(
  deps: PaymentActivityDeps,
  em: EntityManager,
  { command, asOf }: StepInput<GatewayCommand>,
  { invoice, payment }: { invoice: InvoiceRow; payment: Payment },
): Promise<Permit | { answer: CommandAnswer }> {
  const decision = decide(payment, command, asOf)
  if (decision.kind === 'answer') return decision
  const { amountMinor } = decision
  if (command.kind === 'authorize') {
    if (command.currency !== invoice.currency)
      return { answer: refusal('request.validation.invalid-state', 'The invoice was changed meanwhile. Try again.') }
    const refused = refuseClientCapture(invoice, command) ?? (await refuseSelection(em, invoice, command, amountMinor))
    if (refused !== null) return { answer: refused }
    const gateway = await chooseGateway(deps, em, invoice, command)
    if ('kind' in gateway) return { answer: gateway }
    const source = await findSource(em, invoice, command)
    if ('kind' in source) return { answer: source }
    const refusedAtLast =
      refuseInstant(command, { invoice, gateway, source, asOf }) ?? (await claimSource(em, invoice, source))
    return refusedAtLast === null ? { amountMinor, gateway, source, details: null } : { answer: refusedAtLast }
  }
  const ids = detailIdsOf(command, payment)
  if (ids === null) return { amountMinor, gateway: null, source: null, details: null }
  const found = await findDetails(em, invoice, invoice.id, ids, command.kind === 'refund' ? 'refund' : 'capture')
  const problem = selectionProblem(found, amountMinor)
  if (problem === null && 'details' in found)
    return { amountMinor, gateway: null, source: null, details: found.details }
  // What the clock asks for must come to an end: what was scheduled is captured without the lines that are gone.
  if (problem === null || command.actor === 'scheduler')
    return { amountMinor, gateway: null, source: null, details: null }
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
  em: EntityManager,
  { command, at }: StepInput<GatewayCommand>,
  found: { invoice: InvoiceRow; transaction: TransactionRow | null; payment: Payment; permit: Permit },
): Promise<Beginning> {
  const { invoice, permit } = found
  const { amountMinor, gateway, source, details } = permit
  const row = found.transaction ?? (gateway === null ? null : openTransaction(deps, em, { invoice, gateway, at }))
  if (row === null) throw failures.paymentNotFound(invoice.id)
  const operations = found.transaction === null ? [recordRequest(deps, em, row, command)] : []

  if (command.kind === 'authorize' && gateway !== null && source !== null)
    em.assign(row, triedWith(row, { invoice, command, gateway, source }))
  const wanted =
    command.kind === 'authorize' && gateway !== null ? { ...command, incremental: gateway.incremental } : command
  // The row has just learned how long the authorization will hold and what its gateway can do.
  const payment = found.transaction === null ? { ...found.payment, ...gatewayFacts(row) } : paymentOf(invoice, row)
  const attempt = {
    operationId: command.operationId,
    type: OPERATION_OF[command.kind],
    amountMinor,
    isFinal: command.kind === 'capture' && command.isFinal,
    begunAt: at,
    isAbandoned: false,
    releases: command.kind === 'release' ? command.orphanOperationId : null,
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
    released: command.kind === 'release' ? await em.findOne(OperationEntity, { id: command.orphanOperationId }) : null,
  })
  if (details !== null) claimDetails(details, command.kind === 'refund' ? 'refund' : 'capture', operation.id)
  let refund: RefundRow | null = null
  if (command.kind === 'refund') refund = await recordRefund(deps, em, row, operation, command)
  const card = source === null ? await findCardOf(em, row) : source.card
  const events = await recordEvents(deps, em, fires, {
    invoice,
    transaction: row,
    card,
    operations: [...operations, operation],
    refund,
  })
  const gatewayName = await gatewayNameOf(em, operation, row)
  return { kind: 'begun', attempt: { invoice, transaction: row, operation, card, gatewayName }, events }
}

function gatewayFacts({ capabilities, authorizationValidityMs }: TransactionRow) {
  return { capabilities, authorizationValidityMs }
}

async function findEarlierAttempt(em: EntityManager, operationId: string, transaction: TransactionRow | null) {
  if (transaction === null) return null
  const rows = await em.find(OperationEntity, {
    transactionId: transaction.id,
    $or: [{ id: operationId }, { attemptOperationId: operationId }],
  })
  const operation = rows.find((row) => row.id === operationId)
  if (operation === undefined) return null
  const result = rows.find(
    (row) => row.attemptOperationId === operationId && (row.outcome === 'succeeded' || row.outcome === 'failed'),
  )
  return { operation, transaction, answer: result === undefined ? null : answerOfResult(result) }
}
