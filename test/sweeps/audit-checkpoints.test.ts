import { afterEach, describe, expect, test } from '@jest/globals'
import { writeCheckpoints } from '../../src/audit/write-checkpoints.ts'
import type { EntityManager } from '../../src/persistence/orm.ts'
import { recordAct } from '../../src/persistence/queries/audit/record-act.ts'
import { createVault } from '../../src/vault/vault.ts'
import { verification, verified } from '../support/audit-log.ts'
import { fixedClock } from '../support/clock.ts'
import { TEST_KEYS } from '../support/keys.ts'
import { databaseForFile } from '../support/payment-for-file.ts'

const database = databaseForFile()
const clock = fixedClock()
const vault = createVault(TEST_KEYS)

afterEach(() => writeCheckpoints(deps()))

const em = () => database.orm.em.fork()
const deps = () => ({ orm: database.orm, vault, clock })

interface Row {
  projectId: string | null
  number: number
  entries: string[]
}
const checkpoints = () =>
  em().execute<Row[]>(
    `select project_id as "projectId", number, entries::text[] as entries from audit_checkpoint order by project_id, number`,
  )
const numbers = async () =>
  (
    await em().execute<{ number: string }[]>(
      'select number::text as number from audit_entry order by audit_entry.number',
    )
  ).map(({ number }) => number)
const act = (inner: EntityManager, projectId: string | null) =>
  recordAct(inner, { projectId, sandbox: null, kind: 'test.done', actor: 'operator:ada', facts: {} })
/** An act in a database transaction of its own. */
const actOn = (projectId: string | null) => em().transactional((inner) => act(inner, projectId))

describe('writing checkpoints', () => {
  test('makes no checkpoint where no entry waits', async () => {
    const before = await checkpoints()
    expect(await writeCheckpoints(deps())).toBe(0)
    expect(await checkpoints()).toEqual(before)
  })

  test('covers each entry once and leaves none, however many processes do it at once', async () => {
    for (let index = 0; index < 60; index += 1) await actOn(index % 3 === 0 ? null : `proj_${index % 3}`)
    // While some write checkpoints, others write entries.
    const writers = Array.from({ length: 6 }, () => actOn('proj_1'))
    const counts = await Promise.all([
      ...Array.from({ length: 4 }, () => writeCheckpoints(deps(), undefined, 7)),
      ...writers,
    ])
    await writeCheckpoints(deps(), undefined, 7)
    expect(counts.length).toBe(10)
    const covered = (await checkpoints()).flatMap(({ entries }) => entries)
    expect(covered.toSorted((a, b) => Number(a) - Number(b))).toEqual(await numbers())
    expect(await verification(database)).toMatchObject({ told: [], waiting: 0 })
  })

  test('leaves an entry that is not committed to a later checkpoint, whatever its number', async () => {
    let last = 0
    await em().transactional(async (inner) => {
      await act(inner, 'proj_late')
      await actOn('proj_prompt')
      expect(await writeCheckpoints(deps())).toBe(1)
      last = (await checkpoints()).length
    })
    expect(await verification(database)).toMatchObject({ told: [], waiting: 1 })
    expect(await writeCheckpoints(deps())).toBe(1)
    expect(await checkpoints()).toHaveLength(last + 1)
    expect(await verification(database)).toMatchObject({ told: [], waiting: 0 })
  })

  test('makes one checkpoint for each project in a batch, each after the one before it', async () => {
    await actOn('proj_a')
    await actOn('proj_b')
    await actOn('proj_a')
    await writeCheckpoints(deps())
    await actOn('proj_a')
    await writeCheckpoints(deps())
    const own = (await checkpoints()).filter(({ projectId }) => projectId === 'proj_a' || projectId === 'proj_b')
    expect(own.map(({ projectId, number, entries }) => [projectId, number, entries.length])).toEqual([
      ['proj_a', 1, 2],
      ['proj_a', 2, 1],
      ['proj_b', 1, 1],
    ])
  })

  test('stops between two batches when the process stops', async () => {
    await actOn('proj_a')
    expect(await writeCheckpoints(deps(), AbortSignal.abort())).toBe(0)
    expect(await writeCheckpoints(deps())).toBe(1)
  })

  test('leaves a number whose entry is gone, which the verification reports', async () => {
    await em().execute('insert into audit_waiting values (999999)')
    await actOn('proj_a')
    expect(await writeCheckpoints(deps())).toBe(1)
    expect(await verified(database)).toEqual(['entry 999999 waited for its checkpoint and is gone'])
    await em().execute('delete from audit_waiting where number = 999999')
  })
})
