import type { GatewayOperationType, LookUp } from './operation.ts'
import { isDisputed, type Payment } from './payment.ts'

const MINUTE_MS = 60_000

/**
 * How long an authorization or an increment that never arrived may be sent again: while the customer may still wait.
 * By then every call has ended, so a call that the gateway has not seen will not arrive later.
 */
export const FRESH_MS = 5 * MINUTE_MS

/**
 * How long after it was sent a capture that was certainly not made is made under another reference. A gateway may answer a
 * repeated reference like the first for a day, even after a failure. Longer than the capture is sent under its own reference.
 */
export const MADE_ANEW_AFTER_MS = 10 * MINUTE_MS

/** How often one capture is made under another reference. After that staff must look. */
export const MADE_ANEW_MAX = 3

/** `unheard`: the gateway still waits for the answer that the customer has given. */
type Found = Exclude<LookUp, { kind: 'found' }> | { kind: 'unheard' }

/** A call without a final outcome, whose look-up found none. After an answer of the customer it is the call with that answer. */
export interface UnansweredCall {
  type: GatewayOperationType
  /** By the payment's clock. */
  ageMs: number
  /** How long ago it was sent. A test clock that was moved makes no call arrive sooner. */
  sentAgoMs: number
  /** The attempt is in flight, not closed, and does not wait for its customer. */
  isAwaited: boolean
  /** The gateway reported before that the call is pending there. */
  isConfirmed: boolean
  /** The gateway configuration is still the account that the call went to. */
  isSameAccount: boolean
  /** Its project is suspended: no money moves. */
  isSuspended: boolean
  /** The scheme's advice, or a network limit, forbids it now. */
  isForbidden: boolean
  /** How often it was made under another reference before. */
  timesMadeAnew: number
  /** How long the gateway answers a repeated reference like the first, in ms; 0 if it does not promise that. */
  referencesKeptForMs: number
}

/**
 * `wait`: look it up again. `send again`: under the same reference. `make anew`: record it as failed, and make it under
 * another reference. `fail`: it never arrived, and is not sent again.
 */
export type Next = 'wait' | 'send again' | 'make anew' | 'fail'

/**
 * Decides about a call whose look-up found nothing. Executed twice it would move money twice. It is therefore sent again
 * only while it is wanted, and only at a gateway that answers a repeated reference like the first, for as long as it does
 * so or after the call has certainly not arrived. An answer of the customer may be repeated at every gateway.
 *
 * @param now in epoch ms of the payment's time.
 */
export function afterLookUp(
  call: UnansweredCall,
  found: Found,
  payment: Pick<Payment, 'status' | 'authorizationExpiresAt'>,
  now: number,
): Next {
  if (found.kind === 'unreachable' || !call.isAwaited || call.isConfirmed || !call.isSameAccount) return 'wait'
  const { sentAgoMs } = call
  const hasNotArrived = found.kind === 'never-seen' && sentAgoMs >= Math.max(FRESH_MS, found.lagMs ?? 0)
  if (!isStillWanted(call, payment, now)) return hasNotArrived ? 'fail' : 'wait'
  if (call.isSuspended && call.type !== 'void') return 'wait'
  if (call.type === 'capture' && hasNotArrived) {
    const mayBeMadeAnew = sentAgoMs >= MADE_ANEW_AFTER_MS && call.timesMadeAnew < MADE_ANEW_MAX
    return mayBeMadeAnew ? 'make anew' : 'wait'
  }
  return found.kind === 'unheard' || isRepeatable(call, hasNotArrived) ? 'send again' : 'wait'
}

/**
 * An authorization or increment is wanted while the customer may wait and the scheme allows it; a capture until the
 * authorization ends; a void always. Disputed money is neither captured nor refunded.
 */
function isStillWanted(
  { type, ageMs, isForbidden }: UnansweredCall,
  { status, authorizationExpiresAt }: Pick<Payment, 'status' | 'authorizationExpiresAt'>,
  now: number,
): boolean {
  switch (type) {
    case 'authorization':
    case 'increment_authorization':
      return ageMs < FRESH_MS && !isForbidden
    case 'capture':
      return now <= (authorizationExpiresAt ?? now) && !isDisputed(status)
    case 'refund':
      return !isDisputed(status)
    case 'void':
      return true
  }
}

/** A repeated void is harmless at any time: it releases nothing more. */
function isRepeatable({ type, ageMs, referencesKeptForMs }: UnansweredCall, hasNotArrived: boolean): boolean {
  if (referencesKeptForMs === 0) return false
  return type === 'void' || hasNotArrived || ageMs < referencesKeptForMs
}
