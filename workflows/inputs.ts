import type { Command } from '../domain/command.ts'
import type { Environment } from '../domain/environment.ts'

/** Whose payment it is: enough for every activity to find its rows, and nothing personal. */
export interface PaymentReference {
  projectId: string
  environment: Environment
  invoiceId: string
}

export interface PaymentWorkflowInput extends PaymentReference {
  /** The first command, where it came with an eager start; absent where it comes as an update. */
  command?: Command
}

export interface WebhookWorkflowInput {
  projectId: string
  environment: Environment
  eventId: string
  /** 0 for the first sending, n for the nth that was asked for. */
  run: number
}
