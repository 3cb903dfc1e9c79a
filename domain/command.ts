import type { Continuation } from './customer-action.ts'
import type { ErrorCode } from './errors.ts'
import type { Actor, OperationOutcome } from './operation.ts'

/** The merchant's idempotency key, hashed, since it is stored in histories. */
export interface IdempotencyClaim {
  /** 64 hexadecimal digits: keyed hash of project, environment, method, path and key. */
  id: string
  /** Keyed hash of the body: the same key with another body is a mistake. */
  requestHash: string
  /** The first request with the key. Its id is part of the kept answer. */
  requestId: string
}

/**
 * A command to a payment. Temporal histories store commands, so they contain ids and amounts only: never a card number, a
 * security code or a name.
 */
interface CommandBase {
  /** Id of the attempt, and thus our reference at the gateway. */
  operationId: string
  actor: Actor
  /** The person of the dashboard who asks; absent for everybody else. */
  personId?: string
  /** Wall-clock instant (epoch ms) after which the command must not begin. */
  deadline: number
  /** Null without a merchant's key, and for our own steps. */
  idempotency: IdempotencyClaim | null
  /** The API's signature of the command and its payment; absent on our own steps, which are checked against the record. */
  signature?: string
}

/** Who asks by the REST interface. */
export interface Author extends Pick<CommandBase, 'personId'> {
  actor: 'merchant' | 'client'
}

/**
 * The calls that pay an invoice. They take the same options and differ in their defaults. `three-d-s` asks for no capture;
 * that of an invoice whose instant has passed is made all the same.
 */
export type PaymentCall = 'authorize' | 'capture' | 'three-d-s'

/** What a client may do with an existing authorization. A merchant may do everything. */
export interface ClientRights {
  /** The project lets its clients capture what is authorized. */
  mayCapture: boolean
  /** The project lets its clients choose how much is captured. */
  mayChooseAmounts: boolean
}

/**
 * A call of `authorize`, `capture` or `three-d-s` in the words of its caller. `decidePay` says what it means, by the payment
 * as it is under its lock: an authorization, a capture, a schedule, or nothing.
 */
export interface PayCommand extends CommandBase {
  kind: 'pay'
  call: PaymentCall
  /** The operation of the capture, where the call is a sale. */
  captureOperationId: string
  /** What the project allows its clients; absent for a merchant, and for clients that may do nothing more. */
  client?: ClientRights
  /** The currency of the command's amounts. The command is refused if the invoice's currency has changed since. */
  currency: string
  /** `card_…`, `tok_…`, `cust_…` or `gway_req_…` (a gateway's continuation id); null if the request has none. */
  source: string | null
  /** The customer has answered an action of the authorization under way, which goes on. `source` then counts for nothing. */
  continues?: Continuation
  /** Null leaves it to the call: `authorize` only authorizes, `capture` captures. */
  authorizeOnly: boolean | null
  /** Epoch ms of the scheduled capture; null if the call names none. */
  autoCaptureAt: number | null
  /** True for an explicit null, which cancels a scheduled capture. */
  cancelsAutoCapture?: true
  /** How much is captured, in minor units; null leaves it open. */
  amountMinor: number | null
  /** The invoice lines to capture; `amountMinor` is their sum. */
  detailIds: string[] | null
  captureType: 'final' | 'non-final' | null
  /** Null leaves it to the invoice. */
  incremental: boolean | null
  preferredScheme: string | null
  initialSchemeTransactionId: string | null
  /** Allow a sale if the gateway cannot authorize without capturing. */
  mayFallBackToSale: boolean
  /** Store the source for the customer of the invoice after an approval. */
  saveSource: boolean
  /** The caller shows the customer's actions itself. Otherwise the answer names the hosted page. */
  handlesActions?: true
  /** The merchant has authenticated the customer elsewhere; the result is kept beside the command, encrypted. */
  hasExternalAuthentication?: true
  /** Send it although earlier advice of the scheme forbids it. */
  overrideMacBlocking?: true
  /** Set for a client without the client secret: sources stored for a customer are refused. */
  newSourceOnly?: true
}

/** The options that a call hands on to its authorization as they are. */
type AuthorizationOptions = Pick<
  PayCommand,
  | keyof CommandBase
  | 'currency'
  | 'source'
  | 'continues'
  | 'preferredScheme'
  | 'initialSchemeTransactionId'
  | 'mayFallBackToSale'
  | 'saveSource'
  | 'handlesActions'
  | 'hasExternalAuthentication'
  | 'overrideMacBlocking'
  | 'newSourceOnly'
>

/** What a call means where nothing is authorized yet, or its authorization goes on. */
export interface AuthorizeCommand extends AuthorizationOptions {
  kind: 'authorize'
  /** The call is for the authentication of the customer: an action is its success, whoever shows it. */
  isForAuthentication?: true
  incremental: boolean
  /** A sale: the capture is due as soon as the authorization is approved. */
  capturesAtOnce: boolean
  /** Epoch ms of the capture: of a sale the instant of the command, otherwise the scheduled one, or null. */
  autoCaptureAt: number | null
  /** Null captures all that is approved. */
  autoCaptureAmountMinor: number | null
  /** The invoice lines to capture; `autoCaptureAmountMinor` is their sum. */
  autoCaptureDetailIds: string[] | null
  /** True releases what the capture leaves. */
  autoCaptureIsFinal: boolean
}

export interface CaptureCommand extends CommandBase {
  kind: 'capture'
  /** Null captures all that remains, or the lines chosen with the authorization. */
  amountMinor: number | null
  /** The invoice lines to capture; `amountMinor` is their sum. */
  detailIds: string[] | null
  /** True releases the rest. */
  isFinal: boolean
}

/** Moves or drops the scheduled capture of an authorized payment. It is answered like a capture. */
export interface ScheduleCaptureCommand extends CommandBase {
  kind: 'schedule-capture'
  /** Epoch ms; null drops the scheduled capture. */
  autoCaptureAt: number | null
  autoCaptureAmountMinor: number | null
  autoCaptureDetailIds: string[] | null
  /** Why support staff drop it, in their words. */
  reason?: string
}

export interface IncrementCommand extends CommandBase {
  kind: 'increment'
  /** The increase of the authorization, in minor units. */
  amountMinor: number
}

export interface VoidCommand extends CommandBase {
  kind: 'void'
  /** Null voids all that remains. */
  amountMinor: number | null
  /** Our own voids: at the end of the authorization, or because somebody has cancelled the workflow. */
  reason: 'authorization_expired' | 'workflow_cancelled' | null
}

export interface RefundCommand extends CommandBase {
  kind: 'refund'
  /** `refd_…`, generated with the command, so that the API finds the refund however the command ends. */
  refundId: string
  /** Null refunds all that is left. */
  amountMinor: number | null
  /** The lines of the invoice to refund; `amountMinor` is their sum. */
  detailIds: string[] | null
  reason: RefundReason
}

export const REFUND_REASONS = ['customer_request', 'duplicate', 'fraud', 'other'] as const
export type RefundReason = (typeof REFUND_REASONS)[number]

/** Voids an orphan. */
export interface ReverseOrphanCommand extends CommandBase {
  kind: 'reverse-orphan'
  /** The orphan's attempt, which identifies it among the payment's orphans. */
  orphanOperationId: string
}

/** What a payment's workflow takes. */
export type Command =
  | PayCommand
  | CaptureCommand
  | ScheduleCaptureCommand
  | IncrementCommand
  | VoidCommand
  | RefundCommand
  | ReverseOrphanCommand

/** A command whose meaning is decided: a call of `authorize` or `capture` is one of three. */
export type DecidedCommand = Exclude<Command, PayCommand> | AuthorizeCommand

/** Asks a payment's workflow to read its record again and to look up open attempts. */
export interface ResyncRequest {
  /** Look up all attempts in flight at the gateway now. */
  lookUpNow: boolean
  /** The finding of support staff about an attempt that look-ups do not resolve. */
  resolution: Resolution | null
}

/** How support staff resolve an attempt, after asking the gateway. */
export interface Resolution {
  operationId: string
  outcome: 'approved' | 'declined'
  /** The gateway's id of the operation; required for an approved authorization, to which later steps refer. */
  gatewayOperationId: string | null
  /** Why, in the words of staff. */
  reason: string
  /** The administration command's signature of the resolution and its payment. */
  signature?: string
}

/**
 * The answer to a command. `unchanged`: the payment is already in the requested state, so the current transaction is
 * returned and nothing is charged. `duplicate` is internal: another command with the same idempotency key was first, and
 * the merchant gets its answer.
 */
export type CommandAnswer =
  | { kind: 'done' }
  | { kind: 'unchanged' }
  | { kind: 'pending' }
  | { kind: 'duplicate' }
  | { kind: 'declined'; code: string }
  | Refused

/** A refusal before anything was done. */
export interface Refused {
  kind: 'refused'
  code: ErrorCode
  message: string
  /** The request field that it is about, with what is wrong with it. */
  field?: { name: string; message: string }
}

/** The answer to a command whose result is recorded, now and on every repetition. */
export function answerOfResult(result: {
  outcome?: OperationOutcome | null | undefined
  errorCode?: string | null | undefined
}): CommandAnswer {
  if (result.outcome === 'succeeded') return { kind: 'done' }
  if (result.outcome === 'failed') return { kind: 'declined', code: result.errorCode ?? 'gateway.unknown-error' }
  return { kind: 'pending' }
}

/** Shown to merchants if only a sale is possible, which takes the whole amount. */
export const NEEDS_SALE_MESSAGE =
  'The gateway does not support separate authorization and capture. Allow a sale with allow_fallback_to_sale, without a partial or scheduled capture.'

/**
 * Whether a gateway that cannot authorize without capturing may take the money at once. The merchant must allow it, or the
 * command must be a sale. A partial capture forbids it, because the whole amount would be captured, and so does a scheduled
 * one, because it would be captured before its time.
 */
export function mayTakeAtOnce(
  {
    mayFallBackToSale,
    capturesAtOnce,
    autoCaptureAt,
    autoCaptureAmountMinor,
  }: Pick<AuthorizeCommand, 'mayFallBackToSale' | 'capturesAtOnce' | 'autoCaptureAt' | 'autoCaptureAmountMinor'>,
  amountMinor: number,
): boolean {
  const isWhole = (autoCaptureAmountMinor ?? amountMinor) === amountMinor
  return isWhole && (capturesAtOnce || (mayFallBackToSale && autoCaptureAt === null))
}
