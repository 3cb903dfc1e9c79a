import type { ErrorCode } from './errors.ts'
import type { Actor, OperationOutcome } from './operation.ts'

/**
 * What is asked of a payment. Commands travel through Temporal histories, so they hold ids and amounts only:
 * never a card number, a security code or a name.
 */
interface CommandBase {
  /** Id of the attempt row, and with it our reference towards the gateway. */
  operationId: string
  actor: Actor
  /** Wall-clock instant (epoch ms) after which the command must not begin any more. */
  deadline: number
}

export interface AuthorizeCommand extends CommandBase {
  kind: 'authorize'
  /** `card_…`; null where the merchant gave none. */
  source: string | null
  preferredScheme: string | null
  initialSchemeTransactionId: string | null
  incremental: boolean
  /** Epoch ms, or null. With it nothing is captured at once. */
  autoCaptureAt: number | null
  autoCaptureAmountMinor: number | null
  /** The capture that follows an approval in the same command (a sale), or null. */
  capture: CaptureCommand | null
}

export interface CaptureCommand extends CommandBase {
  kind: 'capture'
  /** Null captures all that remains. */
  amountMinor: number | null
}

/** Moves or drops the scheduled capture of an authorized payment; answered like a capture. */
export interface ScheduleCaptureCommand extends CommandBase {
  kind: 'schedule-capture'
  /** Epoch ms; null drops the scheduled capture. */
  autoCaptureAt: number | null
  autoCaptureAmountMinor: number | null
}

export interface IncrementCommand extends CommandBase {
  kind: 'increment'
  /** By how much the authorization is raised. */
  amountMinor: number
}

export interface VoidCommand extends CommandBase {
  kind: 'void'
  /** Null voids all that remains. */
  amountMinor: number | null
  reason: 'authorization_expired' | null
}

export type Command = AuthorizeCommand | CaptureCommand | ScheduleCaptureCommand | IncrementCommand | VoidCommand

/**
 * What the merchant is told. `unchanged` is the answer by state: the payment is already where the command wanted
 * it, so the current transaction is returned and nothing is charged.
 */
export type CommandAnswer =
  | { kind: 'done' }
  | { kind: 'unchanged' }
  | { kind: 'pending' }
  | { kind: 'declined'; code: string }
  | { kind: 'refused'; code: ErrorCode; message: string }

/** What the caller of an attempt is told once its result is booked, now and on every repetition. */
export function answerOfResult(result: {
  outcome?: OperationOutcome | null | undefined
  errorCode?: string | null | undefined
}): CommandAnswer {
  if (result.outcome === 'succeeded') return { kind: 'done' }
  if (result.outcome === 'failed') return { kind: 'declined', code: result.errorCode ?? 'gateway.unknown-error' }
  return { kind: 'pending' }
}
