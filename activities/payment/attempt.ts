import type { Command, CommandAnswer } from '../../domain/command.ts'
import type { GatewayOperationType } from '../../domain/operation.ts'
import type { Payment } from '../../domain/payment.ts'
import type { CardRow } from '../../src/persistence/entities/card.ts'
import type { GatewayConfigurationRow } from '../../src/persistence/entities/gateway-configuration.ts'
import type { InvoiceRow } from '../../src/persistence/entities/invoice.ts'
import type { OperationRow } from '../../src/persistence/entities/operation.ts'
import type { TransactionRow } from '../../src/persistence/entities/transaction.ts'
import type { OpenedSource } from '../../src/persistence/queries/payments/open-payment.ts'
import type { PaymentReference } from '../../workflows/inputs.ts'

/** One step of a payment, as the workflow asks for it. */
export interface StepInput<C extends Command = Command> {
  payment: PaymentReference
  command: C
  /** Workflow time in epoch ms, so that skipped time counts as passed. */
  at: number
  /** The instant by which deadlines are judged: `at`, or the one at which a scheduled step was due. */
  asOf: number
  /** Whose caller hears this step's answer at once; a sale's caller does so only where no capture follows. */
  answers: { operationId: string; unlessSaleGoesOn: boolean }
}

/** Where a payment stands in the record. */
export interface StoredPayment {
  payment: Payment
  gatewayName: string | null
}

/** How a step ended, and where the payment stands after it. */
export interface StepResult extends StoredPayment {
  answer: CommandAnswer
  /** Where it failed before, for whoever reads the history: `stripe gway_conf_…: gateway.timeout`. */
  triedBefore?: string[]
}

/** A command that a gateway is asked for. */
export type GatewayCommand = Exclude<Command, { kind: 'schedule-capture' }>

/** The kind of row that a command writes. */
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
  /** The account that it goes to: of an older try of the payment, not where it is made now. */
  configuration: GatewayConfigurationRow
  /** What was read with the card that an authorization names; null where it is read when it is needed. */
  source: OpenedSource | null
}

/** The capture of a sale is withdrawn with the sale. */
export function operationIdsOf({ command, answers }: Pick<StepInput, 'command' | 'answers'>): string[] {
  return [command.operationId, answers.operationId]
}

/** Whether a step is the second one of its command: the capture of a sale. */
export function isSecondStep({ command, answers }: Pick<StepInput, 'command' | 'answers'>): boolean {
  return answers.operationId !== command.operationId
}
