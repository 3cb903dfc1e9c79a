import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Gateway } from '../../src/gateways/gateway.ts'
import { waitFor } from '../support/wait-for.ts'
import { APPROVED, makeSimulator, patience } from './simulator-fixture.ts'

/** Longer than a call without a delay takes on a busy machine, and short enough to be waited for. */
const WAIT_MS = 600
/** A test gives a slow simulator up this soon. */
const GIVEN_UP_MS = 100
/** Timers may be a millisecond early. */
const TIMERS_EARLY_MS = 2

describe('the simulator', () => {
  let simulator: Awaited<ReturnType<typeof makeSimulator>>
  let gateway: Gateway

  beforeAll(async () => {
    simulator = await makeSimulator('faults')
    gateway = simulator.gateway
  })
  afterAll(() => simulator.drop())

  const requestWith = (settings: Record<string, string>, number = APPROVED) => simulator.requestOf(number, { settings })
  const requestsOf = async (reference: string) => (await simulator.readLog({ reference })).requests
  const lookUp = (reference: string, settings: Record<string, string> = {}, signal = patience()) => {
    const question = {
      type: 'authorization',
      reference,
      gatewayConfigurationId: simulator.gatewayConfigurationId,
      gatewayAuthorizationId: null,
    } as const
    return gateway.lookUp({ ...question, credentials: {}, settings }, signal)
  }
  const timed = async <T>(call: () => Promise<T>): Promise<[T, number]> => {
    const startedAt = performance.now()
    const answer = await call()
    return [answer, performance.now() - startedAt]
  }

  describe('with settings that nobody can mean', () => {
    test('is asked nothing: no approval, and nothing in its log', async () => {
      const request = requestWith({ delay_ms: 'for ever' })

      expect(await gateway.authorize(request, patience())).toMatchObject({
        kind: 'declined',
        code: 'gateway.configuration-error',
        isNotSent: true,
      })
      expect((await lookUp(request.reference, { delay_ms: 'for ever' })).kind).toBe('unreachable')
      expect(await requestsOf(request.reference)).toEqual([])
    })
  })

  describe('with a delay', () => {
    test('leaves a call unknown that is given up before the answer, and has done it once nevertheless', async () => {
      const request = requestWith({ delay_ms: '30000' })
      const waiting = new AbortController()

      const outcome = gateway.authorize(request, waiting.signal)
      await waitFor(async () => (await requestsOf(request.reference)).length > 0)
      waiting.abort()

      // After the delay it would be an approval.
      expect((await outcome).kind).toBe('unknown')
      expect(await gateway.authorize({ ...request, settings: {} }, patience())).toMatchObject({ kind: 'approved' })
      const { requests, authorizations } = await simulator.readLog({ reference: request.reference })
      expect(requests).toMatchObject([{ timesAsked: 2 }])
      expect(authorizations).toHaveLength(1)
    })

    test('answers as without one, only later; and so for a look-up', async () => {
      const settings = { delay_ms: String(WAIT_MS) }
      const request = requestWith(settings)

      const [outcome, tookMs] = await timed(() => gateway.authorize(request, patience()))
      const [found, lookUpTookMs] = await timed(() => lookUp(request.reference, settings))

      expect(outcome).toMatchObject({ kind: 'approved', amountMinor: 2_900 })
      expect(found).toEqual({ kind: 'found', outcome })
      for (const ms of [tookMs, lookUpTookMs]) expect(ms).toBeGreaterThanOrEqual(WAIT_MS - TIMERS_EARLY_MS)
    })

    test('gives a look-up up with its signal', async () => {
      const found = await lookUp('tr_op_none', { delay_ms: '30000' }, AbortSignal.timeout(GIVEN_UP_MS))

      expect(found.kind).toBe('unreachable')
    })
  })

  describe('that hangs', () => {
    /** A call that was given up, with what was found of it before its time; on a machine that is too busy for that, again. */
    const givenUpWhileItHangs = async (hangMs: number) => {
      const request = requestWith({ hang_ms: String(hangMs) })
      const waiting = new AbortController()
      const askedAt = performance.now()
      const outcome = gateway.authorize(request, waiting.signal)
      waiting.abort()
      const { kind } = await outcome
      const found = await lookUp(request.reference)
      if (performance.now() - askedAt >= hangMs - TIMERS_EARLY_MS) return givenUpWhileItHangs(2 * hangMs)
      expect(kind).toBe('unknown')
      return { request, found }
    }

    test('has nothing done of a call that is given up, until it gets to it, and then does it once', async () => {
      const { request, found } = await givenUpWhileItHangs(WAIT_MS)

      expect(found).toEqual({ kind: 'never-seen' })
      await waitFor(async () => (await requestsOf(request.reference)).length > 0)

      expect(await lookUp(request.reference)).toMatchObject({ kind: 'found', outcome: { kind: 'approved' } })
      const { requests, authorizations } = await simulator.readLog({ reference: request.reference })
      expect(requests).toMatchObject([{ timesAsked: 1 }])
      expect(authorizations).toHaveLength(1)
    })

    test('does once what was sent a second time while the first one lay there', async () => {
      const request = requestWith({ hang_ms: String(WAIT_MS) })

      const late = gateway.authorize(request, patience())
      const prompt = await gateway.authorize({ ...request, settings: {} }, patience())

      expect(prompt).toMatchObject({ kind: 'approved' })
      expect(await late).toEqual(prompt)
      expect((await simulator.readLog({ reference: request.reference })).authorizations).toHaveLength(1)
    })

    test('gives a look-up up with its signal', async () => {
      const found = await lookUp('tr_op_none', { hang_ms: '30000' }, AbortSignal.timeout(GIVEN_UP_MS))

      expect(found.kind).toBe('unreachable')
    })
  })

  describe('whose calls go wrong', () => {
    const always = (faults: string) => ({ fault_rate: '1', faults })

    test('by a refused connection: it is told as not sent, and is never in the log', async () => {
      const request = requestWith(always('refused'))

      expect(await gateway.authorize(request, patience())).toEqual({
        kind: 'declined',
        code: 'gateway.network-error',
        gatewayCode: 'ECONNREFUSED',
        isNotSent: true,
      })
      expect(await requestsOf(request.reference)).toEqual([])
      expect(await lookUp(request.reference)).toEqual({ kind: 'never-seen' })
    })

    test.each(['lost', 'garbled'])(
      'by an answer that is %s: it is unknown, done once, and a look-up finds it',
      async (fault) => {
        const request = requestWith(always(fault))

        for (let attempt = 0; attempt < 2; attempt += 1) {
          expect((await gateway.authorize(request, patience())).kind).toBe('unknown')
        }

        expect(await lookUp(request.reference, always(fault))).toMatchObject({
          kind: 'found',
          outcome: { kind: 'approved', amountMinor: 2_900 },
        })
        expect((await simulator.readLog({ reference: request.reference })).authorizations).toHaveLength(1)
      },
    )

    test('by a failure of its own: it is a decline for certain, nothing is held, and a repetition is no way around it', async () => {
      const request = requestWith(always('failed'))
      const failed = { kind: 'declined', code: 'gateway.internal-error' }

      expect(await gateway.authorize(request, patience())).toMatchObject(failed)
      expect(await gateway.authorize({ ...request, settings: {} }, patience())).toMatchObject(failed)

      const { requests, authorizations } = await simulator.readLog({ reference: request.reference })
      expect(requests).toMatchObject([{ timesAsked: 2, outcome: failed }])
      expect(authorizations).toEqual([])
    })

    test('by a failure of its own after it was done: the repetition is answered like the first', async () => {
      const { request, outcome } = await simulator.authorize(APPROVED)

      expect(await gateway.authorize({ ...request, settings: always('failed') }, patience())).toEqual(outcome)
    })

    test.each(['capture', 'void', 'refund', 'increment'] as const)(
      'at a %s: nothing of the money moves',
      async (step) => {
        const { followUp, held } = await simulator.authorize(APPROVED)
        if (step === 'refund') await simulator.gateway.capture({ ...followUp(1_000), isFinal: false }, patience())
        const before = await held()
        const request = { ...followUp(100), isFinal: false, targetTotalMinor: 3_000, settings: always('failed') }

        expect(await gateway[step](request, patience())).toMatchObject({ code: 'gateway.internal-error' })

        expect(await held()).toEqual({ ...before, failedCaptures: expect.any(Number) })
      },
    )

    test('at a capture that is pending at first: it ends declined, and the money is held again', async () => {
      const { followUp, held } = await simulator.authorize('4000000000007049')
      const request = { ...followUp(2_900), isFinal: true, settings: always('failed') }

      expect((await gateway.capture(request, patience())).kind).toBe('pending')
      for (let attempt = 0; attempt < 2; attempt += 1) await simulator.lookUp(request.reference, 'capture')

      expect(await simulator.lookUp(request.reference, 'capture')).toMatchObject({
        kind: 'found',
        outcome: { kind: 'declined', code: 'gateway.internal-error' },
      })
      expect(await held()).toMatchObject({ capturedMinor: 0, capturingMinor: 0, voidedMinor: 0 })
    })

    test('as often as was asked for, and the same ones each time', async () => {
      const settings = { fault_rate: '0.5', faults: 'failed', seed: 'x' }
      const requests = Array.from({ length: 40 }, () => requestWith(settings))
      const askAll = () => Promise.all(requests.map((request) => gateway.authorize(request, patience())))

      const kinds = (await askAll()).map(({ kind }) => kind)

      expect(new Set(kinds)).toEqual(new Set(['approved', 'declined']))
      expect((await askAll()).map(({ kind }) => kind)).toEqual(kinds)
    })

    test('are told from what a test card plays, for which no gateway is to blame', async () => {
      const fault = await gateway.authorize(requestWith(always('failed')), patience())
      const refused = await gateway.authorize(requestWith(always('refused')), patience())
      const card = await gateway.authorize(requestWith({}, '4000000000007098'), patience())
      const refusedCard = await gateway.authorize(requestWith({}, '4000000000007106'), patience())

      expect([fault, refused].map((outcome) => gateway.isStaged?.(outcome))).toEqual([false, false])
      expect([card, refusedCard].map((outcome) => gateway.isStaged?.(outcome))).toEqual([true, true])
    })
  })
})
