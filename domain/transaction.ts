import type { DisputeStep } from './dispute.ts'
import type { EventName } from './webhook-event.ts'

/** Every status that the interface knows, as it is written there. */
export const TRANSACTION_STATUSES = [
  'waiting',
  'pending',
  'authorized',
  'pending-capture',
  'completed',
  'failed',
  'voided',
  'partially-refunded',
  'refunded',
  'in-review',
  'blocked',
  'retrieval-request',
  'fraud-notification',
  'chargeback-initiated',
  'solved',
  'reversed',
] as const

export type TransactionStatus = (typeof TRANSACTION_STATUSES)[number]

/** What can happen to a transaction. */
export type TransactionTrigger =
  | 'authorization-requested'
  | 'authorization-approved'
  | 'authorization-pending'
  | 'authorization-declined'
  | 'authorization-given-up'
  | 'refused-by-rule'
  | 'sale-approved'
  | 'increment-approved'
  | 'increment-declined'
  | 'increment-pending'
  | 'capture-approved'
  | 'capture-pending'
  | 'capture-declined'
  | 'capture-declined-another-open'
  | 'capture-reversed'
  | 'capture-reversed-rest-refunded'
  | 'capture-reversed-in-full'
  | 'capture-reversed-another-open'
  | 'partial-void-approved'
  | 'full-void-approved'
  | 'void-pending'
  | 'void-declined'
  | 'partial-refund-approved'
  | 'full-refund-approved'
  | 'refund-pending'
  | 'refund-declined'
  | 'refund-reversed-in-part'
  | 'refund-reversed-in-full'
  | DisputeStep

export interface Transition {
  from: TransactionStatus | null
  trigger: TransactionTrigger
  to: TransactionStatus
  fires: readonly EventName[]
}

/** Money was taken and is not given back whole. */
const PAID = ['completed', 'partially-refunded', 'retrieval-request', 'fraud-notification', 'solved'] as const

/** A chargeback says more than a refund, whichever came first. */
const CHARGED = ['chargeback-initiated', 'solved', 'reversed'] as const
const UNCHARGED = ['completed', 'partially-refunded', 'retrieval-request', 'fraud-notification'] as const

/** Every status that follows a capture. */
const CAPTURED = [...PAID, 'refunded', 'chargeback-initiated', 'reversed'] as const

/** Money was taken, and the status says of no refund. */
const NOT_REFUNDED = [
  'completed',
  'retrieval-request',
  'fraud-notification',
  'solved',
  'chargeback-initiated',
  'reversed',
] as const

/** The same trigger, with the same events, for several statuses: each stays as it is, or all become one. */
function rows(
  from: readonly TransactionStatus[],
  trigger: TransactionTrigger,
  to: TransactionStatus | 'stays',
  fires: readonly EventName[],
): Transition[] {
  return from.map((status) => ({ from: status, trigger, to: to === 'stays' ? status : to, fires }))
}

/**
 * The state machine as data: the one place that says what may follow what, and which events tell of it.
 * `null` is the state before the first command.
 */
export const TRANSITIONS: readonly Transition[] = [
  { from: null, trigger: 'authorization-requested', to: 'waiting', fires: ['transaction.requested'] },
  ...rows(['failed', 'blocked'], 'authorization-requested', 'waiting', []),

  ...rows(['waiting', 'pending'], 'authorization-approved', 'authorized', ['transaction.authorized']),
  ...rows(['waiting'], 'authorization-pending', 'pending', ['transaction.pending', 'invoice.pending']),
  ...rows(['pending'], 'authorization-pending', 'pending', []),
  ...rows(['waiting', 'pending'], 'authorization-declined', 'failed', ['transaction.failed']),
  // The merchant waits no more: what turns out approved is given back.
  ...rows(['pending'], 'authorization-given-up', 'voided', ['transaction.voided']),
  ...rows(['waiting'], 'refused-by-rule', 'blocked', ['transaction.failed']),
  ...rows(['waiting', 'pending'], 'sale-approved', 'completed', [
    'transaction.authorized',
    'transaction.captured',
    'invoice.completed',
  ]),

  ...rows(['authorized'], 'increment-approved', 'authorized', ['transaction.authorization.incremented']),
  ...rows(['authorized'], 'increment-pending', 'authorized', []),
  ...rows(['authorized'], 'increment-declined', 'authorized', []),

  ...rows(['authorized', 'pending-capture'], 'capture-approved', 'completed', [
    'transaction.captured',
    'invoice.completed',
  ]),
  ...rows([...PAID, 'chargeback-initiated', 'reversed'], 'capture-approved', 'stays', ['transaction.captured']),
  ...rows(['refunded'], 'capture-approved', 'partially-refunded', ['transaction.captured']),
  ...rows(['authorized'], 'capture-pending', 'pending-capture', [
    'transaction.operation.capture.pending',
    'invoice.pending',
  ]),
  ...rows(['pending-capture', ...CAPTURED], 'capture-pending', 'stays', ['transaction.operation.capture.pending']),
  ...rows(['authorized', 'pending-capture'], 'capture-declined', 'authorized', [
    'transaction.operation.capture.failed',
  ]),
  ...rows(CAPTURED, 'capture-declined', 'stays', ['transaction.operation.capture.failed']),
  ...rows(['authorized', 'pending-capture', ...CAPTURED], 'capture-declined-another-open', 'stays', [
    'transaction.operation.capture.failed',
  ]),

  // A capture that was approved and has failed after all: its money is only reserved, as if it had been declined.
  ...rows([...PAID, 'chargeback-initiated', 'reversed'], 'capture-reversed', 'stays', [
    'transaction.operation.capture.failed',
  ]),
  ...rows(['partially-refunded'], 'capture-reversed-rest-refunded', 'refunded', [
    'transaction.operation.capture.failed',
  ]),
  ...rows(
    ['retrieval-request', 'fraud-notification', 'chargeback-initiated', 'solved', 'reversed'],
    'capture-reversed-rest-refunded',
    'stays',
    ['transaction.operation.capture.failed'],
  ),
  ...rows(NOT_REFUNDED, 'capture-reversed-in-full', 'authorized', ['transaction.operation.capture.failed']),
  ...rows(NOT_REFUNDED, 'capture-reversed-another-open', 'pending-capture', ['transaction.operation.capture.failed']),

  ...rows(['authorized', ...CAPTURED], 'partial-void-approved', 'stays', []),
  ...rows(['authorized'], 'full-void-approved', 'voided', ['transaction.voided']),
  // What is left of an authorization after its captures: the money that was taken stays taken.
  ...rows(CAPTURED, 'full-void-approved', 'stays', []),
  ...rows(['authorized', ...CAPTURED], 'void-pending', 'stays', ['transaction.operation.void.pending']),
  ...rows(['authorized', ...CAPTURED], 'void-declined', 'stays', ['transaction.operation.void.failed']),

  ...rows(UNCHARGED, 'partial-refund-approved', 'partially-refunded', ['transaction.refunded']),
  ...rows(UNCHARGED, 'full-refund-approved', 'refunded', ['transaction.refunded']),
  ...rows(CHARGED, 'partial-refund-approved', 'stays', ['transaction.refunded']),
  ...rows(CHARGED, 'full-refund-approved', 'stays', ['transaction.refunded']),
  ...rows(CAPTURED, 'refund-pending', 'stays', ['transaction.operation.refund.pending']),
  ...rows(CAPTURED, 'refund-declined', 'stays', ['transaction.operation.refund.failed']),
  ...rows(['partially-refunded', 'refunded'], 'refund-reversed-in-part', 'partially-refunded', [
    'transaction.operation.refund.failed',
  ]),
  ...rows(['partially-refunded', 'refunded'], 'refund-reversed-in-full', 'completed', [
    'transaction.operation.refund.failed',
  ]),
  ...rows(
    ['completed', 'retrieval-request', 'fraud-notification', 'solved', 'chargeback-initiated', 'reversed'],
    'refund-reversed-in-part',
    'stays',
    ['transaction.operation.refund.failed'],
  ),
  ...rows(
    ['completed', 'retrieval-request', 'fraud-notification', 'solved', 'chargeback-initiated', 'reversed'],
    'refund-reversed-in-full',
    'stays',
    ['transaction.operation.refund.failed'],
  ),

  // Steps of a dispute come in any order: the later one stands, whichever came first. That somebody asks, or reports fraud,
  // says less than that the money was given back.
  ...rows(['completed'], 'retrieval-request', 'retrieval-request', ['transaction.chargeback.retrieval-request']),
  ...rows(
    ['partially-refunded', 'refunded', 'fraud-notification', 'chargeback-initiated', 'solved', 'reversed'],
    'retrieval-request',
    'stays',
    ['transaction.chargeback.retrieval-request'],
  ),
  ...rows(['completed', 'retrieval-request'], 'fraud-notification', 'fraud-notification', [
    'transaction.chargeback.fraud-notification',
  ]),
  ...rows(
    ['partially-refunded', 'refunded', 'chargeback-initiated', 'solved', 'reversed'],
    'fraud-notification',
    'stays',
    ['transaction.chargeback.fraud-notification'],
  ),
  ...rows(
    ['completed', 'partially-refunded', 'refunded', 'retrieval-request', 'fraud-notification'],
    'chargeback-created',
    'chargeback-initiated',
    ['transaction.chargeback.created'],
  ),
  ...rows(['solved', 'reversed'], 'chargeback-created', 'stays', ['transaction.chargeback.created']),
  ...rows([...PAID, 'refunded', 'chargeback-initiated'], 'chargeback-won', 'solved', ['transaction.chargeback.won']),
  ...rows([...PAID, 'refunded', 'chargeback-initiated'], 'chargeback-lost', 'reversed', [
    'transaction.chargeback.lost',
  ]),
]

/** Raised when code asks for a move that the table does not have: a defect, never an answer to a merchant. */
export class IllegalTransition extends Error {
  override readonly name = 'IllegalTransition'

  constructor(from: TransactionStatus | null, trigger: TransactionTrigger) {
    super(`A transaction that is ${from ?? 'not there yet'} cannot take "${trigger}".`)
  }
}

/** The row of the table for this state and trigger; null where the move is not allowed. */
export function findTransition(from: TransactionStatus | null, trigger: TransactionTrigger): Transition | null {
  return TRANSITIONS.find((row) => row.from === from && row.trigger === trigger) ?? null
}

/** The row of the table for this state and trigger; throws `IllegalTransition` where there is none. */
export function transition(from: TransactionStatus | null, trigger: TransactionTrigger): Transition {
  const found = findTransition(from, trigger)
  if (found === null) throw new IllegalTransition(from, trigger)
  return found
}
