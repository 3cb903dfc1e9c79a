import type { Command, CommandAnswer } from '../../domain/command.ts'
import type { GatewayOperationType } from '../../domain/operation.ts'
import type { Payment } from '../../domain/payment.ts'
import { type ClockOffset, paymentTime } from '../../domain/test-clock.ts'
import type { GatewayAccess } from '../../src/gateways/gateway.ts'
import type { CardRow } from '../../src/persistence/entities/card.ts'
import type { GatewayConfigurationRow } from '../../src/persistence/entities/gateway-configuration.ts'
import type { InvoiceRow } from '../../src/persistence/entities/invoice.ts'
import type { OperationRow } from '../../src/persistence/entities/operation.ts'
import type { TransactionRow } from '../../src/persistence/entities/transaction.ts'
import type { OpenedSource } from '../../src/persistence/queries/payments/open-payment.ts'
import type { PaymentReference } from '../../workflows/inputs.ts'

/** When a step runs, by the workflow's clock. */
export interface StepTime {
  /** Workflow time in epoch ms, which includes skipped time. */
  at: number
  /**
   * The run has not read the record yet, so `at` lacks the time that was skipped before the run began: see
   * `onPaymentClock`.
   */
  lacksOffset?: boolean
}

/** The workflow's input for one step of a payment. */
export interface StepInput<C extends Command = Command> extends StepTime {
  payment: PaymentReference
  command: C
  /** The instant by which deadlines are judged: `at`, or the one at which a scheduled step was due. */
  asOf: number
  /** The workflow run that asks for the step. */
  runId: string
  /** The operation whose caller gets this step's answer. The authorization of a sale answers only if no capture follows. */
  answers: { operationId: string; unlessSaleGoesOn: boolean }
}

/** The input of a step with the payment's time, of which a run's first step knows only the run's own part. */
export function onPaymentClock<Input extends StepTime & { asOf?: number }>(
  input: Input,
  transaction: ClockOffset | null,
): Input {
  const { lacksOffset, ...known } = input
  if (lacksOffset !== true) return input
  const { at, asOf } = input
  return {
    ...known,
    at: paymentTime(transaction, at),
    ...(asOf === undefined ? {} : { asOf: paymentTime(transaction, asOf) }),
  } as Input
}

/** The state of a payment in the record. */
export interface StoredPayment {
  payment: Payment
  gatewayName: string | null
  /** The workflow run that made the last attempt before this step; absent if it is the run that asks, or not known. */
  earlierRunId?: string
}

/** The run that made the last attempt, for a step of the run `runId`. */
export function earlierRunOf(
  transaction: Pick<TransactionRow, 'workflowRunId'> | null,
  runId: string | null,
): Pick<StoredPayment, 'earlierRunId'> {
  const earlierRunId = transaction?.workflowRunId ?? null
  return earlierRunId === null || earlierRunId === runId ? {} : { earlierRunId }
}

/** The answer of a step, and the payment after it. */
export interface StepResult extends StoredPayment {
  answer: CommandAnswer
  /** Failures before a fallback, for support staff who read the history: `stripe gway_conf_…: gateway.timeout`. */
  triedBefore?: string[]
}

/** A command that needs a gateway call. */
export type GatewayCommand = Exclude<Command, { kind: 'schedule-capture' }>

/** The type of operation that a command writes. */
export const OPERATION_OF = {
  authorize: 'authorization',
  capture: 'capture',
  increment: 'increment_authorization',
  void: 'void',
  refund: 'refund',
  'reverse-orphan': 'void',
} as const satisfies Record<GatewayCommand['kind'], GatewayOperationType>

/** Everything that the call to the gateway and the recording of its outcome need. */
export interface Attempt {
  invoice: InvoiceRow
  transaction: TransactionRow
  operation: OperationRow
  card: CardRow | null
  /** The attempt's own account. A later try of the payment may use another. */
  configuration: GatewayConfigurationRow
  /** Rows that were read with the card of an authorization; null if they are to be read when needed. */
  source: OpenedSource | null
}

/** What a step does first, decided under the lock of its payment. */
export type Beginning =
  /** The attempt is written; the gateway may be called, with the attempt's id as reference. */
  | { kind: 'begun'; attempt: Attempt }
  /**
   * What became of the attempt is looked up: it was written by an earlier try of this activity, which ended before it
   * recorded an outcome, or its customer has answered too late.
   */
  | { kind: 'interrupted'; attempt: Attempt }
  /** The customer has answered an action of this authorization, which goes on. */
  | { kind: 'continued'; attempt: Attempt }
  /** The answer is known without a gateway call. */
  | { kind: 'answered'; answer: CommandAnswer; payment: Payment; transaction: TransactionRow | null }

/** An attempt with the credentials of its account. */
export interface OpenedAttempt extends Attempt {
  access: GatewayAccess
}

/** The operations by which a step may have been withdrawn: its own, and that of its sale. */
export function operationIdsOf({ command, answers }: Pick<StepInput, 'command' | 'answers'>): string[] {
  return [command.operationId, answers.operationId]
}

/** Whether a step is the capture of a sale. */
export function isSecondStep({ command, answers }: Pick<StepInput, 'command' | 'answers'>): boolean {
  return answers.operationId !== command.operationId
}
