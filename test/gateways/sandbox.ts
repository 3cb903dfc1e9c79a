import { test } from '@jest/globals'
import { saySkipped } from './skipped.ts'

/**
 * Describes tests against the real test host of a gateway where the environment holds an account there. Where it does not,
 * that is said in one line, and the tests count as skipped.
 *
 * @param names variables that must all be set; optional ones are for `describeWith` to read
 */
export function describeOnTestHost<Name extends string>(
  gateway: string,
  names: readonly Name[],
  describeWith: (values: Readonly<Record<Name, string>>) => void,
): void {
  const values = Object.fromEntries(names.map((name) => [name, process.env[name] ?? '']))
  const missing = names.filter((name) => values[name] === '')
  if (missing.length === 0) {
    describeWith(values as Record<Name, string>)
    return
  }
  const why = `${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} not in the environment`
  saySkipped(`the contract on the test host of ${gateway}`, why)
  test.skip(`the test host of ${gateway}: ${why}`, () => {})
}
