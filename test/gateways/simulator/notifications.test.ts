import { afterEach, describe, expect, test } from '@jest/globals'
import type { GatewayNotification } from '../../../domain/gateway-notification.ts'
import { postDueNotifications } from '../../../src/gateways/simulator/notification-dispatcher.ts'
import { APPROVED, patience, simulatorForFile } from '../simulator-fixture.ts'

const DAY_MS = 24 * 3_600_000

describe('the notifications of the simulator', () => {
  const simulator = simulatorForFile('notifications')

  const dispatcherTo = (post: (notification: GatewayNotification, account: string) => Promise<void>) => ({
    postDue: () => postDueNotifications({ execute: simulator.execute, clock: simulator.clock, post }),
  })

  const collecting = () => {
    const posted: (GatewayNotification & { account: string })[] = []
    return { posted, ...dispatcherTo(async (notification, account) => void posted.push({ ...notification, account })) }
  }

  /** So that no test finds what another one left. */
  afterEach(async () => {
    simulator.clock.advance(DAY_MS)
    const { postDue } = collecting()
    while ((await postDue()) > 0);
  })

  const captured = async (number: string, overrides = {}) => {
    const authorization = await simulator.authorize(number, overrides)
    const capture = { ...authorization.followUp(2_000), isFinal: true }
    return { ...authorization, capture, captureOutcome: await simulator.gateway.capture(capture, patience()) }
  }
  const loggedOf = async ({ invoiceId }: { invoiceId: string }) =>
    (await simulator.readLog({ invoiceId })).notifications

  test('are none after an ordinary capture and refund, whatever the account asks for', async () => {
    const settings = {
      duplicate_notifications: 'true',
      reverse_notifications: 'true',
      settled_notifications: 'true',
    }
    const { request, followUp } = await captured(APPROVED, { settings })
    await simulator.gateway.refund(followUp(100), patience())

    expect(await loggedOf(request)).toEqual([])
    // Of a pending step there are some where the account asks for them, and only there.
    expect(await loggedOf((await captured('4000000000007049')).request)).toEqual([])
  })

  test('are none before the capture, after a refused one, and no second time after a repeated or another one', async () => {
    const { request, followUp } = await simulator.authorize('4000000000000069')
    const capture = { ...followUp(1_000), isFinal: false }

    await simulator.gateway.capture({ ...followUp(2_901), isFinal: false }, patience())
    expect(await loggedOf(request)).toEqual([])
    await simulator.gateway.capture(capture, patience())
    await simulator.gateway.capture(capture, patience())
    await simulator.gateway.capture({ ...followUp(500), isFinal: false }, patience())
    expect(await loggedOf(request)).toHaveLength(1)
  })

  test.each([
    ['4000000000000069', 'chargeback-created', 7],
    ['4000000000000309', 'retrieval-request', 10],
    ['4000000000004004', 'fraud-notification', null],
  ])('%s: %s right after the capture, to be answered within %j days, and no more', async (number, kind, days) => {
    const { request, outcome } = await captured(number)
    const evidenceDueAt = days === null ? {} : { evidenceDueAt: simulator.clock.now().getTime() + days * DAY_MS }
    const { posted, postDue } = collecting()

    expect(await postDue()).toBe(1)
    simulator.clock.advance(60_000)
    expect(await postDue()).toBe(0)

    expect(posted).toEqual([
      {
        kind,
        account: request.gatewayConfigurationId,
        gatewayNotificationId: expect.stringContaining(kind),
        gatewayAuthorizationId: outcome.gatewayOperationId,
        invoiceId: request.invoiceId,
        reference: null,
        amountMinor: 2_000,
        currency: 'EUR',
        reason: expect.stringMatching(/./),
        disputeId: `${outcome.gatewayOperationId}-dispute`,
        ...evidenceDueAt,
      },
    ])
  })

  test.each([
    ['4000000000000200', {}, 'chargeback-won'],
    [APPROVED, { scenario: 'chargeback-lost' }, 'chargeback-lost'],
  ])('%s %p: a chargeback, and 300 ms later %s', async (number, { scenario }: { scenario?: string }, end) => {
    await captured(number, scenario === undefined ? {} : simulator.named(scenario))
    const { posted, postDue } = collecting()

    expect(await postDue()).toBe(1)
    simulator.clock.advance(299)
    expect(await postDue()).toBe(0)
    simulator.clock.advance(1)
    expect(await postDue()).toBe(1)

    expect(posted.map(({ kind }) => kind)).toEqual(['chargeback-created', end])
    expect(new Set(posted.map(({ gatewayNotificationId }) => gatewayNotificationId)).size).toBe(2)
  })

  describe('of a refund that fails later', () => {
    test('4000000000005126: it succeeds, fails 300 ms later, and can be asked for again when the notification arrives', async () => {
      const { followUp, held } = await captured('4000000000005126')
      const refund = followUp(2_000)
      const seen: unknown[] = []
      const { postDue } = dispatcherTo(async (notification) => {
        seen.push(notification, await simulator.gateway.refund(followUp(2_000), patience()))
      })

      for (let attempt = 0; attempt < 2; attempt += 1) {
        expect(await simulator.gateway.refund(refund, patience())).toMatchObject({ kind: 'approved' })
      }
      expect(await simulator.lookUp(refund.reference, 'refund')).toMatchObject({ outcome: { kind: 'approved' } })
      expect(await postDue()).toBe(0)
      expect(await held()).toMatchObject({ refundedMinor: 2_000 })
      simulator.clock.advance(300)
      expect(await postDue()).toBe(1)

      expect(seen).toEqual([
        expect.objectContaining({ kind: 'refund-failed', reference: refund.reference, amountMinor: 2_000 }),
        expect.objectContaining({ kind: 'approved' }),
      ])
      expect(await held()).toMatchObject({ refundedMinor: 2_000 })
      expect(await simulator.lookUp(refund.reference, 'refund')).toMatchObject({
        kind: 'found',
        outcome: { kind: 'declined', code: 'gateway.declined' },
      })
    })

    test('take its money back once, however often they have to be posted', async () => {
      const { followUp, held } = await captured('4000000000005126', { settings: { duplicate_notifications: 'true' } })
      await simulator.gateway.refund(followUp(500), patience())
      await simulator.gateway.refund(followUp(400), patience())
      expect(await held()).toMatchObject({ refundedMinor: 900 })
      simulator.clock.advance(300)

      const { postDue } = dispatcherTo(() => Promise.reject(new Error('No room.')))
      for (let attempt = 0; attempt < 3; attempt += 1) {
        await expect(postDue()).rejects.toThrow('2 notifications were not accepted.')
        simulator.clock.advance(60_000)
      }
      expect(await held()).toMatchObject({ capturedMinor: 2_000, refundedMinor: 0 })
    })
  })

  describe('of a pending step, where the account asks for them', () => {
    const settings = { settled_notifications: 'true' }

    test.each([
      ['4000000000007049', 'approved', 2_000],
      ['4000000000007056', 'declined', 0],
    ])(
      '%s: say 300 ms later that it is %s, with the money already where it belongs',
      async (number, kind, capturedMinor) => {
        const { capture, captureOutcome, held, outcome } = await captured(number, { settings })
        expect(captureOutcome.kind).toBe('pending')
        const { posted, postDue } = collecting()
        expect(await postDue()).toBe(0)
        expect(await held()).toMatchObject({ capturedMinor: 0, capturingMinor: 2_000 })
        simulator.clock.advance(300)

        expect(await postDue()).toBe(1)

        expect(posted).toEqual([
          {
            kind: 'outcome',
            account: capture.gatewayConfigurationId,
            gatewayNotificationId: expect.stringContaining('outcome'),
            type: 'capture',
            reference: capture.reference,
            gatewayAuthorizationId: outcome.gatewayOperationId,
            outcome: expect.objectContaining({ kind }),
          },
        ])
        expect(await held()).toMatchObject({ capturedMinor, capturingMinor: 0 })
      },
    )

    test('move the money of a refund once, whether a look-up or the notification comes first', async () => {
      for (const lookUpsBefore of [0, 1, 2, 3]) {
        const { followUp, held } = await captured('4000000000007064', { settings })
        const refund = followUp(600)
        expect((await simulator.gateway.refund(refund, patience())).kind).toBe('pending')
        simulator.clock.advance(300)
        const { posted, postDue } = collecting()

        for (let lookUp = 0; lookUp < lookUpsBefore; lookUp += 1) await simulator.lookUp(refund.reference, 'refund')
        expect(await postDue()).toBe(1)
        for (let lookUp = 0; lookUp < 3; lookUp += 1) await simulator.lookUp(refund.reference, 'refund')

        expect(await held()).toMatchObject({ refundedMinor: 600, refundingMinor: 0 })
        expect(posted).toMatchObject([{ kind: 'outcome', outcome: { kind: 'approved' } }])
      }
    })

    test('move the money once when look-ups race with the notification, and another step takes the same sum meanwhile', async () => {
      const { followUp, held } = await captured('4000000000007072', { settings })
      const refunds = Array.from({ length: 4 }, () => followUp(300))
      for (const refund of refunds) await simulator.gateway.refund(refund, patience())
      simulator.clock.advance(300)
      const { posted, postDue } = collecting()

      await Promise.all([
        postDue(),
        ...refunds.flatMap(({ reference }) => [0, 1, 2].map(() => simulator.lookUp(reference, 'refund'))),
        ...refunds.map(() => simulator.gateway.refund(followUp(300), patience())),
      ])

      // What was pending has ended declined, and what began meanwhile is pending still.
      expect(posted).toHaveLength(4)
      const { requests } = await simulator.readLog({ authorizationId: (await held())?.gatewayAuthorizationId ?? '' })
      const pending = requests.filter(({ type, outcome }) => type === 'refund' && outcome.kind === 'pending')
      expect(await held()).toMatchObject({ refundedMinor: 0, refundingMinor: 300 * pending.length })
    })
  })

  describe('that are not accepted', () => {
    test('stay under the same id, and hold up no other', async () => {
      const [poisoned, fine] = [await captured('4000000000000069'), await captured('4000000000000309')]
      const accepted: GatewayNotification[] = []
      const refused: string[] = []
      const invoiceOf = (one: GatewayNotification) => ('invoiceId' in one ? one.invoiceId : null)
      const { postDue } = dispatcherTo(async (notification) => {
        if (refused.length === 0 && invoiceOf(notification) === poisoned.request.invoiceId) {
          refused.push(notification.gatewayNotificationId)
          throw new Error('No room.')
        }
        accepted.push(notification)
      })

      await expect(postDue()).rejects.toMatchObject({ errors: [{ message: 'No room.' }] })
      expect(accepted.map(invoiceOf)).toEqual([fine.request.invoiceId])
      simulator.clock.advance(1_000)
      expect(await postDue()).toBe(1)
      expect(accepted[1]).toMatchObject({ gatewayNotificationId: refused[0], invoiceId: poisoned.request.invoiceId })
      expect(await postDue()).toBe(0)
    })

    test('come again after 1 s, 2 s, 4 s and so on, at most an hour apart, and no more after three days', async () => {
      const { request } = await captured('4000000000000069')
      const instants: number[] = []
      const { postDue } = dispatcherTo(() => {
        instants.push(simulator.clock.now().getTime())
        return Promise.reject(new Error('No room.'))
      })
      for (let seconds = 0; seconds < 4 * 86_400; seconds += 1) {
        const isBefore = instants.length < 10
        await postDue().catch(() => undefined)
        const waitS = isBefore ? 1 : 600
        simulator.clock.advance(waitS * 1_000)
        seconds += waitS - 1
      }

      const waits = instants.slice(1).map((instant, index) => (instant - (instants[index] ?? 0)) / 1_000)
      expect(waits.slice(0, 6)).toEqual([1, 2, 4, 8, 16, 32])
      expect(Math.max(...waits)).toBeLessThanOrEqual(4_200)
      const last = (instants.at(-1) ?? 0) - (instants[0] ?? 0)
      expect(last / DAY_MS).toBeGreaterThan(3)
      expect(last / DAY_MS).toBeLessThan(4)
      expect(await loggedOf(request)).toMatchObject([{ deliveredAt: null }])
    })
  })

  test('are posted once each by dispatchers side by side', async () => {
    for (let payment = 0; payment < 6; payment += 1) await captured('4000000000000200')
    simulator.clock.advance(300)
    const dispatchers = Array.from({ length: 4 }, collecting)

    const counts = await Promise.all(dispatchers.map(({ postDue }) => postDue()))

    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(12)
    const ids = dispatchers.flatMap(({ posted }) => posted.map(({ gatewayNotificationId }) => gatewayNotificationId))
    expect(new Set(ids).size).toBe(12)
    expect(ids).toHaveLength(12)
  })

  test('of a dispatcher that has died are posted by another one a minute later', async () => {
    await captured('4000000000000069')
    const { promise: never } = Promise.withResolvers<void>()
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    void dispatcherTo(() => {
      begin()
      return never
    }).postDue()
    await begun
    const { posted, postDue } = collecting()

    simulator.clock.advance(59_999)
    expect(await postDue()).toBe(0)
    simulator.clock.advance(1)
    expect(await postDue()).toBe(1)
    expect(posted).toHaveLength(1)
  })

  test('that come twice are the same both times, and one in the log', async () => {
    const { request } = await captured('4000000000000069', { settings: { duplicate_notifications: 'true' } })
    const { posted, postDue } = collecting()

    expect(await postDue()).toBe(1)
    expect(await postDue()).toBe(0)

    expect(posted).toHaveLength(2)
    expect(posted[1]).toEqual(posted[0])
    expect(await loggedOf(request)).toHaveLength(1)
  })

  test('that are late do not come before their time', async () => {
    await captured('4000000000000200', { settings: { late_notifications_ms: '5000' } })
    const { posted, postDue } = collecting()

    simulator.clock.advance(4_999)
    expect(await postDue()).toBe(0)
    simulator.clock.advance(1)
    expect(await postDue()).toBe(1)
    simulator.clock.advance(300)
    expect(await postDue()).toBe(1)

    expect(posted.map(({ kind }) => kind)).toEqual(['chargeback-created', 'chargeback-won'])
  })

  test('in the opposite order tell of the end of a dispute before its beginning', async () => {
    await captured('4000000000000200', { settings: { reverse_notifications: 'true' } })
    const { posted, postDue } = collecting()

    expect(await postDue()).toBe(1)
    simulator.clock.advance(300)
    expect(await postDue()).toBe(1)

    expect(posted.map(({ kind }) => kind)).toEqual(['chargeback-won', 'chargeback-created'])
  })
})
