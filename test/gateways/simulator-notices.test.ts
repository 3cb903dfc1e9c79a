import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import type { GatewayNotice } from '../../domain/gateway-notice.ts'
import { createCourier } from '../../src/gateways/simulator/courier.ts'
import { APPROVED, makeSimulator, patience } from './simulator-fixture.ts'

describe('what the simulator tells unasked', () => {
  let simulator: Awaited<ReturnType<typeof makeSimulator>>

  beforeAll(async () => {
    simulator = await makeSimulator('notices')
  })
  afterAll(() => simulator.drop())

  const courierTo = (deliver: (notice: GatewayNotice) => Promise<void>) =>
    createCourier({ execute: simulator.execute, clock: simulator.clock, deliver })

  const collecting = () => {
    const notices: GatewayNotice[] = []
    return { notices, ...courierTo(async (notice) => void notices.push(notice)) }
  }

  /** So that no test finds what another one left. */
  afterEach(async () => {
    simulator.clock.advance(3_600_000)
    const { deliverDue } = collecting()
    while ((await deliverDue()) > 0);
  })

  const captured = async (number: string, overrides = {}) => {
    const authorization = await simulator.authorize(number, overrides)
    await simulator.gateway.capture({ ...authorization.followUp(2_000), isFinal: true }, patience())
    return authorization
  }

  test('is nothing after an ordinary capture and refund', async () => {
    const { request, followUp } = await captured(APPROVED)
    await simulator.gateway.refund(followUp(100), patience())

    expect((await simulator.readLog({ invoiceId: request.invoiceId })).notices).toEqual([])
  })

  test('is nothing before the capture, after a refused one, and no second time after a repeated or another one', async () => {
    const { request, followUp } = await simulator.authorize('4000000000000069')
    const written = async () => (await simulator.readLog({ invoiceId: request.invoiceId })).notices.length
    const capture = { ...followUp(1_000), isFinal: false }

    await simulator.gateway.capture({ ...followUp(2_901), isFinal: false }, patience())
    expect(await written()).toBe(0)
    await simulator.gateway.capture(capture, patience())
    await simulator.gateway.capture(capture, patience())
    await simulator.gateway.capture({ ...followUp(500), isFinal: false }, patience())
    expect(await written()).toBe(1)
  })

  test.each([
    ['4000000000000069', ['chargeback-created']],
    ['4000000000000309', ['retrieval-request']],
    ['4000000000004004', ['fraud-notification']],
  ])('%s: %p right after the capture, and no more', async (number, steps) => {
    const { request } = await captured(number)
    const { notices, deliverDue } = collecting()

    expect(await deliverDue()).toBe(1)
    simulator.clock.advance(60_000)
    expect(await deliverDue()).toBe(0)

    expect(notices).toEqual(
      steps.map((what) => ({
        gatewayNoticeId: expect.stringContaining(what),
        gatewayConfigurationId: request.gatewayConfigurationId,
        invoiceId: request.invoiceId,
        what,
        reference: null,
        amountMinor: 2_000,
        currency: 'EUR',
        reason: expect.stringMatching(/./),
      })),
    )
  })

  test.each([
    ['4000000000000200', {}, 'chargeback-won'],
    [APPROVED, { scenario: 'chargeback-lost' }, 'chargeback-lost'],
  ])('%s %p: a chargeback, and 300 ms later %s', async (number, { scenario }: { scenario?: string }, end) => {
    await captured(number, scenario === undefined ? {} : simulator.named(scenario))
    const { notices, deliverDue } = collecting()

    expect(await deliverDue()).toBe(1)
    simulator.clock.advance(299)
    expect(await deliverDue()).toBe(0)
    simulator.clock.advance(1)
    expect(await deliverDue()).toBe(1)

    expect(notices.map(({ what }) => what)).toEqual(['chargeback-created', end])
    expect(new Set(notices.map(({ gatewayNoticeId }) => gatewayNoticeId)).size).toBe(2)
  })

  test('4000000000005126: a refund succeeds, fails 300 ms later, and can be asked for again when it is told', async () => {
    const { followUp, held } = await captured('4000000000005126')
    const refund = followUp(2_000)
    const told: unknown[] = []
    const { deliverDue } = courierTo(async (notice) => {
      told.push(notice, await simulator.gateway.refund(followUp(2_000), patience()))
    })

    for (let attempt = 0; attempt < 2; attempt += 1) {
      expect(await simulator.gateway.refund(refund, patience())).toMatchObject({ kind: 'approved' })
    }
    expect(await simulator.lookUp(refund.reference, 'refund')).toMatchObject({ outcome: { kind: 'approved' } })
    expect(await deliverDue()).toBe(0)
    expect(await held()).toMatchObject({ refundedMinor: 2_000 })
    simulator.clock.advance(300)
    expect(await deliverDue()).toBe(1)

    expect(told).toEqual([
      expect.objectContaining({ what: 'refund-failed', reference: refund.reference, amountMinor: 2_000 }),
      expect.objectContaining({ kind: 'approved' }),
    ])
    expect(await held()).toMatchObject({ refundedMinor: 2_000 })
    expect(await simulator.lookUp(refund.reference, 'refund')).toMatchObject({
      kind: 'found',
      outcome: { kind: 'declined', code: 'gateway.declined' },
    })
  })

  test('a notice that could not be delivered stays, under the same id, and holds up no other', async () => {
    const [poisoned, fine] = [await captured('4000000000000069'), await captured('4000000000000309')]
    const delivered: GatewayNotice[] = []
    let isBroken = true
    const { deliverDue } = courierTo(async (notice) => {
      if (isBroken && notice.invoiceId === poisoned.request.invoiceId) {
        throw Object.assign(new Error('No room.'), { noticeId: notice.gatewayNoticeId })
      }
      delivered.push(notice)
    })

    const failure = await deliverDue().catch((error: AggregateError) => error)
    expect(failure).toMatchObject({ errors: [{ message: 'No room.' }] })
    expect(delivered.map(({ invoiceId }) => invoiceId)).toEqual([fine.request.invoiceId])
    isBroken = false
    expect(await deliverDue()).toBe(1)
    expect(delivered[1]).toMatchObject({ invoiceId: poisoned.request.invoiceId })
    expect(failure).toMatchObject({ errors: [{ noticeId: delivered[1]?.gatewayNoticeId }] })
    expect(await deliverDue()).toBe(0)
  })

  test('a refund that failed takes its money back once, however often the notice has to be delivered', async () => {
    const { followUp, held } = await captured('4000000000005126')
    await simulator.gateway.refund(followUp(500), patience())
    await simulator.gateway.refund(followUp(400), patience())
    simulator.clock.advance(300)

    const { deliverDue } = courierTo(() => Promise.reject(new Error('No room.')))
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await expect(deliverDue()).rejects.toThrow('2 notices could not be delivered.')
    }
    expect(await held()).toMatchObject({ capturedMinor: 2_000, refundedMinor: 0 })
  })

  test('couriers side by side deliver each notice once', async () => {
    for (let payment = 0; payment < 6; payment += 1) await captured('4000000000000200')
    simulator.clock.advance(300)
    const couriers = Array.from({ length: 4 }, collecting)

    const counts = await Promise.all(couriers.map(({ deliverDue }) => deliverDue()))

    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(12)
    const ids = couriers.flatMap(({ notices }) => notices.map(({ gatewayNoticeId }) => gatewayNoticeId))
    expect(new Set(ids).size).toBe(12)
    expect(ids).toHaveLength(12)
  })

  test('a notice whose courier has died is delivered by another one a minute later', async () => {
    await captured('4000000000000069')
    const { promise: never } = Promise.withResolvers<void>()
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    void courierTo(() => {
      begin()
      return never
    }).deliverDue()
    await begun
    const { notices, deliverDue } = collecting()

    simulator.clock.advance(59_999)
    expect(await deliverDue()).toBe(0)
    simulator.clock.advance(1)
    expect(await deliverDue()).toBe(1)
    expect(notices).toHaveLength(1)
  })

  test('is in the log with the instants at which it was due and delivered', async () => {
    const { request } = await captured('4000000000000200')
    const dueAt = simulator.clock.now()
    await collecting().deliverDue()

    expect((await simulator.readLog({ invoiceId: request.invoiceId })).notices).toMatchObject([
      { what: 'chargeback-created', dueAt, deliveredAt: dueAt },
      { what: 'chargeback-won', dueAt: new Date(dueAt.getTime() + 300), deliveredAt: null },
    ])
  })
})
