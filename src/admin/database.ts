import { openDatabase, tablesMayBeOutdated } from '../database/open-database.ts'
import { checkKeys } from '../keys/key-check.ts'
import { readKeys } from '../keys/process-keys.ts'
import { EventEntity, type EventRow } from '../persistence/entities/event.ts'
import { InvoiceEntity } from '../persistence/entities/invoice.ts'
import { MAINTENANCE_LIMITS } from '../persistence/limits.ts'
import type { EntityManager } from '../persistence/orm.ts'
import { StartupError } from '../startup-error.ts'
import { eventIdOf, invoiceIdOf } from '../temporal/workflow-ids.ts'
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

/**
 * The id of an invoice that there is, also where the operand is the id of its workflow, which Temporal's UI shows.
 *
 * @throws StartupError where there is none.
 */
export async function invoiceIdFrom(em: EntityManager, operand: string): Promise<string> {
  const id = invoiceIdOf(operand) ?? operand
  orAbsent(await em.findOne(InvoiceEntity, { id }), 'invoice', id)
  return id
}

/** The same for an event, whose row it gives. */
export async function eventFrom(em: EntityManager, operand: string): Promise<EventRow> {
  const id = eventIdOf(operand) ?? operand
  return orAbsent(await em.findOne(EventEntity, { id }), 'event', id)
}

/** @throws StartupError where there is none. */
export function orAbsent<Row>(row: Row | null, what: string, id: string): Row {
  if (row === null) throw new StartupError(`There is no ${what} ${id}.`)
  return row
}
