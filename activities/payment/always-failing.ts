import { loggableDatabaseError } from '../../src/persistence/database-error.ts'

/** After this many equal failures a write counts as permanently failing. */
const EQUAL_FAILURES = 3

/**
 * PostgreSQL errors that a retry does not fix: invalid data, a violated constraint, an exceeded limit.
 * Source: PostgreSQL's appendix A, classes 22, 23 and 54.
 */
const REFUSED_VALUE = /^(?:22|23|54)/

/** Defects, or values that our code cannot handle. Compared by name, since other realms have classes of their own. */
const DEFECTS: ReadonlySet<string> = new Set(['TypeError', 'RangeError', 'IllegalTransition'])

/**
 * Writes; after several equal, permanent failures calls `instead`. Otherwise Temporal would retry for ever and block the
 * payment's other steps. Any other failure is thrown, and Temporal retries it.
 */
export async function orWhenItAlwaysFails<Result>(
  write: () => Promise<Result>,
  instead: (error: Error) => Promise<Result>,
): Promise<Result> {
  let failure: string | null = null
  for (let failures = 1; ; failures += 1) {
    try {
      return await write()
    } catch (error) {
      const name = error instanceof Error ? nameOf(error) : null
      if (name === null || (failure !== null && failure !== name)) throw error
      if (failures === EQUAL_FAILURES) return instead(error as Error)
      failure = name
    }
  }
}

/** Identifies a permanent failure; null for one that may be temporary. */
function nameOf(error: Error): string | null {
  const refused = loggableDatabaseError(error)
  if (refused === null) return DEFECTS.has(error.name) ? `${error.name} ${error.message}` : null
  const { code = '', table = '', constraint = '' } = refused
  return REFUSED_VALUE.test(code) ? `${code} ${table} ${constraint}` : null
}
