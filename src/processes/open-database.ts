import { StartupError } from '../embedded/startup-error.ts'
import { type DatabaseLimits, MAINTENANCE_LIMITS } from '../persistence/limits.ts'
import { migrate } from '../persistence/migrator.ts'
import { createOrm, type Orm } from '../persistence/orm.ts'

/**
 * @param limits those of API and workers where they are left out.
 * @throws StartupError when the database does not answer.
 */
export async function openDatabase(databaseUrl: string, limits?: DatabaseLimits): Promise<Orm> {
  const orm = await createOrm({ databaseUrl, ...(limits !== undefined && { limits }) })
  try {
    await orm.connect()
    return orm
  } catch (error) {
    await orm.close(true)
    const { message, code } = error as NodeJS.ErrnoException
    // The host only: the address holds a password. A name with several addresses fails without a message.
    const { host } = new URL(databaseUrl)
    throw new StartupError(`PostgreSQL does not answer on ${host}: ${message || code}`, { cause: error })
  }
}

/**
 * Brings the schema up to date, on a connection whose statements may take as long as they need.
 *
 * @returns the names of the migrations that were run.
 */
export async function migrateDatabase(databaseUrl: string): Promise<string[]> {
  const orm = await openDatabase(databaseUrl, MAINTENANCE_LIMITS)
  try {
    return await migrate(orm)
  } finally {
    await orm.close(true)
  }
}
