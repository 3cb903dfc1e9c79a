import type { Command, CommandAnswer, DecidedCommand } from '../../domain/command.ts'
import { type GatewayOperationType, isGatewayOperation } from '../../domain/operation.ts'
import { type Payment, reversalType } from '../../domain/payment.ts'
import type { CommandSummary } from '../../domain/payment-description.ts'
import { type ClockOffset, paymentTime } from '../../domain/test-clock.ts'
import type { GatewayAccess } from '../../src/gateways/gateway.ts'
import type { CardRow } from '../../src/persistence/entities/card.ts'
import type { GatewayConfigurationRow } from '../../src/persistence/entities/gateway-configuration.ts'
import type { InvoiceRow } from '../../src/persistence/entities/invoice.ts'
import type { OperationRow } from '../../src/persistence/entities/operation.ts'
import type { TransactionRow } from '../../src/persistence/entities/transaction.ts'
import type { OpenedSource } from '../../src/persistence/queries/payments/open-payment.ts'
import type { PaymentReference } from '../../workflows/inputs.ts'
import { failures } from '../failures.ts'

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
  /** The capture of a sale, after its authorization. The caller gets the answer of the last step. */
  isSecondStep?: true
}

/** A step whose command is decided by the record. */
export interface Step<C extends DecidedCommand = DecidedCommand> extends Omit<StepInput, 'command' | 'isSecondStep'> {
  command: C
  /** The operation whose caller waits: the command's own, or that of the sale for its capture. */
  answersTo: string
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
  /** What a call of `authorize` or `capture` meant. */
  meant?: CommandSummary
  /** The authorization is approved and its capture is due: the same command goes on to it. */
  goesOn?: true
  /** Failures before a fallback, for support staff who read the history: `stripe gway_conf_…: gateway.timeout`. */
  triedBefore?: string[]
}

/** A command that needs a gateway call. */
export type GatewayCommand = Exclude<DecidedCommand, { kind: 'schedule-capture' }>

/** The type of operation that a command writes; null where the payment says it. */
const OPERATION_OF = {
  authorize: 'authorization',
  capture: 'capture',
  increment: 'increment_authorization',
  void: 'void',
  refund: 'refund',
  'reverse-orphan': null,
} as const satisfies Record<GatewayCommand['kind'], GatewayOperationType | null>

/** The type of the attempt that a command makes. An orphan is voided, or refunded where it took the money. */
export function operationTypeOf(command: GatewayCommand, { orphans }: Pick<Payment, 'orphans'>): GatewayOperationType {
  if (command.kind !== 'reverse-orphan') return OPERATION_OF[command.kind]
  const orphan = orphans.find(({ operationId }) => operationId === command.orphanOperationId)
  return reversalType(orphan ?? { isSale: false })
}

/** The type of an attempt's call. */
export function callTypeOf({ operation: { id, type } }: Pick<Attempt, 'operation'>): GatewayOperationType {
  if (!isGatewayOperation(type)) throw failures.attemptNotFound(id)
  return type
}

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

/** What a step does first, with its decided command; null where it was refused before that. */
export type Begun =
  | (Exclude<Beginning, { kind: 'answered' }> & { step: Step })
  | (Extract<Beginning, { kind: 'answered' }> & { step: Step | null; goesOn?: true })

/** An attempt with the credentials of its account. */
export interface OpenedAttempt extends Attempt {
  access: GatewayAccess
}

/** The operations by which a command may have been withdrawn: its own, and that of the capture of its sale. */
export function operationIdsOf(command: Command): string[] {
  return command.kind === 'pay' ? [command.operationId, command.captureOperationId] : [command.operationId]
}

/** Whether a step is the capture of a sale. */
export function isSecondStep({ command, answersTo }: Pick<Step, 'command' | 'answersTo'>): boolean {
  return answersTo !== command.operationId
}
