import type { GatewayCard } from '../gateway.ts'
import { findScenario, type ScenarioKey, UNKNOWN_SCENARIO } from './scenarios.ts'

/** What a card is, as its issuer's tables tell it. Scheme names are those of the interface. */
export interface CardDescription {
  scheme: string
  coScheme: string | null
  /** ISO 3166-1 alpha-2; null where the list of test cards names no country. */
  countryCode: string | null
  type: 'credit' | 'debit' | 'prepaid'
}

export interface TestCard extends CardDescription {
  number: string
  scenario: ScenarioKey
}

/** The card of a number, digits only; null for a number that the simulator refuses. */
export function findTestCard(number: string): TestCard | null {
  return CARDS_BY_NUMBER.get(number) ?? null
}

/** What is known of a test card without asking a gateway; null for any other number. */
export function describeCard(number: string): CardDescription | null {
  const card = findTestCard(number)
  if (card === null) return null
  const { scheme, coScheme, countryCode, type } = card
  return { scheme, coScheme, countryCode, type }
}

/** A cardholder of this name asks for the scenario that follows, whichever test card is used. */
const NAME_PREFIX = 'SANDBOX:'

/**
 * The key of the scenario of a card: the one that the cardholder's name asks for, else the number's own. Null for a number
 * that is no test card, whatever the name.
 */
export function scenarioKeyOf({ number, name }: GatewayCard): string | null {
  const card = findTestCard(number)
  if (card === null || !name?.startsWith(NAME_PREFIX)) return card?.scenario ?? null
  const key = name.slice(NAME_PREFIX.length)
  return findScenario(key) === null ? UNKNOWN_SCENARIO : key
}

/** A row: number, scenario, and what differs from a Visa credit card of no stated country. */
type Row = readonly [number: string, scenario: ScenarioKey, differs?: Partial<CardDescription>]

/**
 * Every test card. Expiry date and security code are never checked.
 * Source: ProcessOut's page "Testing in the sandbox", number by number; 4000 0000 0000 5126 is Stripe's; the blocks of
 * 4000 0000 0000 70.. and 80.. and of 5200 0000 0000 are ours.
 */
const ROWS: readonly Row[] = [
  // By scheme
  ['4242424242424242', 'approved'],
  ['5555555555554444', 'approved', { scheme: 'mastercard' }],
  ['378282246310005', 'approved', { scheme: 'american express' }],
  ['30123456789019', 'approved', { scheme: 'diners club' }],
  ['3530111333300000', 'approved', { scheme: 'jcb' }],
  ['6011111111111117', 'approved', { scheme: 'discover' }],

  // By country
  ['4977830000000001', 'approved', { countryCode: 'FR' }],
  ['4360000001000005', 'approved', { countryCode: 'FR', coScheme: 'carte bancaire' }],
  // The number that the page gave for the card above until 2021.
  ['4556620000000005', 'approved', { countryCode: 'FR', coScheme: 'carte bancaire' }],
  ['5130290000000009', 'approved', { countryCode: 'FR', scheme: 'mastercard', coScheme: 'carte bancaire' }],
  ['4658580000000008', 'approved', { countryCode: 'GB' }],
  ['4571730000000003', 'approved', { countryCode: 'DK' }],
  ['4023600000000002', 'approved', { countryCode: 'IT' }],
  ['4338300000000009', 'approved', { countryCode: 'AR' }],
  ['4835910000000003', 'approved', { countryCode: 'CN' }],

  // 3-D Secure
  ['4000000000000101', 'three-d-s-required'],
  ['4000000000000119', 'three-d-s-not-supported'],
  ['4000000000000259', 'three-d-s-v2-only'],
  ['4000000000003238', 'three-d-s-v1-only'],
  ['4000000000003055', 'three-d-s-frictionless'],
  ['4000000000003063', 'three-d-s-frictionless-fingerprint'],
  ['4000000000003220', 'three-d-s-fingerprint-fails'],
  ['4000000000003253', 'three-d-s-required-unless-merchant-initiated'],
  ['4000000000003246', 'three-d-s-v1-required'],

  // Declined authorizations
  ['4000000000002180', 'do-not-honor'],
  ['4000000000002198', 'possible-fraud'],
  ['4000000000002206', 'no-money'],
  ['4000000000002214', 'expired'],
  ['4000000000002222', 'stolen'],
  ['4000000000002230', 'failed-cvc'],
  ['4000000000002248', 'failed-avs'],
  ['4000000000002255', 'not-authorized'],
  ['4000000000002263', 'inactive'],
  ['4000000000002271', 'lost'],
  ['4000000000002289', 'region-not-authorized'],
  ['4127969420587632', 'blacklisted'],

  // Special scenarios
  ['4000000000000002', 'denied'],
  ['4000000000000010', 'capture-fails'],
  ['4000000000000028', 'cvc-check-fails'],
  ['4000000000000036', 'avs-check-fails'],
  ['4000000000000044', 'cvc-and-avs-checks-fail'],
  ['4000000000000069', 'chargeback'],
  ['4000000000000077', 'refunds-declined'],
  ['4000000000000085', 'avs-postal-check-fails'],
  ['4000000000000093', 'avs-street-check-fails'],
  ['4000000000000200', 'chargeback-won'],
  ['4000000000000309', 'retrieval-request'],
  ['4000000000001216', 'only-verification'],
  ['4000000000004004', 'fraud-notification'],
  ['4000000000006223', 'second-capture-fails'],
  ['4000000000000531', 'increment-fails'],
  ['4000000000003303', 'increment-no-money'],
  ['4000000000006009', 'no-money-on-later-uses'],
  ['4000000000004301', 'expired-on-later-uses'],
  ['5337480000007168', 'do-not-retry', { scheme: 'mastercard' }],

  // Lost answers and failing gateways
  ['4000000000007007', 'authorization-lost-approved'],
  ['4000000000007015', 'authorization-lost-declined'],
  ['4000000000007023', 'authorization-never-resolved'],
  ['4000000000007031', 'capture-lost'],
  ['4000000000007080', 'void-fails'],
  ['4000000000007098', 'gateway-fails'],
  ['4000000000007106', 'connection-refused'],
  ['4000000000007148', 'increment-lost'],

  // Outcomes that become final later
  ['4000000000007049', 'capture-pending-approved'],
  ['4000000000007056', 'capture-pending-declined'],
  ['4000000000007064', 'refund-pending-approved'],
  ['4000000000007072', 'refund-pending-declined'],
  ['4000000000005126', 'refund-fails-later'],

  // Other approvals than the one asked for
  ['4000000000007114', 'partial-approval'],
  ['4000000000007155', 'sale-only'],

  // More of 3-D Secure
  ['4000000000007122', 'three-d-s-attempted'],
  ['4000000000007130', 'three-d-s-challenge-fails'],

  // Declines with the advice of the scheme
  ['4000000000008013', 'visa-category-1'],
  ['4000000000008021', 'visa-category-2'],
  ['4000000000008039', 'visa-category-3'],
  ['4000000000008047', 'visa-category-4'],
  ['5200000000000015', 'merchant-advice-01', { scheme: 'mastercard' }],
  ['5200000000000023', 'merchant-advice-02', { scheme: 'mastercard' }],
  ['5200000000000031', 'merchant-advice-03', { scheme: 'mastercard' }],
  ['5200000000000049', 'merchant-advice-04', { scheme: 'mastercard' }],
  ['5200000000000213', 'merchant-advice-21', { scheme: 'mastercard' }],
  ['5200000000000221', 'merchant-advice-22', { scheme: 'mastercard' }],
  ['5200000000000247', 'merchant-advice-24', { scheme: 'mastercard' }],
  ['5200000000000254', 'merchant-advice-25', { scheme: 'mastercard' }],
  ['5200000000000262', 'merchant-advice-26', { scheme: 'mastercard' }],
  ['5200000000000270', 'merchant-advice-27', { scheme: 'mastercard' }],
  ['5200000000000288', 'merchant-advice-28', { scheme: 'mastercard' }],
  ['5200000000000296', 'merchant-advice-29', { scheme: 'mastercard' }],
  ['5200000000000304', 'merchant-advice-30', { scheme: 'mastercard' }],
  ['5200000000000403', 'merchant-advice-40', { scheme: 'mastercard' }],
  ['5200000000000411', 'merchant-advice-41', { scheme: 'mastercard' }],
  ['5200000000000429', 'merchant-advice-42', { scheme: 'mastercard' }],
  ['5200000000000437', 'merchant-advice-43', { scheme: 'mastercard' }],
]

const CARDS_BY_NUMBER: ReadonlyMap<string, TestCard> = new Map(
  ROWS.map(([number, scenario, differs]) => [
    number,
    { number, scenario, scheme: 'visa', coScheme: null, countryCode: null, type: 'credit', ...differs },
  ]),
)

/** What all test cards with these first digits have in common; null where there is none. */
export function describeIin(iin: string): CardDescription | null {
  const [first, ...others] = [...CARDS_BY_NUMBER.values()].filter(({ number }) => number.startsWith(iin))
  if (first === undefined) return null
  const isShared = (name: keyof CardDescription) => others.every((card) => card[name] === first[name])
  const { scheme, type } = first
  return {
    scheme,
    type,
    coScheme: isShared('coScheme') ? first.coScheme : null,
    countryCode: isShared('countryCode') ? first.countryCode : null,
  }
}
