import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { TEST_CARD } from '../card-data.ts'
import { folderForFile } from '../for-file.ts'
import { databaseForFile } from '../payment-for-file.ts'
import { type ServerParts, server } from '../servers.ts'
import { connectTemporal } from '../temporal.ts'
import { waitFor } from '../wait-for.ts'
import { askDatabase } from './database-rows.ts'
import { PLANTED, takeFinalLook } from './final-look.ts'

const KEY = `key_live_${'z'.repeat(32)}`
const NOTHING = { databases: 0, statements: 0, logs: 0, workflows: 0, histories: 0, findings: [] }

describe('the look at the end of a run', () => {
  const folder = folderForFile()
  const database = databaseForFile()
  let postgres: ServerParts['postgres']
  let temporal: ServerParts['temporal']

  // Servers of its own would take seconds. It looks at what this file has planted, and not at what others do.
  beforeAll(async () => {
    const own = { logFile: join(folder, 'empty.log') }
    writeFileSync(own.logFile, '')
    postgres = { ...(await server('postgres')), ...own }
    temporal = { ...(await server('temporal')), ...own }
  })

  const lookAt = (servers: Partial<ServerParts>, ignoring?: string) =>
    takeFinalLook(servers, { historiesWithinMs: 20_000, among: database.name, ...(ignoring && { ignoring }) })

  test('starts nothing and finds nothing where nothing was started', async () => {
    expect(await lookAt({})).toEqual(NOTHING)
  })

  test.each(['postgres', 'temporal'] as const)('finds what stands in the log of %s', async (name) => {
    const logFile = join(folder, `${name}.log`)
    appendFileSync(logFile, `DETAIL:  Failing row contains (card_1, ${TEST_CARD.number}).\n`)
    const { findings, logs } = await lookAt({ [name]: { ...(name === 'postgres' ? postgres : temporal), logFile } })
    expect(logs).toBe(1)
    const label = name === 'postgres' ? 'PostgreSQL' : 'Temporal'
    expect(findings).toContainEqual(
      expect.stringMatching(new RegExp(`^The log of ${label} holds .*${TEST_CARD.number}`)),
    )
  })

  test('finds what lies in any table of any database, and nothing once it is gone', async () => {
    const { name } = database
    const connection = database.orm.em.getConnection()
    await connection.execute('create table left_behind (note jsonb)')
    await connection.execute(`insert into left_behind values ('{"a": ["${KEY}"]}')`)
    const found = await lookAt({ postgres })
    expect(found.findings).toContainEqual(expect.stringMatching(new RegExp(`^The database ${name} holds a secret key`)))
    expect(found.databases).toBe(1)
    await connection.execute('drop table left_behind')
    const { findings } = await lookAt({ postgres })
    expect(findings.filter((finding) => finding.includes(name))).toEqual([])
  })

  test('finds what a statement under way says', async () => {
    // Longer than any look takes; it is cancelled at the end.
    const asleep = askDatabase(database.url, (ask) => ask(`select pg_sleep(300) as a, '${KEY}' as b`)).catch(() => [])
    const connection = database.orm.em.getConnection()
    const isUnderWay = "datname = current_database() and state = 'active' and query like 'select pg_sleep(300)%'"
    try {
      await waitFor(
        async () => (await connection.execute(`select pid from pg_stat_activity where ${isUnderWay}`)).length > 0,
      )
      const { findings } = await lookAt({ postgres })
      // What other files have under way at this moment is seen as well.
      expect(findings).toContainEqual(
        expect.stringContaining(`A statement under way holds a secret key, "${KEY.slice(0, 16)}"`),
      )
    } finally {
      await connection.execute(`select pg_cancel_backend(pid) from pg_stat_activity where ${isUnderWay}`)
      await asleep
    }
  })

  test('finds what a workflow of any namespace was given, memorized or told, and what ended it', async () => {
    const connection = await connectTemporal()
    const client = connection.clients.live
    const taskQueue = `nobody-${database.name}`
    const start = (what: string, options: object) =>
      client.workflow.start('nobody', { workflowId: `${what}-${database.name}`, taskQueue, ...options })
    const handles = await Promise.all([
      start('given', { args: [{ card: { number: TEST_CARD.number } }, PLANTED] }),
      start('memorized', { memo: { note: KEY, PLANTED } }),
      start('signalled', { args: [PLANTED] }),
      start('ended', { args: [PLANTED] }),
    ])
    await handles[2]?.signal('told', Buffer.from(`to ${TEST_CARD.number}`).toString('utf8'))
    await handles[3]?.terminate(`with ${KEY}`)
    const expected = handles.map(({ workflowId }) => workflowId)
    // The list of workflows lags behind by a moment.
    const { histories, workflows } = await waitFor(async () => {
      const look = await lookAt({ temporal })
      const isFound = (workflowId: string) => look.findings.some((finding) => finding.includes(workflowId))
      return expected.every(isFound) ? look : null
    })
    expect(histories).toBe(workflows)
    expect((await lookAt({ temporal }, PLANTED)).findings).toEqual([])
    await Promise.all(handles.slice(0, 3).map((handle) => handle.terminate()))
    await connection.close()
  })
})
