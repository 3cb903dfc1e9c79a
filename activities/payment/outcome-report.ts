import type { Actor, GatewayOperationType, Outcome } from '../../domain/operation.ts'
import type { Payment } from '../../domain/payment.ts'
import type { FiredEvent } from '../../domain/webhook-event.ts'
import type { OperationRow } from '../../src/persistence/entities/operation.ts'
import type { RefundRow } from '../../src/persistence/entities/refund.ts'
import type { TransactionRow } from '../../src/persistence/entities/transaction.ts'
import type { AnswerRows } from '../../src/persistence/queries/payments/find-payment.ts'
import type { OpenedPayment } from '../../src/persistence/queries/payments/open-payment.ts'
import type { Attempt, Step, StepResult, StepTime } from './attempt.ts'

/** An outcome of an attempt as reported, before it is reconciled. */
export interface OutcomeReport extends StepTime {
  attemptId: string
  outcome: Outcome
  actor: Actor
  /** The type of the reported call; absent: that of the attempt. */
  type?: GatewayOperationType
  /** The notification was applied before. */
  isRepeated?: boolean
  /** Set if staff or the merchant close the attempt without an answer of the gateway. Its look-ups go on. */
  closedBy?: 'staff' | 'merchant' | null
  /** The step whose caller waits for the answer; null without a waiting caller. */
  step: Step | null
  /** Whether the step has time for another gateway. */
  mayTryNext?: boolean
  /** Replaces a gateway's outcome that could not be recorded. Staff must look. */
  isUnrecordable?: true
}

/** The payment after the report, and what the caller needs. */
export interface Recorded extends StepResult {
  events: FiredEvent[]
  /** The current rows for the caller's answer. */
  rows: AnswerRows
  /** The attempt at the next gateway after a fallback. Its outcome is the answer. */
  next?: Attempt
  /** The report depends on a step under way and must be applied again later. */
  isWaiting?: true
}

/** An attempt of a locked payment, with the report. */
export interface Case {
  opened: OpenedPayment
  transaction: TransactionRow
  attempt: OperationRow
  refund: RefundRow | null
  /** The payment as it was read. */
  found: Payment
  /** The same, with the look-up counted that led to the report. */
  payment: Payment
  report: OutcomeReport
}
