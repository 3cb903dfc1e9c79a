import { describe, expect, test } from '@jest/globals'
import { LIMIT_MAX, PROJECT_LIMITS } from '../../domain/rate-limits.ts'
import { findProject, limitsOf } from '../../src/persistence/queries/projects/projects.ts'
import { seededRandom } from '../support/chance.ts'
import { databaseForFile } from '../support/payment-for-file.ts'
import { readBucket, setBucket, type Take, type Taken, takeRequests } from './bucket.ts'
import { intervalUsOf, takeFromModel } from './gcra-model.ts'

const START = Date.UTC(2026, 10, 21, 9) * 1000
const MINUTE = 60_000_000
const HOUR = 60 * MINUTE

const database = databaseForFile()
let buckets = 0

function newSubject(): string {
  buckets += 1
  return `proj_${buckets}`
}
const em = () => database.orm.em.fork()

/** What the model answers to the same requests, and when it says that the bucket will be full again. */
function askModel(takes: readonly Take[], fullAtUs = 0): { taken: Taken[]; arrivalUs: number } {
  let arrivalUs = fullAtUs
  const taken = takes.flatMap(({ nowUs, limit, count = 1 }) =>
    Array.from({ length: count }, () => {
      const { admitted, arrivalUs: next, ...left } = takeFromModel(arrivalUs, nowUs, limit)
      arrivalUs = next
      return { isAllowed: admitted === 1, ...left }
    }),
  )
  return { taken, arrivalUs }
}

/** Requests of one limit, each at an instant after START, and several together where a count is said. */
const takesOf = (limit: number, ...takes: readonly (number | [atUs: number, count: number])[]): Take[] =>
  takes.map((take) => {
    const [atUs, count] = typeof take === 'number' ? [take, 1] : take
    return { limit, nowUs: START + Math.round(atUs), count }
  })

const SEVENTH = intervalUsOf(7)
const HIGHEST = intervalUsOf(LIMIT_MAX)

const SEQUENCES: Readonly<Record<string, Take[]>> = {
  'a full bucket that is emptied': takesOf(5, 0, 0, 0, 0, 0, 0, 0),
  'more at once than it holds': takesOf(5, [0, 7], 0),
  'a part of what is asked for at once': takesOf(5, [0, 3], [0, 4]),
  'a microsecond before and at the instant of the next request': takesOf(7, [0, 7], SEVENTH - 1, SEVENTH, SEVENTH + 1),
  'fractions of a request that add up': takesOf(7, [0, 7], 0.4 * SEVENTH, 0.8 * SEVENTH, 1.2 * SEVENTH, 2.5 * SEVENTH),
  'the lowest limit': takesOf(1, 0, MINUTE - 1, MINUTE, 2 * MINUTE + 1),
  'the highest limit': takesOf(LIMIT_MAX, [0, 500], HIGHEST, [HIGHEST + 1, 3], MINUTE),
  'a long pause, after which it holds no more than before': takesOf(3, [0, 3], [HOUR, 5]),
  'an empty bucket and a clock that is set back': takesOf(60, [0, 60], -HOUR, -HOUR + 0.5e6, -HOUR + 1e6, 0),
  'half a bucket and a clock that is set back': takesOf(60, [0, 30], [-20e6, 20], -90e6, -89e6),
  'a limit that is raised': [...takesOf(3_000, [0, 1_500]), ...takesOf(6_000, 0, 1_000), ...takesOf(LIMIT_MAX, 1_000)],
  'a limit that is lowered': [...takesOf(3_000, [0, 1_500]), ...takesOf(1_000, 0), ...takesOf(1, 0, 40e6)],
}

/** Limits, clocks and counts that jump, the same in every run. */
function anySequence(): Take[] {
  const random = seededRandom(11)
  const below = (max: number) => Math.floor(random() * max)
  let nowUs = START
  return Array.from({ length: 200 }, () => {
    nowUs += [0, below(100), below(180_000_000) - 90_000_000][below(3)] ?? 0
    return { nowUs, limit: 1 + below(random() < 0.5 ? 5 : LIMIT_MAX), count: 1 + below(8) }
  })
}

describe('the function of the database answers as the model does', () => {
  test.each([...Object.entries(SEQUENCES), ['anything', anySequence()] as const])('to %s', async (_, takes) => {
    const [subject, expected] = [newSubject(), askModel(takes)]
    expect(await takeRequests(em(), subject, takes)).toEqual(expected.taken)
    expect(await readBucket(em(), subject)).toBe(expected.arrivalUs)
  })

  test('to a bucket that is emptier than empty, whose limit was much lower', async () => {
    const [subject, takes] = [newSubject(), takesOf(7, 0, SEVENTH, 2 * SEVENTH - 1)]
    await setBucket(em(), subject, START + HOUR)
    expect(await takeRequests(em(), subject, takes)).toEqual(askModel(takes, START + HOUR).taken)
  })

  test('to two buckets at once, of which none takes from the other', async () => {
    const takes = takesOf(5, [0, 3], SEVENTH, [SEVENTH, 4])
    const subjects = [newSubject(), newSubject()]
    const taken = await Promise.all(subjects.map((subject) => takeRequests(em(), subject, takes)))
    expect(taken).toEqual([askModel(takes).taken, askModel(takes).taken])
  })
})

describe('a bucket', () => {
  test('admits exactly its limit, in numbers', async () => {
    const taken = await takeRequests(em(), newSubject(), takesOf(5, 0, 0, 0, 0, 0, 0, 12e6))
    expect(taken.map(({ isAllowed, remaining }) => [isAllowed, remaining])).toEqual([
      ...[4, 3, 2, 1, 0].map((remaining) => [true, remaining]),
      [false, 0],
      [true, 0],
    ])
  })

  test('that is refilled by one a second is not locked by a clock that is set back by an hour', async () => {
    const takes = takesOf(60, 0, -HOUR, -HOUR + 1e6)
    const taken = await takeRequests(em(), newSubject(), takes)
    expect(taken.map(({ isAllowed }) => isAllowed)).toEqual([true, false, true])
    expect(taken[1]?.moreInUs).toBe(1e6)
  })

  test('refills no faster than its limit, and at most 1 % slower, whatever is rounded', async () => {
    for (const limit of [1, 7, 59, 61, 3_001, 599_999, LIMIT_MAX]) {
      const subject = newSubject()
      await setBucket(em(), subject, START + 2 * MINUTE)
      const [empty] = await takeRequests(em(), subject, takesOf(limit, 0))
      expect(Number(empty?.moreInUs) * limit).toBeGreaterThanOrEqual(MINUTE)
      expect(Number(empty?.moreInUs) * limit).toBeLessThanOrEqual(MINUTE * 1.01)
    }
  })

  test.each([
    ['up', 6_000, 3_000],
    ['down', 1_000, 500],
    ['to the highest', LIMIT_MAX, LIMIT_MAX / 2],
  ])('stays as full as it was, in parts, when its limit goes %s', async (_, limit, half) => {
    const takes = [...takesOf(3_000, [0, 1_500]), ...takesOf(limit, 0)]
    const taken = await takeRequests(em(), newSubject(), takes)
    expect(taken.at(-1)).toMatchObject({ isAllowed: true, remaining: half - 1 })
  })
})

describe('one bucket, asked by many at once', () => {
  test.each([
    ['though none of them finds a row', 60, 1],
    ['also where many are asked for together', 10, 10],
  ])('admits exactly its limit when it is new, %s', async (_, askers, count) => {
    const [subject, limit] = [newSubject(), 37]
    const ask = () => takeRequests(em(), subject, [{ nowUs: START, limit, count }])
    const answers = await Promise.all(Array.from({ length: askers }, ask))
    const left = answers.flat().flatMap(({ isAllowed, remaining }) => (isAllowed ? [remaining] : []))
    expect(left.toSorted((a, b) => a - b)).toEqual(Array.from({ length: limit }, (_, n) => n))
    // Of those that were asked for together the first are admitted, and none after one that is refused.
    for (const answer of answers) {
      const allowed = answer.map(({ isAllowed }) => isAllowed)
      expect(allowed).toEqual(allowed.toSorted((a, b) => Number(b) - Number(a)))
    }
  })

  test('reads the clock when the row is its own, and not when it began to wait for it', async () => {
    const subject = newSubject()
    // A token each 200 ms. The first one holds the row for longer than that, and shorter than a request waits for it.
    const take = "select is_allowed from take_requests('primary', ?, 300)"
    await setBucket(em(), subject, Date.now() * 1000 + 60 * 1_000_000)
    let waiting: Promise<{ is_allowed: boolean }[]> | undefined
    await em().transactional(async (transaction) => {
      await transaction.execute(take, [subject])
      waiting = em().execute(take, [subject])
      await transaction.execute('select pg_sleep(0.3)')
    })
    expect(await waiting).toEqual([{ is_allowed: true }])
  })

  test('does not wait for the disk', async () => {
    await em().transactional(async (transaction) => {
      await transaction.execute("set local synchronous_commit = 'on'")
      await transaction.execute("select * from take_requests('primary', ?, 60)", [newSubject()])
      expect(await transaction.execute('show synchronous_commit')).toEqual([{ synchronous_commit: 'off' }])
    })
  })
})

test('a project of which nothing else is said has the usual limits', async () => {
  const id = newSubject()
  await em().execute("insert into project (id, name, created_at) values (?, 'Shop', now())", [id])
  const project = await findProject(em(), id)
  expect(project === null ? null : limitsOf(project)).toEqual(PROJECT_LIMITS)
})

test.each([0, -1, LIMIT_MAX + 1])('a limit of %i cannot be set', async (limit) => {
  const subject = newSubject()
  await em().execute("insert into project (id, name, created_at) values (?, 'Shop', now())", [subject])
  await expect(em().execute('update project set primary_limit = ? where id = ?', [limit, subject])).rejects.toThrow(
    /requests_a_minute/,
  )
})
