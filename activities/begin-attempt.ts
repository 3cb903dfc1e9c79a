import { answerOfResult, type Command, type CommandAnswer } from '../domain/command.ts'
import { decide } from '../domain/decision.ts'
import { ERRORS, type ErrorCode } from '../domain/errors.ts'
import { makeIdentifier } from '../domain/identifiers.ts'
import type { GatewayOperationType } from '../domain/operation.ts'
import { beginAttempt as begin, type Payment } from '../domain/payment.ts'
import { chooseScheme } from '../domain/scheme.ts'
import { CardEntity, type CardRow } from '../src/persistence/entities/card.ts'
import {
  GatewayConfigurationEntity,
  type GatewayConfigurationRow,
} from '../src/persistence/entities/gateway-configuration.ts'
import type { InvoiceRow } from '../src/persistence/entities/invoice.ts'
import { OperationEntity, type OperationRow } from '../src/persistence/entities/operation.ts'
import { TransactionEntity, type TransactionRow } from '../src/persistence/entities/transaction.ts'
import type { EntityManager } from '../src/persistence/orm.ts'
import { findCardOf } from '../src/persistence/queries/find-card.ts'
import { lockPayment } from '../src/persistence/queries/payment-lock.ts'
import { columnsOf, paymentOf } from '../src/persistence/queries/payment-rows.ts'
import type { PaymentActivityDeps } from './dependencies.ts'
import { failures } from './failures.ts'
import { type RecordedEvent, recordEvents } from './record-events.ts'
import type { StepInput } from './step.ts'
import { isTooLate } from './too-late.ts'

/** Everything that the call to the gateway and the booking of its outcome need. */
export interface Attempt {
  invoice: InvoiceRow
  transaction: TransactionRow
  operation: OperationRow
  card: CardRow | null
}

export type Beginning =
  /** The attempt is written; the gateway may be called, with the attempt's id as reference. */
  | { kind: 'begun'; attempt: Attempt; events: RecordedEvent[] }
  /** The attempt was written by an earlier try of this activity, which ended before it booked an outcome. */
  | { kind: 'interrupted'; attempt: Attempt }
  /** Nothing is to be sent: the answer is known. */
  | { kind: 'answered'; answer: CommandAnswer; payment: Payment; gatewayName: string | null }

/** The kind of row that a command writes. */
export const OPERATION_OF: Record<Exclude<Command['kind'], 'schedule-capture'>, GatewayOperationType> = {
  authorize: 'authorization',
  capture: 'capture',
  increment: 'increment_authorization',
  void: 'void',
}

/** A command that a gateway is asked for. */
export type GatewayCommand = Exclude<Command, { kind: 'schedule-capture' }>

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
  const { command, at, asOf, payment: reference } = input
  const { projectId, invoiceId } = reference
  const sandbox = reference.environment === 'sandbox'
  const locked = await lockPayment(em, { projectId, sandbox, invoiceId })
  if (locked === null) throw failures.paymentNotFound(invoiceId)
  const { invoice, transaction } = locked
  const payment = paymentOf(invoice, transaction)
  const answered = (answer: CommandAnswer): Beginning => ({
    kind: 'answered',
    answer,
    payment,
    gatewayName: transaction?.gatewayName ?? null,
  })
  const refused = (code: ErrorCode, message: string = ERRORS[code].message) =>
    answered({ kind: 'refused', code, message })

  const earlier = await findEarlierAttempt(em, command.operationId, transaction)
  if (earlier !== null) {
    if (earlier.answer !== null) return answered(earlier.answer)
    const { transaction, operation } = earlier
    return { kind: 'interrupted', attempt: { invoice, transaction, operation, card: await findCardOf(em, operation) } }
  }
  if (await isTooLate(deps, em, command)) return refused('request.not-started')

  const decision = decide(payment, command, asOf)
  if (decision.kind === 'answer') return answered(decision.answer)
  const gateway = command.kind === 'authorize' ? await findGateway(em, invoice) : null
  if (transaction === null && gateway === null) return refused('request.configuration.missing-gateway-configuration')
  // Last of all that can refuse: a card is claimed for good, so only by an attempt that is written with the claim.
  let card: CardRow | null = null
  if (command.kind === 'authorize') {
    const taken = await takeCard(em, reference, command.source ?? '')
    if (typeof taken === 'string') return refused(taken)
    card = taken
  }
  const row = transaction ?? (gateway === null ? null : openTransaction(deps, em, { invoice, gateway, at }))
  if (row === null) throw failures.paymentNotFound(invoiceId)

  const type = OPERATION_OF[command.kind]
  const { payment: begun, fires } = begin(payment, { operationId: command.operationId, type }, command, at)
  if (transaction === null) recordRequest(deps, em, row, command)
  em.assign(row, { ...columnsOf(begun), updatedAt: deps.clock.now() })
  if (command.kind === 'authorize' && card !== null) {
    em.assign(row, {
      cardId: card.id,
      schemeUsed: chooseScheme({ scheme: card.scheme, coScheme: card.coScheme ?? null }, [
        command.preferredScheme,
        card.preferredScheme,
        gateway?.defaultPreferredScheme,
      ]),
      initialSchemeTransactionId: command.initialSchemeTransactionId,
      attemptsCount: row.attemptsCount + 1,
      errorCode: null,
      errorMessage: null,
      recommendationCode: null,
    })
  }
  const operation = em.create(OperationEntity, {
    ...operationDefaults(row, command, deps.clock.now()),
    id: command.operationId,
    type,
    isAttempt: true,
    begunAt: new Date(at),
    amountMinor: decision.amountMinor,
    targetTotalMinor: command.kind === 'increment' ? payment.authorizedMinor + decision.amountMinor : null,
    cardId: row.cardId ?? null,
    initialSchemeTransactionId: command.kind === 'authorize' ? command.initialSchemeTransactionId : null,
    metadata: command.kind === 'void' && command.reason !== null ? { reason: command.reason } : {},
  })
  const events = recordEvents(deps, em, fires, { invoice, transaction: row, card, operations: [operation] })
  return { kind: 'begun', attempt: { invoice, transaction: row, operation, card }, events }
}

/** The columns that every operation of a transaction shares. */
export function operationDefaults(row: TransactionRow, { actor }: Pick<Command, 'actor'>, createdAt: Date) {
  return {
    projectId: row.projectId,
    sandbox: row.sandbox,
    transactionId: row.id,
    hasFailed: false,
    isAccountable: false,
    currency: row.currency,
    gatewayConfigurationId: row.gatewayConfigurationId,
    actor,
    metadata: {},
    createdAt,
  }
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

/** Claims the card for this invoice; a card pays one invoice only, however often that invoice is tried. */
async function takeCard(
  em: EntityManager,
  { projectId, environment, invoiceId }: StepInput['payment'],
  source: string,
): Promise<CardRow | ErrorCode> {
  const card = await em.findOne(CardEntity, { id: source, projectId, sandbox: environment === 'sandbox' })
  if (card === null) return 'resource.card.not-found'
  if (card.usedByInvoiceId == null) {
    const claimed = await em.nativeUpdate(
      CardEntity,
      { id: source, usedByInvoiceId: null },
      { usedByInvoiceId: invoiceId },
    )
    if (claimed === 1) return card
    await em.refresh(card)
  }
  return card.usedByInvoiceId === invoiceId ? card : 'request.source.card-already-used'
}

/** The gateway for a new authorization: the first that the project has enabled in this environment. */
async function findGateway(
  em: EntityManager,
  { projectId, sandbox }: InvoiceRow,
): Promise<GatewayConfigurationRow | null> {
  return em.findOne(
    GatewayConfigurationEntity,
    { projectId, sandbox, enabled: true },
    { orderBy: { createdAt: 'asc', id: 'asc' } },
  )
}

function openTransaction(
  { randomBytes }: PaymentActivityDeps,
  em: EntityManager,
  { invoice, gateway, at }: { invoice: InvoiceRow; gateway: GatewayConfigurationRow; at: number },
): TransactionRow {
  const { projectId, sandbox } = invoice
  return em.create(TransactionEntity, {
    id: makeIdentifier('transaction', randomBytes),
    projectId,
    sandbox,
    invoiceId: invoice.id,
    gatewayConfigurationId: gateway.id,
    gatewayName: gateway.gatewayName,
    name: invoice.name,
    currency: invoice.currency,
    status: 'waiting',
    amountMinor: invoice.amountMinor,
    authorizedMinor: 0,
    capturedMinor: 0,
    voidedMinor: 0,
    refundedMinor: 0,
    incrementedMinor: 0,
    incremental: invoice.incremental,
    incrementAttempts: 0,
    attemptsCount: 0,
    expired: false,
    eventCount: 0,
    metadata: invoice.metadata,
    // Its dates are of one clock, the payment's own, so that it is never authorized before it was created.
    createdAt: new Date(at),
    updatedAt: new Date(at),
  })
}

function recordRequest(
  { clock, randomBytes }: PaymentActivityDeps,
  em: EntityManager,
  row: TransactionRow,
  command: Command,
): void {
  em.create(OperationEntity, {
    ...operationDefaults(row, command, clock.now()),
    id: makeIdentifier('operation', randomBytes),
    type: 'request',
    isAttempt: false,
    outcome: 'succeeded',
    amountMinor: row.amountMinor,
  })
}
