import { readConfigWith } from '../../src/config.ts'
import { StartupError } from '../../src/embedded/startup-error.ts'
import type { EntityManager } from '../../src/persistence/orm.ts'
import { readKeys } from '../../src/processes/keys.ts'
import { openDatabase } from '../../src/processes/open-database.ts'
import { withRunningServers } from '../../src/processes/servers-file.ts'
import { createVault, type Vault } from '../../src/vault/vault.ts'

/** Source: PostgreSQL, appendix A: undefined_column, undefined_table. */
const UNKNOWN_COLUMN_OR_TABLE: readonly string[] = ['42703', '42P01']

const OUTDATED = 'The tables of the database are not those of this version: run npm run migrate first.'

/**
 * Does something in one transaction of the service's database, and closes it again. What is done is done when this
 * resolves, and not before: success is told afterwards.
 *
 * @throws ConfigurationError, StartupError where the database is not known or does not answer.
 */
export function inDatabase<Result>(work: (em: EntityManager) => Promise<Result>): Promise<Result> {
  const { databaseUrl } = readConfigWith({ servers: ['databaseUrl'], keys: false }, withRunningServers(process.env))
  return inTransaction(databaseUrl, work)
}

/** As `inDatabase`, for what needs the keys of the service as well. */
export async function inDatabaseWithVault<Result>(
  work: (em: EntityManager, vault: Vault) => Promise<Result>,
): Promise<Result> {
  const config = readConfigWith({ servers: ['databaseUrl'], keys: true }, withRunningServers(process.env))
  const vault = createVault(await readKeys(config))
  return inTransaction(config.databaseUrl, (em) => work(em, vault))
}

async function inTransaction<Result>(
  databaseUrl: string,
  work: (em: EntityManager) => Promise<Result>,
): Promise<Result> {
  const orm = await openDatabase(databaseUrl)
  try {
    return await orm.em.fork().transactional(work)
  } catch (error) {
    const { code } = error as { code?: string }
    if (!UNKNOWN_COLUMN_OR_TABLE.includes(code ?? '')) throw error
    throw new StartupError(OUTDATED, { cause: error })
  } finally {
    await orm.close(true)
  }
}

/** The id of a project as the tables have it: `test-` before it only says that the caller means the sandbox. */
export function projectIdOf(operand: string): string {
  return operand.replace(/^test-/, '')
}

/** @throws StartupError where there is none. */
export function orAbsent<Row>(row: Row | null, what: string, id: string): Row {
  if (row === null) throw new StartupError(`There is no ${what} ${id}.`)
  return row
}
