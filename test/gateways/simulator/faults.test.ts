import { beforeAll, describe, expect, test } from '@jest/globals'
import type { Gateway } from '../../../src/gateways/gateway.ts'
import { drawDelay, drawFault } from '../../../src/gateways/simulator/faults.ts'
import {
  type FaultSettings,
  readFaultSettings,
  simulatorSettingsProblems,
} from '../../../src/gateways/simulator/settings.ts'
import { waitFor } from '../../support/wait-for.ts'
import { APPROVED, patience, simulatorForFile } from '../simulator-fixture.ts'

/** Longer than a call without a delay takes on a busy machine, and short enough to be waited for. */
const WAIT_MS = 600
/** A test gives a slow simulator up this soon. */
const GIVEN_UP_MS = 100
/** Timers may be a millisecond early. */
const TIMERS_EARLY_MS = 2

const problemsOf = (settings: Record<string, string>): string =>
  simulatorSettingsProblems(settings)
    .map(({ path, message }) => `${path} ${message}`)
    .join('\n')

const read = (settings: Record<string, string>): FaultSettings => {
  const read = readFaultSettings(settings)
  if (read === null) throw new Error(problemsOf(settings))
  return read
}

describe('the settings of an account at the simulator', () => {
  test.each<[Record<string, string>, RegExp]>([
    [{ delay: '5' }, /^settings.delay is not known$/],
    [{ delay_ms: '-1' }, /delay_ms must be a whole number of milliseconds from 0 to 60000/],
    [{ delay_ms: '1.5' }, /delay_ms/],
    [{ delay_ms: '60001' }, /delay_ms/],
    [{ delay_ms: '' }, /delay_ms/],
    [{ hang_ms: 'long' }, /hang_ms/],
    [{ delay_p50_ms: '20' }, /go together/],
    [{ delay_p99_ms: '20' }, /go together/],
    [{ delay_p50_ms: '20', delay_p99_ms: '19' }, /delay_p99_ms must not be less than delay_p50_ms/],
    [{ delay_ms: '1', delay_p50_ms: '20', delay_p99_ms: '90' }, /delay_ms excludes/],
    [{ fault_rate: '1.1' }, /fault_rate must be a share of all calls from 0 to 1/],
    [{ fault_rate: '5%' }, /fault_rate/],
    [{ fault_rate: '-0.1' }, /fault_rate/],
    [{ faults: 'lost,exploded' }, /faults must be one or several of lost, garbled, failed, refused/],
    [{ faults: '' }, /faults/],
    [{ duplicate_notifications: 'yes' }, /duplicate_notifications must be true or false/],
    [{ reverse_notifications: '1' }, /reverse_notifications/],
    [{ late_notifications_ms: '86400001' }, /late_notifications_ms/],
    [{ seed: 'two words' }, /seed/],
    [{ account: 'two words' }, /account must be 1 to 64 letters/],
    [{ base_url: 'http://127.0.0.1:3200' }, /^settings.base_url is not known$/],
  ])('%j is refused, and no call is made with it', (settings, problem) => {
    expect(problemsOf(settings)).toMatch(problem)
    expect(readFaultSettings(settings)).toBeNull()
  })

  test('are nothing out of the ordinary by default, and are read all together', () => {
    const notifications = {
      duplicate_notifications: 'true',
      reverse_notifications: 'true',
      settled_notifications: 'true',
    }
    const delays = { delay_p50_ms: '40', delay_p99_ms: '400', hang_ms: '15000', late_notifications_ms: '2000' }
    const others = { fault_rate: '0.25', faults: 'lost, failed', seed: 'spring', account: 'acct_2' }

    expect(read({})).toEqual({
      ...{ hang_ms: 0, fault_rate: 0, faults: ['lost', 'garbled', 'failed', 'refused'], late_notifications_ms: 0 },
      ...{ duplicate_notifications: false, reverse_notifications: false, settled_notifications: false },
    })
    expect(read({ ...notifications, ...delays, ...others })).toEqual({
      ...{ duplicate_notifications: true, reverse_notifications: true, settled_notifications: true },
      ...{ delay_p50_ms: 40, delay_p99_ms: 400, hang_ms: 15_000, late_notifications_ms: 2_000 },
      ...{ fault_rate: 0.25, faults: ['lost', 'failed'], seed: 'spring', account: 'acct_2' },
    })
  })
})

describe('what the simulator leaves to chance', () => {
  const references = Array.from({ length: 20_000 }, (_, index) => `tr_op_${index}`)
  const unused = () => {
    throw new Error('Nothing is left to chance.')
  }
  const shareOf = (settings: FaultSettings, isCounted: (fault: string | null) => boolean) =>
    references.filter((reference) => isCounted(drawFault(settings, reference, unused))).length / references.length

  test('is the share of faults that was asked for, of each fault alike', () => {
    expect(drawFault(read({}), 'tr_op_1', unused)).toBeNull()
    for (const share of [0, 0.2, 1]) {
      const settings = read({ fault_rate: String(share), seed: 'a' })
      expect(Math.abs(shareOf(settings, (fault) => fault !== null) - share)).toBeLessThan(share % 1 === 0 ? 1e-9 : 0.01)
      for (const one of settings.faults)
        expect(Math.abs(shareOf(settings, (fault) => fault === one) - share / 4)).toBeLessThan(0.02)
    }
  })

  test('is the same for the same seed and reference, another for another seed, and drawn anew without one', () => {
    const fates = (seed: string) =>
      references.slice(0, 100).map((reference) => {
        const seeded = read({ fault_rate: '0.5', delay_p50_ms: '40', delay_p99_ms: '400', seed })
        return [drawFault(seeded, reference, unused), drawDelay(seeded, reference, unused)]
      })
    expect(fates('a')).toEqual(fates('a'))
    expect(fates('a')).not.toEqual(fates('b'))

    const numbers = [0.49, 0.1, 0.51]
    const unseeded = read({ fault_rate: '0.5', faults: 'failed' })
    const draw = () => drawFault(unseeded, 'tr_op_1', () => numbers.shift() ?? 0)
    expect([draw(), draw()]).toEqual(['failed', null])
  })

  test('spreads delays so that half of them are below the first bound and one in a hundred is above the second', () => {
    const settings = read({ delay_p50_ms: '40', delay_p99_ms: '400', seed: 'a' })
    const delays = references.map((reference) => drawDelay(settings, reference, unused)).sort((a, b) => a - b)
    const isBetween = (share: number, low: number, high: number) => {
      const delay = delays[Math.min(Math.floor(share * delays.length), delays.length - 1)] ?? 0
      return [share, delay > low && delay < high]
    }

    expect([isBetween(0.5, 38, 42), isBetween(0.99, 340, 470)]).toEqual([
      [0.5, true],
      [0.99, true],
    ])
    expect([isBetween(0, 0, 40), isBetween(1, 400, 60_001)]).toEqual([
      [0, true],
      [1, true],
    ])
    expect(drawDelay(read({ delay_ms: '70' }), 'tr_op_1', unused)).toBe(70)
    expect(drawDelay(read({ delay_p50_ms: '70', delay_p99_ms: '70', seed: 'a' }), 'tr_op_1', unused)).toBeCloseTo(70)
    expect(drawDelay(read({}), 'tr_op_1', unused)).toBe(0)
  })
})

describe('the simulator', () => {
  const simulator = simulatorForFile('faults')
  let gateway: Gateway

  beforeAll(async () => {
    gateway = simulator.gateway
  })

  const always = (faults: string) => ({ fault_rate: '1', faults })
  const requestWith = (settings: Record<string, string>, number = APPROVED) => simulator.requestOf(number, { settings })
  const authorize = (request: ReturnType<typeof requestWith>, settings = request.settings) =>
    gateway.authorize({ ...request, settings }, patience())
  const logOf = ({ reference }: { reference: string }) => simulator.readLog({ reference })
  const lookUp = (reference: string, settings: Record<string, string> = {}, signal = patience()) => {
    const { gatewayConfigurationId } = simulator
    const question = { type: 'authorization', reference, gatewayConfigurationId, gatewayAuthorizationId: null } as const
    return gateway.lookUp({ ...question, credentials: {}, settings }, signal)
  }
  const hasArrived = (request: { reference: string }) => waitFor(async () => (await logOf(request)).requests.length > 0)

  test('with settings that nobody can mean is asked nothing: no approval, and nothing in its log', async () => {
    const request = requestWith({ delay_ms: 'for ever' })
    const refused = { kind: 'declined', code: 'gateway.configuration-error', isNotSent: true }

    expect(await authorize(request)).toMatchObject(refused)
    expect((await lookUp(request.reference, request.settings)).kind).toBe('unreachable')
    expect((await logOf(request)).requests).toEqual([])
  })

  test('with a delay leaves a call unknown that is given up before the answer, and has done it once', async () => {
    const request = requestWith({ delay_ms: '30000' })
    const waiting = new AbortController()

    const outcome = gateway.authorize(request, waiting.signal)
    await hasArrived(request)
    waiting.abort()

    // After the delay it would be an approval.
    expect((await outcome).kind).toBe('unknown')
    expect(await authorize(request, {})).toMatchObject({ kind: 'approved' })
    expect(await logOf(request)).toMatchObject({ requests: [{ timesAsked: 2 }], authorizations: [{}] })
  })

  test('with a delay answers as without one, only later; and so for a look-up', async () => {
    const timed = async <T>(call: () => Promise<T>): Promise<[T, number]> => {
      const startedAt = performance.now()
      const answer = await call()
      return [answer, performance.now() - startedAt]
    }
    const request = requestWith({ delay_ms: String(WAIT_MS) })

    const [outcome, tookMs] = await timed(() => authorize(request))
    const [found, lookUpTookMs] = await timed(() => lookUp(request.reference, request.settings))

    expect(outcome).toMatchObject({ kind: 'approved', amountMinor: 2_900 })
    expect(found).toEqual({ kind: 'found', outcome })
    for (const ms of [tookMs, lookUpTookMs]) expect(ms).toBeGreaterThanOrEqual(WAIT_MS - TIMERS_EARLY_MS)
  })

  test.each(['delay_ms', 'hang_ms'])('with %s gives a look-up up with its signal', async (name) => {
    const found = await lookUp('tr_op_none', { [name]: '30000' }, AbortSignal.timeout(GIVEN_UP_MS))
    expect(found.kind).toBe('unreachable')
  })

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

  test('that hangs has nothing done of a call that is given up, until it gets to it, and then does it once', async () => {
    const { request, found } = await givenUpWhileItHangs(WAIT_MS)

    expect(found).toEqual({ kind: 'never-seen' })
    await hasArrived(request)
    expect(await lookUp(request.reference)).toMatchObject({ kind: 'found', outcome: { kind: 'approved' } })
    expect(await logOf(request)).toMatchObject({ requests: [{ timesAsked: 1 }], authorizations: [{}] })
  })

  test('that hangs does once what was sent a second time while the first one lay there', async () => {
    const request = requestWith({ hang_ms: String(WAIT_MS) })

    const late = authorize(request)
    const prompt = await authorize(request, {})

    expect(prompt).toMatchObject({ kind: 'approved' })
    expect(await late).toEqual(prompt)
    expect((await logOf(request)).authorizations).toHaveLength(1)
  })

  test('refuses a connection: it is told as not sent, and is never in the log', async () => {
    const request = requestWith(always('refused'))
    const refused = { kind: 'declined', code: 'gateway.network-error', gatewayCode: 'ECONNREFUSED', isNotSent: true }

    expect(await authorize(request)).toEqual(refused)
    expect((await logOf(request)).requests).toEqual([])
    expect(await lookUp(request.reference)).toEqual({ kind: 'never-seen' })
  })

  test.each(['lost', 'garbled'])(
    'gives an answer that is %s: unknown, done once, found by a look-up',
    async (fault) => {
      const request = requestWith(always(fault))

      for (let attempt = 0; attempt < 2; attempt += 1) expect((await authorize(request)).kind).toBe('unknown')

      const outcome = { kind: 'approved', amountMinor: 2_900 }
      expect(await lookUp(request.reference, always(fault))).toMatchObject({ kind: 'found', outcome })
      expect((await logOf(request)).authorizations).toHaveLength(1)
    },
  )

  test('fails: that is a decline for certain, nothing is held, and a repetition is no way around it', async () => {
    const request = requestWith(always('failed'))
    const failed = { kind: 'declined', code: 'gateway.internal-error' }

    expect(await authorize(request)).toMatchObject(failed)
    expect(await authorize(request, {})).toMatchObject(failed)
    expect(await logOf(request)).toMatchObject({ requests: [{ timesAsked: 2, outcome: failed }], authorizations: [] })

    const done = await simulator.authorize(APPROVED)
    expect(await authorize(done.request, always('failed'))).toEqual(done.outcome)
  })

  test('fails as often as was asked for, and the same calls each time', async () => {
    const settings = { fault_rate: '0.5', faults: 'failed', seed: 'x' }
    const requests = Array.from({ length: 40 }, () => requestWith(settings))
    const askAll = async () =>
      (await Promise.all(requests.map((request) => authorize(request)))).map(({ kind }) => kind)

    const kinds = await askAll()

    expect(new Set(kinds)).toEqual(new Set(['approved', 'declined']))
    expect(await askAll()).toEqual(kinds)
  })

  test('tells its faults from what a test card plays, for which no gateway is to blame', async () => {
    const isStaged = async (request: ReturnType<typeof requestWith>) => gateway.isStaged?.(await authorize(request))

    for (const fault of ['failed', 'refused']) expect(await isStaged(requestWith(always(fault)))).toBe(false)
    for (const card of ['4000000000007098', '4000000000007106'])
      expect(await isStaged(requestWith({}, card))).toBe(true)
  })
})
