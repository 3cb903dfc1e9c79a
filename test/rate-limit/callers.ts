import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { KeyQuestion } from '../../src/rate-limit/key-admission.ts'

const PROGRAM = fileURLToPath(new URL('./caller-process.ts', import.meta.url))

/** What a process needs to know to ask. */
export interface CallerTask {
  databaseUrl: string
  question: KeyQuestion
  /** Requests under way at once. */
  concurrency: number
  /** Where it writes a letter for each answer. */
  recordFile: string
}

/** The letters of a record: it is written with one system call each, and what was written outlives a killed process. */
export const ADMITTED = 'a'
export const REFUSED = 'r'

/** A process that asks the limiter until it is killed. */
export interface Caller {
  /** Also the name of its connections in the database. */
  name: string
  /** Ends it at once, as `kill -9` does. */
  kill(): Promise<void>
  /** What it has heard, also after it was killed. */
  heard(): { admitted: number; refused: number }
}

/**
 * Starts a process that asks.
 *
 * @throws Error where it ends before it is ready.
 */
export async function startCaller(name: string, folder: string, task: Omit<CallerTask, 'recordFile'>): Promise<Caller> {
  const recordFile = join(folder, `${name}.record`)
  const env = { ...process.env, PGAPPNAME: name }
  const child = fork(PROGRAM, [JSON.stringify({ ...task, recordFile })], { env, execArgv: [] })
  const exited = once(child, 'exit')
  const ended = exited.then(() => Promise.reject(new Error(`${name} has ended by itself.`)))
  await Promise.race([once(child, 'message'), ended])
  ended.catch(() => undefined)
  return {
    name,
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
    heard() {
      const letters = readFileSync(recordFile, 'utf8')
      const admitted = letters.split(ADMITTED).length - 1
      return { admitted, refused: letters.length - admitted }
    },
  }
}
