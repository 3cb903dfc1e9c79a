import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import { ERRORS } from '../../../domain/errors.ts'
import type { AuthorizeRequest } from '../../../src/gateways/gateway.ts'
import type { Scenario } from '../../../src/gateways/simulator/scenarios.ts'
import { SETTING_NAMES, simulatorSettingsProblems } from '../../../src/gateways/simulator/settings.ts'
import { describeCard, findTestCard, SCENARIOS } from '../../../src/gateways/simulator/test-cards.ts'
import { isLuhnValid } from '../../support/card-data.ts'
import { patience, simulatorForFile } from '../simulator-fixture.ts'

/**
 * The published list of test cards, written down a second time: number, scheme and co-scheme, country, and what comes
 * of authorizing it for the first time, from a customer, with a security code and without 3-D Secure.
 */
const CARDS = `
  visa: approved: 4242424242424242 4111111111111111
  mastercard: approved: 5555555555554444
  american express: approved: 378282246310005
  diners club: approved: 30123456789019
  jcb: approved: 3530111333300000
  discover: approved: 6011111111111117
  visa FR: approved: 4977830000000001
  visa/carte bancaire FR: approved: 4360000001000005 4556620000000005
  mastercard/carte bancaire FR: approved: 5130290000000009
  visa GB: approved: 4658580000000008
  visa DK: approved: 4571730000000003
  visa IT: approved: 4023600000000002
  visa AR: approved: 4338300000000009
  visa CN: approved: 4835910000000003
  visa: card.needs-authentication: 4000000000000101
  visa: approved: 4000000000000119 4000000000000259 4000000000003238 4000000000003055 4000000000003063
  visa: approved: 4000000000003220
  visa: card.needs-authentication: 4000000000003253 4000000000003246
  visa: card.do-not-honor: 4000000000002180
  visa: card.possible-fraud: 4000000000002198
  visa: card.no-money: 4000000000002206
  visa: card.expired: 4000000000002214
  visa: card.stolen: 4000000000002222
  visa: card.failed-cvc, cvc failed: 4000000000002230
  visa: card.failed-avs, avs failed: 4000000000002248
  visa: card.not-authorized: 4000000000002255
  visa: card.inactive: 4000000000002263
  visa: card.lost: 4000000000002271
  visa: card.region-not-authorized: 4000000000002289
  visa: card.blacklisted: 4127969420587632
  visa: card.declined: 4000000000000002
  visa: approved: 4000000000000010
  visa: approved, cvc failed: 4000000000000028
  visa: approved, avs failed: 4000000000000036
  visa: approved, cvc failed, avs failed: 4000000000000044
  visa: approved: 4000000000000069 4000000000000077
  visa: approved, avs failed: 4000000000000085 4000000000000093
  visa: approved: 4000000000000200 4000000000000309
  visa: card.declined: 4000000000001216
  visa: approved: 4000000000004004 4000000000006223 4000000000000531 4000000000003303 4000000000006009
  visa: approved: 4000000000004301
  mastercard: card.dont-retry, recommended do-not-retry: 5337480000007168
  visa: unknown: 4000000000007007 4000000000007015 4000000000007023
  visa: approved: 4000000000007031 4000000000007049 4000000000007056 4000000000007064 4000000000007072
  visa: approved: 4000000000005126
  visa: approved, in part: 4000000000007114
  visa: approved: 4000000000007122
  visa: card.needs-authentication: 4000000000007130
  visa: request.gateway.operation-not-supported: 4000000000007155
  visa: card.dont-retry, recommended do-not-retry, advice 1: 4000000000008013
  visa: card.no-money, recommended retry-later, advice 2: 4000000000008021
  visa: card.expired, recommended update-payment-details, advice 3: 4000000000008039
  visa: card.do-not-honor, advice 4: 4000000000008047
  mastercard: card.expired, recommended update-payment-details, advice 01: 5200000000000015
  mastercard: card.do-not-honor, recommended retry-later, advice 02: 5200000000000023
  mastercard: card.dont-retry, recommended do-not-retry, advice 03: 5200000000000031
  mastercard: card.declined, recommended retry-with-different-details, advice 04: 5200000000000049
  mastercard: card.revoked, recommended do-not-retry, advice 21: 5200000000000213
  mastercard: card.not-authorized, recommended do-not-retry, advice 22: 5200000000000221
  mastercard: card.no-money, recommended retry-after, advice 24: 5200000000000247
  mastercard: card.no-money, recommended retry-after, advice 25: 5200000000000254
  mastercard: card.no-money, recommended retry-after, advice 26: 5200000000000262
  mastercard: card.no-money, recommended retry-after, advice 27: 5200000000000270
  mastercard: card.no-money, recommended retry-after, advice 28: 5200000000000288
  mastercard: card.no-money, recommended retry-after, advice 29: 5200000000000296
  mastercard: card.no-money, recommended retry-after, advice 30: 5200000000000304
  mastercard: card.no-money, recommended single-use-card, advice 40: 5200000000000403
  mastercard: card.declined, recommended single-use-card, advice 41: 5200000000000411
  mastercard: card.possible-fraud, recommended do-not-retry, advice 42: 5200000000000429
  mastercard: card.declined, recommended single-use-card, advice 43: 5200000000000437
  visa: approved: 4000000000007080
  visa: gateway.internal-error: 4000000000007098
  visa: gateway.network-error: 4000000000007106
  visa: approved: 4000000000007148
`
  .trim()
  .split('\n')
  .flatMap((line) => {
    const [kind = '', expected = '', numbers = ''] = line.trim().split(': ')
    const [, schemes = '', country] = /^(.+?)(?: ([A-Z]{2}))?$/.exec(kind) ?? []
    return numbers.split(' ').map((number) => [number, schemes, country ?? null, expected] as const)
  })

describe('the test cards', () => {
  const simulator = simulatorForFile('cards')

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
    ['4012888888881881', 'a test card of somebody else'],
    ['4000000000007163', 'a number of our own block that has no scenario'],
    ['', 'no number'],
    ['__proto__', 'a name that every object has'],
  ])('%s is refused as %s', async (number) => {
    expect(findTestCard(number)).toBeNull()
    expect(describeCard(number)).toBeNull()
    expect(await authorize(number)).toBe('card.test')
  })

  const cardWith = (number: string, changes: object) => ({
    card: { number, expMonth: 12, expYear: 2030, name: null, cvc: null, ...changes },
  })

  test.each<[rule: string, number: string, overrides: Partial<AuthorizeRequest>, expected: string]>([
    [
      'the expiry date and the security code are not checked',
      ...(['4242424242424242', cardWith('4242424242424242', { expYear: 1999, cvc: '000' }), 'approved'] as const),
    ],
    [
      'a failed check of the security code needs a security code',
      ...(['4000000000000028', cardWith('4000000000000028', {}), 'approved'] as const),
    ],
    ['a merchant needs no authentication', '4000000000003253', { isMerchantInitiated: true }, 'approved'],
    ['a merchant needs one, too', '4000000000000101', { isMerchantInitiated: true }, 'card.needs-authentication'],
    ['a verification asks for no money', '4000000000001216', { amountMinor: 0 }, 'approved'],
  ])('%s: %s', async (_, number, overrides, expected) => {
    expect(await authorize(number, overrides)).toBe(expected)
  })

  describe.each([
    ['4000000000006009', 'card.no-money'],
    ['4000000000004301', 'card.expired'],
  ])('%s', (number, code) => {
    const cardOf = (expYear: number, more: Partial<AuthorizeRequest> = {}) => ({
      card: { number, expMonth: 3, expYear, name: null, cvc: null },
      ...more,
    })

    test(`is approved once in an account, for its expiry date, and ${code} ever after`, async () => {
      const elsewhere = { gatewayConfigurationId: 'gway_conf_other' }
      expect(await authorize(number, cardOf(2031, { amountMinor: 0 }))).toBe('approved')
      expect(await authorize(number, cardOf(2031))).toBe(code)
      expect(await authorize(number, cardOf(2032))).toBe('approved')
      expect(await authorize(number, cardOf(2031, elsewhere))).toBe('approved')
      expect(await authorize(number, cardOf(2031, elsewhere))).toBe(code)
      expect(await authorize(number, cardOf(2031))).toBe(code)
    })

    test(`is ${code} when the merchant initiates the payment, or refers to an earlier one`, async () => {
      expect(await authorize(number, cardOf(2034, { isMerchantInitiated: true }))).toBe(code)
      expect(await authorize(number, cardOf(2034, { initialSchemeTransactionId: '123456789012345' }))).toBe(code)
    })

    test('answers a repeated reference of its first use like the first time', async () => {
      const request = cardOf(2035, { reference: simulator.makeReference(), invoiceId: 'iv_1' })
      expect(await authorize(number, request)).toBe('approved')
      expect(await authorize(number, request)).toBe('approved')
    })

    test('is approved once when twenty first uses race', async () => {
      const outcomes = await Promise.all(Array.from({ length: 20 }, () => authorize(number, cardOf(2036))))
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

describe('the page of the simulator', () => {
  const BY_NAME = 'by name'
  const CARD_NUMBER = /^\d{14,16}$/
  const page = readFileSync(new URL('../../../src/gateways/simulator/README.md', import.meta.url), 'utf8')
  /** The cells of every row of a table. */
  const rows = page.split('\n').flatMap((line) => {
    const cells = line.split('|').map((cell) => cell.trim())
    return line.startsWith('|') ? [cells.slice(1, -1)] : []
  })
  /** The rows that play a scenario: number or "by name", scenario, and what is said of it. */
  const played = rows.flatMap(([card = '', cell = '', ...said]) => {
    const scenario = /^`(.+)`$/.exec(cell)?.[1]
    const isPlayed = (CARD_NUMBER.test(card) || card === BY_NAME) && scenario !== undefined
    return isPlayed ? [{ card, scenario, said: said.join(' ') }] : []
  })
  const cards = played.filter(({ card }) => card !== BY_NAME)

  test('has every card with the scenario that it plays, and every scenario once', () => {
    // The approved cards share a table without a column for their scenario.
    const approved = rows.flatMap(([card = '', second = '']) =>
      CARD_NUMBER.test(card) && !second.startsWith('`') ? [{ card, scenario: 'approved' }] : [],
    )
    const listed = [...cards, ...approved].map(({ card, scenario }) => [card, scenario])
    expect(listed.toSorted()).toEqual(CARDS.map(([number]) => [number, findTestCard(number)?.scenario]).toSorted())
    expect(played.map(({ scenario }) => scenario).toSorted()).toEqual(
      Object.keys(SCENARIOS)
        .filter((name) => name !== 'approved')
        .toSorted(),
    )
    const byCard = new Set(cards.map(({ scenario }) => scenario))
    expect(played.filter(({ card, scenario }) => card === BY_NAME && byCard.has(scenario))).toEqual([])
  })

  test('names the code that a scenario declines with, and its advice', () => {
    for (const { scenario, said } of played) {
      const { authorize, capture, increment, void: release, refund }: Scenario = SCENARIOS[scenario] ?? {}
      const { merchantAdviceCode } = authorize?.decline ?? {}
      const codes = [authorize, capture, increment, release, refund].map((script) => script?.decline?.code)
      for (const word of [...codes, merchantAdviceCode])
        if (word !== undefined) expect([scenario, said]).toEqual([scenario, expect.stringContaining(word)])
    }
  })

  test('has every setting of an account, and proposes no account whose settings would be refused', () => {
    const start = rows.findIndex(([first]) => first === 'setting')
    const end = rows.findIndex(([first], index) => index > start && first === 'account')
    const names = rows.slice(start + 2, end).flatMap(([name = '']) => name.replaceAll('`', '').split(', '))
    expect(names.toSorted()).toEqual([...SETTING_NAMES].toSorted())

    const bodies = rows.flatMap(([, cell = '']) => (cell.startsWith('`{') ? [JSON.parse(cell.slice(1, -1))] : []))
    expect(bodies.length).toBeGreaterThan(3)
    for (const { settings = {} } of bodies) expect(simulatorSettingsProblems(settings)).toEqual([])
  })
})
