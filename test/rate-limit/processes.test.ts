import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createProject } from '../../src/persistence/queries/projects/projects.ts'
import { seededRandom } from '../support/chance.ts'
import { makeDatabase, type TestDatabase } from '../support/database.ts'
import { seededRandomBytes } from '../support/random.ts'
import { countAdmitted, installAdmissionLog, readAdmissions } from './admission-log.ts'
import { type Caller, startCaller } from './callers.ts'
import { askAndKill } from './kills.ts'

const SECRET_HASH = 'the hash of a secret'
/** One is under way and the others wait for the next statement, which takes them together. */
const CONCURRENCY = 6
/** Processes start within a second; a machine with other things to do takes its time. */
const PATIENCE_MS = 150_000

let database: TestDatabase
let folder: string
beforeAll(async () => {
  database = await makeDatabase()
  folder = await mkdtemp(join(tmpdir(), 'holdfast-callers-'))
})
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

async function makeBucket(limit: number): Promise<string> {
  const { projectId } = await createProject(database.orm.em.fork(), {
    name: 'Shop',
    sandbox: true,
    randomBytes: seededRandomBytes(`${database.name}-${limit}`),
    hashSecret: () => SECRET_HASH,
    now: new Date(),
    limits: { sandboxLimit: limit },
  })
  return projectId
}

describe('processes that share one bucket', () => {
  test(
    'never admit more than its limit in any window of time, whoever of them is killed',
    async () => {
      const limit = 120
      const projectId = await makeBucket(limit)
      const em = database.orm.em.fork()
      await installAdmissionLog(em)
      const question = { projectId, secretHash: SECRET_HASH, meansSandbox: true, isSecondary: false }
      const callers: Caller[] = []
      // Enough: the bucket was emptied, refills, and some of those who asked are gone. Processes that ask slowly, or for
      // short, may well be granted more than the limit before anybody is refused.
      const isEnough = async (kills: number) =>
        kills >= 3 &&
        callers.some((caller) => caller.heard().refused > 0) &&
        countAdmitted(await readAdmissions(em)) > limit
      const audit = await askAndKill({
        em,
        limit,
        callers: 4,
        concurrency: CONCURRENCY,
        async start(name) {
          const task = { databaseUrl: database.url, question, concurrency: CONCURRENCY }
          const caller = await startCaller(name, folder, task)
          callers.push(caller)
          return caller
        },
        random: seededRandom(6),
        pauseMs: 150,
        isEnough,
        signal: AbortSignal.timeout(PATIENCE_MS),
      })
      expect(audit.worst).toBeLessThanOrEqual(1)
      expect((await readAdmissions(em)).some(({ count }) => count > 1)).toBe(true)
      expect(audit.admitted).toBeGreaterThan(limit)
      expect(audit.refused).toBeGreaterThan(0)
      expect(audit.heard).toBeLessThanOrEqual(audit.admitted)
    },
    1.2 * PATIENCE_MS,
  )
})
