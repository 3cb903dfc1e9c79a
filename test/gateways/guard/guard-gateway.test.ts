import { mock } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from '@jest/globals'
import type { LookUp, Outcome } from '../../../domain/operation.ts'
import { GATEWAY_TIMEOUT_MS } from '../../../src/gateways/gateway.ts'
import {
  CALLS_PER_CONFIGURATION_MAX,
  CALLS_PER_GATEWAY_MAX,
  LOOK_UPS_PER_CONFIGURATION_MAX,
  readLimits,
} from '../../../src/gateways/guard/limits.ts'
import {
  APPROVED,
  DECLINED,
  FOUND,
  FULL,
  guardedGateway,
  NOT_SENT,
  OPEN_MS,
  SHUT,
  TIMED_OUT,
  UNREACHABLE,
} from './stage.ts'

/** Of a circuit that does not stay open; nothing is asked of it before it may be half-open. */
const BRIEFLY_OPEN = { openMs: [OPEN_MS] }
/** Past the time for which such a circuit stays open. */
const whileOpen = () => sleep(OPEN_MS + 20)

const times = (count: number) => Array.from({ length: count }, (_, index) => index)

describe('the guard never', () => {
  test.each(['authorize', 'capture', 'increment', 'void', 'refund'] as const)(
    'lets a call to %s through an open circuit, and says that it was not sent',
    async (verb) => {
      const stage = guardedGateway()
      await stage.breakDown('a')
      expect(await stage[verb]('a')).toEqual(SHUT)
      expect(stage.reached).toEqual([])
    },
  )

  test('opens the circuit of one configuration for what another suffers', async () => {
    const stage = guardedGateway()
    await stage.breakDown('a')
    expect(await stage.authorize('b')).toEqual(APPROVED)
    expect(stage.stateOf('a')).toBe('open')
    expect(stage.stateOf('b')).toBe('closed')
  })

  test('lets a configuration whose calls hang take the places of another', async () => {
    const stage = guardedGateway()
    const end = stage.hang('a')
    const hanging = times(CALLS_PER_CONFIGURATION_MAX).map(() => stage.authorize('a'))
    expect(await stage.authorize('a')).toEqual(FULL)
    expect(stage.reached).toHaveLength(CALLS_PER_CONFIGURATION_MAX)
    expect(await Promise.all(times(CALLS_PER_CONFIGURATION_MAX).map(() => stage.authorize('b')))).toEqual(
      times(CALLS_PER_CONFIGURATION_MAX).map(() => APPROVED),
    )
    end()
    await Promise.all(hanging)
    expect(await stage.authorize('a')).toEqual(APPROVED)
  })

  test('lets a gateway that hangs for all merchants take more than its part of the process', async () => {
    const stage = guardedGateway()
    const ends = times(3).map((merchant) => stage.hang(`merchant ${merchant}`))
    const calls = times(3).flatMap((merchant) =>
      times(CALLS_PER_CONFIGURATION_MAX).map(() => stage.authorize(`merchant ${merchant}`)),
    )
    for (const end of ends) end()
    const outcomes = await Promise.all(calls)
    expect(stage.reached).toHaveLength(CALLS_PER_GATEWAY_MAX)
    expect(outcomes.filter(({ kind }) => kind === 'approved')).toHaveLength(CALLS_PER_GATEWAY_MAX)
    expect(outcomes.filter((outcome) => outcome.kind !== 'approved')).toEqual(
      times(CALLS_PER_CONFIGURATION_MAX).map(() => FULL),
    )
  })

  test.each<[string, Outcome]>([
    ['an approval', APPROVED],
    ['a decline', DECLINED],
    ['a lost answer', TIMED_OUT],
    ['a refused connection', NOT_SENT],
    ['a pending outcome', { kind: 'pending', gatewayOperationId: 'theirs' }],
    [
      'something that the customer has to do',
      {
        kind: 'action-required',
        action: { type: 'redirect', page: { url: 'https://a', fields: null }, continuation: 'a' },
      },
    ],
  ])('makes anything else of %s, in any state of the circuit', async (_, outcome) => {
    const stage = guardedGateway()
    stage.answer('a', outcome)
    for (const _call of times(5)) expect(await stage.authorize('a')).toBe(outcome)
    const recovering = guardedGateway(BRIEFLY_OPEN)
    await recovering.breakDown('a')
    recovering.answer('a', outcome)
    await whileOpen()
    expect(await recovering.authorize('a')).toBe(outcome)
  })

  test('swallows what an adapter throws, nor takes it for a call that was not sent', async () => {
    const stage = guardedGateway()
    stage.answer('a', () => Promise.reject(new TypeError('a mistake')))
    for (const _call of times(5)) await expect(stage.authorize('a')).rejects.toThrow('a mistake')
    expect(stage.stateOf('a')).toBe('open')
    expect(stage.changes.at(-1)?.reason).toBe('TypeError')
  })

  test('keeps the place of a call that has ended in an error', async () => {
    const stage = guardedGateway({ circuitsMax: 2 })
    stage.answer('a', () => Promise.reject(new TypeError('a mistake')))
    const one = { max_concurrent_calls: '1' }
    for (const _call of times(4)) await expect(stage.authorize('a', one)).rejects.toThrow('a mistake')
    stage.answer('a', APPROVED)
    expect(await stage.authorize('a', one)).toEqual(APPROVED)

    // Its circuit counts as idle again, and goes when others need the room: its four failures are forgotten with it.
    await stage.authorize('b')
    await stage.authorize('c')
    stage.answer('a', TIMED_OUT)
    for (const _call of times(4)) expect(await stage.authorize('a', one)).toEqual(TIMED_OUT)
    expect(stage.stateOf('a')).toBe('closed')
  })

  test('leaves a gateway alone because it counts requests: whoever does that is well', async () => {
    const stage = guardedGateway()
    const tooMany = {
      kind: 'declined',
      code: 'gateway.rate-limit-exceeded',
      gatewayCode: '429',
      isNotSent: true,
    } as const
    stage.answer('a', tooMany)
    for (const _call of times(12)) expect(await stage.authorize('a')).toBe(tooMany)
    expect(stage.stateOf('a')).toBe('closed')
  })

  test('sends more than one probe through a half-open circuit, whatever waits', async () => {
    const stage = guardedGateway(BRIEFLY_OPEN)
    await stage.breakDown('a')
    const end = stage.hang('a')
    await whileOpen()
    const probe = stage.authorize('a')
    expect(stage.stateOf('a')).toBe('half-open')
    expect(await Promise.all(times(20).map(() => stage.authorize('a')))).toEqual(times(20).map(() => SHUT))
    expect(await stage.lookUp('a')).toMatchObject({ kind: 'unreachable' })
    expect(stage.reached).toHaveLength(1)
    end()
    expect(await probe).toEqual(APPROVED)
    expect(stage.stateOf('a')).toBe('closed')
  })

  test('opens for what a gateway decides, however often it says no', async () => {
    const stage = guardedGateway()
    stage.answer('a', DECLINED)
    for (const _call of times(50)) expect(await stage.authorize('a')).toBe(DECLINED)
    expect(stage.changes).toEqual([])
  })

  test('opens for failures that were asked for to test with', async () => {
    const stage = guardedGateway({ isStaged: (outcome) => outcome === TIMED_OUT })
    stage.answer('a', TIMED_OUT)
    for (const _call of times(50)) expect(await stage.authorize('a')).toBe(TIMED_OUT)
    expect(stage.changes).toEqual([])
  })

  test('lets look-ups take the places of payments, nor payments those of look-ups', async () => {
    const stage = guardedGateway()
    const { promise, resolve } = Promise.withResolvers<typeof FOUND>()
    stage.answerLookUps('a', () => promise)
    const lookUps = times(LOOK_UPS_PER_CONFIGURATION_MAX).map(() => stage.lookUp('a'))
    expect(await stage.lookUp('a')).toMatchObject({ kind: 'unreachable' })
    expect(await stage.endAuthentication('a')).toMatchObject({ kind: 'unreachable' })
    expect(await stage.authorize('a')).toEqual(APPROVED)
    const end = stage.hang('a')
    const payments = times(CALLS_PER_CONFIGURATION_MAX).map(() => stage.authorize('a'))
    resolve(FOUND)
    expect(await Promise.all(lookUps)).toEqual(lookUps.map(() => FOUND))
    expect(await stage.lookUp('a')).toEqual(FOUND)
    expect(await stage.endAuthentication('a')).toEqual(FOUND)
    end()
    await Promise.all(payments)
  })

  test('forgets an open circuit because others are in use', async () => {
    const stage = guardedGateway({ circuitsMax: 3 })
    await stage.breakDown('a')
    for (const other of times(10)) await stage.authorize(`b${other}`)
    expect(await stage.authorize('a')).toEqual(SHUT)
  })
})

describe('a circuit', () => {
  test.each<[string, Outcome]>([
    ['lost answers', TIMED_OUT],
    ['refused connections', NOT_SENT],
    ['failures of the gateway itself', { kind: 'declined', code: 'gateway.internal-error', gatewayCode: '500' }],
    ['maintenance', { kind: 'declined', code: 'gateway.maintenance', gatewayCode: '503' }],
  ])('opens for %s, as soon as they are most of the last calls', async (_, failure) => {
    const stage = guardedGateway()
    for (const _call of times(10)) await stage.authorize('a')
    stage.answer('a', failure)
    for (const _call of times(5)) expect(await stage.authorize('a')).toBe(failure)
    expect(stage.stateOf('a')).toBe('closed')
    expect(await stage.authorize('a')).toBe(failure)
    expect(await stage.authorize('a')).toEqual(SHUT)
  })

  test('closes after a probe that was answered, with a decline as well', async () => {
    const stage = guardedGateway(BRIEFLY_OPEN)
    await stage.breakDown('a')
    stage.answer('a', DECLINED)
    await whileOpen()
    expect(await stage.authorize('a')).toBe(DECLINED)
    expect(stage.changes.map(({ state }) => state)).toEqual(['open', 'half-open', 'closed'])
    stage.answer('a', TIMED_OUT)
    // What was counted before it opened is forgotten.
    for (const _call of times(4)) expect(await stage.authorize('a')).toBe(TIMED_OUT)
  })

  test('closes by a look-up that is answered, and by none that is not', async () => {
    const left = guardedGateway()
    await left.breakDown('a')
    expect(await left.lookUp('a')).toMatchObject({ kind: 'unreachable' })
    expect(left.reached).toEqual([])
    const stage = guardedGateway(BRIEFLY_OPEN)
    await stage.breakDown('a')
    await whileOpen()
    stage.answerLookUps('a', UNREACHABLE)
    expect(await stage.lookUp('a')).toEqual(UNREACHABLE)
    expect(stage.stateOf('a')).toBe('open')
    stage.answerLookUps('a', { kind: 'never-seen' })
    expect(await stage.lookUp('a')).toEqual({ kind: 'never-seen' })
    expect(stage.stateOf('a')).toBe('closed')
    stage.answer('a', APPROVED)
    expect(await stage.authorize('a')).toBe(APPROVED)
  })
})

describe('a circuit that may be tried again', () => {
  test('sends one look-up at a time to a gateway that was down', async () => {
    const stage = guardedGateway(BRIEFLY_OPEN)
    await stage.breakDown('a')
    await whileOpen()
    const { promise, resolve } = Promise.withResolvers<LookUp>()
    stage.answerLookUps('a', () => promise)
    const first = stage.lookUp('a')
    expect(await Promise.race([stage.lookUp('a'), sleep(1_000)])).toMatchObject({ kind: 'unreachable' })
    resolve(UNREACHABLE)
    await first
    expect(stage.reached).toHaveLength(1)
  })
})

describe('a circuit by default', () => {
  afterEach(() => mock.timers.reset())

  // Calls in a row, each answered (+) or failed (-); none before the last opens the circuit.
  test.each([
    ['fewer than five calls', '----', 'closed'],
    ['the fifth call', '-----', 'open'],
    ['three of five', '++---', 'open'],
    ['half of six', '+++---', 'closed'],
    ['five of nine', '++++-----', 'open'],
    ['half of ten', '+++++-----', 'closed'],
    ['six of eleven, of which the first is too long ago', '-+++++-----', 'closed'],
    ['six of the last ten', '-+++++------', 'open'],
  ])('is judged by the last ten calls: %s', async (_, calls, expected) => {
    const stage = guardedGateway()
    for (const call of calls) {
      expect(stage.stateOf('a')).toBe('closed')
      stage.answer('a', call === '+' ? APPROVED : TIMED_OUT)
      await stage.authorize('a')
    }
    expect(stage.stateOf('a')).toBe(expected)
  })

  test('stays open for 10 s, then for 20 s and 40 s, and from then on for 60 s, to the millisecond', async () => {
    mock.timers.enable({ apis: ['Date'] })
    const stage = guardedGateway({ openMs: 'by default' })
    stage.answerLookUps('a', UNREACHABLE)
    await stage.breakDown('a')
    for (const openForMs of [10_000, 20_000, 40_000, 60_000, 60_000, 60_000]) {
      mock.timers.tick(openForMs - 1)
      stage.reached.length = 0
      expect(await stage.authorize('a')).toEqual(SHUT)
      await stage.lookUp('a')
      expect(stage.reached).toEqual([])
      mock.timers.tick(1)
      await stage.lookUp('a')
      expect(await stage.authorize('a')).toBe(TIMED_OUT)
      expect(stage.reached.map(({ verb }) => verb)).toEqual(['lookUp', 'authorize'])
    }
  })
})

describe('the settings of a configuration', () => {
  test('lower the number of its calls at once', async () => {
    const stage = guardedGateway()
    const end = stage.hang('a')
    const settings = { max_concurrent_calls: '2' }
    const hanging = times(2).map(() => stage.authorize('a', settings))
    expect(await stage.authorize('a', settings)).toEqual(FULL)
    end()
    await Promise.all(hanging)
  })

  test.each(['', '0', '-1', 'many', '1e9', '99999999999'])(
    'never stop a configuration, nor free it of its limit, where a number cannot be used: %p',
    async (text) => {
      const stage = guardedGateway()
      const end = stage.hang('a')
      const settings = { max_concurrent_calls: text, timeout_ms: text }
      const calls = times(CALLS_PER_CONFIGURATION_MAX + 1).map(() => stage.authorize('a', settings))
      end()
      const outcomes = await Promise.all(calls)
      expect(outcomes[0]).toEqual(APPROVED)
      expect(outcomes.at(-1)).toEqual(FULL)
    },
  )

  test('may be as large as all calls to the gateway', async () => {
    const stage = guardedGateway()
    const end = stage.hang('a')
    const settings = { max_concurrent_calls: String(CALLS_PER_GATEWAY_MAX) }
    const calls = times(CALLS_PER_GATEWAY_MAX).map(() => stage.authorize('a', settings))
    end()
    expect((await Promise.all(calls)).at(-1)).toEqual(APPROVED)
  })

  test('that are missing leave the number of calls and the wait that hold for all', () => {
    const defaults = { callsMax: CALLS_PER_CONFIGURATION_MAX, timeoutMs: GATEWAY_TIMEOUT_MS }
    expect(readLimits({})).toEqual(defaults)
    expect(readLimits({ timeout_ms: String(GATEWAY_TIMEOUT_MS + 1) })).toEqual(defaults)
  })

  test('never reach the adapter, which may refuse what it does not know', async () => {
    const stage = guardedGateway()
    await stage.authorize('a', { max_concurrent_calls: '2', timeout_ms: '2000', merchant_account: 'ours' })
    expect(stage.reached[0]?.settings).toEqual({ merchant_account: 'ours' })
  })

  test('shorten the wait for an answer', async () => {
    const stage = guardedGateway()
    const end = stage.hang('a')
    const call = stage.authorize('a', { timeout_ms: '1000' })
    const signal = stage.reached[0]?.signal
    expect(signal?.aborted).toBe(false)
    await sleep(1_100)
    expect(signal?.aborted).toBe(true)
    end()
    await call
  })
})
