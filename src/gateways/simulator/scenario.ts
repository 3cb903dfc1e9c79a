import type { ErrorCode } from '../../../domain/errors.ts'
import type { GatewayNotice } from '../../../domain/gateway-notice.ts'
import type { CardChecks, Decline } from '../../../domain/operation.ts'

/** How the answer travels back to us; delivered where a script does not say otherwise. */
export type Delivery =
  /** Done, and the answer never arrives. A look-up tells the truth. */
  | 'lost'
  /** Done, the answer never arrives, and look-ups tell nothing for a while. */
  | 'late'
  /** Done, the answer never arrives, and no look-up ever tells. */
  | 'never-resolved'
  /** The connection is refused before anything is sent. */
  | 'not-sent'

/** Something that the gateway tells unasked once the step is approved. */
export interface Announcement {
  readonly what: GatewayNotice['what']
  readonly reason: string
  /** Counted from the step, in milliseconds. */
  readonly afterMs: number
}

interface Script {
  /** Without one the step is approved. */
  readonly decline?: Decline
  readonly delivery?: Delivery
}

/** When the script of an authorization does not hold, and the authorization is approved instead. */
export type Exception = 'merchant-initiated' | 'verification' | 'first-use'

export interface AuthorizationScript extends Script {
  readonly unless?: Exception
  /** The money can only be taken at once; where that is not asked for, the authorization is declined. */
  readonly isSaleOnly?: true
  /** Only half of the amount is approved. */
  readonly isPartial?: true
}

export interface FollowUpScript extends Script {
  /** The answer is pending at first; a later look-up finds what it has become. */
  readonly isPendingFirst?: true
  /** On the first capture of an authorization, on every refund. */
  readonly notices?: readonly Announcement[]
}

export interface CaptureScript extends FollowUpScript {
  /** The capture of an authorization from which on the decline holds: 2 lets the first one pass. */
  readonly from?: number
  /** How many captures of an authorization are declined before one passes. */
  readonly times?: number
}

/** The story of a card, from its authorization to its end. A step that is not named is approved. */
export interface Scenario {
  readonly authorize?: AuthorizationScript
  /** Results of the issuer's checks, where they are not the usual ones. */
  readonly checks?: Partial<CardChecks>
  readonly capture?: CaptureScript
  readonly increment?: FollowUpScript
  readonly void?: FollowUpScript
  readonly refund?: FollowUpScript
}

/** What a refusal says beside its code. */
export type Advice = Pick<Decline, 'recommendationCode' | 'merchantAdviceCode' | 'cardChecks'>

/** A refusal in the words of the simulator; the gateway code is its own, as every gateway has its own. */
export function refusal(code: ErrorCode, advice: Advice = {}): Decline {
  return {
    code,
    gatewayCode: code
      .slice(code.lastIndexOf('.') + 1)
      .replaceAll('-', '_')
      .toUpperCase(),
    ...advice,
  }
}
