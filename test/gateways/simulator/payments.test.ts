import { createHash } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import { ERRORS, type ErrorCode, retryClassOf } from '../../../domain/errors.ts'
import type { LookUp, Outcome } from '../../../domain/operation.ts'
import type { AuthorizeRequest } from '../../../src/gateways/gateway.ts'
import { createSimulator } from '../../../src/gateways/simulator/adapter.ts'
import { findCardData } from '../../support/card-data.ts'
import { APPROVED, patience, simulatorForFile } from '../simulator-fixture.ts'
import { readRules, type Step, takeSteps } from '../steps.ts'

const simulator = simulatorForFile('payments')

const UNKNOWN_AUTHORIZATION = 'gateway.transaction-not-found'
const LATE_CAPTURE = '4000000000007049'
const APPROVED_FIRST: Step = { asked: 'authorize 2900', end: 'approved' }

/**
 * What happens on a payment: the number of its card or the scenario of its cardholder's name, and the rule; then the steps
 * after an approval over 2900, unless they begin with another authorization, and what the ledger of the simulator says at
 * the end. See `readRules`.
 */
const STORIES = readRules(`
4000000000000010 every capture fails, and the authorization stands
  capture 2900: gateway.declined, capture 2900: gateway.declined, void 2900: approved
  | authorized 2900, captured 0, captures 0
4000000000006223 the second capture fails
  partial-capture 1000: approved, partial-capture 1000: gateway.declined | captured 1000, captures 1
4000000000000531 an increment is declined, and the first amount can be captured
  increment 100: card.declined, capture 2900: approved | captured 2900
4000000000003303 an increment is declined for lack of money
  increment 100: card.no-money, capture 2900: approved | captured 2900
4000000000007080 a void fails, and the money can be captured
  void 2900: gateway.declined, capture 2900: approved | captured 2900, voided 0
4000000000000077 every refund is declined, and the money stays captured
  capture 2900: approved, refund 100: gateway.declined, refund 100: gateway.declined
  | captured 2900, refunded 0, refunding 0
capture-fails-twice two captures fail for a reason that passes, and neither a repetition nor a refused one is one of them
  capture 2900: gateway.internal-error, repeat: gateway.internal-error, capture 2901: gateway.validation-error,
  capture 2900: gateway.internal-error, capture 2900: approved | captured 2900, captures 1
4000000000007114 a part is approved
  authorize 2901: approved 1450, capture 1451: gateway.validation-error | authorized 1450
4000000000007114 a part of the smallest amount is all of it
  authorize 1: approved | authorized 1
4000000000007155 a sale is declined where it may not be one
  authorize 2900: request.gateway.operation-not-supported | no authorization
4000000000007155 a sale card is verified without taking money
  authorize 0: approved | captured 0, captures 0
4000000000007007 the answer to an approval is lost, and found by a look-up
  authorize 2900: unknown, repeat: unknown, look-up: approved | authorized 2900
4000000000007015 the answer to a decline is lost, and found by a look-up
  authorize 2900: unknown, look-up: card.do-not-honor | no authorization
4000000000007023 no look-up ever tells of an authorization
  authorize 2900: unknown, repeat: unknown, look-up: unreachable, look-up: unreachable | authorized 2900
authorization-approved-late three look-ups tell nothing of an authorization, the fourth tells of the approval
  authorize 2900: unknown, look-up: unreachable, look-up: unreachable, look-up: unreachable, look-up: approved,
  look-up: approved | authorized 2900
4000000000007098 the gateway fails for certain
  authorize 2900: gateway.internal-error, look-up: gateway.internal-error | no authorization
4000000000007106 nothing is sent, so that the gateway never saw it
  authorize 2900: gateway.network-error, look-up: never-seen | no authorization
4000000000007031 a capture is done and its answer lost
  capture 2900: unknown, repeat: unknown, look-up: approved | captured 2900, captures 1
4000000000007148 an increment is done and its answer lost
  increment 500: unknown, repeat: unknown, look-up: approved | authorized 3400
void-lost a void is done and its answer lost
  void 700: unknown, repeat: unknown, look-up: approved | voided 700
refund-lost a refund is done and its answer lost
  partial-capture 1000: approved, refund 700: unknown, repeat: unknown, look-up: approved | refunded 700
capture-never-resolved no look-up ever tells of a capture
  partial-capture 700: unknown, repeat: unknown, look-up: unreachable | captured 700
increment-never-resolved no look-up ever tells of an increment
  increment 700: unknown, repeat: unknown, look-up: unreachable | authorized 3600
void-never-resolved no look-up ever tells of a void
  void 700: unknown, repeat: unknown, look-up: unreachable | voided 700
refund-never-resolved no look-up ever tells of a refund
  partial-capture 1000: approved, refund 700: unknown, repeat: unknown, look-up: unreachable | refunded 700
4000000000007049 a capture that is pending takes no money yet, and nobody else can have it
  partial-capture 2000: pending, capture 901: gateway.validation-error, void 901: gateway.validation-error,
  increment 100: gateway.invalid-state, refund 1: gateway.invalid-state, void 900: approved
  | captured 0, capturing 2000, captures 0, voided 900
4000000000007049 the second look-up finds a pending capture done, and its end releases the rest
  capture 2000: pending, look-up: pending, repeat: pending, look-up: approved, look-up: approved, repeat: approved
  | captured 2000, capturing 0, captures 1, voided 900
4000000000007049 a final capture releases only what no other capture waits for
  capture 1000: pending, partial-capture 500: pending, look-up 2: pending, look-up 2: approved, look-up 3: pending,
  look-up 3: approved | captured 1500, capturing 0, voided 1400, captures 2
4000000000007056 the second look-up finds a pending capture declined, and the money is held again
  capture 2900: pending, look-up: pending, look-up: gateway.declined, look-up: gateway.declined,
  void 2900: approved | captured 0, capturing 0, captures 0
4000000000007064 a refund that is pending gives nothing back yet, and nobody else can have it
  capture 2000: approved, refund 1500: pending, refund 501: gateway.validation-error | refunded 0, refunding 1500
4000000000007064 the second look-up finds a pending refund done
  capture 2000: approved, refund 1500: pending, look-up: pending, look-up: approved
  | captured 2000, refunded 1500, refunding 0
4000000000007072 the second look-up finds a pending refund declined, and the money can be refunded again
  capture 2000: approved, refund 1500: pending, look-up: pending, look-up: gateway.declined,
  refund 2000: pending | refunded 0, refunding 2000
4000000000007049 what the gateway refuses is refused at once where others are pending
  capture 2901: gateway.validation-error | capturing 0
4242424242424242 an amount above what remains, none at all, or another currency is refused
  capture 2901: gateway.validation-error, capture 0: gateway.validation-error,
  capture -1: gateway.validation-error, capture 1 in USD: gateway.validation-error,
  void 2901: gateway.validation-error, void -1: gateway.validation-error | authorized 2900, captured 0, voided 0
4242424242424242 a step of another configuration or another account is refused
  partial-capture 1000: approved, partial-capture 100 at gway_conf_other: gateway.transaction-not-found,
  void 100 at gway_conf_other: gateway.transaction-not-found,
  refund 100 at gway_conf_other: gateway.transaction-not-found,
  increment 100 at gway_conf_other: gateway.transaction-not-found, partial-capture 100 for acct_2: gateway.transaction-not-found
  | captured 1000, voided 0, refunded 0
4242424242424242 an increment after a capture is refused, also where money is left
  partial-capture 1000: approved, increment 100: gateway.invalid-state | authorized 2900
4242424242424242 an increment whose total does not follow from its own ledger is refused
  increment 100 to 2900: gateway.validation-error, increment 100 to 2999: gateway.validation-error,
  increment 100 to 3001: gateway.validation-error | authorized 2900
4242424242424242 a failure of the gateway moves nothing, at any step
  increment 100 while failing: gateway.internal-error, void 100 while failing: gateway.internal-error,
  partial-capture 100 while failing: gateway.internal-error, partial-capture 1000: approved,
  refund 100 while failing: gateway.internal-error
  | authorized 2900, captured 1000, voided 0, refunded 0, captures 1
4000000000007049 a failure of the gateway at a capture that is pending ends it declined, and the money is held again
  capture 2900 while failing: pending, look-up: pending, look-up: gateway.internal-error,
  look-up: gateway.internal-error | captured 0, capturing 0, voided 0
increment:card.no-money the increment alone is declined
  increment 100: card.no-money, void 100: approved, partial-capture 100: approved, refund 50: approved | authorized 2900
void:card.no-money the void alone is declined
  increment 100: approved, void 100: card.no-money, partial-capture 100: approved, refund 50: approved | authorized 3000
capture:card.no-money the capture alone is declined
  increment 100: approved, void 100: approved, partial-capture 100: card.no-money | authorized 3000
refund:card.no-money the refund alone is declined
  increment 100: approved, void 100: approved, partial-capture 100: approved, refund 50: card.no-money | authorized 3000
`).map(({ title, steps, ledger }) => {
  const [card = '', ...rule] = title.split(' ')
  const isWhole = steps[0]?.asked.startsWith('authorize') === true
  return { card, rule: rule.join(' '), ledger, steps: isWhole ? steps : [APPROVED_FIRST, ...steps] }
})

/** `captured 1000, captures 1` as the log of the simulator has it. */
const ledgerOf = (text: string) =>
  Object.fromEntries(
    text.split(', ').map((entry) => {
      const [name = '', value] = entry.split(' ')
      return [name === 'captures' ? name : `${name}Minor`, Number(value)]
    }),
  )

const requestFor = (card: string, overrides: Partial<AuthorizeRequest> = {}) =>
  /^\d+$/.test(card)
    ? simulator.requestOf(card, overrides)
    : simulator.requestOf(APPROVED, { ...simulator.named(card), ...overrides })

/** Takes the steps, and gives the end of each with what the simulator has kept of the payment. */
async function pay(request: AuthorizeRequest, ...steps: readonly string[]) {
  const { gateway, makeReference } = simulator
  const answers = await takeSteps({ gateway, request, makeReference, patience }, steps)
  const ends = answers.map((answer, index) => endOf(answer, steps[index] ?? ''))
  const log = await simulator.readLog({ invoiceId: request.invoiceId })
  return { ends, authorization: log.authorizations[0] ?? null, log }
}

/** `approved`, with the amount if it is another one than asked for, the code of a decline, or the kind of anything else. */
function endOf(answer: Outcome | LookUp, step: string): string {
  if (answer.kind === 'found') return endOf(answer.outcome, '')
  if (answer.kind === 'declined') return answer.code
  if (answer.kind !== 'approved') return answer.kind
  const asked = /^(?!look)\S+ (-?\d+)/.exec(step)?.[1]
  const isOther = asked !== undefined && answer.amountMinor !== Number(asked)
  return `approved${answer.isSale === true ? ' as a sale' : ''}${isOther ? ` ${answer.amountMinor}` : ''}`
}

test.each(STORIES)('of a payment at the simulator $rule ($card)', async ({ card, steps, ledger }) => {
  const { ends, authorization, log } = await pay(requestFor(card), ...steps.map(({ asked }) => asked))

  expect(steps.map(({ asked }, index) => `${asked}: ${ends[index]}`)).toEqual(
    steps.map(({ asked, end }) => `${asked}: ${end}`),
  )
  if (ledger === 'no authorization') expect(authorization).toBeNull()
  else expect(authorization).toMatchObject(ledgerOf(ledger))
  expect(log.authorizations.length).toBeLessThanOrEqual(1)
})

describe('the simulator', () => {
  test('takes the money with the approval of a sale where it may, and leaves nothing to capture or void', async () => {
    const request = requestFor('4000000000007155', { mayFallBackToSale: true })
    const { ends, authorization } = await pay(request, 'authorize 2900', 'capture 1', 'void 1', 'refund 2900')

    expect(ends).toEqual(['approved as a sale', 'gateway.invalid-state', 'gateway.invalid-state', 'approved'])
    expect(authorization).toMatchObject({
      ...{ authorizedMinor: 2_900, capturedMinor: 2_900, refundedMinor: 2_900, captures: 1 },
    })
    const other = await pay(requestFor(APPROVED, { mayFallBackToSale: true }), 'authorize 2900')
    expect(other).toMatchObject({ ends: ['approved'], authorization: { capturedMinor: 0 } })
  })

  test('increments no authorization that was not asked for as incremental', async () => {
    const { ends } = await pay(requestFor(APPROVED, { incremental: false }), 'authorize 2900', 'increment 100')
    expect(ends[1]).toBe('gateway.invalid-state')
  })

  test('takes no step on a declined authorization', async () => {
    const { log } = await pay(requestFor('4000000000002180'), 'authorize 2900')
    const gatewayAuthorizationId = log.requests[0]?.gatewayAuthorizationId ?? ''
    const { followUp } = await simulator.authorize(APPROVED)
    const capture = { ...followUp(100), gatewayAuthorizationId, isFinal: true }

    expect(gatewayAuthorizationId).not.toBe('')
    expect(await simulator.gateway.capture(capture, patience())).toMatchObject({ code: UNKNOWN_AUTHORIZATION })
  })

  test('has never seen a reference of another account, or of another type', async () => {
    const { request } = await simulator.authorize(APPROVED)
    const question = { ...request, type: 'authorization', gatewayAuthorizationId: null } as const
    const elsewhere = { ...question, settings: { account: 'acct_2' } }

    expect(await simulator.gateway.lookUp(elsewhere, patience())).toEqual({ kind: 'never-seen' })
    expect(await simulator.lookUp(request.reference, 'capture')).toEqual({ kind: 'never-seen' })
    expect((await simulator.gateway.lookUp(question, patience())).kind).toBe('found')
  })

  test('does not know the outcome of a reference that was used for something else, and does nothing', async () => {
    const { request, followUp, held } = await simulator.authorize(APPROVED)
    const { gateway } = simulator
    const capture = { ...followUp(100), isFinal: false }
    await gateway.capture(capture, patience())

    const others = [
      await gateway.capture({ ...capture, amountMinor: 200 }, patience()),
      await gateway.capture({ ...capture, isFinal: true }, patience()),
      await gateway.capture({ ...capture, gatewayConfigurationId: 'gway_conf_other' }, patience()),
      await gateway.refund({ ...followUp(100), reference: capture.reference }, patience()),
      await gateway.void({ ...followUp(100), reference: capture.reference }, patience()),
      await gateway.capture({ ...followUp(100), reference: request.reference, isFinal: false }, patience()),
      await gateway.authorize({ ...request, amountMinor: 1 }, patience()),
      await gateway.authorize({ ...request, invoiceId: 'iv_other' }, patience()),
    ]

    for (const outcome of others) expect(outcome.kind).toBe('unknown')
    expect(await held()).toMatchObject({ authorizedMinor: 2_900, capturedMinor: 100, voidedMinor: 0 })
  })

  test('gives no reason in the words of the database, which may quote what was sent', async () => {
    const broken = createSimulator({
      execute: () => Promise.reject(Object.assign(new Error(`bad value ${APPROVED}`), { code: '22P02' })),
    })

    expect(await broken.authorize(simulator.requestOf(APPROVED), patience())).toEqual({
      kind: 'unknown',
      reason: 'No answer: Error (22P02).',
    })
  })

  test('keeps no number, security code or name of a card, in the clear, encoded or as a plain hash', async () => {
    const numbers = [APPROVED, '4000000000002180', '4000000000006009', '4111111111111111']
    for (const number of numbers) await simulator.gateway.authorize(simulator.requestOf(number), patience())
    await simulator.gateway.authorize(requestFor('of a name that is no scenario'), patience())

    const stored = await simulator.dump()

    expect(findCardData(stored, { numbers, cvcs: ['737'] })).toEqual([])
    const hashes = ['md5', 'sha1', 'sha256', 'sha512'].flatMap((algorithm) =>
      numbers.flatMap((number) => {
        const hash = createHash(algorithm).update(number).digest()
        return [hash.toString('hex'), hash.toString('base64')]
      }),
    )
    const encoded = numbers.map((number) => Buffer.from(number).toString('base64'))
    for (const secret of ['Ada Example', 'of a name that is no scenario', ...hashes, ...encoded])
      expect(stored).not.toContain(secret)
    // The dump is not empty of what it must hold, or the lines above would prove nothing.
    expect(stored).toContain('no-money-on-later-uses')
  })

  test('tells of an approval what the scheme gave, and how the card was checked', async () => {
    const visa = await simulator.authorize(APPROVED)
    const mastercard = await simulator.authorize('5555555555554444', { scheme: 'mastercard' })
    const card = { number: APPROVED, expMonth: 12, expYear: 2030, name: null, cvc: null }
    const withoutCode = await simulator.authorize(APPROVED, { card })

    expect(visa.outcome).toMatchObject({
      schemeTransactionId: expect.stringMatching(/^\d{15}$/),
      authorizationCode: expect.stringMatching(/^[A-Z0-9]{6}$/),
      cardChecks: { cvcCheck: 'passed', avsCheck: 'unchecked' },
    })
    expect(mastercard.outcome.schemeTransactionId).toMatch(/^[A-Z0-9]{9}1121$/)
    expect(withoutCode.outcome.cardChecks).toEqual({ cvcCheck: 'unchecked', avsCheck: 'unchecked' })
  })

  test('pays without a card by what it has handed out, and by nothing else', async () => {
    const without = { card: null, scheme: null }
    const { outcome } = await simulator.authorize(APPROVED, { ...without, gatewayRequest: 'test-valid' })
    expect(outcome).toEqual(expect.not.objectContaining({ schemeTransactionId: expect.anything() }))
    expect(outcome).not.toHaveProperty('cardChecks')

    for (const gatewayRequest of ['test-invalid', '', null]) {
      const refused = await pay(requestFor(APPROVED, { ...without, gatewayRequest }), 'authorize 2900')
      expect(refused).toMatchObject({ ends: ['gateway.invalid-customer-input'], authorization: null })
    }
  })

  test('logs a whole payment, by invoice, authorization or reference', async () => {
    const { request, outcome, followUp } = await simulator.authorize(APPROVED)
    const { gatewayConfigurationId, invoiceId } = request
    const capture = { ...followUp(3_000), isFinal: true }
    await simulator.gateway.increment({ ...followUp(600), targetTotalMinor: 3_500 }, patience())
    await simulator.gateway.capture(capture, patience())
    await simulator.gateway.refund(followUp(700), patience())
    await simulator.lookUp(capture.reference, 'capture')

    const log = await simulator.readLog({ invoiceId })

    expect(log).toEqual(await simulator.readLog({ authorizationId: outcome.gatewayOperationId }))
    expect(log.authorizations).toEqual([
      {
        ...{
          id: outcome.gatewayOperationId,
          gatewayAuthorizationId: outcome.gatewayOperationId,
          gatewayConfigurationId,
        },
        ...{ scenario: 'approved', currency: 'EUR', incremental: true, failedCaptures: 0, captures: 1 },
        ...{ authorizedMinor: 3_500, capturedMinor: 3_000, capturingMinor: 0 },
        ...{ voidedMinor: 500, refundedMinor: 700, refundingMinor: 0 },
      },
    ])
    expect(log.requests.map(({ type }) => type).toSorted()).toEqual([
      ...['authorization', 'capture', 'increment_authorization', 'refund'],
    ])
    const at = new Date('2026-11-21T09:00:00.000Z')
    expect((await simulator.readLog({ reference: capture.reference })).requests).toEqual([
      {
        ...{ reference: capture.reference, type: 'capture', gatewayConfigurationId, invoiceId, scenario: 'approved' },
        ...{ gatewayAuthorizationId: outcome.gatewayOperationId, amountMinor: 3_000, currency: 'EUR', isFinal: true },
        ...{ askedAt: at, bookedAt: at, later: null, delivery: null, timesAsked: 1, lookedUp: 1 },
        outcome: expect.objectContaining({ kind: 'approved', amountMinor: 3_000 }),
      },
    ])
  })
})

describe('a cardholder whose name asks the simulator for a scenario', () => {
  const authorize = async (scenario: string, number = APPROVED) => {
    const request = simulator.requestOf(APPROVED, simulator.named(scenario, number))
    return (await pay(request, 'authorize 2900')).ends[0]
  }

  test('is declined where there is no such scenario, and never approved by mistake', async () => {
    const ownCodes = ['card.no-such-code', 'request.validation.error', 'resource.card.not-found']
    const steps = ['capture:nonsense', 'capture:capture:card.no-money', 'request:card.no-money', 'capture:__proto__']
    const words = ['nonsense', '', 'toString', '__proto__', ' no-money', 'No-Money', 'unknown-scenario']
    for (const scenario of [...ownCodes, ...steps, ...words])
      for (const number of [APPROVED, '4000000000002180'])
        expect([scenario, await authorize(scenario, number)]).toEqual([scenario, 'gateway.invalid-customer-input'])
  })

  test('is logged by the scenario, and without any part of a name that is none', async () => {
    const nameless = requestFor('Ada Lovelace')
    const { log } = await pay(nameless, 'authorize 2900')
    const known = await pay(requestFor('void:gateway.maintenance'), 'authorize 2900', 'void 100')

    expect(log.requests).toMatchObject([{ scenario: 'unknown-scenario', outcome: { kind: 'declined' } }])
    expect(await simulator.dump()).not.toContain('Lovelace')
    expect(known.log.requests.map(({ scenario }) => scenario)).toEqual(Array(2).fill('void:gateway.maintenance'))
  })

  test('gets it in place of that of the card, by the prefix alone, and with a test card alone', async () => {
    const card = { number: APPROVED, expMonth: 12, expYear: 2030, name: 'card.no-money', cvc: null }

    expect(await authorize('approved', '4000000000002180')).toBe('approved')
    expect(await authorize('no-money')).toBe('card.no-money')
    expect(await authorize('connection-refused')).toBe('gateway.network-error')
    expect(await authorize('approved', '4012888888881881')).toBe('card.test')
    expect((await simulator.authorize(APPROVED, { card })).outcome.kind).toBe('approved')
  })

  test('gets the decline of every code that a payment can fail with', async () => {
    const failures = (Object.keys(ERRORS) as ErrorCode[]).filter((code) => retryClassOf(code) !== null)
    expect(failures.length).toBeGreaterThan(100)
    for (const code of failures) expect(await authorize(code)).toBe(code)
  })
})

describe('the simulator under many requests at once', () => {
  test('captures no more than was authorized', async () => {
    const { followUp, held } = await simulator.authorize(APPROVED, { amountMinor: 25 })

    const outcomes = await Promise.all(
      Array.from({ length: 50 }, () => simulator.gateway.capture({ ...followUp(1), isFinal: false }, patience())),
    )

    expect(outcomes.filter(({ kind }) => kind === 'approved')).toHaveLength(25)
    expect(outcomes.filter(({ kind }) => kind === 'declined')).toHaveLength(25)
    expect(await held()).toMatchObject({ authorizedMinor: 25, capturedMinor: 25, captures: 25 })
  })

  test('moves the money of pending captures once when thirty look-ups race with voids', async () => {
    const { followUp, held } = await simulator.authorize(LATE_CAPTURE, { amountMinor: 100 })
    const captures = Array.from({ length: 5 }, () => ({ ...followUp(10), isFinal: false }))
    await Promise.all(captures.map((capture) => simulator.gateway.capture(capture, patience())))

    const answers = await Promise.all([
      ...captures.flatMap((capture) => [
        ...Array.from({ length: 6 }, () => simulator.lookUp(capture.reference, 'capture')),
        simulator.gateway.capture(capture, patience()),
      ]),
      ...Array.from({ length: 11 }, () => simulator.gateway.void(followUp(5), patience())),
    ])

    expect(answers.filter(({ kind }) => kind === 'unreachable' || kind === 'unknown')).toEqual([])
    expect(await held()).toMatchObject({ capturedMinor: 50, capturingMinor: 0, captures: 5, voidedMinor: 50 })
  })
})
