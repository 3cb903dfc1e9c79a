import { describe, expect, test } from '@jest/globals'
import { createLine } from '../../src/fair-share.ts'
import {
  createConcurrencyLimit,
  createWebhookLimits,
  type LimitedAttempt,
} from '../../src/webhooks/concurrency-limit.ts'

const PER_HOST = 20

function makeLimit({ perHost = PER_HOST, total = 10_000 } = {}) {
  const limit = createConcurrencyLimit({ perHost, total })
  let others = 0
  /** Each of another project, and to a target that accepts, unless told otherwise. */
  const acquire = (host: string, given: Partial<LimitedAttempt> = {}) => {
    others += 1
    return limit.tryAcquire({ environment: 'live', host, projectId: `proj_${others}`, isTrusted: true, ...given })
  }
  return {
    acquire,
    /** Acquires as many permits as there are, up to a hundred, and gives what releases them. */
    fill(host: string, given: Partial<LimitedAttempt> = {}) {
      return Array.from({ length: 100 }, () => acquire(host, given)).flatMap((release) => release ?? [])
    },
  }
}

describe('a host', () => {
  test('never has more than its permits, whoever asks, and each that is released is free again', () => {
    const { acquire, fill } = makeLimit()
    const releases = fill('shop.example')
    expect(releases).toHaveLength(PER_HOST)
    expect(acquire('shop.example')).toBeNull()
    releases[0]?.()
    expect(fill('shop.example')).toHaveLength(1)
  })

  test('that hangs leaves every other all its permits', () => {
    const { fill } = makeLimit()
    fill('hanging.example', { isTrusted: false })
    for (let host = 0; host < 50; host += 1) expect(fill(`${host}.example`)).toHaveLength(PER_HOST)
  })

  test('leaves a quarter to targets that accept, however many others of it do not', () => {
    const { acquire, fill } = makeLimit()
    expect(fill('hooks.example', { isTrusted: false })).toHaveLength(15)
    expect(acquire('hooks.example', { isTrusted: false })).toBeNull()
    expect(fill('hooks.example')).toHaveLength(5)
  })
})

describe('a project', () => {
  test('has half of a host at most, and the others the rest', () => {
    const { acquire, fill } = makeLimit()
    const releases = fill('hooks.example', { projectId: 'proj_slow' })
    expect(releases).toHaveLength(10)
    expect(acquire('hooks.example', { projectId: 'proj_slow' })).toBeNull()
    expect(fill('hooks.example')).toHaveLength(10)
    releases[0]?.()
    expect(acquire('hooks.example', { projectId: 'proj_slow' })).toBeNull()
    expect(acquire('hooks.example')).not.toBeNull()
  })

  test('whose endpoint at a host is dead still has permits for another there that accepts', () => {
    const { fill } = makeLimit()
    fill('hooks.example', { projectId: 'proj_a', isTrusted: false })
    expect(fill('hooks.example', { projectId: 'proj_a' })).toHaveLength(2)
  })

  test.each([
    ['that accept slowly', true, 150],
    ['that are not known to accept', false, 113],
  ])('with any number of hosts %s has half of all permits, and the next one half of the rest', (_, isTrusted, half) => {
    const { acquire, fill } = makeLimit({ total: 300 })
    const hosts = Array.from({ length: 100 }, (_, host) => `blackhole.example:${host}`)
    const fillAll = (projectId: string) => hosts.flatMap((host) => fill(host, { projectId, isTrusted }))
    expect(fillAll('proj_with_many_hosts')).toHaveLength(half)
    expect(acquire('another.example', { projectId: 'proj_with_many_hosts', isTrusted })).toBeNull()
    expect(fillAll('proj_like_it').length).toBeGreaterThan(half / 3)
    expect(acquire('shop.example', { isTrusted })).not.toBeNull()
  })

  test('finds permits for what accepts when all for what does not are taken, and in sandbox others than in live', () => {
    const { acquire, fill } = makeLimit({ total: 50 })
    for (const host of ['a', 'b', 'c', 'd']) fill(host, { isTrusted: false })
    expect(acquire('new.example', { isTrusted: false })).toBeNull()
    expect(fill('good.example').length).toBeGreaterThan(0)
    expect(fill('tried-out.example', { isTrusted: false, environment: 'sandbox' })).toHaveLength(15)
  })
})

describe('a line', () => {
  const attempt = (projectId: string): LimitedAttempt => {
    return { environment: 'live', host: 'shop.example', projectId, isTrusted: true }
  }
  /** A host with three permits, two of them for a project that is alone, and so many places for it. */
  const makeLine = ({ waitMs = 60_000, places = 2 } = {}) =>
    createLine({
      permits: createConcurrencyLimit({ perHost: 3, total: 100 }),
      places: createConcurrencyLimit({ perHost: places * 2, total: 100 }),
      waitMs,
    })

  test('lets in who came first, as soon as a permit is free for its project', async () => {
    const { tryAcquire, acquire } = makeLine()
    const ofA = [tryAcquire(attempt('a')), tryAcquire(attempt('a'))]
    const ofB = tryAcquire(attempt('b'))
    const entered: string[] = []
    const waiting = ['a', 'b', 'a'].map(async (projectId, index) => {
      const release = await acquire(attempt(projectId))
      entered.push(`${projectId}${index}`)
      return release
    })
    ofB?.()
    // Called again, it does nothing.
    ofB?.()
    const second = await waiting[1]
    expect(entered).toEqual(['b1'])
    // Beside another project that has one, this one may have one.
    for (const release of ofA) release?.()
    const first = await waiting[0]
    expect(entered).toEqual(['b1', 'a0'])
    first?.()
    await waiting[2]
    expect(entered).toEqual(['b1', 'a0', 'a2'])
    second?.()
    expect(await acquire(attempt('b'))).not.toBeNull()
  })

  test('has few places, and nobody stands in it for long', async () => {
    const { tryAcquire, acquire } = makeLine({ waitMs: 50, places: 1 })
    const releases = [tryAcquire(attempt('a')), tryAcquire(attempt('a'))]
    const waiting = acquire(attempt('a'))
    expect(await Promise.race([acquire(attempt('a')), waiting.then(() => 'the one in line')])).toBeNull()
    expect(await waiting).toBeNull()
    // Who has left gets no permit, and has left its place.
    const next = acquire(attempt('a'))
    releases[0]?.()
    expect(await next).not.toBeNull()
  })
})

test('a host has fewer permits inside workflow tasks, of whose slots three quarters may wait for receivers', () => {
  const { attempts, atOnce } = createWebhookLimits()
  const count = (limit: typeof atOnce, hosts: number) => {
    let permits = 0
    for (let project = 0; project < 10_000; project += 1) {
      const attempt = { environment: 'live', projectId: `proj_${project}`, isTrusted: true } as const
      if (limit.tryAcquire({ ...attempt, host: `${project % hosts}.example` }) !== null) permits += 1
    }
    return permits
  }
  expect([count(atOnce, 1), count(createWebhookLimits().atOnce, 1_000)]).toEqual([8, 75])
  expect([count(attempts, 1), count(createWebhookLimits().attempts, 1_000)]).toEqual([20, 400])
})
