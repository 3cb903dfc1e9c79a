import { describe, expect, test } from '@jest/globals'
import { createHostSlots, type Place, type Turn } from '../../src/webhooks/host-slots.ts'

/** More than the test takes, where it is not what the test is about. */
const PLENTY = 10_000
const PER_HOST_MAX = 20
const BAD_MAX = 15
const AT_ONCE_MAX = 4
const BAD_AT_ONCE_MAX = 20

function makeSlots({ attemptsMax = PLENTY, doubtfulMax = PLENTY, atOnceMax = PLENTY } = {}) {
  let now = 1_000
  let others = 0
  const slots = createHostSlots({ attemptsMax, doubtfulMax, atOnceMax, now: () => now })
  /** Each of another merchant, at another endpoint, unless told otherwise. */
  const take = (host: string, place: Partial<Place> = {}) => {
    others += 1
    const other = { projectId: `proj_${others}`, target: `whe_${others}` }
    return slots.take({ environment: 'live', host, ...other, health: 'good', isAtOnce: false, ...place })
  }
  return {
    take,
    /** Takes as many places as there are, up to so many, and gives what gives them back. */
    fill(host: string, count: number, place: Partial<Place> = {}) {
      return Array.from({ length: count }, () => take(host, place)).flatMap((turn) => (turn.isTaken ? [turn] : []))
    },
    pass(milliseconds: number) {
      now += milliseconds
    },
    now: () => now,
  }
}

const waitOf = (turn: Turn) => (turn.isTaken ? null : turn.waitMs)

describe('a host', () => {
  test('never has more than twenty attempts at once, whoever makes them', () => {
    const { take, fill } = makeSlots()
    const places = fill('shop.example', 100, { health: 'unknown' })
    expect(places).toHaveLength(PER_HOST_MAX)
    expect(take('shop.example').isTaken).toBe(false)
    expect(take('shop.example', { isAtOnce: true }).isTaken).toBe(false)
    places[0]?.giveBack()
    expect(fill('shop.example', 100)).toHaveLength(1)
  })

  test('never has more than four at once inside workflow tasks, and is then sent to outside of them at once', () => {
    const { take, fill } = makeSlots()
    const places = fill('shop.example', 100, { isAtOnce: true })
    expect(places).toHaveLength(AT_ONCE_MAX)
    expect(waitOf(take('shop.example', { isAtOnce: true }))).toBe(0)
    expect(take('shop.example').isTaken).toBe(true)
    places[0]?.giveBack()
    expect(fill('shop.example', 1, { isAtOnce: true })).toHaveLength(1)
    fill('shop.example', PER_HOST_MAX - AT_ONCE_MAX - 1)
    for (let asked = 0; asked < 100; asked += 1) expect(waitOf(take('shop.example', { isAtOnce: true }))).toBe(0)
    // Which has put nobody further back.
    expect(waitOf(take('shop.example'))).toBe(250)
  })

  test('that did not accept leaves four fifths of the places inside workflow tasks to those that do', () => {
    const { take, fill } = makeSlots()
    const bad = { health: 'bad', isAtOnce: true } as const
    const hosts = Array.from({ length: 50 }, (_, host) => `${host}.example`)
    const places = hosts.flatMap((host) => fill(host, AT_ONCE_MAX, bad))
    expect(places).toHaveLength(BAD_AT_ONCE_MAX)
    expect(waitOf(take('49.example', bad))).toBe(0)
    expect(take('49.example', { health: 'bad' }).isTaken).toBe(true)
    expect(fill('shop.example', 100, { isAtOnce: true })).toHaveLength(AT_ONCE_MAX)
    places[0]?.giveBack()
    expect(take('49.example', bad).isTaken).toBe(true)
  })

  test('that hangs leaves every other all its places', () => {
    const { fill } = makeSlots()
    fill('hanging.example', 100, { health: 'bad' })
    for (let host = 0; host < 50; host += 1) expect(fill(`${host}.example`, 100)).toHaveLength(PER_HOST_MAX)
  })

  test('of which nothing good is known finds no place where all such hosts have theirs, and a good one does', () => {
    const { take, fill } = makeSlots({ doubtfulMax: 50 })
    const places = ['a', 'b', 'c', 'd'].flatMap((host) => fill(host, 100, { health: 'unknown' }))
    expect(places).toHaveLength(50)
    expect(take('new.example', { health: 'unknown' }).isTaken).toBe(false)
    expect(fill('good.example', 100)).toHaveLength(PER_HOST_MAX)
    // The dead receivers of the sandbox are no matter of live, nor the other way round.
    expect(fill('tried-out.example', 100, { health: 'unknown', environment: 'sandbox' })).toHaveLength(PER_HOST_MAX)
    for (const place of places) place.giveBack()
    expect(fill('new.example', 100, { health: 'unknown' })).toHaveLength(PER_HOST_MAX)
  })
})

describe('a target', () => {
  test('never has more than half of its host, and leaves the rest to the others that share it', () => {
    const { take, fill } = makeSlots()
    const places = fill('hooks.example', 100, { target: 'whe_slow' })
    expect(places).toHaveLength(10)
    expect(take('hooks.example', { target: 'whe_slow' }).isTaken).toBe(false)
    expect(fill('hooks.example', 100)).toHaveLength(10)
    places[0]?.giveBack()
    expect(take('hooks.example').isTaken).toBe(true)
  })

  test('finds a place beside others that are slow, which take half of what is left at most', () => {
    const { fill } = makeSlots()
    const slow = ['whe_a', 'whe_b', 'whe_c', 'whe_d', 'whe_e']
    const taken = slow.map((target) => fill('hooks.example', 100, { target }))
    expect(taken.map(({ length }) => length)).toEqual([10, 5, 3, 1, 1])
    for (const place of taken[0] ?? []) place.giveBack()
    expect(fill('hooks.example', 100, { target: 'whe_b' })).toHaveLength(3)
  })

  test('is tried again beside others of its host that are dead', () => {
    const { fill } = makeSlots()
    const bad = { health: 'bad' } as const
    expect(fill('hooks.example', 100, { target: 'whe_dead', ...bad })).toHaveLength(8)
    expect(fill('hooks.example', 100, { target: 'whe_dead_too', ...bad })).toHaveLength(4)
    expect(fill('hooks.example', 100, { target: 'whe_well_again', ...bad })).toHaveLength(2)
  })

  test('that accepts has a quarter of its host to itself and its like, however many on it do not', () => {
    const { take, fill } = makeSlots()
    expect(fill('hooks.example', 100, { health: 'bad' })).toHaveLength(BAD_MAX)
    expect(take('hooks.example', { health: 'bad' }).isTaken).toBe(false)
    expect(take('hooks.example', { health: 'unknown' }).isTaken).toBe(true)
    expect(fill('hooks.example', 100, { health: 'good' })).toHaveLength(PER_HOST_MAX - BAD_MAX - 1)
  })

  test('of another host has nothing to do with it', () => {
    const { fill } = makeSlots()
    fill('old.example', 100, { target: 'whe_moved' })
    expect(fill('new.example', 100, { target: 'whe_moved' })).toHaveLength(10)
  })
})

describe('a merchant', () => {
  const hosts = Array.from({ length: 100 }, (_, host) => `blackhole.example:${host}`)

  test.each([
    ['that are not known to accept', { doubtfulMax: 300 }, { health: 'unknown' }],
    ['that did not accept', { doubtfulMax: 300 }, { health: 'bad' }],
    ['that accept slowly', { attemptsMax: 300 }, { health: 'good' }],
    ['that accept slowly, inside workflow tasks', { atOnceMax: 300 }, { health: 'good', isAtOnce: true }],
  ] as const)('with any number of hosts %s leaves half of the places to the others', (_, places, place) => {
    const { take, fill } = makeSlots(places)
    const own = { projectId: 'proj_with_many_hosts', ...place }
    expect(hosts.flatMap((host) => fill(host, 100, own))).toHaveLength(150)
    expect(take('another.example', own).isTaken).toBe(false)
    expect(take('shop.example', place).isTaken).toBe(true)
    expect(hosts.flatMap((host) => fill(`other.${host}`, 100, { ...own, projectId: 'proj_like_it' }))).toHaveLength(75)
    expect(take('shop.example', place).isTaken).toBe(true)
  })
})

describe('whoever finds no place', () => {
  test('takes none, however often it asks', () => {
    const { take, fill } = makeSlots()
    const places = fill('shop.example', PER_HOST_MAX)
    for (let attempt = 0; attempt < 1_000; attempt += 1) take('shop.example')
    for (const place of places) place.giveBack()
    expect(fill('shop.example', 100)).toHaveLength(PER_HOST_MAX)
  })

  test('comes back one after the other, as fast as the receiver answers', () => {
    const { take, fill, pass } = makeSlots()
    const askedBy = (answersAfterMs: number, host: string) => {
      for (let round = 0; round < 5; round += 1) {
        const places = fill(host, PER_HOST_MAX)
        pass(answersAfterMs)
        // The last one stays, so that the host is remembered.
        for (const place of places.slice(0, -1)) place.giveBack()
        fill(host, PER_HOST_MAX)
      }
      return Array.from({ length: 200 }, () => waitOf(take(host)) ?? Number.NaN)
    }
    const [quick, dead] = [askedBy(20, 'quick.example'), askedBy(10_000, 'dead.example')]
    for (const waits of [quick, dead]) {
      expect(waits).toEqual([...waits].sort((one, other) => one - other))
      expect(Math.min(...waits)).toBeGreaterThanOrEqual(250)
      expect(Math.max(...waits)).toBeLessThanOrEqual(60_000)
    }
    // Two hundred behind twenty places are ten rounds of answers.
    expect(quick.at(-1)).toBeLessThan(3_000)
    expect(dead.at(-1)).toBe(60_000)
  })

  test.each([
    ['by nothing that a host did before its last place was given back', 0, [250, 300]],
    ['by what a host did of which one place was not given back', 1, [250, 750]],
  ])('is made to wait %s', (_, kept, expected) => {
    const { take, fill, pass } = makeSlots()
    const nextTurns = () => [waitOf(take('shop.example')), waitOf(take('shop.example'))]
    const places = fill('shop.example', PER_HOST_MAX)
    // A place lasts a second as far as anybody knows, so that one of twenty is free every 50 ms.
    expect(nextTurns()).toEqual([250, 300])
    pass(10_000)
    for (const place of places.slice(kept)) place.giveBack()
    fill('shop.example', PER_HOST_MAX - kept)
    expect(nextTurns()).toEqual(expected)
  })

  test('asks a dead receiver no more often than a few times a second, where ten thousand wait for a minute', () => {
    const { take, fill, pass, now } = makeSlots()
    const places = fill('dead.example', PER_HOST_MAX, { health: 'bad' })
    for (const place of places.slice(1)) {
      pass(500)
      place.giveBack()
      fill('dead.example', 1, { health: 'bad' })
    }
    const comesBackAt = Array.from({ length: 10_000 }, () => {
      pass(1)
      return now() + (waitOf(take('dead.example', { health: 'bad' })) ?? Number.NaN)
    })
    let asked = 0
    const until = now() + 60_000
    while (now() < until) {
      pass(100)
      comesBackAt.forEach((at, index) => {
        if (at > now()) return
        asked += 1
        comesBackAt[index] = now() + (waitOf(take('dead.example', { health: 'bad' })) ?? Number.NaN)
      })
    }
    // Once a minute each, and not once a second.
    expect(asked).toBeLessThan(11_000)
  })
})
