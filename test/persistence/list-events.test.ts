import { beforeAll, describe, expect, test } from '@jest/globals'
import { EventEntity } from '../../src/persistence/entities/event.ts'
import { listEvents } from '../../src/persistence/queries/lists/list-events.ts'
import type { PageRequest } from '../../src/persistence/queries/lists/page.ts'
import { makeDatabase } from '../support/database.ts'
import { databaseForFile } from '../support/payment-for-file.ts'
import { insertRows } from './insert-rows.ts'
import { makeRows } from './rows.ts'

const mine = makeRows('mine')
const theirs = makeRows('theirs')
const scope = { projectId: mine.project.id, sandbox: true }

const database = databaseForFile()

beforeAll(async () => {
  const em = database.orm.em.fork()
  await insertRows(em, mine)
  await insertRows(em, theirs)
})

const list = (request: Partial<PageRequest> = {}) =>
  listEvents(database.orm.em.fork(), scope, { limit: 10, order: 'asc', cursor: null, ...request })
const ids = async (request: Partial<PageRequest> = {}) => (await list(request))?.rows.map(({ id }) => id)

/**
 * For two seconds one after the other, each so short that some end between the snapshot of a reading and its look at the
 * locks, and so long that events are written and shown meanwhile.
 */
const SHORT_TRANSACTIONS = `do $$
  declare
    over_at constant timestamptz := clock_timestamp() + interval '2 seconds';
  begin
    while clock_timestamp() < over_at loop
      perform pg_current_xact_id(), pg_sleep(0.01);
      commit;
    end loop;
  end
$$`
const eventRow = (sequence: number) => ({ ...mine.event, id: `ev_${sequence}`, sequence })

describe('the list of events', () => {
  beforeAll(async () => {
    // Several database transactions, one of which writes two events.
    await database.orm.em.fork().insert(EventEntity, eventRow(2))
    await database.orm.em.fork().transactional(async (em) => {
      await em.insert(EventEntity, eventRow(3))
      await em.insert(EventEntity, eventRow(4))
    })
    await database.orm.em.fork().insert(EventEntity, eventRow(5))
  })

  const all = ['ev_mine', 'ev_2', 'ev_3', 'ev_4', 'ev_5']

  test('has the events of one project in the order in which they were written, or the other way round', async () => {
    expect(await ids()).toEqual(all)
    expect(await ids({ order: 'desc' })).toEqual(all.toReversed())
  })

  test.each([
    ['asc', 'after', 'ev_2', ['ev_3', 'ev_4'], true],
    ['asc', 'after', 'ev_4', ['ev_5'], false],
    ['asc', 'after', 'ev_5', [], false],
    ['asc', 'before', 'ev_4', ['ev_2', 'ev_3'], true],
    ['asc', 'before', 'ev_3', ['ev_mine', 'ev_2'], false],
    ['desc', 'after', 'ev_4', ['ev_3', 'ev_2'], true],
    ['desc', 'after', 'ev_2', ['ev_mine'], false],
    ['desc', 'before', 'ev_2', ['ev_4', 'ev_3'], true],
    ['desc', 'before', 'ev_5', [], false],
  ] as const)('read %s, %s %s, goes on without the cursor', async (order, side, id, expected, hasMore) => {
    const page = await list({ limit: 2, order, cursor: { side, id } })
    expect(page?.rows.map((row) => row.id)).toEqual(expected)
    expect(page).toMatchObject({ hasMore, totalCount: 5, isTotalCapped: false })
  })

  test('shows no event while an older transaction could still commit one before it', async () => {
    const older = database.orm.em.fork()
    await older.begin()
    await older.insert(EventEntity, eventRow(6))
    await database.orm.em.fork().insert(EventEntity, eventRow(7))
    expect(await ids()).toEqual(all)

    await older.commit()
    expect(await ids()).toEqual([...all, 'ev_6', 'ev_7'])
  })

  test('never loses for a moment what it has shown, whatever other databases begin and end meanwhile', async () => {
    const other = await makeDatabase()
    const [before] = (await ids({ limit: 1, order: 'desc' })) ?? []
    let isOver = false
    const elsewhere = async () => {
      const run = () => other.orm.em.fork().execute(SHORT_TRANSACTIONS)
      await Promise.all(Array.from({ length: 6 }, run)).finally(() => {
        isOver = true
      })
    }
    const written: string[] = []
    const write = async () => {
      for (; !isOver; written.push(`ev_${100 + written.length}`)) {
        await database.orm.em.fork().insert(EventEntity, eventRow(100 + written.length))
      }
    }
    const seen: string[] = []
    const lost: unknown[] = []
    let total = 0
    const poll = async () => {
      const last = seen.at(-1) ?? before ?? ''
      const page = await list({ limit: 100, cursor: { side: 'after', id: last } })
      if (page === null || page.totalCount < total) lost.push({ last, total, now: page?.totalCount })
      total = Math.max(total, page?.totalCount ?? 0)
      seen.push(...(page?.rows ?? []).map(({ id }) => id))
    }
    const pollOn = async () => {
      while (!isOver) await poll()
    }
    try {
      await Promise.all([elsewhere(), write(), pollOn()])
      while (seen.length < written.length) await poll()
      expect(lost).toEqual([])
      expect(seen).toEqual(written)
    } finally {
      await other.drop()
    }
  })
})
