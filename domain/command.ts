import type { ErrorCode } from './errors.ts'
import type { Actor, OperationOutcome } from './operation.ts'

/** The fields by which a request says how a payment is to be authorized. */
export const AUTHORIZATION_TERMS = ['incremental', 'auto_capture_at', 'invoice_detail_ids', 'capture_amount'] as const
export type AuthorizationTerm = (typeof AUTHORIZATION_TERMS)[number]

/** The merchant's idempotency key, as far as a history may know it. */
export interface IdempotencyClaim {
  /** 64 hexadecimal digits: keyed hash of project, environment, method, path and key. */
  id: string
  /** Keyed hash of the body: the same key with another body is a mistake. */
  requestHash: string
  /** The request that came first; its id stands in the answer that is kept. */
  requestId: string
}

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
  /** Null where the merchant gave no key, and for our own steps. */
  idempotency: IdempotencyClaim | null
  /** Made by the API over all of the command and its payment; absent on our own steps, which follow from the record. */
  signature?: string
}

export interface AuthorizeCommand extends CommandBase {
  kind: 'authorize'
  /** In which the amounts of this command were read: those of an invoice that has another one since are not meant. */
  currency: string
  /** `card_…`, `tok_…`, `cust_…` or `gway_req_…` with a known word; null where the merchant gave none. */
  source: string | null
  preferredScheme: string | null
  initialSchemeTransactionId: string | null
  incremental: boolean
  /** Take the money at once where the gateway cannot part authorization and capture. */
  mayFallBackToSale: boolean
  /** Store the source for the customer of the invoice once it is approved. */
  saveSource: boolean
  /** Sent although an earlier advice of the scheme forbids it. Absent where the merchant does not say so. */
  overrideMacBlocking?: true
  /**
   * What the request itself says of the authorization. A payment that exists already with other terms is not answered as if
   * it had these. Absent where the request says nothing.
   */
  named?: readonly AuthorizationTerm[]
  /** Of a client that has not shown the client secret: a source that is stored for a customer is refused. */
  newSourceOnly?: true
  /** Epoch ms, or null. With it nothing is captured at once. */
  autoCaptureAt: number | null
  autoCaptureAmountMinor: number | null
  /** The lines of the invoice that are subject to capture; `autoCaptureAmountMinor` is their sum. */
  autoCaptureDetailIds: string[] | null
  /** The capture that follows an approval in the same command (a sale), or null. */
  capture: CaptureCommand | null
}

export interface CaptureCommand extends CommandBase {
  kind: 'capture'
  /** Null captures all that remains, or the lines chosen with the authorization. */
  amountMinor: number | null
  /** The lines of the invoice to capture; `amountMinor` is their sum. */
  detailIds: string[] | null
  /** True releases what this capture leaves. */
  isFinal: boolean
  /** True where a payment that was captured in part is to be captured further, although no amount is given. */
  wantsRest: boolean
}

/** Moves or drops the scheduled capture of an authorized payment; answered like a capture. */
export interface ScheduleCaptureCommand extends CommandBase {
  kind: 'schedule-capture'
  /** Epoch ms; null drops the scheduled capture. */
  autoCaptureAt: number | null
  autoCaptureAmountMinor: number | null
  autoCaptureDetailIds: string[] | null
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

export interface RefundCommand extends CommandBase {
  kind: 'refund'
  /** `refd_…`, made with the command, so that its row is found however the command ends. */
  refundId: string
  /** Null refunds all that is left. */
  amountMinor: number | null
  /** The lines of the invoice to refund; `amountMinor` is their sum. */
  detailIds: string[] | null
  reason: RefundReason
}

export const REFUND_REASONS = ['customer_request', 'duplicate', 'fraud', 'other'] as const
export type RefundReason = (typeof REFUND_REASONS)[number]

/** Voids an approved authorization that the payment does not stand on. */
export interface ReverseOrphanCommand extends CommandBase {
  kind: 'reverse-orphan'
  /** The attempt that brought it, which names it among the orphans of the payment. */
  orphanOperationId: string
}

export type Command =
  | AuthorizeCommand
  | CaptureCommand
  | ScheduleCaptureCommand
  | IncrementCommand
  | VoidCommand
  | RefundCommand
  | ReverseOrphanCommand

/** What a payment is asked besides commands: to look at its record, and at its gateway, again. */
export interface ResyncRequest {
  /** Ask the gateway now what became of everything whose outcome is not known. */
  lookUpNow: boolean
  /** What support staff found out about an attempt that no look-up resolves. */
  resolution: Resolution | null
}

/** How support staff ends an attempt, after asking the gateway in person. */
export interface Resolution {
  operationId: string
  outcome: 'approved' | 'declined'
  /** The gateway's name for what it did; needed of an approved authorization, to which later steps refer. */
  gatewayOperationId: string | null
  /** Made by the administration command over all of it and its payment. */
  signature?: string
}

/**
 * What the merchant is told. `unchanged` is the answer by state: the payment is already where the command wanted
 * it, so the current transaction is returned and nothing is charged. `duplicate` is for our own ears: another command
 * with the same idempotency key was first, and its answer is the answer.
 */
export type CommandAnswer =
  | { kind: 'done' }
  | { kind: 'unchanged' }
  | { kind: 'pending' }
  | { kind: 'duplicate' }
  | { kind: 'declined'; code: string }
  | { kind: 'refused'; code: ErrorCode; message: string }

/** What the caller of an attempt is told once its result is recorded, now and on every repetition. */
export function answerOfResult(result: {
  outcome?: OperationOutcome | null | undefined
  errorCode?: string | null | undefined
}): CommandAnswer {
  if (result.outcome === 'succeeded') return { kind: 'done' }
  if (result.outcome === 'failed') return { kind: 'declined', code: result.errorCode ?? 'gateway.unknown-error' }
  return { kind: 'pending' }
}

/** What a merchant can do where only an authorization that takes its money at once is possible. */
export const NEEDS_SALE_MESSAGE =
  'The gateway cannot authorize this payment without capturing it at once. Allow that with allow_fallback_to_sale.'

/**
 * Whether an authorization may take its money at once where the two cannot be parted: the merchant allows it, or wants it
 * captured with this call anyway. Never where less is to be captured, now or on schedule, because all would be taken.
 */
export function mayTakeAtOnce(
  command: Pick<AuthorizeCommand, 'mayFallBackToSale' | 'autoCaptureAmountMinor'> & {
    capture: Pick<CaptureCommand, 'amountMinor'> | null
  },
  amountMinor: number,
): boolean {
  const { mayFallBackToSale, capture, autoCaptureAmountMinor } = command
  const wanted = (capture === null ? autoCaptureAmountMinor : capture.amountMinor) ?? amountMinor
  return wanted === amountMinor && (mayFallBackToSale || capture !== null)
}
