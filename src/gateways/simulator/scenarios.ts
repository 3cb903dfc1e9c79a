import { type ErrorCode, isErrorCode, retryClassOf } from '../../../domain/errors.ts'
import type { GatewayNotification } from '../../../domain/gateway-notification.ts'
import type { CardChecks, Decline, GatewayOperationType } from '../../../domain/operation.ts'

/** How the answer to a step gets lost: `lost` until a look-up, `late` until the fourth look-up, `never-resolved` for good. */
export type Delivery = 'lost' | 'late' | 'never-resolved'

/** A notification that follows an approved step. */
export interface ScriptedNotification {
  readonly kind: GatewayNotification['kind']
  readonly reason?: string
  /** Counted from the step, in milliseconds. */
  readonly afterMs: number
}

interface ScriptedOutcome {
  /** Without one the step is approved. */
  readonly decline?: Decline
  /** Absent where the answer arrives. */
  readonly delivery?: Delivery
}

export interface ScriptedAuthorization extends ScriptedOutcome {
  /** When the decline does not apply. */
  readonly unless?: 'merchant-initiated' | 'verification' | 'first-use'
  /** The money can only be taken at once; a request that does not allow this is declined. */
  readonly isSaleOnly?: true
  /** Only half of the amount is approved. */
  readonly isPartial?: true
  /** The connection is refused before anything is sent. */
  readonly isNotSent?: true
}

export interface ScriptedFollowUp extends ScriptedOutcome {
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
  readonly authorize?: ScriptedAuthorization
  readonly capture?: ScriptedFollowUp
  readonly increment?: ScriptedFollowUp
  readonly void?: ScriptedFollowUp
  readonly refund?: ScriptedFollowUp
}

const STEPS = ['authorize', 'capture', 'increment', 'void', 'refund'] as const

/** A decline with the simulator's own code, as every gateway has its own. */
export function decline(code: ErrorCode, advice: Partial<Decline> = {}): { kind: 'declined' } & Decline {
  const gatewayCode = code
    .slice(code.lastIndexOf('.') + 1)
    .replaceAll('-', '_')
    .toUpperCase()
  return { kind: 'declined', code, gatewayCode, ...advice }
}

const declined = (code: ErrorCode, advice?: Partial<Decline>): Scenario => ({
  authorize: { decline: decline(code, advice) },
})

const advised = (code: ErrorCode, merchantAdviceCode: string, recommendationCode?: string): Scenario =>
  declined(code, { merchantAdviceCode, ...(recommendationCode !== undefined && { recommendationCode }) })

const needsAuthentication = decline('card.needs-authentication')
const gatewayDeclined = decline('gateway.declined')

/** Time for the service to record the answer to a step, or the first part of a dispute, before the next notification. */
export const NEXT_NOTIFICATION_MS = 300

const chargeback = { kind: 'chargeback-created', reason: 'fraudulent', afterMs: 0 } as const
const closing = (kind: 'chargeback-won' | 'chargeback-lost') => ({ ...chargeback, kind, afterMs: NEXT_NOTIFICATION_MS })

/**
 * Every scenario of the simulator. Its log keeps the key in place of the card, and a cardholder's name can ask for it.
 * Sources: ProcessOut's page "Testing in the sandbox" for the cards of its list; Mastercard's merchant advice codes and
 * Visa's decline categories as acquirers publish them, each with a code that it commonly comes with; the lost and pending
 * answers are ours.
 */
export const SCENARIOS = {
  approved: {},

  // Until there is 3-D Secure these are ordinary cards.
  'three-d-s-not-supported': {},
  'three-d-s-v2-only': {},
  'three-d-s-v1-only': {},
  'three-d-s-frictionless': {},
  'three-d-s-frictionless-fingerprint': {},
  'three-d-s-fingerprint-fails': {},
  'three-d-s-attempted': {},

  'three-d-s-required': { authorize: { decline: needsAuthentication } },
  'three-d-s-v1-required': { authorize: { decline: needsAuthentication } },
  'three-d-s-required-unless-merchant-initiated': {
    authorize: { decline: needsAuthentication, unless: 'merchant-initiated' },
  },
  'three-d-s-challenge-fails': declined('card.failed-3ds'),

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

  'visa-category-1': advised('card.dont-retry', '1', 'do-not-retry'),
  'visa-category-2': advised('card.no-money', '2', 'retry-later'),
  'visa-category-3': advised('card.expired', '3', 'update-payment-details'),
  'visa-category-4': advised('card.do-not-honor', '4'),

  'merchant-advice-01': advised('card.expired', '01', 'update-payment-details'),
  'merchant-advice-02': advised('card.do-not-honor', '02', 'retry-later'),
  'merchant-advice-03': advised('card.dont-retry', '03', 'do-not-retry'),
  'merchant-advice-04': advised('card.declined', '04', 'retry-with-different-details'),
  'merchant-advice-21': advised('card.revoked', '21', 'do-not-retry'),
  'merchant-advice-22': advised('card.not-authorized', '22', 'do-not-retry'),
  'merchant-advice-24': advised('card.no-money', '24', 'retry-after'),
  'merchant-advice-25': advised('card.no-money', '25', 'retry-after'),
  'merchant-advice-26': advised('card.no-money', '26', 'retry-after'),
  'merchant-advice-27': advised('card.no-money', '27', 'retry-after'),
  'merchant-advice-28': advised('card.no-money', '28', 'retry-after'),
  'merchant-advice-29': advised('card.no-money', '29', 'retry-after'),
  'merchant-advice-30': advised('card.no-money', '30', 'retry-after'),
  'merchant-advice-40': advised('card.no-money', '40', 'single-use-card'),
  'merchant-advice-41': advised('card.declined', '41', 'single-use-card'),
  'merchant-advice-42': advised('card.possible-fraud', '42', 'do-not-retry'),
  'merchant-advice-43': advised('card.declined', '43', 'single-use-card'),

  'cvc-check-fails': { checks: { cvcCheck: 'failed' } },
  'avs-check-fails': { checks: { avsCheck: 'failed' } },
  'avs-postal-check-fails': { checks: { avsCheck: 'failed' } },
  'avs-street-check-fails': { checks: { avsCheck: 'failed' } },
  'cvc-and-avs-checks-fail': { checks: { cvcCheck: 'failed', avsCheck: 'failed' } },

  'only-verification': { authorize: { decline: decline('card.declined'), unless: 'verification' } },
  'no-money-on-later-uses': { authorize: { decline: decline('card.no-money'), unless: 'first-use' } },
  'expired-on-later-uses': { authorize: { decline: decline('card.expired'), unless: 'first-use' } },
  'sale-only': { authorize: { isSaleOnly: true } },
  'partial-approval': { authorize: { isPartial: true } },

  'capture-fails': { capture: { decline: gatewayDeclined } },
  'second-capture-fails': { capture: { decline: gatewayDeclined, from: 2 } },
  'capture-fails-twice': { capture: { decline: decline('gateway.internal-error'), times: 2 } },
  'increment-fails': { increment: { decline: decline('card.declined') } },
  'increment-no-money': { increment: { decline: decline('card.no-money') } },
  'void-fails': { void: { decline: gatewayDeclined } },
  'refunds-declined': { refund: { decline: gatewayDeclined } },

  'capture-pending-approved': { capture: { isPendingFirst: true } },
  'capture-pending-declined': { capture: { isPendingFirst: true, decline: gatewayDeclined } },
  'refund-pending-approved': { refund: { isPendingFirst: true } },
  'refund-pending-declined': { refund: { isPendingFirst: true, decline: gatewayDeclined } },
  'refund-fails-later': {
    refund: { notifications: [{ kind: 'refund-failed', reason: 'account_closed', afterMs: NEXT_NOTIFICATION_MS }] },
  },

  'authorization-lost-approved': { authorize: { delivery: 'lost' } },
  'authorization-lost-declined': { authorize: { decline: decline('card.do-not-honor'), delivery: 'lost' } },
  'authorization-approved-late': { authorize: { delivery: 'late' } },
  'authorization-never-resolved': { authorize: { delivery: 'never-resolved' } },
  'capture-lost': { capture: { delivery: 'lost' } },
  'capture-never-resolved': { capture: { delivery: 'never-resolved' } },
  'increment-lost': { increment: { delivery: 'lost' } },
  'increment-never-resolved': { increment: { delivery: 'never-resolved' } },
  'void-lost': { void: { delivery: 'lost' } },
  'void-never-resolved': { void: { delivery: 'never-resolved' } },
  'refund-lost': { refund: { delivery: 'lost' } },
  'refund-never-resolved': { refund: { delivery: 'never-resolved' } },
  'gateway-fails': declined('gateway.internal-error'),
  'connection-refused': { authorize: { decline: decline('gateway.network-error'), isNotSent: true } },

  chargeback: { capture: { notifications: [chargeback] } },
  'chargeback-won': { capture: { notifications: [chargeback, closing('chargeback-won')] } },
  'chargeback-lost': { capture: { notifications: [chargeback, closing('chargeback-lost')] } },
  'retrieval-request': {
    capture: { notifications: [{ kind: 'retrieval-request', reason: 'unrecognized', afterMs: 0 }] },
  },
  'fraud-notification': {
    capture: { notifications: [{ kind: 'fraud-notification', reason: 'card_stolen', afterMs: 0 }] },
  },
} as const satisfies Record<string, Scenario>

export type ScenarioKey = keyof typeof SCENARIOS

/** A misspelt name must not be approved by mistake. The log keeps nothing of it, because a name may be anything. */
export const UNKNOWN_SCENARIO = 'unknown-scenario'

/**
 * The scenario of a key: one of the table, an error code with which the authorization is declined, or `step:code` for a
 * decline of a later step. Null for anything else.
 */
export function findScenario(key: string): Scenario | null {
  if (Object.hasOwn(SCENARIOS, key)) return SCENARIOS[key as ScenarioKey]
  const step = STEPS.find((name) => key.startsWith(`${name}:`)) ?? 'authorize'
  const code = key.startsWith(`${step}:`) ? key.slice(step.length + 1) : key
  if (!isErrorCode(code) || retryClassOf(code) === null) return null
  return { [step]: { decline: decline(code) } }
}

export function scenarioOf(key: string): Scenario {
  if (key === UNKNOWN_SCENARIO) return declined('gateway.invalid-customer-input', { gatewayCode: 'UNKNOWN_SCENARIO' })
  return findScenario(key) ?? {}
}

/** What happens at a step that follows the authorization. */
export function scriptOf(key: string, type: Exclude<GatewayOperationType, 'authorization'>): ScriptedFollowUp {
  return scenarioOf(key)[type === 'increment_authorization' ? 'increment' : type] ?? {}
}
