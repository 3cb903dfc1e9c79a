import type { ErrorCode } from '../../../domain/errors.ts'
import type { GatewayNotification } from '../../../domain/gateway-notification.ts'
import type { CardChecks, Decline } from '../../../domain/operation.ts'

/**
 * How the answer of a step is delayed: `lost` until a look-up, `late` until the fourth look-up, `never-resolved` for good.
 */
export type Delivery = 'lost' | 'late' | 'never-resolved'

/** A notification that follows an approved step. */
export interface ScriptedNotification {
  readonly kind: Exclude<GatewayNotification['kind'], 'authorization-ended'>
  readonly reason?: string
  /** Of a dispute that can be answered: for how many days. */
  readonly evidenceDays?: number
  /** Counted from the step, in milliseconds. */
  readonly afterMs: number
}

/** The script of a step. */
export interface Script {
  /** Absent: the step is approved. */
  readonly decline?: Decline
  /** Absent: the answer arrives. */
  readonly delivery?: Delivery
}

export interface AuthorizationScript extends Script {
  /** The exception from the decline. */
  readonly unless?: 'verification' | 'first-use'
  /** The card only allows sales; a request that does not allow one is declined. */
  readonly isSaleOnly?: true
  /** Only half of the amount is approved. */
  readonly isPartial?: true
  /** The connection is refused before anything is sent. */
  readonly isNotSent?: true
}

export interface FollowUpScript extends Script {
  /** The first answer is pending; a later look-up or notification reports the outcome. */
  readonly isPendingFirst?: true
  /** Sent after the first capture of an authorization, or after every refund. */
  readonly notifications?: readonly ScriptedNotification[]
  /** The first capture of an authorization that is declined. */
  readonly from?: number
  /** How many captures of an authorization are declined before one is approved. */
  readonly times?: number
}

/** How the issuer of a card authenticates its holder with 3-D Secure. */
export interface AuthenticationScript {
  /**
   * `demanded`: the issuer declines a payment without it. `demanded-of-customers`: the same, unless the merchant
   * initiates the payment. `always`: whenever the customer can act. `if-wanted`: where the merchant wants it.
   */
  readonly when: 'demanded' | 'demanded-of-customers' | 'always' | 'if-wanted'
  /** The issuer's first answer; C demands a challenge. Version 1 has no first answer and always a challenge. */
  readonly ares: 'Y' | 'A' | 'C' | 'N' | 'R' | 'U'
  /** Absent: version 2. */
  readonly version?: 1
  /** What becomes of the issuer's fingerprint page; absent if it has none. Without a fingerprint it demands a challenge. */
  readonly fingerprint?: 'completes' | 'never-returns'
  /** Absent: the customer passes by the right code. */
  readonly challenge?: 'fails' | 'endless'
  /** The bank refuses to be shown in a frame. */
  readonly isFullPage?: true
}

/**
 * How the captures and refunds of a card stand in the simulator's own list, where that is not what it did: never, a day
 * later, twice, one minor unit less, in another currency, taken back, or beside one that nobody has asked for.
 */
export type BookedOtherwise = 'never' | 'late' | 'twice' | 'less' | 'other-currency' | 'taken-back' | 'with-another'

/** The behaviour of a card from its authorization on. Steps without a script are approved. */
export interface Scenario {
  /** Absent: no more than the merchant wants, without a challenge if the merchant wants none. */
  readonly authentication?: AuthenticationScript | 'unsupported'
  /** Results of the issuer's checks that differ from the default. */
  readonly checks?: Partial<CardChecks>
  readonly authorize?: AuthorizationScript
  readonly capture?: FollowUpScript
  readonly increment?: FollowUpScript
  readonly void?: FollowUpScript
  readonly refund?: FollowUpScript
  readonly booked?: BookedOtherwise
}

/** A decline with the simulator's own code, as every gateway has its own. */
export function decline(code: ErrorCode, advice: Partial<Decline> = {}): { kind: 'declined' } & Decline {
  const name = code.slice(code.lastIndexOf('.') + 1)
  return { kind: 'declined', code, gatewayCode: name.replaceAll('-', '_').toUpperCase(), ...advice }
}

export function unknown(reason: string) {
  return { kind: 'unknown' as const, reason }
}
