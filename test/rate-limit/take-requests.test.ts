import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { DEFAULT_LIMIT, LIMIT_MAX, PROJECT_LIMITS } from '../../domain/rate-limits.ts'
import { findProject, limitsOf } from '../../src/persistence/queries/projects/projects.ts'
import { makeDatabase, type TestDatabase } from '../support/database.ts'
import { askAt, askTogether, readBucket, setBucket } from './asked.ts'
import { intervalUsOf, takeFromModel } from './gcra-model.ts'

const START = Date.UTC(2026, 10, 21, 9) * 1000
const MINUTE = 60_000_000
const HOUR = 60 * MINUTE
/** How far the figures may be off. */
const TOLERANCE = 0.01 * DEFAULT_LIMIT
/** More than a hundred thousand requests to a database, in a file of tests that runs beside others. */
const PATIENCE_MS = 180_000

let database: TestDatabase
let buckets = 0
beforeAll(async () => {
  database = await makeDatabase()
})
afterAll(() => database.drop())

function newSubject(): string {
  buckets += 1
  return `proj_${buckets}`
}
const em = () => database.orm.em.fork()
const evenly = (rpm: number, { fromUs = 0, untilUs }: { fromUs?: number; untilUs: number }) =>
  Array.from({ length: Math.floor(((untilUs - fromUs) * rpm) / MINUTE) }, (_, n) =>
    Math.round(START + fromUs + (n * MINUTE) / rpm),
  )

describe('the statement of the database', () => {
  test(
    'never says anything else than the model, with clocks and limits that jump',
    async () => {
      const limits = fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: LIMIT_MAX }))
      const moves = fc.oneof(fc.constant(0), fc.nat(100), fc.integer({ min: -90_000_000, max: 90_000_000 }))
      const step = fc.record({
        moveUs: moves,
        limit: limits,
        times: fc.integer({ min: 1, max: 8 }),
        isTogether: fc.boolean(),
      })
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), fc.boolean(), async (steps, isEmpty) => {
          const subject = newSubject()
          let [arrivalUs, nowUs] = [isEmpty ? START + MINUTE : 0, START]
          if (isEmpty) await setBucket(em(), subject, arrivalUs)
          for (const { moveUs, limit, times, isTogether } of steps) {
            nowUs += moveUs
            const asked = isTogether
              ? await askTogether(em(), { subject, limit }, { nowUs, count: times })
              : await askAt(em(), { subject, limit }, Array<number>(times).fill(nowUs))
            expect(asked).toHaveLength(times)
            for (const one of asked) {
              const { admitted, arrivalUs: next, ...expected } = takeFromModel(arrivalUs, nowUs, limit)
              arrivalUs = next
              expect(one).toEqual({ isAllowed: admitted === 1, ...expected })
            }
            expect(await readBucket(em(), subject)).toBe(arrivalUs)
          }
        }),
        { numRuns: 60 },
      )
    },
    PATIENCE_MS,
  )

  test.each([
    [3_005, 2_975],
    [3_010, 2_950],
    [3_300, 1_500],
    [3_600, 0],
  ])(
    'leaves, with 3000 RPM and %i for 5 minutes, %i',
    async (rpm, left) => {
      const bucket = { subject: newSubject(), limit: DEFAULT_LIMIT }
      const asked = await askAt(em(), bucket, evenly(rpm, { untilUs: 5 * MINUTE }))
      expect(Math.abs((asked.at(-1)?.remaining ?? Number.NaN) - left)).toBeLessThanOrEqual(TOLERANCE)
    },
    PATIENCE_MS,
  )

  test.each([
    [3_005, 10 * HOUR],
    [3_010, 5 * HOUR],
    [3_300, 10 * MINUTE],
    [3_600, 5 * MINUTE],
  ])(
    'empties, with 3000 RPM and %i, after %i µs',
    async (rpm, emptyAfterUs) => {
      const bucket = { subject: newSubject(), limit: DEFAULT_LIMIT }
      // As long before and after as it may be early or late. Until then the model is asked, and refuses nothing; the shorter
      // two are asked from their beginning.
      const marginUs = (1.1 * TOLERANCE * MINUTE) / (rpm - DEFAULT_LIMIT)
      const fromUs = emptyAfterUs > 10 * MINUTE ? emptyAfterUs - marginUs : 0
      let arrivalUs = 0
      for (const nowUs of evenly(rpm, { untilUs: fromUs })) {
        const answer = takeFromModel(arrivalUs, nowUs, bucket.limit)
        if (answer.admitted === 0) throw new Error(`It was empty ${nowUs - START} µs after its start.`)
        arrivalUs = answer.arrivalUs
      }
      await setBucket(em(), bucket.subject, arrivalUs)
      const instants = evenly(rpm, { fromUs, untilUs: emptyAfterUs + marginUs })
      const asked = await askAt(em(), bucket, instants)
      const first = instants[asked.findIndex(({ isAllowed }) => !isAllowed)] ?? Number.POSITIVE_INFINITY
      const lateByMinutes = (first - START - emptyAfterUs) / MINUTE
      expect(Math.abs(lateByMinutes * (rpm - DEFAULT_LIMIT))).toBeLessThanOrEqual(TOLERANCE)
    },
    PATIENCE_MS,
  )
})

describe('a bucket never', () => {
  test('admits more at once than it holds', async () => {
    const asked = await askAt(em(), { subject: newSubject(), limit: 5 }, Array<number>(7).fill(START))
    expect(asked.map(({ isAllowed }) => isAllowed)).toEqual([...Array(5).fill(true), false, false])
  })

  test('gives anything back for a clock that is set back', async () => {
    const bucket = { subject: newSubject(), limit: 60 }
    await askTogether(em(), bucket, { nowUs: START, count: 60 })
    expect(await askAt(em(), bucket, [START - HOUR])).toMatchObject([{ isAllowed: false, remaining: 0 }])
  })

  test('is locked by a clock that is set back for longer than one request takes to come', async () => {
    const bucket = { subject: newSubject(), limit: 60 }
    const [, refused] = await askAt(em(), bucket, [START, START - HOUR])
    expect(refused).toMatchObject({ isAllowed: false, moreInUs: MINUTE / 60 })
    expect(await askAt(em(), bucket, [START - HOUR + MINUTE / 60])).toMatchObject([{ isAllowed: true }])
  })

  test('refills faster than its limit, nor 1 % slower, whatever is rounded', async () => {
    for (const limit of [1, 7, 59, 61, 3_001, 599_999, LIMIT_MAX]) {
      const subject = newSubject()
      await setBucket(em(), subject, START + 2 * MINUTE)
      const [empty] = await askAt(em(), { subject, limit }, [START])
      expect(Number(empty?.moreInUs) * limit).toBeGreaterThanOrEqual(MINUTE)
      expect(Number(empty?.moreInUs) * limit).toBeLessThanOrEqual(MINUTE * 1.01)
      expect(empty?.moreInUs).toBe(intervalUsOf(limit))
    }
  })
})

describe('a limit that changes', () => {
  test.each([
    ['up', 6_000, 3_000],
    ['down', 1_000, 500],
    ['to the highest', LIMIT_MAX, LIMIT_MAX / 2],
  ])('%s leaves the bucket as full as it was, in parts', async (_, limit, half) => {
    const subject = newSubject()
    await askTogether(em(), { subject, limit: 3_000 }, { nowUs: START, count: 1_500 })
    expect(await askAt(em(), { subject, limit }, [START])).toMatchObject([{ isAllowed: true, remaining: half - 1 }])
  })

  test('to the lowest leaves nothing of half a bucket', async () => {
    const subject = newSubject()
    await askTogether(em(), { subject, limit: 3_000 }, { nowUs: START, count: 1_500 })
    expect(await askAt(em(), { subject, limit: 1 }, [START])).toMatchObject([{ isAllowed: false, remaining: 0 }])
  })
})

describe('one bucket, asked by many at once', () => {
  test('admits exactly its limit when it is new, though all hundred find no row', async () => {
    const [subject, limit, nowUs] = [newSubject(), 37, START]
    const answers = await Promise.all(Array.from({ length: 100 }, () => askAt(em(), { subject, limit }, [nowUs])))
    const admitted = answers.flat().filter(({ isAllowed }) => isAllowed)
    expect(admitted).toHaveLength(limit)
    expect(admitted.map(({ remaining }) => remaining).sort((a, b) => a - b)).toEqual(
      Array.from({ length: limit }, (_, n) => n),
    )
  })

  test('admits exactly its limit also where many are asked for together', async () => {
    const [subject, limit, nowUs] = [newSubject(), 37, START]
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => askTogether(em(), { subject, limit }, { nowUs, count: 10 })),
    )
    expect(answers.flat()).toHaveLength(100)
    const admitted = answers.flat().filter(({ isAllowed }) => isAllowed)
    expect(admitted.map(({ remaining }) => remaining).sort((a, b) => a - b)).toEqual(
      Array.from({ length: limit }, (_, n) => n),
    )
    // Of those that were asked for together the first are admitted, and none after one that is refused.
    for (const answer of answers) {
      const allowed = answer.map(({ isAllowed }) => isAllowed)
      expect(allowed).toEqual([...allowed].sort((a, b) => Number(b) - Number(a)))
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
