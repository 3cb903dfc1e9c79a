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
  | 'increment-approved'
  | 'increment-declined'
  | 'increment-pending'
  | 'capture-approved'
  | 'capture-pending'
  | 'capture-declined'
  | 'partial-void-approved'
  | 'full-void-approved'
  | 'void-pending'
  | 'void-declined'

export interface Transition {
  from: TransactionStatus | null
  trigger: TransactionTrigger
  to: TransactionStatus
  fires: readonly EventName[]
}

/**
 * The state machine as data: the one place that says what may follow what, and which events tell of it.
 * `null` is the state before the first command.
 */
export const TRANSITIONS: readonly Transition[] = [
  { from: null, trigger: 'authorization-requested', to: 'waiting', fires: ['transaction.requested'] },
  { from: 'failed', trigger: 'authorization-requested', to: 'waiting', fires: [] },

  { from: 'waiting', trigger: 'authorization-approved', to: 'authorized', fires: ['transaction.authorized'] },
  { from: 'pending', trigger: 'authorization-approved', to: 'authorized', fires: ['transaction.authorized'] },
  {
    from: 'waiting',
    trigger: 'authorization-pending',
    to: 'pending',
    fires: ['transaction.pending', 'invoice.pending'],
  },
  { from: 'pending', trigger: 'authorization-pending', to: 'pending', fires: [] },
  { from: 'waiting', trigger: 'authorization-declined', to: 'failed', fires: ['transaction.failed'] },
  { from: 'pending', trigger: 'authorization-declined', to: 'failed', fires: ['transaction.failed'] },

  {
    from: 'authorized',
    trigger: 'increment-approved',
    to: 'authorized',
    fires: ['transaction.authorization.incremented'],
  },
  { from: 'authorized', trigger: 'increment-pending', to: 'authorized', fires: [] },
  { from: 'authorized', trigger: 'increment-declined', to: 'authorized', fires: [] },

  {
    from: 'authorized',
    trigger: 'capture-approved',
    to: 'completed',
    fires: ['transaction.captured', 'invoice.completed'],
  },
  {
    from: 'pending-capture',
    trigger: 'capture-approved',
    to: 'completed',
    fires: ['transaction.captured', 'invoice.completed'],
  },
  {
    from: 'authorized',
    trigger: 'capture-pending',
    to: 'pending-capture',
    fires: ['transaction.operation.capture.pending', 'invoice.pending'],
  },
  { from: 'pending-capture', trigger: 'capture-pending', to: 'pending-capture', fires: [] },
  {
    from: 'authorized',
    trigger: 'capture-declined',
    to: 'authorized',
    fires: ['transaction.operation.capture.failed'],
  },
  {
    from: 'pending-capture',
    trigger: 'capture-declined',
    to: 'authorized',
    fires: ['transaction.operation.capture.failed'],
  },

  { from: 'authorized', trigger: 'partial-void-approved', to: 'authorized', fires: [] },
  { from: 'authorized', trigger: 'full-void-approved', to: 'voided', fires: ['transaction.voided'] },
  { from: 'authorized', trigger: 'void-pending', to: 'authorized', fires: ['transaction.operation.void.pending'] },
  { from: 'authorized', trigger: 'void-declined', to: 'authorized', fires: ['transaction.operation.void.failed'] },
]

/** Raised when code asks for a move that the table does not have: a defect, never an answer to a merchant. */
export class IllegalTransition extends Error {
  override readonly name = 'IllegalTransition'

  constructor(from: TransactionStatus | null, trigger: TransactionTrigger) {
    super(`A transaction that is ${from ?? 'not there yet'} cannot take "${trigger}".`)
  }
}

/** The row of the table for this state and trigger; throws `IllegalTransition` where there is none. */
export function transition(from: TransactionStatus | null, trigger: TransactionTrigger): Transition {
  const found = TRANSITIONS.find((row) => row.from === from && row.trigger === trigger)
  if (found === undefined) throw new IllegalTransition(from, trigger)
  return found
}
