import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ENVIRONMENTS } from '../../../domain/environment.ts'
import { freePort } from '../../../src/embedded/ports.ts'
import { startPostgres } from '../../../src/embedded/postgres.ts'
import { startTemporal } from '../../../src/embedded/temporal-server.ts'
import type { Progress } from '../../../src/startup-error.ts'
import { AHEAD } from '../native/time-zone.ts'
import type { ServerParts } from '../servers.ts'
import { POSTGRES_FOLDER, rememberPostgresData, TEMPORAL_FOLDER } from './run-folder.ts'

/** The server looks for free ports of its own and ends when another program is quicker, which a busy machine has. */
const TEMPORAL_TRIES = 3

/** Who the service is in its database, with the rights that the compose file gives it. */
const SERVICE = { user: 'holdfast_service', password: 'of-tests' } as const
const RIGHTS = new URL('../../../deploy/postgres-rights.sql', import.meta.url)

interface Parts {
  /** Starts the part at the first question; later ones get the same. Fails for a name that it does not know. */
  provide(name: string): Promise<unknown>
  /** The parts that were asked for, by name; those that could not be started are left out. */
  started(): Promise<Partial<ServerParts>>
  /** Stops what was started, also what is still starting. Never rejects. */
  stop(): Promise<void>
}

type Started<Part> = { part: Part; stop?: () => Promise<void> }

/** The parts that the guardian can provide, none of them started yet. */
export function makeParts(options: { folder: string; cliPath: string; log: Progress }): Parts {
  const { folder, cliPath, log } = options
  const starters: { [Name in keyof ServerParts]: () => Promise<Started<ServerParts[Name]>> } = {
    postgres: () => startTemplatePostgres(folder, log),
    temporal: () => startTestTemporal(join(folder, TEMPORAL_FOLDER), cliPath, log),
    workflowBundle: async () => ({ part: await writeBundle(join(folder, 'workflows.js')) }),
  }
  const started = new Map<string, Promise<Started<unknown>>>()

  return {
    async provide(name) {
      if (!Object.hasOwn(starters, name)) throw new Error(`There is no part called "${name}".`)
      const part = started.get(name) ?? starters[name as keyof ServerParts]()
      started.set(name, part)
      return (await part).part
    },
    async started() {
      const parts = await Promise.all(
        [...started].map(([name, part]) =>
          part.then(
            ({ part: value }) => [[name, value]],
            () => [],
          ),
        ),
      )
      return Object.fromEntries(parts.flat())
    },
    async stop() {
      await Promise.allSettled([...started.values()].map(async (part) => (await part).stop?.()))
    },
  }
}

/** The libraries are loaded when they are asked for: a run of pure tests needs none of them. */
async function startTemplatePostgres(folder: string, log: Progress): Promise<Started<ServerParts['postgres']>> {
  const logFile = join(folder, POSTGRES_FOLDER, 'postgres.log')
  const postgres = await startPostgres({ folder: join(folder, POSTGRES_FOLDER), durable: false, logFile, log })
  try {
    const [{ createOrm }, { migrate }] = await Promise.all([
      import('../../../src/persistence/orm.ts'),
      import('../../../src/database/migrator.ts'),
    ])
    const orm = await createOrm({ databaseUrl: postgres.url })
    const [setting]: { data_directory: string }[] = await orm.em.getConnection().execute('show data_directory')
    if (setting !== undefined) rememberPostgresData(folder, setting.data_directory)
    await orm.em.getConnection().execute(`create role ${SERVICE.user} login password '${SERVICE.password}'`)
    await orm.em.getConnection().execute(await readFile(RIGHTS, 'utf8'))
    await migrate(orm)
    // Sessions begin in it, as they may on a database of somebody else's: nothing may depend on it.
    for (const role of ['current_user', SERVICE.user])
      await orm.em.getConnection().execute(`alter role ${role} set timezone to '${process.env.TZ || AHEAD}'`)
    // Open connections to a template would forbid cloning it.
    await orm.close(true)
  } catch (error) {
    await postgres.stop()
    throw error
  }
  const template = new URL(postgres.url).pathname.slice(1)
  const serviceUrl = new URL(postgres.url)
  serviceUrl.username = SERVICE.user
  serviceUrl.password = SERVICE.password
  return { part: { url: postgres.url, serviceUrl: serviceUrl.href, template, logFile }, stop: postgres.kill }
}

async function startTestTemporal(folder: string, cliPath: string, log: Progress, tries = TEMPORAL_TRIES) {
  try {
    const logFile = join(folder, 'temporal.log')
    const { address, uiUrl, kill } = await startTemporal({
      cliPath,
      folder,
      inMemory: true,
      uiPort: await freePort(),
      namespaces: ENVIRONMENTS,
      logFile,
      log,
    })
    // Nothing in memory is worth a clean stop, which takes a second.
    return { part: { address, uiUrl: uiUrl ?? '', logFile }, stop: kill }
  } catch (error) {
    if (tries === 1) throw error
    log(`Temporal did not start and is started again. ${(error as Error).message}`)
    return startTestTemporal(folder, cliPath, log, tries - 1)
  }
}

/** The bundle that the service runs. */
async function writeBundle(codePath: string): Promise<ServerParts['workflowBundle']> {
  const { bundleWorkflows } = await import('../../../src/temporal/workflow-bundle.ts')
  const { code } = await bundleWorkflows()
  await writeFile(codePath, code)
  return { codePath }
}
