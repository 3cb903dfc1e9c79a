import type { ErrorCode } from '../../../domain/errors.ts'
import { type Advice, refusal, type Scenario } from './scenario.ts'

const declined = (code: ErrorCode, advice?: Advice): Scenario => ({ authorize: { decline: refusal(code, advice) } })

const advised = (code: ErrorCode, merchantAdviceCode: string, recommendationCode?: string): Scenario =>
  declined(code, { merchantAdviceCode, ...(recommendationCode !== undefined && { recommendationCode }) })

const needsAuthentication = refusal('card.needs-authentication')
const gatewayDeclined = refusal('gateway.declined')

/** Time enough for us to write down the first step of a dispute before we are told of the second. */
const NEXT_STEP_MS = 300

const chargeback = { what: 'chargeback-created', reason: 'fraudulent', afterMs: 0 } as const

/**
 * Every story that the simulator can play. The key is what its log keeps of a card, and what a cardholder name can ask
 * for. Sources: ProcessOut's page "Testing in the sandbox" for the cards of its list; Mastercard's merchant advice codes
 * and Visa's decline categories as acquirers publish them, each with a code that it commonly comes with; the lost and
 * pending answers are ours.
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

  'only-verification': { authorize: { decline: refusal('card.declined'), unless: 'verification' } },
  'no-money-on-later-uses': { authorize: { decline: refusal('card.no-money'), unless: 'first-use' } },
  'expired-on-later-uses': { authorize: { decline: refusal('card.expired'), unless: 'first-use' } },
  'sale-only': { authorize: { isSaleOnly: true } },
  'partial-approval': { authorize: { isPartial: true } },

  'capture-fails': { capture: { decline: gatewayDeclined } },
  'second-capture-fails': { capture: { decline: gatewayDeclined, from: 2 } },
  'capture-fails-twice': { capture: { decline: refusal('gateway.internal-error'), times: 2 } },
  'increment-fails': { increment: { decline: refusal('card.declined') } },
  'increment-no-money': { increment: { decline: refusal('card.no-money') } },
  'void-fails': { void: { decline: gatewayDeclined } },
  'refunds-declined': { refund: { decline: gatewayDeclined } },

  'capture-pending-approved': { capture: { isPendingFirst: true } },
  'capture-pending-declined': { capture: { isPendingFirst: true, decline: gatewayDeclined } },
  'refund-pending-approved': { refund: { isPendingFirst: true } },
  'refund-pending-declined': { refund: { isPendingFirst: true, decline: gatewayDeclined } },
  'refund-fails-later': {
    refund: { notices: [{ what: 'refund-failed', reason: 'account_closed', afterMs: NEXT_STEP_MS }] },
  },

  'authorization-lost-approved': { authorize: { delivery: 'lost' } },
  'authorization-lost-declined': { authorize: { decline: refusal('card.do-not-honor'), delivery: 'lost' } },
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
  'connection-refused': { authorize: { decline: refusal('gateway.network-error'), delivery: 'not-sent' } },

  chargeback: { capture: { notices: [chargeback] } },
  'chargeback-won': {
    capture: { notices: [chargeback, { what: 'chargeback-won', reason: 'fraudulent', afterMs: NEXT_STEP_MS }] },
  },
  'chargeback-lost': {
    capture: { notices: [chargeback, { what: 'chargeback-lost', reason: 'fraudulent', afterMs: NEXT_STEP_MS }] },
  },
  'retrieval-request': { capture: { notices: [{ what: 'retrieval-request', reason: 'unrecognized', afterMs: 0 }] } },
  'fraud-notification': { capture: { notices: [{ what: 'fraud-notification', reason: 'card_stolen', afterMs: 0 }] } },
} as const satisfies Record<string, Scenario>

export type ScenarioKey = keyof typeof SCENARIOS
