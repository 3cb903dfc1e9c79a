import type { Outcome } from '../../domain/operation.ts'
import { isFreedBy } from '../../domain/payment-outcome.ts'
import type { OperationRow } from '../../src/persistence/entities/operation.ts'

/** A gateway's answer as it is booked, and what it approved beside that and nobody wants to keep. */
export interface Judged {
  outcome: Outcome
  /** An authorization over less than was asked, which is given back. */
  unwanted: { gatewayAuthorizationId: string; amountMinor: number } | null
}

/**
 * Nothing here can send a customer to authenticate yet: nobody learns the address, so that the call can never come to
 * anything, and waiting for it would keep the invoice from being paid at all. Should it be approved after all, it comes late.
 */
const NOBODY_TO_ACT: Outcome = {
  kind: 'declined',
  code: 'card.needs-authentication',
  gatewayCode: 'ACTION_REQUIRED',
}

/**
 * Compares what a gateway says with what it was asked. An approval of another amount or currency is not the approval we
 * asked for: what really happened is unknown until somebody looks. Only an authorization over less is a known thing, a
 * partial approval: a project that takes those gets it, any other gets a decline, and the part is voided.
 *
 * A refusal of the void at the end of an authorization is no outcome unless it says that the money is free: the gateway may
 * have taken it. The void stays open, and is looked up.
 */
export function judgeOutcome(outcome: Outcome, attempt: OperationRow, acceptsPartialApprovals: boolean): Judged {
  if (outcome.kind === 'action-required') return { outcome: NOBODY_TO_ACT, unwanted: null }
  if (outcome.kind === 'declined' && isExpiryVoid(attempt) && !isFreedBy(outcome))
    return { outcome: notReleased(outcome), unwanted: null }
  if (outcome.kind !== 'approved') return { outcome, unwanted: null }
  const { amountMinor, currency, gatewayOperationId } = outcome
  if (currency === attempt.currency && amountMinor === attempt.amountMinor) return { outcome, unwanted: null }
  const isPartial =
    attempt.type === 'authorization' &&
    currency === attempt.currency &&
    0 < amountMinor &&
    amountMinor < attempt.amountMinor &&
    outcome.isSale !== true
  if (!isPartial) {
    const reason = `approved ${amountMinor} ${currency}, asked ${attempt.amountMinor} ${attempt.currency}`
    return { outcome: { kind: 'unknown', reason }, unwanted: null }
  }
  if (acceptsPartialApprovals) return { outcome, unwanted: null }
  return {
    outcome: { kind: 'declined', code: 'card.no-money', gatewayCode: 'PARTIAL_APPROVAL' },
    unwanted: { gatewayAuthorizationId: gatewayOperationId, amountMinor },
  }
}

/** Whether the attempt is our own void at the end of the authorization. */
export function isExpiryVoid({ metadata }: Pick<OperationRow, 'metadata'>): boolean {
  return metadata.reason === 'authorization_expired'
}

function notReleased({ code, gatewayCode }: Extract<Outcome, { kind: 'declined' }>): Outcome {
  const reason = `The gateway did not release the authorization at its end: ${code} (${gatewayCode}).`
  return { kind: 'unknown', reason, refusal: { code, gatewayCode } }
}
