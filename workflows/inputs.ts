import type { Command } from '../domain/command.ts'
import type { Environment } from '../domain/environment.ts'

/** Identifies a payment for every activity, without personal data. */
export interface PaymentReference {
  projectId: string
  environment: Environment
  invoiceId: string
}

export interface PaymentWorkflowInput extends PaymentReference {
  /** The first command of an eager start; absent if it comes as an update. */
  command?: Command
  /** Of a run that continues another one: how far the payment's clock is ahead of the run's, in ms; absent for 0. */
  clockAheadMs?: number
}

export interface WebhookWorkflowInput {
  projectId: string
  environment: Environment
  eventId: string
  /** 0 for the first sending, n for the nth resend. */
  run: number
}
