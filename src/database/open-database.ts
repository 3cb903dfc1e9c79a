import { type DatabaseLimits, MAINTENANCE_LIMITS } from '../persistence/limits.ts'
import { createOrm, type Orm } from '../persistence/orm.ts'
import { StartupError } from '../startup-error.ts'
import { DevelopmentDataError, migrate } from './migrator.ts'

/** Source: PostgreSQL, appendix A: undefined_column, undefined_table. */
const UNKNOWN_COLUMN_OR_TABLE: readonly string[] = ['42703', '42P01']

const OUTDATED = 'The tables of the database are not those of this version: run npm run migrate first.'

/**
 * @param limits by default those of API and workers.
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
    // Only the host: the URL contains a password. A name with several addresses fails without a message.
    const { host } = new URL(databaseUrl)
    throw new StartupError(`PostgreSQL does not answer on ${host}: ${message || code}`, { cause: error })
  }
}

/**
 * Brings the schema up to date, on a connection without a limit for statements.
 *
 * @param dataFolder the folder of an embedded database.
 * @returns the names of the files that were run.
 * @throws StartupError when the database was written by a development version.
 */
export async function migrateDatabase(databaseUrl: string, dataFolder?: string): Promise<string[]> {
  const orm = await openDatabase(databaseUrl, MAINTENANCE_LIMITS)
  try {
    return await migrate(orm)
  } catch (error) {
    if (error instanceof DevelopmentDataError)
      throw new StartupError(cannotUpgrade(databaseUrl, dataFolder), { cause: error })
    throw error
  } finally {
    await orm.close(true)
  }
}

function cannotUpgrade(databaseUrl: string, dataFolder: string | undefined): string {
  const { host, pathname } = new URL(databaseUrl)
  const written = 'was written by a development version of Holdfast and cannot be upgraded. Nothing in it was changed.'
  return dataFolder === undefined
    ? `The database ${pathname.slice(1)} on ${host} ${written} To start over, drop it, or give another one as DATABASE_URL.`
    : `The data in ${dataFolder} ${written} To start over, remove that folder, with all payments in it, or give another one as DATA_DIR.`
}

/** For a failed query of the tables: asks for the migration if a column or table is missing. */
export function tablesMayBeOutdated(error: unknown): never {
  const { code } = error as { code?: string }
  throw UNKNOWN_COLUMN_OR_TABLE.includes(code ?? '') ? new StartupError(OUTDATED, { cause: error }) : error
}
