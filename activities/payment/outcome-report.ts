import type { Actor, GatewayOperationType, Outcome } from '../../domain/operation.ts'
import type { Payment } from '../../domain/payment.ts'
import type { FiredEvent } from '../../domain/webhook-event.ts'
import type { OperationRow } from '../../src/persistence/entities/operation.ts'
import type { RefundRow } from '../../src/persistence/entities/refund.ts'
import type { TransactionRow } from '../../src/persistence/entities/transaction.ts'
import type { AnswerRows } from '../../src/persistence/queries/payments/find-payment.ts'
import type { OpenedPayment } from '../../src/persistence/queries/payments/open-payment.ts'
import type { Attempt, StepInput, StepResult } from './attempt.ts'

/** An outcome of an attempt, as it came. */
export interface OutcomeReport {
  attemptId: string
  outcome: Outcome
  /** Workflow time in epoch ms. */
  at: number
  actor: Actor
  /** Of which kind of call a gateway reports it; that of the attempt where nothing is said. */
  type?: GatewayOperationType
  /** The gateway has reported it before. */
  isRepeated?: boolean
  /** Who closes the attempt without an answer of the gateway, if anybody does; its look-ups go on. */
  closedBy?: 'staff' | 'merchant' | null
  /** The step whose caller waits for the answer; null where nobody does. */
  step: StepInput | null
  /** Whether the step has time for another gateway. */
  mayTryNext?: boolean
  /** The outcome is not the gateway's, since that could not be recorded: staff have to look. */
  isUnrecordable?: true
}

/** What is recorded now. */
export interface Recorded extends StepResult {
  events: FiredEvent[]
  /** The rows of which the caller is told, as they are now. */
  rows: AnswerRows
  /** The attempt at the next gateway, where the payment goes on there: its outcome is the answer. */
  next?: Attempt
  /** What the report waits for is under way: it is to be reported again. */
  isWaiting?: true
}

/** An attempt of a payment that is held, with what is reported of it. */
export interface Case {
  opened: OpenedPayment
  transaction: TransactionRow
  attempt: OperationRow
  refund: RefundRow | null
  /** As it was read. */
  found: Payment
  /** The same, with the look-up counted that has led to the report. */
  payment: Payment
  report: OutcomeReport
}
