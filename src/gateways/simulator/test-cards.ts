import type { DisputeStep } from '../../../domain/dispute.ts'
import { type ErrorCode, isErrorCode, retryClassOf } from '../../../domain/errors.ts'
import type { CardCheck, Decline, GatewayOperationType } from '../../../domain/operation.ts'
import type { GatewayCard } from '../gateway.ts'
import {
  type AuthenticationScript,
  type AuthorizationScript,
  decline,
  type FollowUpScript,
  type Scenario,
} from './scenarios.ts'

/** The data of a card in its issuer's tables. Scheme names are those of the API. */
export interface CardDescription {
  scheme: string
  coScheme: string | null
  /** ISO 3166-1 alpha-2; null where the list of test cards names no country. */
  countryCode: string | null
  type: 'credit' | 'debit' | 'prepaid'
}

const declining = (code: ErrorCode, advice?: Partial<Decline>) => ({ decline: decline(code, advice) })
const declined = (code: ErrorCode, advice?: Partial<Decline>): Scenario => ({ authorize: declining(code, advice) })
const declinedUnless = (unless: NonNullable<AuthorizationScript['unless']>, code: ErrorCode): Scenario => ({
  authorize: { ...declining(code), unless },
})
const advised = (code: ErrorCode, merchantAdviceCode: string, recommendationCode?: string): Scenario =>
  declined(code, { merchantAdviceCode, ...(recommendationCode !== undefined && { recommendationCode }) })
const checks = (cvcCheck: CardCheck, avsCheck: CardCheck) => ({ cardChecks: { cvcCheck, avsCheck } })
const pendingThenDeclined = { isPendingFirst: true, ...declining('gateway.declined') } as const
const declinedAndLost: Scenario = { authorize: { ...declining('card.do-not-honor'), delivery: 'lost' } }
const authenticating = (
  when: AuthenticationScript['when'],
  ares: AuthenticationScript['ares'],
  more: Partial<AuthenticationScript> = {},
): Scenario => ({ authentication: { when, ares, ...more } })
const FINGERPRINTED = { fingerprint: 'completes' } as const
const country = (countryCode: string, coScheme: string | null = null) => ({ countryCode, coScheme })

/** Time for the service to record the answer of a step, or the first part of a dispute, before the next notification. */
export const NEXT_NOTIFICATION_MS = 300

/** Days in which a dispute is answered, as the schemes commonly leave them to merchants; notices of fraud have none. */
const EVIDENCE_DAYS: Readonly<Partial<Record<DisputeStep, number>>> = {
  'retrieval-request': 10,
  'chargeback-created': 7,
}

/** @param evidenceDays where others are left than commonly */
const disputed = (
  first: DisputeStep,
  reason: string,
  { last, evidenceDays = EVIDENCE_DAYS[first] }: { last?: DisputeStep; evidenceDays?: number } = {},
): Scenario => {
  const next = last === undefined ? [] : [{ kind: last, reason, afterMs: NEXT_NOTIFICATION_MS }]
  const begin = { kind: first, reason, afterMs: 0, ...(evidenceDays !== undefined && { evidenceDays }) }
  return { capture: { notifications: [begin, ...next] } }
}
const refundFailing: Scenario = {
  refund: { notifications: [{ kind: 'refund-failed', reason: 'account_closed', afterMs: NEXT_NOTIFICATION_MS }] },
}

/**
 * Number, key of the scenario, the scenario, and differences from the default card of the first digit. A row without a
 * number is selected by a cardholder's name only.
 */
type Row = readonly [number: string | null, key: string, scenario?: Scenario, differs?: Partial<CardDescription>]

/**
 * All test cards with their scenarios; steps without a script are approved. Expiry date and security code are never
 * checked. Sources: ProcessOut's page "Testing in the sandbox", number by number; 4000 0000 0000 5126 is Stripe's;
 * Mastercard's merchant advice codes and Visa's decline categories as acquirers publish them, each with a code that it
 * commonly comes with; the blocks of 4000 0000 0000 70.. and 80.. and of 5200 0000 0000 are ours.
 */
const ROWS: readonly Row[] = [
  // By scheme
  ['4242424242424242', 'approved'],
  // What many type first: the test card of most payment services.
  ['4111111111111111', 'approved'],
  ['5555555555554444', 'approved'],
  ['378282246310005', 'approved', {}, { scheme: 'american express' }],
  ['30123456789019', 'approved', {}, { scheme: 'diners club' }],
  ['3530111333300000', 'approved', {}, { scheme: 'jcb' }],
  ['6011111111111117', 'approved', {}, { scheme: 'discover' }],

  // By country
  ['4977830000000001', 'approved', {}, country('FR')],
  ['4360000001000005', 'approved', {}, country('FR', 'carte bancaire')],
  // That page's number for the card above until 2021.
  ['4556620000000005', 'approved', {}, country('FR', 'carte bancaire')],
  ['5130290000000009', 'approved', {}, country('FR', 'carte bancaire')],
  ['4658580000000008', 'approved', {}, country('GB')],
  ['4571730000000003', 'approved', {}, country('DK')],
  ['4023600000000002', 'approved', {}, country('IT')],
  ['4338300000000009', 'approved', {}, country('AR')],
  ['4835910000000003', 'approved', {}, country('CN')],

  // 3-D Secure
  ['4000000000000101', 'three-d-s-required', authenticating('demanded', 'C')],
  ['4000000000000119', 'three-d-s-not-supported', { authentication: 'unsupported' }],
  ['4000000000000259', 'three-d-s-v2-only', authenticating('if-wanted', 'C')],
  ['4000000000003238', 'three-d-s-v1-only', authenticating('if-wanted', 'C', { version: 1 })],
  ['4000000000003055', 'three-d-s-frictionless', authenticating('always', 'Y')],
  ['4000000000003063', 'three-d-s-frictionless-fingerprint', authenticating('always', 'Y', FINGERPRINTED)],
  ['4000000000003220', 'three-d-s-fingerprint-fails', authenticating('always', 'Y', { fingerprint: 'never-returns' })],
  ['4000000000003253', 'three-d-s-required-unless-merchant-initiated', authenticating('demanded-of-customers', 'C')],
  ['4000000000003246', 'three-d-s-v1-required', authenticating('demanded', 'C', { version: 1 })],

  // Declined authorizations
  ['4000000000002180', 'do-not-honor', declined('card.do-not-honor')],
  ['4000000000002198', 'possible-fraud', declined('card.possible-fraud')],
  ['4000000000002206', 'no-money', declined('card.no-money')],
  ['4000000000002214', 'expired', declined('card.expired')],
  ['4000000000002222', 'stolen', declined('card.stolen')],
  ['4000000000002230', 'failed-cvc', declined('card.failed-cvc', checks('failed', 'unchecked'))],
  ['4000000000002248', 'failed-avs', declined('card.failed-avs', checks('unchecked', 'failed'))],
  ['4000000000002255', 'not-authorized', declined('card.not-authorized')],
  ['4000000000002263', 'inactive', declined('card.inactive')],
  ['4000000000002271', 'lost', declined('card.lost')],
  ['4000000000002289', 'region-not-authorized', declined('card.region-not-authorized')],
  ['4127969420587632', 'blacklisted', declined('card.blacklisted')],

  // Special scenarios
  ['4000000000000002', 'denied', declined('card.declined')],
  ['4000000000000010', 'capture-fails', { capture: declining('gateway.declined') }],
  ['4000000000000028', 'cvc-check-fails', { checks: { cvcCheck: 'failed' } }],
  ['4000000000000036', 'avs-check-fails', { checks: { avsCheck: 'failed' } }],
  ['4000000000000044', 'cvc-and-avs-checks-fail', { checks: { cvcCheck: 'failed', avsCheck: 'failed' } }],
  ['4000000000000069', 'chargeback', disputed('chargeback-created', 'fraudulent')],
  ['4000000000000077', 'refunds-declined', { refund: declining('gateway.declined') }],
  ['4000000000000085', 'avs-postal-check-fails', { checks: { avsCheck: 'failed' } }],
  ['4000000000000093', 'avs-street-check-fails', { checks: { avsCheck: 'failed' } }],
  ['4000000000000200', 'chargeback-won', disputed('chargeback-created', 'fraudulent', { last: 'chargeback-won' })],
  ['4000000000000309', 'retrieval-request', disputed('retrieval-request', 'unrecognized')],
  ['4000000000001216', 'only-verification', declinedUnless('verification', 'card.declined')],
  ['4000000000004004', 'fraud-notification', disputed('fraud-notification', 'card_stolen')],
  ['4000000000006223', 'second-capture-fails', { capture: { ...declining('gateway.declined'), from: 2 } }],
  ['4000000000000531', 'increment-fails', { increment: declining('card.declined') }],
  ['4000000000003303', 'increment-no-money', { increment: declining('card.no-money') }],
  ['4000000000006009', 'no-money-on-later-uses', declinedUnless('first-use', 'card.no-money')],
  ['4000000000004301', 'expired-on-later-uses', declinedUnless('first-use', 'card.expired')],
  ['5337480000007168', 'do-not-retry', declined('card.dont-retry', { recommendationCode: 'do-not-retry' })],

  // Lost answers and failing gateways
  ['4000000000007007', 'authorization-lost-approved', { authorize: { delivery: 'lost' } }],
  ['4000000000007015', 'authorization-lost-declined', declinedAndLost],
  ['4000000000007023', 'authorization-never-resolved', { authorize: { delivery: 'never-resolved' } }],
  ['4000000000007031', 'capture-lost', { capture: { delivery: 'lost' } }],
  ['4000000000007080', 'void-fails', { void: declining('gateway.declined') }],
  ['4000000000007098', 'gateway-fails', declined('gateway.internal-error')],
  ['4000000000007106', 'connection-refused', { authorize: { ...declining('gateway.network-error'), isNotSent: true } }],
  ['4000000000007148', 'increment-lost', { increment: { delivery: 'lost' } }],

  // Outcomes that become final later
  ['4000000000007049', 'capture-pending-approved', { capture: { isPendingFirst: true } }],
  ['4000000000007056', 'capture-pending-declined', { capture: pendingThenDeclined }],
  ['4000000000007064', 'refund-pending-approved', { refund: { isPendingFirst: true } }],
  ['4000000000007072', 'refund-pending-declined', { refund: pendingThenDeclined }],
  ['4000000000005126', 'refund-fails-later', refundFailing],

  // Other approvals than the one asked for
  ['4000000000007114', 'partial-approval', { authorize: { isPartial: true } }],
  ['4000000000007155', 'sale-only', { authorize: { isSaleOnly: true } }],

  // More of 3-D Secure
  ['4000000000007122', 'three-d-s-attempted', authenticating('always', 'A')],
  ['4000000000007130', 'three-d-s-challenge-fails', authenticating('demanded', 'C', { challenge: 'fails' })],

  // Declines with the advice of the scheme
  ['4000000000008013', 'visa-category-1', advised('card.dont-retry', '1', 'do-not-retry')],
  ['4000000000008021', 'visa-category-2', advised('card.no-money', '2', 'retry-later')],
  ['4000000000008039', 'visa-category-3', advised('card.expired', '3', 'update-payment-details')],
  ['4000000000008047', 'visa-category-4', advised('card.do-not-honor', '4')],
  ['5200000000000015', 'merchant-advice-01', advised('card.expired', '01', 'update-payment-details')],
  ['5200000000000023', 'merchant-advice-02', advised('card.do-not-honor', '02', 'retry-later')],
  ['5200000000000031', 'merchant-advice-03', advised('card.dont-retry', '03', 'do-not-retry')],
  ['5200000000000049', 'merchant-advice-04', advised('card.declined', '04', 'retry-with-different-details')],
  ['5200000000000213', 'merchant-advice-21', advised('card.revoked', '21', 'do-not-retry')],
  ['5200000000000221', 'merchant-advice-22', advised('card.not-authorized', '22', 'do-not-retry')],
  ['5200000000000247', 'merchant-advice-24', advised('card.no-money', '24', 'retry-after')],
  ['5200000000000254', 'merchant-advice-25', advised('card.no-money', '25', 'retry-after')],
  ['5200000000000262', 'merchant-advice-26', advised('card.no-money', '26', 'retry-after')],
  ['5200000000000270', 'merchant-advice-27', advised('card.no-money', '27', 'retry-after')],
  ['5200000000000288', 'merchant-advice-28', advised('card.no-money', '28', 'retry-after')],
  ['5200000000000296', 'merchant-advice-29', advised('card.no-money', '29', 'retry-after')],
  ['5200000000000304', 'merchant-advice-30', advised('card.no-money', '30', 'retry-after')],
  ['5200000000000403', 'merchant-advice-40', advised('card.no-money', '40', 'single-use-card')],
  ['5200000000000411', 'merchant-advice-41', advised('card.declined', '41', 'single-use-card')],
  ['5200000000000429', 'merchant-advice-42', advised('card.possible-fraud', '42', 'do-not-retry')],
  ['5200000000000437', 'merchant-advice-43', advised('card.declined', '43', 'single-use-card')],

  // By name only
  [null, 'capture-fails-twice', { capture: { ...declining('gateway.internal-error'), times: 2 } }],
  [null, 'authorization-approved-late', { authorize: { delivery: 'late' } }],
  [null, 'capture-never-resolved', { capture: { delivery: 'never-resolved' } }],
  [null, 'increment-never-resolved', { increment: { delivery: 'never-resolved' } }],
  [null, 'void-lost', { void: { delivery: 'lost' } }],
  [null, 'void-never-resolved', { void: { delivery: 'never-resolved' } }],
  [null, 'refund-lost', { refund: { delivery: 'lost' } }],
  [null, 'refund-never-resolved', { refund: { delivery: 'never-resolved' } }],
  [null, 'chargeback-due-tomorrow', disputed('chargeback-created', 'product_not_received', { evidenceDays: 1 })],
  [null, 'chargeback-answered', disputed('chargeback-created', 'fraudulent', { last: 'dispute-answered' })],
  [null, 'retrieval-request-closed', disputed('retrieval-request', 'unrecognized', { last: 'inquiry-closed' })],
  [null, 'chargeback-lost', disputed('chargeback-created', 'fraudulent', { last: 'chargeback-lost' })],
  [null, 'three-d-s-unavailable', authenticating('always', 'U')],
  [null, 'three-d-s-failed', authenticating('always', 'N')],
  [null, 'three-d-s-rejected', authenticating('always', 'R')],
  [null, 'three-d-s-full-page', authenticating('demanded', 'C', { isFullPage: true })],
  [null, 'three-d-s-declined-after', { ...declined('card.do-not-honor'), ...authenticating('demanded', 'C') }],
  [null, 'three-d-s-endless', authenticating('demanded', 'C', { challenge: 'endless' })],

  // Otherwise in the simulator's list than it was done
  [null, 'booked-never', { booked: 'never' }],
  [null, 'booked-late', { booked: 'late' }],
  [null, 'booked-twice', { booked: 'twice' }],
  [null, 'booked-less', { booked: 'less' }],
  [null, 'booked-in-other-currency', { booked: 'other-currency' }],
  [null, 'booked-and-taken-back', { booked: 'taken-back' }],
  [null, 'booked-with-another', { booked: 'with-another' }],
]

/** All scenarios. The log keeps the key instead of the card, and a cardholder's name can select it. */
export const SCENARIOS: Readonly<Record<string, Scenario>> = Object.fromEntries(
  ROWS.map(([, key, scenario = {}]) => [key, scenario]),
)

interface TestCard extends CardDescription {
  scenario: string
}

const CARDS: ReadonlyMap<string, TestCard> = new Map(
  ROWS.flatMap(([number, scenario, , differs]) => {
    if (number === null) return []
    const scheme = number.startsWith('5') ? 'mastercard' : 'visa'
    return [[number, { scenario, scheme, coScheme: null, countryCode: null, type: 'credit', ...differs }]]
  }),
)

/** The test card with this number, digits only; null for a number that the simulator refuses. */
export function findTestCard(number: string): TestCard | null {
  return CARDS.get(number) ?? null
}

/** The data of a test card, known without a gateway; null for any other number. */
export function describeCard(number: string): CardDescription | null {
  const card = findTestCard(number)
  if (card === null) return null
  const { scenario: _, ...description } = card
  return description
}

/** The common data of all test cards with these first digits; null without any. */
export function describeIin(iin: string): CardDescription | null {
  const [first, ...others] = [...CARDS].filter(([number]) => number.startsWith(iin)).map(([, card]) => card)
  if (first === undefined) return null
  const shared = <Name extends keyof CardDescription>(name: Name) =>
    others.every((card) => card[name] === first[name]) ? first[name] : null
  const { scheme, type } = first
  return { scheme, type, coScheme: shared('coScheme'), countryCode: shared('countryCode') }
}

/** A cardholder's name with this prefix selects the scenario, for any test card. */
const NAME_PREFIX = 'SANDBOX:'

/** A misspelt name must not be approved by mistake. The log keeps only this key, because a name may contain anything. */
const UNKNOWN_SCENARIO = 'unknown-scenario'

/**
 * The key of a card's scenario: from the cardholder's name, otherwise the number's own. Null for a number that is no test
 * card, whatever the name.
 */
export function scenarioKeyOf({ number, name }: GatewayCard): string | null {
  const card = findTestCard(number)
  if (card === null || !name?.startsWith(NAME_PREFIX)) return card?.scenario ?? null
  const key = name.slice(NAME_PREFIX.length)
  return findScenario(key) === null ? UNKNOWN_SCENARIO : key
}

const STEPS = ['authorize', 'capture', 'increment', 'void', 'refund'] as const

/**
 * The scenario of a key: one of the table, an error code that declines the authorization, or `step:code`, which declines a
 * later step. Null for anything else.
 */
function findScenario(key: string): Scenario | null {
  if (Object.hasOwn(SCENARIOS, key)) return SCENARIOS[key] ?? null
  const step = STEPS.find((name) => key.startsWith(`${name}:`)) ?? 'authorize'
  const code = key.startsWith(`${step}:`) ? key.slice(step.length + 1) : key
  return isErrorCode(code) && retryClassOf(code) !== null ? { [step]: declining(code) } : null
}

export function scenarioOf(key: string): Scenario {
  if (key === UNKNOWN_SCENARIO) return declined('gateway.invalid-customer-input', { gatewayCode: 'UNKNOWN_SCENARIO' })
  return findScenario(key) ?? {}
}

/** The script of a step after the authorization. */
export function scriptOf(key: string, type: GatewayOperationType): FollowUpScript {
  const { capture, increment, void: release, refund } = scenarioOf(key)
  const scripts = { authorization: {}, capture, increment_authorization: increment, void: release, refund }
  return scripts[type] ?? {}
}
