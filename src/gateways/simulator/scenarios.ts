import type { ErrorCode } from '../../../domain/errors.ts'
import type { CardChecks, Decline } from '../../../domain/operation.ts'

/** How the answer travels back to us; delivered where a script does not say otherwise. */
export type Delivery =
  /** Done, and the answer never arrives. A look-up tells the truth. */
  | 'lost'
  /** The answer never arrives, and no look-up ever tells. */
  | 'never-resolved'
  /** The connection is refused before anything is sent. */
  | 'not-sent'

/** What happens at one step. Without `decline` the step is approved. */
export interface Script {
  readonly decline?: Decline
  readonly delivery?: Delivery
}

/** When the script of an authorization does not hold, and the authorization is approved instead. */
export type Exception = 'merchant-initiated' | 'verification' | 'first-use'

/** The story of a test card, from its authorization to its end. A step that is not named is approved. */
export interface Scenario {
  readonly authorize?: Script & { readonly unless?: Exception }
  /** Results of the issuer's checks, where they are not the usual ones. */
  readonly checks?: Partial<CardChecks>
  /** `from` counts captures of one authorization: 2 lets the first one pass. */
  readonly capture?: Script & { readonly from?: number }
  readonly increment?: Script
  readonly void?: Script
}

/** A refusal in the words of the simulator; the gateway code is its own, as every gateway has its own. */
export function refusal(code: ErrorCode, more: Pick<Decline, 'recommendationCode' | 'cardChecks'> = {}): Decline {
  return {
    code,
    gatewayCode: code
      .slice(code.indexOf('.') + 1)
      .replaceAll('-', '_')
      .toUpperCase(),
    ...more,
  }
}

const declined = (code: ErrorCode, more?: Parameters<typeof refusal>[1]): Scenario => ({
  authorize: { decline: refusal(code, more) },
})

const needsAuthentication = refusal('card.needs-authentication')

/**
 * Every story that the simulator can play. The key is what its log keeps of a card.
 * Source: ProcessOut's page "Testing in the sandbox" for the cards of its list; the lost answers are ours.
 */
export const SCENARIOS = {
  approved: {},

  // Up to the capture these are ordinary cards; what sets them apart happens outside an authorization without 3DS.
  'three-d-s-not-supported': {},
  'three-d-s-v2-only': {},
  'three-d-s-v1-only': {},
  'three-d-s-frictionless': {},
  'three-d-s-frictionless-fingerprint': {},
  'three-d-s-fingerprint-fails': {},
  chargeback: {},
  'chargeback-won': {},
  'refunds-declined': {},
  'retrieval-request': {},
  'fraud-notification': {},

  'three-d-s-required': { authorize: { decline: needsAuthentication } },
  'three-d-s-v1-required': { authorize: { decline: needsAuthentication } },
  'three-d-s-required-unless-merchant-initiated': {
    authorize: { decline: needsAuthentication, unless: 'merchant-initiated' },
  },

  'do-not-honor': declined('card.do-not-honor'),
  'possible-fraud': declined('card.possible-fraud'),
  'no-money': declined('card.no-money'),
  expired: declined('card.expired'),
  stolen: declined('card.stolen'),
  'failed-cvc': declined('card.failed-cvc', { cardChecks: { cvcCheck: 'failed', avsCheck: 'unchecked' } }),
  'failed-avs': declined('card.failed-avs', { cardChecks: { cvcCheck: 'unchecked', avsCheck: 'failed' } }),
  'not-authorized': declined('card.not-authorized'),
  inactive: declined('card.inactive'),
  lost: declined('card.lost'),
  'region-not-authorized': declined('card.region-not-authorized'),
  blacklisted: declined('card.blacklisted'),
  denied: declined('card.declined'),
  'do-not-retry': declined('card.dont-retry', { recommendationCode: 'do-not-retry' }),

  'cvc-check-fails': { checks: { cvcCheck: 'failed' } },
  'avs-check-fails': { checks: { avsCheck: 'failed' } },
  'avs-postal-check-fails': { checks: { avsCheck: 'failed' } },
  'avs-street-check-fails': { checks: { avsCheck: 'failed' } },
  'cvc-and-avs-checks-fail': { checks: { cvcCheck: 'failed', avsCheck: 'failed' } },

  'capture-fails': { capture: { decline: refusal('gateway.declined') } },
  'second-capture-fails': { capture: { decline: refusal('gateway.declined'), from: 2 } },
  'increment-fails': { increment: { decline: refusal('card.declined') } },
  'increment-no-money': { increment: { decline: refusal('card.no-money') } },
  'void-fails': { void: { decline: refusal('gateway.declined') } },
  'only-verification': { authorize: { decline: refusal('card.declined'), unless: 'verification' } },
  'no-money-on-later-uses': { authorize: { decline: refusal('card.no-money'), unless: 'first-use' } },
  'expired-on-later-uses': { authorize: { decline: refusal('card.expired'), unless: 'first-use' } },

  'authorization-lost-approved': { authorize: { delivery: 'lost' } },
  'authorization-lost-declined': { authorize: { decline: refusal('card.do-not-honor'), delivery: 'lost' } },
  'authorization-never-resolved': { authorize: { delivery: 'never-resolved' } },
  'capture-lost': { capture: { delivery: 'lost' } },
  'increment-lost': { increment: { delivery: 'lost' } },
  'gateway-fails': declined('gateway.internal-error'),
  'connection-refused': { authorize: { decline: refusal('gateway.network-error'), delivery: 'not-sent' } },
} as const satisfies Record<string, Scenario>

export type ScenarioKey = keyof typeof SCENARIOS

/** The scenario of a key; a key that the table lost since the log was written plays like an ordinary card. */
export function scenarioOf(key: string | null): Scenario {
  return key !== null && Object.hasOwn(SCENARIOS, key) ? SCENARIOS[key as ScenarioKey] : SCENARIOS.approved
}
