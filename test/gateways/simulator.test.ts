import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { findCardData } from '../support/card-data.ts'
import { APPROVED, makeSimulator, patience } from './simulator-fixture.ts'

describe('the simulator', () => {
  let simulator: Awaited<ReturnType<typeof makeSimulator>>

  beforeAll(async () => {
    simulator = await makeSimulator('simulator')
  })
  afterAll(() => simulator.drop())

  describe('keeps no card', () => {
    test('number, security code or name, in the clear, encoded or as a plain hash', async () => {
      const numbers = [APPROVED, '4000000000002180', '4000000000006009', '4111111111111111']
      for (const number of numbers) await simulator.gateway.authorize(simulator.requestOf(number), patience())
      const nameless = simulator.requestOf(APPROVED, simulator.named('of a name that is no story'))
      await simulator.gateway.authorize(nameless, patience())

      const stored = await simulator.dump()

      expect(findCardData(stored, { numbers, cvcs: ['737'] })).toEqual([])
      expect(stored).not.toContain('Ada Example')
      expect(stored).not.toContain('of a name that is no story')
      for (const number of numbers) {
        for (const algorithm of ['md5', 'sha1', 'sha256', 'sha512']) {
          const hash = createHash(algorithm).update(number).digest()
          expect(stored).not.toContain(hash.toString('hex'))
          expect(stored).not.toContain(hash.toString('base64'))
        }
        expect(stored).not.toContain(Buffer.from(number).toString('base64'))
      }
      // The dump is not empty of what it must hold, or the lines above would prove nothing.
      expect(stored).toContain('no-money-on-later-uses')
    })
  })

  describe('tells the facts of an approval', () => {
    test('fifteen digits from Visa, a reference with the date from Mastercard', async () => {
      const visa = await simulator.authorize(APPROVED)
      const mastercard = await simulator.authorize('5555555555554444', { scheme: 'mastercard' })

      expect(visa.outcome.schemeTransactionId).toMatch(/^\d{15}$/)
      expect(mastercard.outcome.schemeTransactionId).toMatch(/^[A-Z0-9]{9}1121$/)
    })

    test('an authorization code of six characters and the checks of the card', async () => {
      const { outcome } = await simulator.authorize(APPROVED)

      expect(outcome.authorizationCode).toMatch(/^[A-Z0-9]{6}$/)
      expect(outcome.cardChecks).toEqual({ cvcCheck: 'passed', avsCheck: 'unchecked' })
    })

    test('neither scheme nor checks where the payment goes on without a card', async () => {
      const { outcome, followUp } = await simulator.authorize(APPROVED, {
        card: null,
        scheme: null,
        gatewayRequest: 'test-valid',
      })

      expect(outcome).toMatchObject({ kind: 'approved', amountMinor: 2_900 })
      expect(outcome).not.toHaveProperty('schemeTransactionId')
      expect(outcome).not.toHaveProperty('cardChecks')
      expect(await simulator.gateway.capture({ ...followUp(2_900), isFinal: true }, patience())).toMatchObject({
        kind: 'approved',
      })
    })

    test.each(['test-invalid', '', null])(
      'nothing of a continuation that it never gave: %p',
      async (gatewayRequest) => {
        const request = simulator.requestOf(APPROVED, { card: null, scheme: null, gatewayRequest })

        expect(await simulator.gateway.authorize(request, patience())).toMatchObject({
          kind: 'declined',
          code: 'gateway.invalid-customer-input',
        })
        expect((await simulator.readLog({ reference: request.reference })).authorizations).toEqual([])
      },
    )

    test('an unchecked security code where none was sent', async () => {
      const card = { number: APPROVED, expMonth: 12, expYear: 2030, name: null, cvc: null }

      const { outcome } = await simulator.authorize(APPROVED, { card })

      expect(outcome.cardChecks).toEqual({ cvcCheck: 'unchecked', avsCheck: 'unchecked' })
    })
  })

  test('its log tells of a whole payment, oldest request first, by invoice, authorization or reference', async () => {
    const { request, outcome, followUp } = await simulator.authorize(APPROVED)
    const increment = { ...followUp(600), targetTotalMinor: 3_500 }
    const capture = { ...followUp(3_000), isFinal: true }
    await simulator.gateway.increment(increment, patience())
    await simulator.gateway.capture(capture, patience())
    await simulator.gateway.refund(followUp(700), patience())
    await simulator.lookUp(capture.reference, 'capture')

    const log = await simulator.readLog({ invoiceId: request.invoiceId })

    expect(log).toEqual(await simulator.readLog({ authorizationId: outcome.gatewayOperationId }))
    expect(log.authorizations).toEqual([
      {
        id: outcome.gatewayOperationId,
        gatewayAuthorizationId: outcome.gatewayOperationId,
        incremental: true,
        failedCaptures: 0,
        gatewayConfigurationId: request.gatewayConfigurationId,
        scenario: 'approved',
        currency: 'EUR',
        authorizedMinor: 3_500,
        capturedMinor: 3_000,
        capturingMinor: 0,
        voidedMinor: 500,
        refundedMinor: 700,
        refundingMinor: 0,
        captures: 1,
      },
    ])
    expect(new Set(log.requests.map(({ type }) => type))).toEqual(
      new Set(['authorization', 'increment_authorization', 'capture', 'refund']),
    )
    expect((await simulator.readLog({ reference: capture.reference })).requests).toEqual([
      {
        reference: capture.reference,
        type: 'capture',
        gatewayConfigurationId: request.gatewayConfigurationId,
        invoiceId: request.invoiceId,
        gatewayAuthorizationId: outcome.gatewayOperationId,
        amountMinor: 3_000,
        currency: 'EUR',
        scenario: 'approved',
        outcome: expect.objectContaining({ kind: 'approved', amountMinor: 3_000 }),
        askedAt: new Date('2026-11-21T09:00:00.000Z'),
        bookedAt: new Date('2026-11-21T09:00:00.000Z'),
        isFinal: true,
        later: null,
        delivery: null,
        timesAsked: 1,
        lookedUp: 1,
      },
    ])
  })

  test('an authorization and a look-up are one statement, the other steps two', async () => {
    const count = async (call: () => Promise<unknown>) => {
      const before = simulator.statements()
      await call()
      return simulator.statements() - before
    }
    const request = simulator.requestOf(APPROVED)
    expect(await count(() => simulator.gateway.authorize(request, patience()))).toBe(1)
    const { followUp } = await simulator.authorize(APPROVED)
    expect(
      await count(() => simulator.gateway.increment({ ...followUp(100), targetTotalMinor: 3_000 }, patience())),
    ).toBe(2)
    expect(await count(() => simulator.gateway.void(followUp(100), patience()))).toBe(2)
    expect(await count(() => simulator.gateway.capture({ ...followUp(100), isFinal: true }, patience()))).toBe(2)
    expect(await count(() => simulator.gateway.refund(followUp(100), patience()))).toBe(2)
    expect(await count(() => simulator.lookUp(request.reference))).toBe(1)
  })
})
