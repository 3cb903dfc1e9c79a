import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { KeyQuestion } from '../../src/rate-limit/key-admission.ts'

const PROGRAM = fileURLToPath(new URL('./caller-process.ts', import.meta.url))

/** What is measured: a statement that does nothing, the look-up of a key alone, and the look-up with the limiter. */
export const OPERATIONS = ['floor', 'lookup', 'admit'] as const
export type Operation = (typeof OPERATIONS)[number]

/** What a process needs to know to ask. */
export interface CallerTask {
  databaseUrl: string
  question: KeyQuestion
  /** Requests under way at once. */
  concurrency: number
  /** Where it writes a letter for each answer. */
  recordFile: string
}

export type CallerCommand =
  | { kind: 'begin'; task: CallerTask }
  | { kind: 'measure'; operation: Operation; durationMs: number }
  | { kind: 'ask-on' }

export type CallerMessage = { kind: 'ready' } | { kind: 'measured'; latencies: number[] }

/** The letters of a record: it is written with one system call each, and what was written outlives a killed process. */
export const ADMITTED = 'a'
export const REFUSED = 'r'

/** A process that asks the limiter, as an API process does. */
export interface Caller {
  /** Also the name of its connections in the database. */
  name: string
  /** @returns how long each operation took, in milliseconds. */
  measure(operation: Operation, durationMs: number): Promise<number[]>
  /** Has it ask as fast as it can until it is killed. */
  askOn(): void
  /** Ends it at once, as `kill -9` does. */
  kill(): Promise<void>
  /** What it has heard, also after it was killed. */
  heard(): { admitted: number; refused: number }
}

export interface CallerOptions extends Omit<CallerTask, 'recordFile'> {
  name: string
  /** For the record. */
  folder: string
}

/**
 * Starts a process that asks.
 *
 * @throws Error where it ends before it is ready.
 */
export async function startCaller({ name, folder, ...task }: CallerOptions): Promise<Caller> {
  const recordFile = join(folder, `${name}.record`)
  const child = fork(PROGRAM, { env: { ...process.env, PGAPPNAME: name }, execArgv: [] })
  const exited = once(child, 'exit')
  const tell = (command: CallerCommand) => void child.send(command)
  tell({ kind: 'begin', task: { ...task, recordFile } })
  await hear(child, exited)
  return {
    name,
    async measure(operation, durationMs) {
      tell({ kind: 'measure', operation, durationMs })
      const message = await hear(child, exited)
      if (message.kind !== 'measured') throw new Error(`${name} does not measure.`)
      return message.latencies
    },
    askOn: () => tell({ kind: 'ask-on' }),
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

async function hear(child: ChildProcess, exited: Promise<unknown>): Promise<CallerMessage> {
  const ended = exited.then(() => Promise.reject(new Error('A process that asks has ended by itself.')))
  const [message] = await Promise.race([once(child, 'message'), ended])
  return message as CallerMessage
}
