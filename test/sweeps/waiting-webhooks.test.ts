import { beforeEach, describe, expect, test } from '@jest/globals'
import { ServiceError } from '@temporalio/client'
import type { FiredEvent } from '../../domain/webhook-event.ts'
import { startWaitingEvents } from '../../src/sweeps/waiting-webhooks.ts'
import { type CapturedLog, captureLog } from '../support/captured-log.ts'
import { type AdjustableClock, fixedClock } from '../support/clock.ts'
import { databaseForFile } from '../support/payment-for-file.ts'
import { seedProject } from '../webhooks/endpoint-seed.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND

const database = databaseForFile()
let projectId: string
let clock: AdjustableClock
let log: CapturedLog
let started: (Pick<FiredEvent, 'eventId' | 'run'> & { again: boolean })[]
/** Why an event cannot be started; null where it can. */
let refuse: (event: FiredEvent) => Error | null | Promise<null>

beforeEach(async () => {
  await database.orm.em.fork().execute('truncate delivery, event cascade')
  projectId = await seedProject(database.orm)
  clock = fixedClock()
  log = captureLog()
  started = []
  refuse = () => null
})

function sweep(stopping?: AbortSignal) {
  const starter = {
    start: async (event: FiredEvent, again?: 'again') => {
      const error = await refuse(event)
      if (error !== null) throw error
      started.push({ eventId: event.eventId, run: event.run, again: again !== undefined })
    },
  }
  return startWaitingEvents({ orm: database.orm, clock, logger: log.logger }, starter, stopping)
}

interface Waiting {
  status?: 'pending' | 'delivered' | 'failed'
  run?: number
  /** When the first attempt of the run was made, and the next is due, in ms from now; unbegun where absent. */
  firstAttempt?: number
  release?: number
  targets?: number
}

/** Writes events named `<name>_1` and so on, queued now, each with a delivery for every target. */
async function seed(name: string, count: number, given: Waiting = {}): Promise<void> {
  const { status = 'pending', run = 0, firstAttempt, release, targets = 1 } = given
  const now = clock.now()
  const at = (offset: number | undefined) => (offset === undefined ? null : new Date(now.getTime() + offset))
  const em = database.orm.em.fork()
  await em.execute(
    `insert into event (id, project_id, sandbox, name, data, fired_at)
     select ? || '_' || n, ?, true, 'customer.created', '{}', ? from generate_series(1, ?::int) n`,
    [name, projectId, now, count],
  )
  await em.execute(
    `insert into delivery (id, project_id, sandbox, event_id, target_url, status, run, queued_at, first_attempt_at,
                           release_at, created_at)
     select 'whd_' || event.id || '_' || n, project_id, true, event.id, 'https://shop.example/' || n, ?, ?, ?, ?, ?, ?
       from event, generate_series(1, ?::int) n where event.id like ?`,
    [status, run, now, at(firstAttempt), at(release), now, targets, `${name}\\_%`],
  )
}

const names = () => started.map(({ eventId }) => eventId).sort()
const away = () => new ServiceError('Failed to start Workflow', { cause: Object.assign(new Error('14'), { code: 14 }) })

describe('the sweep does not start', () => {
  test('what was written a moment ago, which whoever wrote it starts', async () => {
    await seed('fresh', 3)
    clock.advance(5 * SECOND)
    await sweep()
    expect(started).toEqual([])
  })

  test.each(['delivered', 'failed'] as const)('what was %s, however long ago that was', async (status) => {
    await seed('begun', 2, { status, firstAttempt: 0 })
    await seed('unbegun', 2, { status })
    clock.advance(365 * 24 * 60 * MINUTE)
    await sweep()
    expect(started).toEqual([])
  })

  test('what waits for its retry, nor what is late by less than five minutes', async () => {
    await seed('waiting', 2, { firstAttempt: 0, release: 60 * MINUTE })
    await seed('late', 2, { firstAttempt: 0, release: 0 })
    clock.advance(5 * MINUTE)
    await sweep()
    expect(started).toEqual([])
  })

  test('again what it has just started because it was late', async () => {
    await seed('late', 3, { firstAttempt: 0, release: 0 })
    clock.advance(5 * MINUTE + 1)
    for (let round = 0; round < 5; round += 1) {
      await sweep()
      clock.advance(MINUTE)
    }
    expect(names()).toEqual(['late_1', 'late_2', 'late_3'])
    clock.advance(1)
    await sweep()
    expect(names()).toHaveLength(6)
  })

  test('anything more where the process stops', async () => {
    await seed('waiting', 100)
    clock.advance(10 * SECOND)
    const stopping = new AbortController()
    refuse = () => {
      stopping.abort()
      return null
    }
    await sweep(stopping.signal)
    expect(started.length).toBeLessThanOrEqual(10)
  })
})

describe('the sweep starts', () => {
  test('what nobody began within five seconds, under its own run', async () => {
    await seed('first', 1)
    await seed('resent', 1, { run: 3 })
    clock.advance(5 * SECOND + 1)
    await sweep()
    expect(started).toHaveLength(2)
    expect(started).toEqual(
      expect.arrayContaining([
        { eventId: 'first_1', run: 0, again: false },
        { eventId: 'resent_1', run: 3, again: false },
      ]),
    )
  })

  test('again what is late by more than five minutes, begun or not', async () => {
    await seed('late', 1, { firstAttempt: 0, release: MINUTE })
    await seed('unbegun', 1, { run: 2 })
    clock.advance(6 * MINUTE + 1)
    await sweep()
    expect(started).toHaveLength(2)
    expect(started).toEqual(
      expect.arrayContaining([
        { eventId: 'late_1', run: 0, again: true },
        { eventId: 'unbegun_1', run: 2, again: true },
      ]),
    )
  })

  test('what is begun or sent anew at that moment, and leaves that as it is', async () => {
    await seed('begun', 1)
    await seed('resent', 1)
    clock.advance(10 * SECOND)
    const retryAt = new Date(clock.now().getTime() + SECOND)
    const em = database.orm.em.fork()
    refuse = async ({ eventId }) => {
      if (eventId === 'begun_1')
        await em.execute('update delivery set release_at = ? where event_id = ?', [retryAt, eventId])
      else await em.execute('update delivery set run = 1 where event_id = ?', [eventId])
      return null
    }
    await sweep()
    expect(names()).toEqual(['begun_1', 'resent_1'])
    const rows = await em.execute<{ release_at: string | null }[]>('select release_at from delivery order by event_id')
    expect(rows.map(({ release_at: at }) => (at === null ? null : new Date(at)))).toEqual([retryAt, null])
  })

  test('every one of thousands, once, though all were written at the same instant', async () => {
    await seed('many', 3_001)
    await seed('late', 1_201, { firstAttempt: -MINUTE, release: -6 * MINUTE })
    clock.advance(10 * SECOND)
    await sweep()
    expect(new Set(names()).size).toBe(4_202)
    expect(started).toHaveLength(4_202)
  })

  test('the others, where some cannot be started, however many, and those as soon as they can be', async () => {
    await seed('poison', 25)
    clock.advance(SECOND)
    await seed('good', 250)
    clock.advance(10 * SECOND)
    refuse = ({ eventId }) => (eventId.startsWith('poison') ? new Error('no such attribute') : null)
    await sweep()
    expect(names().filter((name) => name.startsWith('good'))).toHaveLength(250)
    expect(log.text()).toContain('"event_id":"poison_1"')
    refuse = () => null
    await sweep()
    expect(names()).toHaveLength(275)
  })

  test('everything once Temporal is back, and asks it little while it is away', async () => {
    await seed('waiting', 500)
    await seed('late', 500, { firstAttempt: -MINUTE, release: -6 * MINUTE })
    clock.advance(10 * SECOND)
    let asked = 0
    refuse = () => {
      asked += 1
      return away()
    }
    await sweep()
    expect(asked).toBeLessThanOrEqual(20)
    refuse = () => null
    await sweep()
    expect(names()).toHaveLength(1_000)
  })
})
