import { type DatabaseLimits, MAINTENANCE_LIMITS } from '../persistence/limits.ts'
import { createOrm, type Orm } from '../persistence/orm.ts'
import { FORBIDDEN, postgresFailure, StartupError } from '../startup-error.ts'
import { DevelopmentDataError, isMigrated, type Migrated, migrate } from './migrator.ts'

/** Source: PostgreSQL, appendix A: undefined_column, undefined_table. */
const UNKNOWN_COLUMN_OR_TABLE: readonly string[] = ['42703', '42P01']

/** The oldest one that has what the tables are made with: `casefold` and the collation `pg_unicode_fast`. */
const POSTGRES_MIN = 18

const WITHOUT_RIGHTS =
  'The user of DATABASE_URL lacks rights on the tables: see deploy/postgres-rights.sql, and run npm run migrate as their owner.'

const OUTDATED = 'The tables of the database are not those of this version: run npm run migrate first.'

/**
 * @param limits by default those of API and workers.
 * @throws StartupError where the database cannot be used; it is never made.
 */
export async function openDatabase(databaseUrl: string, limits?: DatabaseLimits): Promise<Orm> {
  const orm = await createOrm({ databaseUrl, ...(limits !== undefined && { limits }) })
  try {
    await orm.connect()
    await orm.em.getConnection().execute('select 1')
    return orm
  } catch (error) {
    await orm.close(true)
    throw postgresFailure(databaseUrl, error as Error)
  }
}

/**
 * Brings the schema up to date, on a connection without a limit for statements.
 *
 * @param dataFolder the folder of an embedded database.
 * @throws StartupError when PostgreSQL is too old, the database was written by a development version, or its user may not change
 *   the tables.
 */
export async function migrateDatabase(databaseUrl: string, dataFolder?: string): Promise<Migrated> {
  const orm = await openDatabase(databaseUrl, MAINTENANCE_LIMITS)
  try {
    await requirePostgres(orm, databaseUrl)
    return await migrate(orm)
  } catch (error) {
    if (error instanceof DevelopmentDataError)
      throw new StartupError(cannotUpgrade(databaseUrl, dataFolder), { cause: error })
    if (isForbidden(error)) throw new StartupError(mayNotMigrate(databaseUrl, error), { cause: error })
    throw error
  } finally {
    await orm.close(true)
  }
}

async function requirePostgres(orm: Orm, databaseUrl: string): Promise<void> {
  const [server] = await orm.em
    .fork()
    .execute<{ major: number }[]>("select current_setting('server_version_num')::int / 10000 as major")
  const { major = 0 } = server ?? {}
  if (major < POSTGRES_MIN)
    throw new StartupError(
      `PostgreSQL on ${new URL(databaseUrl).host} is ${major}; Holdfast needs ${POSTGRES_MIN}. Nothing was changed.`,
    )
}

/** What a migration has done, for whoever started it. */
export function describeMigrated({ names, laterVersion }: Migrated): string {
  if (laterVersion !== null) return `The database was migrated by ${laterVersion}, a later version, and stays as it is`
  return names.length === 0 ? 'The database is up to date' : `Migrated the database: ${names.join(', ')}`
}

function cannotUpgrade(databaseUrl: string, dataFolder: string | undefined): string {
  const { host, pathname } = new URL(databaseUrl)
  const written = 'was written by a development version of Holdfast and cannot be upgraded. Nothing in it was changed.'
  return dataFolder === undefined
    ? `The database ${pathname.slice(1)} on ${host} ${written} To start over, drop it, or give another one as DATABASE_URL.`
    : `The data in ${dataFolder} ${written} To start over, remove that folder, with all payments in it, or give another one as DATA_DIR.`
}

function mayNotMigrate(databaseUrl: string, { message }: Error): string {
  const { username, host, pathname } = new URL(databaseUrl)
  return (
    `${decodeURIComponent(username)} may not migrate the database ${pathname.slice(1)} on ${host}: ${reasonIn(message)}. ` +
    'Nothing was changed. Give the address of the owner of the tables as DATABASE_URL.'
  )
}

/** The last line, after the statement that MikroORM repeats. */
function reasonIn(message: string): string {
  return message
    .trim()
    .split(/\n| - /)
    .at(-1) as string
}

function isForbidden(error: unknown): error is Error {
  return (error as { code?: string }).code === FORBIDDEN
}

/**
 * For an API or a worker that begins.
 *
 * @throws StartupError where the database was not migrated for this version.
 */
export async function requireMigrated(orm: Orm): Promise<void> {
  if (!(await isMigrated(orm).catch(tablesMayBeOutdated))) throw new StartupError(OUTDATED)
}

/** For a failed query of the tables: asks for the migration if a column or table is missing, or for the rights. */
export function tablesMayBeOutdated(error: unknown): never {
  const { code } = error as { code?: string }
  if (UNKNOWN_COLUMN_OR_TABLE.includes(code ?? '')) throw new StartupError(OUTDATED, { cause: error })
  if (isForbidden(error)) throw new StartupError(`${WITHOUT_RIGHTS} (${reasonIn(error.message)})`, { cause: error })
  throw error
}
