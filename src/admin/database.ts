import { openDatabase, tablesMayBeOutdated } from '../database/open-database.ts'
import { checkKeys } from '../keys/key-check.ts'
import { readKeys } from '../keys/process-keys.ts'
import { MAINTENANCE_LIMITS } from '../persistence/limits.ts'
import type { EntityManager } from '../persistence/orm.ts'
import { StartupError } from '../startup-error.ts'
import { createVault, type Vault } from '../vault/vault.ts'
import { readAdminConfig } from './configuration.ts'

/**
 * Does something in one transaction of the service's database, and closes it again. What is done is done when this
 * resolves, and not before: success is told afterwards.
 *
 * @throws ConfigurationError, StartupError where the database is not known or does not answer.
 */
export function inDatabase<Result>(work: (em: EntityManager) => Promise<Result>): Promise<Result> {
  const { databaseUrl } = readAdminConfig({ servers: ['databaseUrl'], keys: false })
  return inTransaction(databaseUrl, work)
}

/** As `inDatabase`, for what needs the keys of the service as well. */
export async function inDatabaseWithVault<Result>(
  work: (em: EntityManager, vault: Vault) => Promise<Result>,
): Promise<Result> {
  const config = readAdminConfig({ servers: ['databaseUrl'], keys: true })
  const vault = createVault(await readKeys(config))
  return inTransaction(config.databaseUrl, (em) => work(em, vault))
}

/**
 * As `inDatabaseWithVault`, for what is made with the keys: nothing is done with those of another database, because no
 * process would accept it.
 *
 * @throws StartupError naming the keys that do not belong to the database.
 */
export async function inDatabaseWithItsKeys<Result>(
  work: (em: EntityManager, vault: Vault) => Promise<Result>,
): Promise<Result> {
  const config = readAdminConfig({ servers: ['databaseUrl'], keys: true })
  const keys = await readKeys(config)
  return inTransaction(config.databaseUrl, async (em) => {
    await checkKeys(em, keys)
    return work(em, createVault(keys))
  })
}

async function inTransaction<Result>(
  databaseUrl: string,
  work: (em: EntityManager) => Promise<Result>,
): Promise<Result> {
  const orm = await openDatabase(databaseUrl, MAINTENANCE_LIMITS)
  try {
    return await orm.em.fork().transactional(work)
  } catch (error) {
    tablesMayBeOutdated(error)
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
