import type { Command, CommandAnswer } from '../domain/command.ts'
import type { Payment } from '../domain/payment.ts'
import type { PaymentReference } from '../workflows/inputs.ts'

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
