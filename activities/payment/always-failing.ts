import { loggableDatabaseError } from '../../src/persistence/database-error.ts'

/** How often a write fails equally before it counts as one that always fails. */
const EQUAL_FAILURES = 3

/**
 * What PostgreSQL says of a write that it will not take tomorrow either: a value that fits into no column, a broken rule, or
 * more than there is room for. Source: its appendix A, classes 22, 23 and 54.
 */
const REFUSED_VALUE = /^(?:22|23|54)/

/** A defect of ours, or a value that no code of ours can handle. By their names, since other realms have classes of their own. */
const DEFECTS: ReadonlySet<string> = new Set(['TypeError', 'RangeError', 'IllegalTransition'])

/**
 * Writes; where that fails a few times with the same words, and for a reason that does not pass, does something else instead.
 * Temporal would try for ever, and nothing else of the payment would be done meanwhile. Any other failure is its own to retry.
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

/** What tells one lasting failure from another; null for one that may pass. */
function nameOf(error: Error): string | null {
  const refused = loggableDatabaseError(error)
  if (refused === null) return DEFECTS.has(error.name) ? `${error.name} ${error.message}` : null
  const { code = '', table = '', constraint = '' } = refused
  return REFUSED_VALUE.test(code) ? `${code} ${table} ${constraint}` : null
}
