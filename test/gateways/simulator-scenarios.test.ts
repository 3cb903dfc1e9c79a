import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createSimulator } from '../../src/gateways/simulator/adapter.ts'
import { APPROVED, makeSimulator, patience } from './simulator-fixture.ts'

describe('the simulator', () => {
  let simulator: Awaited<ReturnType<typeof makeSimulator>>

  beforeAll(async () => {
    simulator = await makeSimulator('scenarios')
  })
  afterAll(() => simulator.drop())

  describe('plays the scenarios of its cards after the authorization', () => {
    test('4000000000000010: every capture fails and the authorization stands', async () => {
      const { followUp, held } = await simulator.authorize('4000000000000010')

      for (let attempt = 0; attempt < 2; attempt += 1) {
        expect(await simulator.gateway.capture({ ...followUp(2_900), isFinal: true }, patience())).toMatchObject({
          kind: 'declined',
          code: 'gateway.declined',
        })
      }
      expect(await held()).toMatchObject({ authorizedMinor: 2_900, capturedMinor: 0, voidedMinor: 0, captures: 0 })
      expect(await simulator.gateway.void(followUp(2_900), patience())).toMatchObject({ kind: 'approved' })
    })

    test('4000000000006223: the second capture fails', async () => {
      const { followUp, held } = await simulator.authorize('4000000000006223')

      expect(await simulator.gateway.capture({ ...followUp(1_000), isFinal: false }, patience())).toMatchObject({
        kind: 'approved',
      })
      expect(await simulator.gateway.capture({ ...followUp(1_000), isFinal: false }, patience())).toMatchObject({
        kind: 'declined',
        code: 'gateway.declined',
      })
      expect(await held()).toMatchObject({ capturedMinor: 1_000, captures: 1 })
    })

    test.each([
      ['4000000000000531', 'card.declined'],
      ['4000000000003303', 'card.no-money'],
    ])('%s: an increment fails with %s and the first amount can be captured', async (number, code) => {
      const { followUp } = await simulator.authorize(number)

      expect(
        await simulator.gateway.increment({ ...followUp(100), targetTotalMinor: 3_000 }, patience()),
      ).toMatchObject({
        kind: 'declined',
        code,
      })
      expect(await simulator.gateway.capture({ ...followUp(2_900), isFinal: true }, patience())).toMatchObject({
        kind: 'approved',
      })
    })

    test('4000000000007080: a void fails and the money can be captured', async () => {
      const { followUp } = await simulator.authorize('4000000000007080')

      expect(await simulator.gateway.void(followUp(2_900), patience())).toMatchObject({
        kind: 'declined',
        code: 'gateway.declined',
      })
      expect(await simulator.gateway.capture({ ...followUp(2_900), isFinal: true }, patience())).toMatchObject({
        kind: 'approved',
      })
    })
  })

  test('4000000000000077: every refund is declined and the money stays captured', async () => {
    const { followUp, held } = await simulator.authorize('4000000000000077')
    await simulator.gateway.capture({ ...followUp(2_900), isFinal: true }, patience())

    for (let attempt = 0; attempt < 2; attempt += 1) {
      expect(await simulator.gateway.refund(followUp(100), patience())).toMatchObject({
        kind: 'declined',
        code: 'gateway.declined',
      })
    }
    expect(await held()).toMatchObject({ capturedMinor: 2_900, refundedMinor: 0, refundingMinor: 0 })
  })

  describe('approves something else than was asked for', () => {
    test('4000000000007155: declines what may not be a sale, and holds nothing', async () => {
      const request = simulator.requestOf('4000000000007155')

      expect(await simulator.gateway.authorize(request, patience())).toMatchObject({
        kind: 'declined',
        code: 'request.gateway.operation-not-supported',
        gatewayCode: 'OPERATION_NOT_SUPPORTED',
      })
      expect((await simulator.readLog({ reference: request.reference })).authorizations).toEqual([])
    })

    test('4000000000007155: takes the money at once where it may, and leaves nothing to capture or void', async () => {
      const { outcome, followUp, held } = await simulator.authorize('4000000000007155', { mayFallBackToSale: true })

      expect(outcome).toMatchObject({ amountMinor: 2_900, isSale: true })
      expect(await held()).toMatchObject({ authorizedMinor: 2_900, capturedMinor: 2_900, captures: 1 })
      expect(await simulator.gateway.capture({ ...followUp(1), isFinal: true }, patience())).toMatchObject({
        kind: 'declined',
      })
      expect(await simulator.gateway.void(followUp(1), patience())).toMatchObject({ kind: 'declined' })
      expect(await simulator.gateway.refund(followUp(2_900), patience())).toMatchObject({ kind: 'approved' })
    })

    test('4000000000007155: verifies the card without taking money', async () => {
      const { outcome, held } = await simulator.authorize('4000000000007155', { amountMinor: 0 })

      expect(outcome).not.toHaveProperty('isSale')
      expect(await held()).toMatchObject({ capturedMinor: 0, captures: 0 })
    })

    test('is no sale with any other card, whatever may be', async () => {
      const { outcome, held } = await simulator.authorize(APPROVED, { mayFallBackToSale: true })

      expect(outcome).not.toHaveProperty('isSale')
      expect(await held()).toMatchObject({ capturedMinor: 0 })
    })

    test.each([
      [2_900, 1_450],
      [2_901, 1_450],
      [2, 1],
      [1, 1],
      [0, 0],
    ])('4000000000007114: of %i it approves and holds %i', async (amountMinor, approvedMinor) => {
      const { outcome, followUp, held } = await simulator.authorize('4000000000007114', { amountMinor })

      expect(outcome).toMatchObject({ amountMinor: approvedMinor })
      expect(await held()).toMatchObject({ authorizedMinor: approvedMinor })
      expect(
        await simulator.gateway.capture({ ...followUp(approvedMinor + 1), isFinal: true }, patience()),
      ).toMatchObject({ kind: 'declined' })
    })
  })

  describe('loses answers', () => {
    test('4000000000007007: the approval is lost, again when the reference is repeated, and found by a look-up', async () => {
      const request = simulator.requestOf('4000000000007007')

      expect((await simulator.gateway.authorize(request, patience())).kind).toBe('unknown')
      expect((await simulator.gateway.authorize(request, patience())).kind).toBe('unknown')

      expect(await simulator.lookUp(request.reference)).toMatchObject({
        kind: 'found',
        outcome: { kind: 'approved', amountMinor: 2_900, currency: 'EUR' },
      })
      const { requests, authorizations } = await simulator.readLog({ reference: request.reference })
      expect(requests).toMatchObject([{ timesAsked: 2 }])
      expect(authorizations).toHaveLength(1)
    })

    test('4000000000007015: the decline is lost and found by a look-up', async () => {
      const request = simulator.requestOf('4000000000007015')

      expect((await simulator.gateway.authorize(request, patience())).kind).toBe('unknown')

      expect(await simulator.lookUp(request.reference)).toMatchObject({
        kind: 'found',
        outcome: { kind: 'declined', code: 'card.do-not-honor' },
      })
    })

    test('4000000000007023: no look-up ever tells', async () => {
      const request = simulator.requestOf('4000000000007023')

      expect((await simulator.gateway.authorize(request, patience())).kind).toBe('unknown')
      expect((await simulator.gateway.authorize(request, patience())).kind).toBe('unknown')

      expect((await simulator.lookUp(request.reference)).kind).toBe('unreachable')
      expect((await simulator.lookUp(request.reference)).kind).toBe('unreachable')
    })

    test('4000000000007031: the capture is done, its answer is lost, and a look-up finds it', async () => {
      const { followUp, held } = await simulator.authorize('4000000000007031')
      const request = { ...followUp(2_900), isFinal: true }

      expect((await simulator.gateway.capture(request, patience())).kind).toBe('unknown')
      expect((await simulator.gateway.capture(request, patience())).kind).toBe('unknown')

      expect(await simulator.lookUp(request.reference, 'capture')).toMatchObject({
        kind: 'found',
        outcome: { kind: 'approved', amountMinor: 2_900 },
      })
      expect(await held()).toMatchObject({ capturedMinor: 2_900, captures: 1 })
    })

    test('4000000000007148: the increment is done, its answer is lost, and a look-up finds it', async () => {
      const { followUp, held } = await simulator.authorize('4000000000007148')
      const request = { ...followUp(500), targetTotalMinor: 3_400 }

      expect((await simulator.gateway.increment(request, patience())).kind).toBe('unknown')
      expect((await simulator.gateway.increment(request, patience())).kind).toBe('unknown')

      expect(await simulator.lookUp(request.reference, 'increment_authorization')).toMatchObject({
        kind: 'found',
        outcome: { kind: 'approved', amountMinor: 500 },
      })
      expect(await held()).toMatchObject({ authorizedMinor: 3_400 })
    })

    test.each(['void', 'refund'] as const)('of a %s, which is done once and found by a look-up', async (type) => {
      const { followUp, held } = await simulator.authorize(APPROVED, simulator.named(`${type}-lost`))
      await simulator.gateway.capture({ ...followUp(1_000), isFinal: false }, patience())
      const request = followUp(700)

      expect((await simulator.gateway[type](request, patience())).kind).toBe('unknown')
      expect((await simulator.gateway[type](request, patience())).kind).toBe('unknown')

      expect(await simulator.lookUp(request.reference, type)).toMatchObject({
        kind: 'found',
        outcome: { kind: 'approved', amountMinor: 700, currency: 'EUR' },
      })
      expect(await held()).toMatchObject({
        voidedMinor: type === 'void' ? 700 : 0,
        refundedMinor: type === 'refund' ? 700 : 0,
      })
    })

    test.each(['capture', 'increment', 'void', 'refund'] as const)(
      'of a %s for good: it is done once, and no look-up ever tells',
      async (step) => {
        const { followUp, held } = await simulator.authorize(APPROVED, simulator.named(`${step}-never-resolved`))
        if (step === 'refund') await simulator.gateway.capture({ ...followUp(1_000), isFinal: false }, patience())
        const request = { ...followUp(700), isFinal: false, targetTotalMinor: 3_600 }
        const type = step === 'increment' ? 'increment_authorization' : step

        for (let attempt = 0; attempt < 2; attempt += 1) {
          expect((await simulator.gateway[step](request, patience())).kind).toBe('unknown')
        }
        for (let attempt = 0; attempt < 5; attempt += 1) {
          expect((await simulator.lookUp(request.reference, type)).kind).toBe('unreachable')
        }
        expect(await held()).toMatchObject(
          {
            capture: { capturedMinor: 700 },
            increment: { authorizedMinor: 3_600 },
            void: { voidedMinor: 700 },
            refund: { refundedMinor: 700 },
          }[step],
        )
      },
    )

    test('of an authorization for a while: three look-ups tell nothing, the fourth tells of the approval', async () => {
      const request = simulator.requestOf(APPROVED, simulator.named('authorization-approved-late'))

      expect((await simulator.gateway.authorize(request, patience())).kind).toBe('unknown')
      for (let attempt = 0; attempt < 3; attempt += 1) {
        expect((await simulator.lookUp(request.reference)).kind).toBe('unreachable')
      }
      for (let attempt = 0; attempt < 2; attempt += 1) {
        expect(await simulator.lookUp(request.reference)).toMatchObject({
          kind: 'found',
          outcome: { kind: 'approved', amountMinor: 2_900 },
        })
      }
      const { requests, authorizations } = await simulator.readLog({ reference: request.reference })
      expect(requests).toMatchObject([{ timesAsked: 1, lookedUp: 5 }])
      expect(authorizations).toMatchObject([{ authorizedMinor: 2_900 }])
    })

    test('4000000000007098: the gateway fails for certain, which is a decline and no lost answer', async () => {
      const request = simulator.requestOf('4000000000007098')

      const outcome = await simulator.gateway.authorize(request, patience())

      expect(outcome).toMatchObject({ kind: 'declined', code: 'gateway.internal-error' })
      expect(await simulator.lookUp(request.reference)).toEqual({ kind: 'found', outcome })
    })

    test('4000000000007106: nothing is sent, so that the gateway never saw the reference', async () => {
      const request = simulator.requestOf('4000000000007106')

      expect(await simulator.gateway.authorize(request, patience())).toMatchObject({
        kind: 'declined',
        code: 'gateway.network-error',
      })

      expect(await simulator.lookUp(request.reference)).toEqual({ kind: 'never-seen' })
      expect(await simulator.readLog({ reference: request.reference })).toEqual({
        requests: [],
        authorizations: [],
        notifications: [],
      })
    })

    test('a reference is never seen under another type than it was sent with', async () => {
      const { request } = await simulator.authorize(APPROVED)

      expect(await simulator.lookUp(request.reference, 'capture')).toEqual({ kind: 'never-seen' })
    })

    test('a reason never repeats what a database says, because that may quote what was sent', async () => {
      const broken = createSimulator({
        execute: () => Promise.reject(Object.assign(new Error(`bad value ${APPROVED}`), { code: '22P02' })),
      })

      const outcome = await broken.authorize(simulator.requestOf(APPROVED), patience())

      expect(outcome).toEqual({ kind: 'unknown', reason: 'No answer: Error (22P02).' })
    })
  })
})
