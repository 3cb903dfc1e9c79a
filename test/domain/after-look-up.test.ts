import { describe, expect, test } from '@jest/globals'
import {
  afterLookUp,
  FRESH_MS,
  MADE_ANEW_AFTER_MS,
  MADE_ANEW_MAX,
  type Next,
  type UnansweredCall,
} from '../../domain/after-look-up.ts'
import type { GatewayOperationType, LookUp } from '../../domain/operation.ts'
import type { TransactionStatus } from '../../domain/transaction.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const NOW = Date.parse('2026-11-23T09:00:00.000Z')
const AHEAD = NOW + DAY

type Nothing = Exclude<LookUp, { kind: 'found' }> | { kind: 'unheard' }
const NEVER_SEEN: Nothing = { kind: 'never-seen' }
const NOT_IN_SEARCH: Nothing = { kind: 'never-seen', lagMs: 2 * HOUR }
const NOT_OFFERED: Nothing = { kind: 'not-offered' }
const UNREACHABLE: Nothing = { kind: 'unreachable', reason: 'no answer' }
const UNHEARD: Nothing = { kind: 'unheard' }

const CALL: UnansweredCall = {
  type: 'authorization',
  ageMs: 0,
  sentAgoMs: 0,
  isAwaited: true,
  isConfirmed: false,
  isSameAccount: true,
  isSuspended: false,
  isForbidden: false,
  timesMadeAnew: 0,
  referencesKeptForMs: DAY,
}
/** The call was sent as long ago as it is old, unless a test says otherwise. */
const next = (
  call: Partial<UnansweredCall>,
  found: Nothing,
  payment: { status?: TransactionStatus; authorizationExpiresAt?: number | null } = {},
) =>
  afterLookUp(
    { ...CALL, sentAgoMs: call.ageMs ?? 0, ...call },
    found,
    { status: 'pending', authorizationExpiresAt: AHEAD, ...payment },
    NOW,
  )

describe('a call whose look-up finds nothing', () => {
  test('lasts as long as its customer waits, and its last repetition has ended before it is made anew', () => {
    expect(FRESH_MS).toBe(5 * MINUTE)
    expect(MADE_ANEW_AFTER_MS).toBe(10 * MINUTE)
    expect(MADE_ANEW_MAX).toBe(3)
  })

  test.each<[ageMs: number, found: Nothing, what: Next]>([
    [0, NEVER_SEEN, 'wait'],
    [5 * MINUTE - 1, NEVER_SEEN, 'wait'],
    [5 * MINUTE, NEVER_SEEN, 'fail'],
    [5 * MINUTE, NOT_IN_SEARCH, 'wait'],
    [0, NOT_OFFERED, 'wait'],
    [0, UNREACHABLE, 'wait'],
  ])('is not sent again where the scheme forbids it by now: after %i ms, %j: %s', (ageMs, found, what) => {
    expect(next({ isForbidden: true, ageMs }, found)).toBe(what)
  })

  test.each<[type: GatewayOperationType, ageMs: number, found: Nothing, what: Next]>([
    ['authorization', 0, NEVER_SEEN, 'send again'],
    ['authorization', 5 * MINUTE - 1, NEVER_SEEN, 'send again'],
    ['authorization', 5 * MINUTE, NEVER_SEEN, 'fail'],
    ['authorization', 10 * DAY, NEVER_SEEN, 'fail'],
    ['authorization', 5 * MINUTE - 1, NOT_IN_SEARCH, 'send again'],
    ['authorization', 5 * MINUTE, NOT_IN_SEARCH, 'wait'],
    ['authorization', 2 * HOUR - 1, NOT_IN_SEARCH, 'wait'],
    ['authorization', 2 * HOUR, NOT_IN_SEARCH, 'fail'],
    ['authorization', 0, NOT_OFFERED, 'send again'],
    ['authorization', 5 * MINUTE - 1, NOT_OFFERED, 'send again'],
    ['authorization', 5 * MINUTE, NOT_OFFERED, 'wait'],
    ['authorization', 10 * DAY, NOT_OFFERED, 'wait'],
    ['authorization', 0, UNREACHABLE, 'wait'],
    ['authorization', 10 * DAY, UNREACHABLE, 'wait'],

    ['increment_authorization', 5 * MINUTE - 1, NEVER_SEEN, 'send again'],
    ['increment_authorization', 5 * MINUTE, NEVER_SEEN, 'fail'],
    ['increment_authorization', 5 * MINUTE, NOT_OFFERED, 'wait'],

    ['capture', 0, NEVER_SEEN, 'send again'],
    ['capture', 5 * MINUTE - 1, NEVER_SEEN, 'send again'],
    ['capture', 5 * MINUTE, NEVER_SEEN, 'wait'],
    ['capture', 10 * MINUTE - 1, NEVER_SEEN, 'wait'],
    ['capture', 10 * MINUTE, NEVER_SEEN, 'make anew'],
    ['capture', 6 * DAY, NEVER_SEEN, 'make anew'],
    ['capture', DAY - 1, NOT_OFFERED, 'send again'],
    ['capture', DAY, NOT_OFFERED, 'wait'],
    ['capture', 6 * DAY, UNREACHABLE, 'wait'],

    ['refund', 0, NEVER_SEEN, 'send again'],
    ['refund', 10 * DAY, NEVER_SEEN, 'send again'],
    ['refund', DAY - 1, NOT_OFFERED, 'send again'],
    ['refund', DAY, NOT_OFFERED, 'wait'],
    ['refund', 0, UNREACHABLE, 'wait'],

    ['void', 0, NEVER_SEEN, 'send again'],
    ['void', 10 * DAY, NEVER_SEEN, 'send again'],
    ['void', 10 * DAY, NOT_OFFERED, 'send again'],
    ['void', 10 * DAY, UNREACHABLE, 'wait'],
  ])('%s, %d ms old, %j: %s', (type, ageMs, found, what) => {
    expect(next({ type, ageMs }, found)).toBe(what)
  })

  test.each<[authorizationExpiresAt: number | null, ageMs: number, what: Next]>([
    [NOW, 0, 'send again'],
    [NOW - 1, 0, 'wait'],
    [NOW - 1, 5 * MINUTE - 1, 'wait'],
    [NOW - 1, 5 * MINUTE, 'fail'],
    [NOW, 10 * MINUTE, 'make anew'],
    [null, 0, 'send again'],
  ])('a capture of an authorization that ends at %d, %d ms old: %s', (authorizationExpiresAt, ageMs, what) => {
    expect(next({ type: 'capture', ageMs }, NEVER_SEEN, { authorizationExpiresAt })).toBe(what)
  })

  test('a capture after the end of its authorization that no gateway can tell of is neither sent nor taken for failed', () => {
    expect(next({ type: 'capture', ageMs: DAY }, NOT_OFFERED, { authorizationExpiresAt: NOW - 1 })).toBe('wait')
  })

  test.each<[type: GatewayOperationType, sentAgoMs: number, found: Nothing, what: Next]>([
    ['capture', 0, NEVER_SEEN, 'send again'],
    ['capture', 5 * MINUTE - 1, NEVER_SEEN, 'send again'],
    ['capture', 5 * MINUTE, NEVER_SEEN, 'wait'],
    ['capture', 10 * MINUTE - 1, NEVER_SEEN, 'wait'],
    ['capture', 10 * MINUTE, NEVER_SEEN, 'make anew'],
    ['capture', HOUR, NOT_IN_SEARCH, 'send again'],
    ['authorization', 5 * MINUTE - 1, NEVER_SEEN, 'wait'],
    ['authorization', 5 * MINUTE, NEVER_SEEN, 'fail'],
    ['increment_authorization', 5 * MINUTE - 1, NEVER_SEEN, 'wait'],
    ['increment_authorization', 5 * MINUTE, NEVER_SEEN, 'fail'],
  ])('%s that was sent %d ms ago, and is older by its test clock, %j: %s', (type, sentAgoMs, found, what) => {
    expect(next({ type, ageMs: 3 * HOUR, sentAgoMs }, found)).toBe(what)
  })

  test('a capture is made anew three times, and then waits for a person', () => {
    const capture = { type: 'capture', ageMs: HOUR } as const
    expect(next({ ...capture, timesMadeAnew: 2 }, NEVER_SEEN)).toBe('make anew')
    expect(next({ ...capture, timesMadeAnew: 3 }, NEVER_SEEN)).toBe('wait')
  })

  test.each(['capture', 'refund'] as const)('a %s of money in dispute is sent no more', (type) => {
    for (const status of ['chargeback-initiated', 'reversed'] as const) {
      expect(next({ type, ageMs: 0 }, NEVER_SEEN, { status })).toBe('wait')
      expect(next({ type, ageMs: HOUR }, NEVER_SEEN, { status })).toBe('fail')
    }
    expect(next({ type: 'void', ageMs: HOUR }, NEVER_SEEN, { status: 'reversed' })).toBe('send again')
  })

  const TYPES = ['authorization', 'increment_authorization', 'capture', 'refund', 'void'] as const
  const AGES = [0, HOUR, 10 * DAY]
  const everyWay = (call: Partial<UnansweredCall>) =>
    new Set(
      TYPES.flatMap((type) =>
        AGES.flatMap((ageMs) =>
          [NEVER_SEEN, NOT_IN_SEARCH, NOT_OFFERED, UNREACHABLE].map((found) => next({ ...call, type, ageMs }, found)),
        ),
      ),
    )

  test.each<[why: string, call: Partial<UnansweredCall>]>([
    ['its account is another one now', { isSameAccount: false }],
    ['nobody waits for it any more', { isAwaited: false }],
    ['its gateway has said that it is under way', { isConfirmed: true }],
  ])('is looked up again and nothing else where %s', (_, call) => {
    expect(everyWay(call)).toEqual(new Set(['wait']))
  })

  test('is not sent while its project is suspended, but fails all the same where it is too late for it', () => {
    for (const type of ['authorization', 'increment_authorization', 'capture', 'refund'] as const)
      expect(next({ type, isSuspended: true }, NEVER_SEEN)).toBe('wait')
    expect(next({ type: 'capture', ageMs: HOUR, isSuspended: true }, NEVER_SEEN)).toBe('wait')
    expect(next({ ageMs: HOUR, isSuspended: true }, NEVER_SEEN)).toBe('fail')
    expect(next({ type: 'void', isSuspended: true }, NEVER_SEEN)).toBe('send again')
  })

  test('is never sent again where its gateway does not say that a repeated reference is done once', () => {
    expect(everyWay({ referencesKeptForMs: 0 })).toEqual(new Set(['wait', 'fail', 'make anew']))
  })
})

test('an answer of the customer that the gateway has not heard is repeated at every gateway, while it is fresh', () => {
  expect(next({ referencesKeptForMs: 0 }, UNHEARD)).toBe('send again')
  expect(next({ ageMs: FRESH_MS - 1 }, UNHEARD)).toBe('send again')
  expect(next({ ageMs: FRESH_MS }, UNHEARD)).toBe('wait')
  for (const values of [{ isSuspended: true }, { isForbidden: true }, { isAwaited: false }, { isSameAccount: false }])
    expect(next(values, UNHEARD)).toBe('wait')
})
