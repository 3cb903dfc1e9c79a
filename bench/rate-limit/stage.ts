import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { LIMIT_MAX } from '../../domain/rate-limits.ts'
import { startPostgres } from '../../src/embedded/postgres.ts'
import { migrate } from '../../src/persistence/migrator.ts'
import { createOrm, type EntityManager, type Orm } from '../../src/persistence/orm.ts'
import { createProject } from '../../src/persistence/queries/projects/projects.ts'
import type { KeyQuestion } from '../../src/rate-limit/key-admission.ts'
import type { Shutdown } from '../../src/shutdown.ts'
import { makeDataFolder } from '../stage/data-folder.ts'
import { type Caller, startCaller } from './callers.ts'
import { installLookUp } from './look-up.ts'

/** A PostgreSQL with the settings of `npm start`, on which processes ask for one project. */
export interface Stage {
  em(): EntityManager
  /** Requests a minute from now on. */
  setLimit(limit: number): Promise<void>
  start(name: string, concurrency: number): Promise<Caller>
  shutdown: Shutdown
}

/** @param log receives a line for the person at the terminal. */
export async function startStage(shutdown: Shutdown, log: (line: string) => void): Promise<Stage> {
  const folder = await makeDataFolder(shutdown)
  const postgres = await startPostgres({ folder: join(folder, 'postgres'), signal: shutdown.signal, log })
  shutdown.add({ name: 'PostgreSQL', stop: () => postgres.stop(), kill: () => postgres.kill() })
  const orm = await createOrm({ databaseUrl: postgres.url })
  shutdown.add({ name: 'The connection to PostgreSQL', stop: () => orm.close(true) })
  await migrate(orm)
  const em = () => orm.em.fork()
  await installLookUp(em())
  const question = await makeKey(orm)
  return {
    em,
    async setLimit(limit) {
      await em().execute('update project set sandbox_limit = ? where id = ?', [limit, question.projectId])
    },
    start: (name, concurrency) => startCaller({ name, folder, databaseUrl: postgres.url, question, concurrency }),
    shutdown,
  }
}

async function makeKey(orm: Orm): Promise<KeyQuestion> {
  const secretHash = randomBytes(32).toString('base64')
  const { projectId } = await createProject(orm.em.fork(), {
    name: 'Bench',
    sandbox: true,
    randomBytes,
    hashSecret: () => secretHash,
    now: new Date(),
    limits: { sandboxLimit: LIMIT_MAX },
  })
  return { projectId, secretHash, meansSandbox: true, isSecondary: false }
}
