import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { ERRORS } from '../../domain/errors.ts'
import type { AuthorizeRequest } from '../../src/gateways/gateway.ts'
import type { Scenario } from '../../src/gateways/simulator/scenarios.ts'
import { describeCard, findTestCard, SCENARIOS } from '../../src/gateways/simulator/test-cards.ts'
import { isLuhnValid } from '../support/card-data.ts'
import { makeSimulator, patience } from './simulator-fixture.ts'

/**
 * The published list of test cards, written down a second time: number, scheme and co-scheme, country, and what comes
 * of authorizing it for the first time, from a customer, with a security code and without 3-D Secure.
 */
const CARDS: readonly [number: string, schemes: string, country: string | null, expected: string][] = [
  ['4242424242424242', 'visa', null, 'approved'],
  ['5555555555554444', 'mastercard', null, 'approved'],
  ['378282246310005', 'american express', null, 'approved'],
  ['30123456789019', 'diners club', null, 'approved'],
  ['3530111333300000', 'jcb', null, 'approved'],
  ['6011111111111117', 'discover', null, 'approved'],
  ['4977830000000001', 'visa', 'FR', 'approved'],
  ['4360000001000005', 'visa/carte bancaire', 'FR', 'approved'],
  ['4556620000000005', 'visa/carte bancaire', 'FR', 'approved'],
  ['5130290000000009', 'mastercard/carte bancaire', 'FR', 'approved'],
  ['4658580000000008', 'visa', 'GB', 'approved'],
  ['4571730000000003', 'visa', 'DK', 'approved'],
  ['4023600000000002', 'visa', 'IT', 'approved'],
  ['4338300000000009', 'visa', 'AR', 'approved'],
  ['4835910000000003', 'visa', 'CN', 'approved'],
  ['4000000000000101', 'visa', null, 'card.needs-authentication'],
  ['4000000000000119', 'visa', null, 'approved'],
  ['4000000000000259', 'visa', null, 'approved'],
  ['4000000000003238', 'visa', null, 'approved'],
  ['4000000000003055', 'visa', null, 'approved'],
  ['4000000000003063', 'visa', null, 'approved'],
  ['4000000000003220', 'visa', null, 'approved'],
  ['4000000000003253', 'visa', null, 'card.needs-authentication'],
  ['4000000000003246', 'visa', null, 'card.needs-authentication'],
  ['4000000000002180', 'visa', null, 'card.do-not-honor'],
  ['4000000000002198', 'visa', null, 'card.possible-fraud'],
  ['4000000000002206', 'visa', null, 'card.no-money'],
  ['4000000000002214', 'visa', null, 'card.expired'],
  ['4000000000002222', 'visa', null, 'card.stolen'],
  ['4000000000002230', 'visa', null, 'card.failed-cvc, cvc failed'],
  ['4000000000002248', 'visa', null, 'card.failed-avs, avs failed'],
  ['4000000000002255', 'visa', null, 'card.not-authorized'],
  ['4000000000002263', 'visa', null, 'card.inactive'],
  ['4000000000002271', 'visa', null, 'card.lost'],
  ['4000000000002289', 'visa', null, 'card.region-not-authorized'],
  ['4127969420587632', 'visa', null, 'card.blacklisted'],
  ['4000000000000002', 'visa', null, 'card.declined'],
  ['4000000000000010', 'visa', null, 'approved'],
  ['4000000000000028', 'visa', null, 'approved, cvc failed'],
  ['4000000000000036', 'visa', null, 'approved, avs failed'],
  ['4000000000000044', 'visa', null, 'approved, cvc failed, avs failed'],
  ['4000000000000069', 'visa', null, 'approved'],
  ['4000000000000077', 'visa', null, 'approved'],
  ['4000000000000085', 'visa', null, 'approved, avs failed'],
  ['4000000000000093', 'visa', null, 'approved, avs failed'],
  ['4000000000000200', 'visa', null, 'approved'],
  ['4000000000000309', 'visa', null, 'approved'],
  ['4000000000001216', 'visa', null, 'card.declined'],
  ['4000000000004004', 'visa', null, 'approved'],
  ['4000000000006223', 'visa', null, 'approved'],
  ['4000000000000531', 'visa', null, 'approved'],
  ['4000000000003303', 'visa', null, 'approved'],
  ['4000000000006009', 'visa', null, 'approved'],
  ['4000000000004301', 'visa', null, 'approved'],
  ['5337480000007168', 'mastercard', null, 'card.dont-retry, recommended do-not-retry'],
  ['4000000000007007', 'visa', null, 'unknown'],
  ['4000000000007015', 'visa', null, 'unknown'],
  ['4000000000007023', 'visa', null, 'unknown'],
  ['4000000000007031', 'visa', null, 'approved'],
  ['4000000000007049', 'visa', null, 'approved'],
  ['4000000000007056', 'visa', null, 'approved'],
  ['4000000000007064', 'visa', null, 'approved'],
  ['4000000000007072', 'visa', null, 'approved'],
  ['4000000000005126', 'visa', null, 'approved'],
  ['4000000000007114', 'visa', null, 'approved, in part'],
  ['4000000000007122', 'visa', null, 'approved'],
  ['4000000000007130', 'visa', null, 'card.needs-authentication'],
  ['4000000000007155', 'visa', null, 'request.gateway.operation-not-supported'],
  ['4000000000008013', 'visa', null, 'card.dont-retry, recommended do-not-retry, advice 1'],
  ['4000000000008021', 'visa', null, 'card.no-money, recommended retry-later, advice 2'],
  ['4000000000008039', 'visa', null, 'card.expired, recommended update-payment-details, advice 3'],
  ['4000000000008047', 'visa', null, 'card.do-not-honor, advice 4'],
  ['5200000000000015', 'mastercard', null, 'card.expired, recommended update-payment-details, advice 01'],
  ['5200000000000023', 'mastercard', null, 'card.do-not-honor, recommended retry-later, advice 02'],
  ['5200000000000031', 'mastercard', null, 'card.dont-retry, recommended do-not-retry, advice 03'],
  ['5200000000000049', 'mastercard', null, 'card.declined, recommended retry-with-different-details, advice 04'],
  ['5200000000000213', 'mastercard', null, 'card.revoked, recommended do-not-retry, advice 21'],
  ['5200000000000221', 'mastercard', null, 'card.not-authorized, recommended do-not-retry, advice 22'],
  ['5200000000000247', 'mastercard', null, 'card.no-money, recommended retry-after, advice 24'],
  ['5200000000000254', 'mastercard', null, 'card.no-money, recommended retry-after, advice 25'],
  ['5200000000000262', 'mastercard', null, 'card.no-money, recommended retry-after, advice 26'],
  ['5200000000000270', 'mastercard', null, 'card.no-money, recommended retry-after, advice 27'],
  ['5200000000000288', 'mastercard', null, 'card.no-money, recommended retry-after, advice 28'],
  ['5200000000000296', 'mastercard', null, 'card.no-money, recommended retry-after, advice 29'],
  ['5200000000000304', 'mastercard', null, 'card.no-money, recommended retry-after, advice 30'],
  ['5200000000000403', 'mastercard', null, 'card.no-money, recommended single-use-card, advice 40'],
  ['5200000000000411', 'mastercard', null, 'card.declined, recommended single-use-card, advice 41'],
  ['5200000000000429', 'mastercard', null, 'card.possible-fraud, recommended do-not-retry, advice 42'],
  ['5200000000000437', 'mastercard', null, 'card.declined, recommended single-use-card, advice 43'],
  ['4000000000007080', 'visa', null, 'approved'],
  ['4000000000007098', 'visa', null, 'gateway.internal-error'],
  ['4000000000007106', 'visa', null, 'gateway.network-error'],
  ['4000000000007148', 'visa', null, 'approved'],
]

describe('the test cards', () => {
  let simulator: Awaited<ReturnType<typeof makeSimulator>>

  beforeAll(async () => {
    simulator = await makeSimulator('cards')
  })
  afterAll(() => simulator.drop())

  /** The outcome in a few words, as the list above has it. */
  const authorize = async (number: string, overrides: Partial<AuthorizeRequest> = {}): Promise<string> => {
    const scheme = findTestCard(number)?.scheme ?? 'visa'
    const request = simulator.requestOf(number, { scheme, ...overrides })
    const outcome = await simulator.gateway.authorize(request, patience())
    if (outcome.kind !== 'approved' && outcome.kind !== 'declined') return outcome.kind
    const { cardChecks } = outcome
    return [
      outcome.kind === 'declined' ? outcome.code : 'approved',
      outcome.kind === 'approved' && outcome.amountMinor !== request.amountMinor && 'in part',
      cardChecks?.cvcCheck === 'failed' && 'cvc failed',
      cardChecks?.avsCheck === 'failed' && 'avs failed',
      outcome.kind === 'declined' &&
        outcome.recommendationCode !== undefined &&
        `recommended ${outcome.recommendationCode}`,
      outcome.kind === 'declined' && outcome.merchantAdviceCode !== undefined && `advice ${outcome.merchantAdviceCode}`,
    ]
      .filter(Boolean)
      .join(', ')
  }

  test.each(CARDS)('%s (%s, country %s): %s', async (number, schemes, countryCode, expected) => {
    const [scheme, coScheme = null] = schemes.split('/')
    expect(describeCard(number)).toEqual({ scheme, coScheme, countryCode, type: 'credit' })
    expect(isLuhnValid(number)).toBe(true)

    expect(await authorize(number)).toBe(expected)
  })

  test.each([
    ['4242424242424241', 'a typing error in a test card'],
    ['4111111111111111', 'a test card of somebody else'],
    ['4000000000007163', 'a number of our own block that has no scenario'],
    ['', 'no number'],
    ['__proto__', 'a name that every object has'],
  ])('%s is refused as %s', async (number) => {
    expect(findTestCard(number)).toBeNull()
    expect(describeCard(number)).toBeNull()
    expect(await authorize(number)).toBe('card.test')
  })

  test('the expiry date and the security code are not checked', async () => {
    const card = { number: '4242424242424242', expMonth: 1, expYear: 1999, name: null, cvc: '000' }
    expect(await authorize(card.number, { card })).toBe('approved')
  })

  test('a failed check of the security code needs a security code', async () => {
    const card = { number: '4000000000000028', expMonth: 12, expYear: 2030, name: null, cvc: null }
    expect(await authorize(card.number, { card })).toBe('approved')
  })

  test('4000000000003253 needs no authentication when the merchant initiates the payment', async () => {
    expect(await authorize('4000000000003253', { isMerchantInitiated: true })).toBe('approved')
  })

  test('4000000000000101 needs authentication whoever initiates the payment', async () => {
    expect(await authorize('4000000000000101', { isMerchantInitiated: true })).toBe('card.needs-authentication')
  })

  test('4000000000001216 is approved for a verification, which asks for no money', async () => {
    expect(await authorize('4000000000001216', { amountMinor: 0 })).toBe('approved')
  })

  describe.each([
    ['4000000000006009', 'card.no-money'],
    ['4000000000004301', 'card.expired'],
  ])('%s', (number, code) => {
    const cardOf = (expYear: number) => ({ number, expMonth: 3, expYear, name: null, cvc: null })

    test(`is approved once and ${code} ever after`, async () => {
      const card = cardOf(2031)
      expect(await authorize(number, { card, amountMinor: 0 })).toBe('approved')
      expect(await authorize(number, { card })).toBe(code)
      expect(await authorize(number, { card })).toBe(code)
    })

    test('is another card with another expiry date', async () => {
      expect(await authorize(number, { card: cardOf(2032) })).toBe('approved')
      expect(await authorize(number, { card: cardOf(2033) })).toBe('approved')
    })

    test(`is ${code} when the merchant initiates the payment, or refers to an earlier one`, async () => {
      const card = cardOf(2034)
      expect(await authorize(number, { card, isMerchantInitiated: true })).toBe(code)
      expect(await authorize(number, { card, initialSchemeTransactionId: '123456789012345' })).toBe(code)
    })

    test('answers a repeated reference of its first use like the first time', async () => {
      const request = { card: cardOf(2035), reference: simulator.makeReference(), invoiceId: 'iv_1' }
      expect(await authorize(number, request)).toBe('approved')
      expect(await authorize(number, request)).toBe('approved')
    })

    test('is approved once when twenty first uses race', async () => {
      const card = cardOf(2036)
      const outcomes = await Promise.all(Array.from({ length: 20 }, () => authorize(number, { card })))
      expect(outcomes.filter((outcome) => outcome === 'approved')).toHaveLength(1)
      expect(outcomes.filter((outcome) => outcome === code)).toHaveLength(19)
    })
  })

  test('every decline has a code that a merchant can be answered with', () => {
    for (const scenario of Object.values<Scenario>(SCENARIOS)) {
      const { authorize: first, capture, increment, void: release, refund } = scenario
      for (const script of [first, capture, increment, release, refund]) {
        if (script?.decline) expect(ERRORS).toHaveProperty([script.decline.code, 'status'], 410)
      }
    }
  })

  test('another account does not share the first use of a card with this one', async () => {
    const card = { number: '4000000000006009', expMonth: 4, expYear: 2037, name: null, cvc: null }
    expect(await authorize(card.number, { card })).toBe('approved')
    expect(await authorize(card.number, { card, gatewayConfigurationId: 'gway_conf_other' })).toBe('approved')
    expect(await authorize(card.number, { card })).toBe('card.no-money')
    expect(await authorize(card.number, { card, gatewayConfigurationId: 'gway_conf_other' })).toBe('card.no-money')
  })

  test('the page of the simulator names every card and every scenario', async () => {
    const page = await readFile(new URL('../../src/gateways/simulator/README.md', import.meta.url), 'utf8')
    expect(new Set(CARDS.map(([number]) => number)).size).toBe(CARDS.length)
    for (const [number] of CARDS) expect(page).toContain(number)
    for (const key of Object.keys(SCENARIOS)) expect(page).toContain(`\`${key}\``)
  })

  test('no card is left out of this list', async () => {
    // Every number with the prefixes that nearly all test cards have; the few others are looked up in the list above.
    const listed = new Set(CARDS.map(([number]) => number))
    for (const prefix of ['400000000000', '520000000000']) {
      for (let digits = 0; digits < 10_000; digits += 1) {
        const number = `${prefix}${String(digits).padStart(4, '0')}`
        expect(findTestCard(number) !== null ? number : 'none').toBe(listed.has(number) ? number : 'none')
      }
    }
  })
})
