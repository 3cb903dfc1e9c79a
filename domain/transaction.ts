import type { DisputeStep } from './dispute.ts'
import type { EventName } from './webhook-event.ts'

/** Every status of the API, spelled as there. */
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

/** The events that change a transaction's status. */
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
  | 'chargeback-created-late'
  | 'chargeback-told-again'
  | 'chargeback-won-another-open'
  | 'chargeback-won-another-lost'
  | 'chargeback-lost-another-open'

export interface Transition {
  from: TransactionStatus | null
  trigger: TransactionTrigger
  to: TransactionStatus
  fires: readonly EventName[]
}

/** Captured and not fully refunded, without an open or lost chargeback. */
const PAID = ['completed', 'partially-refunded', 'retrieval-request', 'fraud-notification', 'solved'] as const

/** A chargeback takes precedence over a refund, whichever came first. */
const CHARGED = ['chargeback-initiated', 'solved', 'reversed'] as const
const UNCHARGED = ['completed', 'partially-refunded', 'retrieval-request', 'fraud-notification'] as const

/** Every status after a capture. */
const CAPTURED = [...PAID, 'refunded', 'chargeback-initiated', 'reversed'] as const

/** Captured, and the status shows no refund. */
const NOT_REFUNDED = [
  'completed',
  'retrieval-request',
  'fraud-notification',
  'solved',
  'chargeback-initiated',
  'reversed',
] as const

/** Rows for several statuses with one trigger and the same events. Each status stays, or all change to `to`. */
function rows(
  from: readonly TransactionStatus[],
  trigger: TransactionTrigger,
  to: TransactionStatus | 'stays',
  fires: readonly EventName[],
): Transition[] {
  return from.map((status) => ({ from: status, trigger, to: to === 'stays' ? status : to, fires }))
}

/** The state machine: all allowed transitions and their events. `null` is the state before the first command. */
export const TRANSITIONS: readonly Transition[] = [
  { from: null, trigger: 'authorization-requested', to: 'waiting', fires: ['transaction.requested'] },
  ...rows(['failed', 'blocked'], 'authorization-requested', 'waiting', []),

  ...rows(['waiting', 'pending'], 'authorization-approved', 'authorized', ['transaction.authorized']),
  ...rows(['waiting'], 'authorization-pending', 'pending', ['transaction.pending', 'invoice.pending']),
  ...rows(['pending'], 'authorization-pending', 'pending', []),
  ...rows(['waiting', 'pending'], 'authorization-declined', 'failed', ['transaction.failed']),
  // The merchant voided an authorization without an outcome, or one that waits for its customer. A late approval is reversed.
  ...rows(['waiting', 'pending'], 'authorization-given-up', 'voided', ['transaction.voided']),
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

  // Late failure of a capture: its money is only reserved, as after a decline.
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
  // The void of the rest after captures. The captured money stays captured.
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

  // Dispute steps arrive in any order; the status keeps the most advanced one. A refund takes precedence over a retrieval
  // request and a fraud notification.
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
  ...rows(CAPTURED, 'inquiry-closed', 'stays', ['transaction.chargeback.inquiry-closed']),
  ...rows(CAPTURED, 'dispute-answered', 'stays', ['transaction.chargeback.answered']),
  ...rows(CAPTURED, 'chargeback-created', 'chargeback-initiated', ['transaction.chargeback.created']),
  // The creation of a dispute is reported after its end, or an end once more.
  ...rows(CHARGED, 'chargeback-created-late', 'stays', ['transaction.chargeback.created']),
  ...rows(CHARGED, 'chargeback-told-again', 'stays', []),
  ...rows([...PAID, 'refunded', 'chargeback-initiated'], 'chargeback-won', 'solved', ['transaction.chargeback.won']),
  ...rows(['chargeback-initiated'], 'chargeback-won-another-open', 'stays', ['transaction.chargeback.won']),
  ...rows(['chargeback-initiated', 'reversed'], 'chargeback-won-another-lost', 'reversed', [
    'transaction.chargeback.won',
  ]),
  ...rows(CAPTURED, 'chargeback-lost', 'reversed', ['transaction.chargeback.lost']),
  ...rows(['chargeback-initiated'], 'chargeback-lost-another-open', 'stays', ['transaction.chargeback.lost']),
]

/** A transition that the table does not allow: a defect, never an answer to a merchant. */
export class IllegalTransition extends Error {
  override readonly name = 'IllegalTransition'

  constructor(from: TransactionStatus | null, trigger: TransactionTrigger) {
    super(`A transaction that is ${from ?? 'not there yet'} does not allow "${trigger}".`)
  }
}

/** The table's row for this status and trigger; null if the transition is not allowed. */
export function findTransition(from: TransactionStatus | null, trigger: TransactionTrigger): Transition | null {
  return TRANSITIONS.find((row) => row.from === from && row.trigger === trigger) ?? null
}

/** @throws IllegalTransition if the table has no row for this status and trigger. */
export function transition(from: TransactionStatus | null, trigger: TransactionTrigger): Transition {
  const found = findTransition(from, trigger)
  if (found === null) throw new IllegalTransition(from, trigger)
  return found
}
