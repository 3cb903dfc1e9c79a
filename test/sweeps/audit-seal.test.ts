import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { sealEntries } from '../../src/audit/seal-entries.ts'
import type { EntityManager } from '../../src/persistence/orm.ts'
import { recordAct } from '../../src/persistence/queries/audit/record-act.ts'
import type { Shutdown, StopStep } from '../../src/shutdown.ts'
import { startWorkerSweeps, type WorkerSweepDeps } from '../../src/sweeps/worker-sweeps.ts'
import { createVault } from '../../src/vault/vault.ts'
import { verification, verified } from '../support/audit-log.ts'
import { captureLog } from '../support/captured-log.ts'
import { fixedClock } from '../support/clock.ts'
import { makeDatabase, type TestDatabase } from '../support/database.ts'
import { TEST_KEYS } from '../support/keys.ts'
import { waitFor } from '../support/wait-for.ts'

let database: TestDatabase
const clock = fixedClock()
const vault = createVault(TEST_KEYS)

beforeAll(async () => {
  database = await makeDatabase()
})
afterAll(() => database.drop())
afterEach(() => sealEntries(deps()))

const em = () => database.orm.em.fork()
const deps = () => ({ orm: database.orm, vault, clock })

interface Row {
  projectId: string | null
  number: number
  entries: string[]
}
const seals = () =>
  em().execute<Row[]>(
    `select project_id as "projectId", number, entries::text[] as entries from audit_seal order by project_id, number`,
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

describe('sealing', () => {
  test('makes no seal where there is nothing to seal', async () => {
    const before = await seals()
    expect(await sealEntries(deps())).toBe(0)
    expect(await seals()).toEqual(before)
  })

  test('seals no entry twice and leaves none, whoever does it at once', async () => {
    for (let index = 0; index < 60; index += 1) await actOn(index % 3 === 0 ? null : `proj_${index % 3}`)
    // While some are sealing, others write.
    const writers = Array.from({ length: 6 }, () => actOn('proj_1'))
    const counts = await Promise.all([
      ...Array.from({ length: 4 }, () => sealEntries(deps(), undefined, 7)),
      ...writers,
    ])
    await sealEntries(deps(), undefined, 7)
    expect(counts.length).toBe(10)
    const sealed = (await seals()).flatMap(({ entries }) => entries)
    expect(sealed.toSorted((a, b) => Number(a) - Number(b))).toEqual(await numbers())
    expect(await verification(database)).toMatchObject({ told: [], unsealed: 0 })
  })

  test('leaves an entry that is not committed to a later seal, whatever its number', async () => {
    let last = 0
    await em().transactional(async (inner) => {
      await act(inner, 'proj_late')
      await actOn('proj_prompt')
      expect(await sealEntries(deps())).toBe(1)
      last = (await seals()).length
    })
    expect(await verification(database)).toMatchObject({ told: [], unsealed: 1 })
    expect(await sealEntries(deps())).toBe(1)
    expect(await seals()).toHaveLength(last + 1)
    expect(await verification(database)).toMatchObject({ told: [], unsealed: 0 })
  })

  test('makes one seal for each project in a batch, each after the one before it', async () => {
    await actOn('proj_a')
    await actOn('proj_b')
    await actOn('proj_a')
    await sealEntries(deps())
    await actOn('proj_a')
    await sealEntries(deps())
    const own = (await seals()).filter(({ projectId }) => projectId === 'proj_a' || projectId === 'proj_b')
    expect(own.map(({ projectId, number, entries }) => [projectId, number, entries.length])).toEqual([
      ['proj_a', 1, 2],
      ['proj_a', 2, 1],
      ['proj_b', 1, 1],
    ])
  })

  test('stops between two batches when the process stops', async () => {
    await actOn('proj_a')
    expect(await sealEntries(deps(), AbortSignal.abort())).toBe(0)
    expect(await sealEntries(deps())).toBe(1)
  })

  test('leaves a number whose entry is gone, of which the verification tells', async () => {
    await em().execute('insert into audit_unsealed values (999999)')
    await actOn('proj_a')
    expect(await sealEntries(deps())).toBe(1)
    expect(await verified(database)).toEqual(['entry 999999 waited for its seal and is gone'])
    await em().execute('delete from audit_unsealed where number = 999999')
  })

  test('is done by a worker process from its start on', async () => {
    await actOn('proj_a')
    const steps: StopStep[] = []
    const worker = { ...deps(), temporal: { clients: {} }, retention: {}, logger: captureLog().logger }
    startWorkerSweeps(
      worker as unknown as WorkerSweepDeps,
      { add: (step: StopStep) => void steps.push(step) } as unknown as Shutdown,
    )
    await waitFor(async () => (await verification(database)).unsealed === 0)
    for (const step of steps) await step.stop()
  })
})
