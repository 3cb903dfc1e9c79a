import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Names the file in which a run notes what it leaves out. Jest hands its environment on to its workers. */
const NOTES = 'HOLDFAST_TEST_NOTES'

/** Says in one line, past whatever swallows the output of tests, what this run did not check, and why. */
export function saySkipped(what: string, why: string): void {
  const line = `SKIPPED: ${what}: ${why}.\n`
  process.stderr.write(line)
  const { [NOTES]: file } = process.env
  if (file !== undefined) appendFileSync(file, line)
}

/** Begins the notes of a run. */
export function beginNotes(): void {
  process.env[NOTES] = join(tmpdir(), `holdfast-test-notes-${process.pid}`)
}

/** What the run has left out, each thing once, to be said again at its end; the notes are over with that. */
export function takeNotes(): readonly string[] {
  const { [NOTES]: file } = process.env
  if (file === undefined || !existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n')
  rmSync(file)
  return [...new Set(lines)].filter((line) => line !== '')
}
