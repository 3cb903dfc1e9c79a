import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { APPROVED, makeSimulator, patience } from './simulator-fixture.ts'

describe('the simulator', () => {
  let simulator: Awaited<ReturnType<typeof makeSimulator>>

  beforeAll(async () => {
    simulator = await makeSimulator('refusals')
  })
  afterAll(() => simulator.drop())

  describe('refuses what a gateway would refuse', () => {
    test('an amount above what remains, none at all, or another currency', async () => {
      const { followUp, held } = await simulator.authorize(APPROVED)
      const refused = { kind: 'declined', code: 'gateway.validation-error' }

      expect(await simulator.gateway.capture({ ...followUp(2_901), isFinal: true }, patience())).toMatchObject(refused)
      expect(await simulator.gateway.capture({ ...followUp(0), isFinal: true }, patience())).toMatchObject(refused)
      expect(await simulator.gateway.capture({ ...followUp(-1), isFinal: true }, patience())).toMatchObject(refused)
      expect(
        await simulator.gateway.capture({ ...followUp(1), currency: 'USD', isFinal: true }, patience()),
      ).toMatchObject(refused)
      expect(await simulator.gateway.void(followUp(2_901), patience())).toMatchObject(refused)
      expect(await simulator.gateway.void(followUp(-1), patience())).toMatchObject(refused)
      expect(await held()).toMatchObject({ authorizedMinor: 2_900, capturedMinor: 0, voidedMinor: 0 })
    })

    test('any step of another account than the one that the authorization belongs to', async () => {
      const { followUp, held } = await simulator.authorize(APPROVED)
      await simulator.gateway.capture({ ...followUp(1_000), isFinal: false }, patience())
      const foreign = () => ({ ...followUp(100), gatewayConfigurationId: 'gway_conf_other' })

      for (const outcome of [
        await simulator.gateway.capture({ ...foreign(), isFinal: false }, patience()),
        await simulator.gateway.increment({ ...foreign(), targetTotalMinor: 3_000 }, patience()),
        await simulator.gateway.void(foreign(), patience()),
        await simulator.gateway.refund(foreign(), patience()),
      ]) {
        expect(outcome).toMatchObject({ kind: 'declined', code: 'gateway.transaction-not-found' })
      }
      expect(await held()).toMatchObject({ capturedMinor: 1_000, voidedMinor: 0, refundedMinor: 0 })
    })

    test('any step on a declined authorization', async () => {
      const declined = simulator.requestOf('4000000000002180')
      await simulator.gateway.authorize(declined, patience())
      const { requests } = await simulator.readLog({ reference: declined.reference })
      const gatewayAuthorizationId = requests[0]?.gatewayAuthorizationId
      if (gatewayAuthorizationId == null) throw new Error('The log does not name the declined authorization.')
      const { followUp } = await simulator.authorize(APPROVED)

      expect(
        await simulator.gateway.capture({ ...followUp(100), gatewayAuthorizationId, isFinal: true }, patience()),
      ).toMatchObject({ kind: 'declined', code: 'gateway.transaction-not-found' })
    })

    test('an increment of an authorization that was not asked for as incremental', async () => {
      const { followUp } = await simulator.authorize(APPROVED, { incremental: false })

      expect(
        await simulator.gateway.increment({ ...followUp(100), targetTotalMinor: 3_000 }, patience()),
      ).toMatchObject({
        kind: 'declined',
        code: 'gateway.invalid-state',
      })
    })

    test('an increment after a capture, also where money is left', async () => {
      const { followUp, held } = await simulator.authorize(APPROVED)
      await simulator.gateway.capture({ ...followUp(1_000), isFinal: false }, patience())

      expect(
        await simulator.gateway.increment({ ...followUp(100), targetTotalMinor: 3_000 }, patience()),
      ).toMatchObject({
        kind: 'declined',
        code: 'gateway.invalid-state',
      })
      expect(await held()).toMatchObject({ authorizedMinor: 2_900 })
    })

    test('an increment whose total does not follow from its own books', async () => {
      const { followUp, held } = await simulator.authorize(APPROVED)

      for (const targetTotalMinor of [2_900, 2_999, 3_001, 100]) {
        expect(await simulator.gateway.increment({ ...followUp(100), targetTotalMinor }, patience())).toMatchObject({
          kind: 'declined',
          code: 'gateway.validation-error',
        })
      }
      expect(await held()).toMatchObject({ authorizedMinor: 2_900 })
    })

    test('a step at another account of the same configuration, which never saw the authorization', async () => {
      const { request, followUp, held } = await simulator.authorize(APPROVED)
      const elsewhere = { ...followUp(100), settings: { account: 'acct_2' } }

      expect(await simulator.gateway.capture({ ...elsewhere, isFinal: true }, patience())).toMatchObject({
        kind: 'declined',
        code: 'gateway.transaction-not-found',
      })
      const question = { ...request, type: 'authorization', gatewayAuthorizationId: null } as const
      expect(await simulator.gateway.lookUp({ ...question, settings: elsewhere.settings }, patience())).toEqual({
        kind: 'never-seen',
      })
      expect((await simulator.gateway.lookUp(question, patience())).kind).toBe('found')
      expect(await held()).toMatchObject({ capturedMinor: 0 })
    })

    test('a reference that was used for something else: its outcome is unknown, and nothing is done', async () => {
      const { request, followUp, held } = await simulator.authorize(APPROVED)
      const capture = { ...followUp(100), isFinal: false }
      await simulator.gateway.capture(capture, patience())

      const others = [
        await simulator.gateway.capture({ ...capture, amountMinor: 200 }, patience()),
        await simulator.gateway.capture({ ...capture, isFinal: true }, patience()),
        await simulator.gateway.capture({ ...capture, gatewayConfigurationId: 'gway_conf_other' }, patience()),
        await simulator.gateway.refund({ ...followUp(100), reference: capture.reference }, patience()),
        await simulator.gateway.void({ ...followUp(100), reference: capture.reference }, patience()),
        await simulator.gateway.capture({ ...followUp(100), reference: request.reference, isFinal: false }, patience()),
        await simulator.gateway.authorize({ ...request, amountMinor: 1 }, patience()),
        await simulator.gateway.authorize({ ...request, invoiceId: 'iv_other' }, patience()),
      ]

      for (const outcome of others) expect(outcome.kind).toBe('unknown')
      expect(await held()).toMatchObject({ authorizedMinor: 2_900, capturedMinor: 100, voidedMinor: 0 })
    })
  })
})
