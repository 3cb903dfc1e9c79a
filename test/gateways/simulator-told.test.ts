import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import type { GatewayNotice } from '../../domain/gateway-notice.ts'
import type { GatewayAccess, Notification } from '../../src/gateways/gateway.ts'
import { createCourier } from '../../src/gateways/simulator/courier.ts'
import { pushNotice } from '../../src/gateways/simulator/push-notice.ts'
import { APPROVED, makeSimulator, patience } from './simulator-fixture.ts'

const KEY = 'notification-key-of-the-test'

interface Told {
  path: string
  headers: IncomingHttpHeaders
  rawBody: Uint8Array
}

describe('how an account is told what it did not ask for', () => {
  let simulator: Awaited<ReturnType<typeof makeSimulator>>
  let endpoint: Server
  let status = 200
  const told: Told[] = []

  beforeAll(async () => {
    simulator = await makeSimulator('told')
    endpoint = createServer(async (request, response) => {
      told.push({ path: request.url ?? '', headers: request.headers, rawBody: await buffer(request) })
      response.writeHead(status).end()
    })
    await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve))
  })
  afterAll(async () => {
    endpoint.closeAllConnections()
    await new Promise((resolve) => endpoint.close(resolve))
    await simulator.drop()
  })

  const overHttp = () => ({
    notices: 'http',
    notices_url: `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/notifications/{configuration}`,
  })

  /** A courier for accounts with these settings, and what it has delivered in the process. */
  const courierFor = (
    settings: Record<string, string>,
    credentials: GatewayAccess['credentials'] = { notification_key: KEY },
  ) => {
    const delivered: GatewayNotice[] = []
    const courier = createCourier({
      execute: simulator.execute,
      clock: simulator.clock,
      deliver: async (notice) => void delivered.push(notice),
      tell: (notification, gatewayConfigurationId) =>
        pushNotice(notification, { gatewayConfigurationId, credentials, settings }),
    })
    return { delivered, ...courier }
  }

  afterEach(async () => {
    status = 200
    simulator.clock.advance(24 * 3_600_000)
    const { deliverDue } = courierFor({})
    while ((await deliverDue()) > 0);
    told.length = 0
  })

  const captured = async (number: string, settings: Record<string, string>, amountMinor = 2_000) => {
    const authorization = await simulator.authorize(number, { settings })
    const capture = { ...authorization.followUp(amountMinor), isFinal: true }
    const outcome = await simulator.gateway.capture(capture, patience())
    return { ...authorization, capture, captureOutcome: outcome }
  }

  /** What a notification says, as the adapter proves and reads it. */
  const read = ({ rawBody, headers }: Told, credentials: GatewayAccess['credentials'] = { notification_key: KEY }) => {
    const { readNotification } = simulator.gateway
    if (readNotification === undefined) throw new Error('The simulator reads no notifications.')
    return readNotification(rawBody, headers as Record<string, string>, { credentials, settings: {} })
  }
  const notificationsIn = (one: Told | undefined): readonly Notification[] => {
    if (one === undefined) throw new Error('Nothing was told.')
    const reading = read(one)
    if (reading.kind === 'refused') throw new Error(reading.reason)
    return reading.notifications
  }

  describe('over HTTP', () => {
    test('is nothing without a key to sign with: the notice stays', async () => {
      const { request } = await captured('4000000000000069', overHttp())

      await expect(courierFor(overHttp(), {}).deliverDue()).rejects.toThrow('1 notices could not be delivered.')
      await expect(courierFor(overHttp(), { notification_key: 'short' }).deliverDue()).rejects.toThrow()

      expect(told).toEqual([])
      expect((await simulator.readLog({ invoiceId: request.invoiceId })).notices).toMatchObject([{ deliveredAt: null }])
    })

    test('is a signed notification to the address of the account, and nothing is delivered beside it', async () => {
      const { request, outcome } = await captured('4000000000000069', overHttp())
      const { delivered, deliverDue } = courierFor(overHttp())

      expect(await deliverDue()).toBe(1)

      expect(delivered).toEqual([])
      expect(told.map(({ path }) => path)).toEqual([`/notifications/${request.gatewayConfigurationId}`])
      expect(notificationsIn(told[0])).toEqual([
        {
          kind: 'notice',
          gatewayNoticeId: expect.stringContaining('chargeback-created'),
          what: 'chargeback-created',
          gatewayAuthorizationId: outcome.gatewayOperationId,
          invoiceId: request.invoiceId,
          reference: null,
          amountMinor: 2_000,
          currency: 'EUR',
          reason: 'fraudulent',
        },
      ])
    })

    test('is refused with another key, a changed byte or no signature', async () => {
      await captured('4000000000000069', overHttp())
      await courierFor(overHttp()).deliverDue()
      const [one] = told
      if (one === undefined) throw new Error('Nothing was told.')
      const changed = Buffer.from(one.rawBody)
      changed.write('9', changed.indexOf('2000'))

      expect(read(one, { notification_key: KEY.toUpperCase() }).kind).toBe('refused')
      expect(read(one, {}).kind).toBe('refused')
      expect(read({ ...one, rawBody: changed }).kind).toBe('refused')
      expect(read({ ...one, headers: {} }).kind).toBe('refused')
    })

    test.each([500, 404, 307])('is told again where it was answered %i, under the same id', async (answer) => {
      const { request } = await captured('4000000000000309', overHttp())
      const { deliverDue } = courierFor(overHttp())

      status = answer
      await expect(deliverDue()).rejects.toThrow()
      status = 202
      expect(await deliverDue()).toBe(1)
      expect(await deliverDue()).toBe(0)

      expect(told).toHaveLength(2)
      expect(notificationsIn(told[1])).toEqual(notificationsIn(told[0]))
      expect((await simulator.readLog({ invoiceId: request.invoiceId })).notices[0]?.deliveredAt).not.toBeNull()
    })

    test('is also how a refund has failed, by our reference for it', async () => {
      const { followUp } = await captured('4000000000005126', overHttp())
      const refund = { ...followUp(700), settings: overHttp() }
      await simulator.gateway.refund(refund, patience())
      simulator.clock.advance(300)

      await courierFor(overHttp()).deliverDue()

      expect(notificationsIn(told[0])).toMatchObject([
        { kind: 'notice', what: 'refund-failed', reference: refund.reference, amountMinor: 700 },
      ])
    })

    test.each([
      ['4000000000007049', 'approved', 2_000],
      ['4000000000007056', 'declined', 0],
    ])(
      '%s: is how a pending capture has ended, %s, with the money already where it belongs',
      async (number, kind, capturedMinor) => {
        const { capture, captureOutcome, held, outcome } = await captured(number, overHttp())
        expect(captureOutcome.kind).toBe('pending')
        const { deliverDue } = courierFor(overHttp())
        expect(await deliverDue()).toBe(0)
        expect(await held()).toMatchObject({ capturedMinor: 0, capturingMinor: 2_000 })
        simulator.clock.advance(300)

        expect(await deliverDue()).toBe(1)

        expect(notificationsIn(told[0])).toEqual([
          {
            kind: 'settled',
            gatewayNoticeId: expect.stringContaining('settled'),
            type: 'capture',
            reference: capture.reference,
            gatewayAuthorizationId: outcome.gatewayOperationId,
            outcome: expect.objectContaining({ kind }),
          },
        ])
        expect(await held()).toMatchObject({ capturedMinor, capturingMinor: 0 })
      },
    )

    test('moves the money of a pending refund once, whether a look-up or the notification comes first', async () => {
      for (const lookUpsBefore of [0, 1, 2, 3]) {
        const { followUp, held } = await captured('4000000000007064', overHttp())
        const refund = followUp(600)
        expect((await simulator.gateway.refund(refund, patience())).kind).toBe('pending')
        simulator.clock.advance(300)
        const { deliverDue } = courierFor(overHttp())

        for (let lookUp = 0; lookUp < lookUpsBefore; lookUp += 1) await simulator.lookUp(refund.reference, 'refund')
        expect(await deliverDue()).toBe(1)
        for (let lookUp = 0; lookUp < 3; lookUp += 1) await simulator.lookUp(refund.reference, 'refund')

        expect(await held()).toMatchObject({ refundedMinor: 600, refundingMinor: 0 })
        expect(notificationsIn(told.at(-1))).toMatchObject([{ kind: 'settled', outcome: { kind: 'approved' } }])
      }
    })

    test('is asked for by the account alone: without the setting no end is announced', async () => {
      const { request } = await captured('4000000000007049', {})

      expect((await simulator.readLog({ invoiceId: request.invoiceId })).notices).toEqual([])
    })

    test('ends with the setting: what was announced before is brought by the courier, or left to a look-up', async () => {
      await captured('4000000000000069', overHttp())
      await captured('4000000000007049', overHttp())
      simulator.clock.advance(300)
      const { delivered, deliverDue } = courierFor({})

      expect(await deliverDue()).toBe(2)

      expect(told).toEqual([])
      expect(delivered.map(({ what }) => what)).toEqual(['chargeback-created'])
    })
  })

  describe('twice', () => {
    test('is both times the same word, at once, and one notice in the log', async () => {
      const { request } = await captured('4000000000000069', { duplicate_notices: 'true' })
      const { delivered, deliverDue } = courierFor({})

      expect(await deliverDue()).toBe(1)
      expect(await deliverDue()).toBe(0)

      expect(delivered).toHaveLength(2)
      expect(delivered[1]).toEqual(delivered[0])
      expect((await simulator.readLog({ invoiceId: request.invoiceId })).notices).toHaveLength(1)
    })

    test('over HTTP is both times the same bytes', async () => {
      await captured('4000000000000069', { ...overHttp(), duplicate_notices: 'true' })

      await courierFor(overHttp()).deliverDue()

      expect(told).toHaveLength(2)
      expect(told[1]?.rawBody).toEqual(told[0]?.rawBody)
    })

    test('takes the money of a failed refund back once', async () => {
      const settings = { duplicate_notices: 'true' }
      const { followUp, held } = await captured('4000000000005126', settings)
      await simulator.gateway.refund(followUp(700), patience())
      expect(await held()).toMatchObject({ refundedMinor: 700 })
      simulator.clock.advance(300)

      await courierFor({}).deliverDue()

      expect(await held()).toMatchObject({ refundedMinor: 0 })
    })
  })

  test('late is not before its time', async () => {
    await captured('4000000000000200', { late_notices_ms: '5000' })
    const { delivered, deliverDue } = courierFor({})

    simulator.clock.advance(4_999)
    expect(await deliverDue()).toBe(0)
    simulator.clock.advance(1)
    expect(await deliverDue()).toBe(1)
    simulator.clock.advance(300)
    expect(await deliverDue()).toBe(1)

    expect(delivered.map(({ what }) => what)).toEqual(['chargeback-created', 'chargeback-won'])
  })

  test('out of order is the end of a dispute before its beginning', async () => {
    await captured('4000000000000200', { shuffle_notices: 'true' })
    const { delivered, deliverDue } = courierFor({})

    expect(await deliverDue()).toBe(1)
    simulator.clock.advance(300)
    expect(await deliverDue()).toBe(1)

    expect(delivered.map(({ what }) => what)).toEqual(['chargeback-won', 'chargeback-created'])
  })

  test('does not change what an ordinary payment is told: nothing', async () => {
    const { request } = await captured(APPROVED, { ...overHttp(), duplicate_notices: 'true', shuffle_notices: 'true' })

    expect((await simulator.readLog({ invoiceId: request.invoiceId })).notices).toEqual([])
  })
})
