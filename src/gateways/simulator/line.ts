import type { LookUp, Outcome } from '../../../domain/operation.ts'
import type { Call, Question } from './call.ts'
import type { FaultOfCall } from './engine.ts'
import type { Switches } from './settings.ts'

/** How an account reaches the simulator. */
export interface Account {
  switches: Switches
  settings: Readonly<Record<string, string>>
}

/** The way from the port to the simulator: within the process, or over HTTP. May throw where no answer comes. */
export interface Line {
  send(call: Call, account: Account & { fault: FaultOfCall | null }, signal: AbortSignal): Promise<Outcome>
  lookUp(question: Question, account: Account, signal: AbortSignal): Promise<LookUp>
}

/** What a test card plays. */
export const LOST: Outcome = { kind: 'unknown', reason: 'The answer of the gateway was lost.' }

/** What a fault of the account does. */
export const CONNECTION_RESET: Outcome = { kind: 'unknown', reason: 'The connection to the gateway was reset.' }

export const UNHEARD_OF: Outcome = {
  kind: 'unknown',
  reason: 'The simulator gave an answer that nobody has heard of.',
}

/**
 * The kind of failure only: messages of a database or a connection may quote what was sent. Errors are read by their
 * fields, because those of `fetch` and of timers may be of another realm than the caller's classes.
 */
export function reasonOf(error: unknown): string {
  const { name, code } = (error ?? {}) as { name?: unknown; code?: unknown }
  if (typeof name !== 'string') return 'No answer.'
  return typeof code === 'string' ? `No answer: ${name} (${code}).` : `No answer: ${name}.`
}
