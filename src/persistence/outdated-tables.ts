import { StartupError } from '../startup-error.ts'

/** Source: PostgreSQL, appendix A: undefined_column, undefined_table. */
const UNKNOWN_COLUMN_OR_TABLE: readonly string[] = ['42703', '42P01']

const OUTDATED = 'The tables of the database are not those of this version: run npm run migrate first.'

/** For a failed look at the tables: asks for the migration where that is what is missing. */
export function tablesMayBeOutdated(error: unknown): never {
  const { code } = error as { code?: string }
  throw UNKNOWN_COLUMN_OR_TABLE.includes(code ?? '') ? new StartupError(OUTDATED, { cause: error }) : error
}
