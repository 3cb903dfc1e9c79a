/** Says in one line, past whatever swallows the output of tests, what this run did not check, and why. */
export function saySkipped(what: string, why: string): void {
  process.stderr.write(`SKIPPED: ${what}: ${why}.\n`)
}
