import type { GatewayOperationType, LookUp } from './operation.ts'
import { isDisputed, type Payment } from './payment.ts'

const MINUTE_MS = 60_000

/**
 * How long an authorization or an increment that never arrived is sent again: as long as the customer waits for it.
 * Every call that was made has ended by then as well, so that what a gateway has not seen will not come any more.
 */
export const FRESH_MS = 5 * MINUTE_MS

/**
 * From when on a capture that was certainly not made is made under another reference: a gateway may answer a repeated
 * one like the first for a day, also where it had failed. Later than the last time that it was sent under its own
 * reference.
 */
export const MADE_ANEW_AFTER_MS = 10 * MINUTE_MS

/** How often one capture is made under another reference. A gateway that fails each of them needs a person. */
export const MADE_ANEW_MAX = 3

/** A call without a final answer, whose look-up has found nothing. */
export interface UnansweredCall {
  type: GatewayOperationType
  ageMs: number
  /** Nobody has given it up, and it is in flight. */
  isAwaited: boolean
  /** The gateway has said before that it is under way there. */
  isConfirmed: boolean
  /** The gateway configuration is still the account that the call went to. */
  isSameAccount: boolean
  /** Its project is suspended: no money moves. */
  isSuspended: boolean
  /** Advice of the scheme, or a limit of the network, forbids it by now. */
  isForbidden: boolean
  /** How often it was made under another reference before. */
  timesMadeAnew: number
  /** How long its gateway answers a repeated reference like the first, in ms; 0 where it does not promise that. */
  referencesKeptForMs: number
}

/**
 * `wait`: it is looked up again. `send again`: under the same reference. `make anew`: record it as failed, and make it under
 * another reference. `fail`: it never arrived, and is not sent any more.
 */
export type Next = 'wait' | 'send again' | 'make anew' | 'fail'

/**
 * What is to be done about a call whose look-up has found nothing. Done twice it would take money twice, so it is sent again
 * only where the gateway answers a repeated reference like the first, or has certainly not seen it; and only while it is
 * still wanted.
 *
 * @param now in epoch ms of the payment's time.
 */
export function afterLookUp(
  call: UnansweredCall,
  found: Exclude<LookUp, { kind: 'found' }>,
  payment: Pick<Payment, 'status' | 'authorizationExpiresAt'>,
  now: number,
): Next {
  if (found.kind === 'unreachable' || !call.isAwaited || call.isConfirmed || !call.isSameAccount) return 'wait'
  const { ageMs } = call
  const hasNotArrived = found.kind === 'never-seen' && ageMs >= Math.max(FRESH_MS, found.lagMs ?? 0)
  if (!isStillWanted(call, payment, now)) return hasNotArrived ? 'fail' : 'wait'
  if (call.isSuspended && call.type !== 'void') return 'wait'
  if (call.type === 'capture' && hasNotArrived) {
    const mayBeMadeAnew = ageMs >= MADE_ANEW_AFTER_MS && call.timesMadeAnew < MADE_ANEW_MAX
    return mayBeMadeAnew ? 'make anew' : 'wait'
  }
  return isRepeatable(call, hasNotArrived) ? 'send again' : 'wait'
}

/**
 * New money is held only while the customer waits, and the scheme allows it. A capture takes money until its
 * authorization ends. Money in dispute moves no more. A void sets money free, whenever it comes.
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

/** A void that is made twice sets nothing more free, however long ago the first one was. */
function isRepeatable({ type, ageMs, referencesKeptForMs }: UnansweredCall, hasNotArrived: boolean): boolean {
  if (referencesKeptForMs === 0) return false
  return type === 'void' || hasNotArrived || ageMs < referencesKeptForMs
}
