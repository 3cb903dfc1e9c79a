import type { ErrorCode } from '../../../domain/errors.ts'
import type { GatewayNotification } from '../../../domain/gateway-notification.ts'
import type { CardChecks, Decline } from '../../../domain/operation.ts'

/** How the answer to a step gets lost: `lost` until a look-up, `late` until the fourth look-up, `never-resolved` for good. */
export type Delivery = 'lost' | 'late' | 'never-resolved'

/** A notification that follows an approved step. */
export interface ScriptedNotification {
  readonly kind: Exclude<GatewayNotification['kind'], 'authorization-ended'>
  readonly reason?: string
  /** Counted from the step, in milliseconds. */
  readonly afterMs: number
}

/** What happens at a step. */
export interface Script {
  /** Without one the step is approved. */
  readonly decline?: Decline
  /** Absent where the answer arrives. */
  readonly delivery?: Delivery
}

export interface AuthorizationScript extends Script {
  /** When the decline does not apply. */
  readonly unless?: 'merchant-initiated' | 'verification' | 'first-use'
  /** The money can only be taken at once; a request that does not allow this is declined. */
  readonly isSaleOnly?: true
  /** Only half of the amount is approved. */
  readonly isPartial?: true
  /** The connection is refused before anything is sent. */
  readonly isNotSent?: true
}

export interface FollowUpScript extends Script {
  /** The answer is pending at first; a later look-up or notification says how the step has ended. */
  readonly isPendingFirst?: true
  /** Follow the first capture of an authorization, or every refund. */
  readonly notifications?: readonly ScriptedNotification[]
  /** The first capture of an authorization to which the decline applies. */
  readonly from?: number
  /** How many captures of an authorization are declined before one is approved. */
  readonly times?: number
}

/** What happens to a card from its authorization on. A step that is not named is approved. */
export interface Scenario {
  /** Results of the issuer's checks, where they are not the usual ones. */
  readonly checks?: Partial<CardChecks>
  readonly authorize?: AuthorizationScript
  readonly capture?: FollowUpScript
  readonly increment?: FollowUpScript
  readonly void?: FollowUpScript
  readonly refund?: FollowUpScript
}

/** A decline with the simulator's own code, as every gateway has its own. */
export function decline(code: ErrorCode, advice: Partial<Decline> = {}): { kind: 'declined' } & Decline {
  const name = code.slice(code.lastIndexOf('.') + 1)
  return { kind: 'declined', code, gatewayCode: name.replaceAll('-', '_').toUpperCase(), ...advice }
}

export function unknown(reason: string) {
  return { kind: 'unknown' as const, reason }
}
