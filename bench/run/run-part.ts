import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { PartResult } from '../parts/part.ts'

const PROGRAM = fileURLToPath(new URL('./part-process.ts', import.meta.url))

export interface PartTask {
  name: string
  repeats: number
  patienceSeconds: number
  waiting: number
  quick: boolean
  full: boolean
  logFile: string
}

/** What comes of a part, and the share of the machine that others had meanwhile. */
export interface PartMessage extends PartResult {
  others: number | null
}

/**
 * Has a part measured by a process of its own.
 *
 * @param signal aborted, the process is asked to stop.
 * @returns null where it failed, of which it has told itself.
 */
export async function runPart(task: PartTask, signal: AbortSignal): Promise<PartMessage | null> {
  const child = fork(PROGRAM, [JSON.stringify(task)], { execArgv: [] })
  const stop = () => void child.kill('SIGTERM')
  signal.addEventListener('abort', stop)
  let message: PartMessage | null = null
  child.on('message', (told: PartMessage) => {
    message = told
  })
  const [exitCode] = (await once(child, 'exit')) as [number | null]
  signal.removeEventListener('abort', stop)
  return exitCode === 0 ? message : null
}
