import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Watched } from './machine.ts'
import type { Options, Part, PartResult } from './part.ts'

const FOLDER = new URL('./parts/', import.meta.url)
const PROGRAM = fileURLToPath(new URL('./part-process.ts', import.meta.url))

/** The names of all parts: every file in `bench/parts` is one. */
export function partNames(): string[] {
  return readdirSync(fileURLToPath(FOLDER))
    .map((name) => basename(name, '.ts'))
    .sort()
}

/** @throws Error where the file is no part, or is named differently from its part. */
export async function loadPart(name: string): Promise<Part> {
  const { part } = (await import(new URL(`${name}.ts`, FOLDER).href)) as { part?: Part }
  if (part?.name !== name) throw new Error(`bench/parts/${name}.ts exports no part of that name.`)
  return part
}

export interface PartTask extends Options {
  name: string
  logFile: string
}

/** Has a part measured by a process of its own; null where it failed, of which it has told itself. */
export async function runPart(task: PartTask, signal: AbortSignal): Promise<(PartResult & Watched) | null> {
  const child = fork(PROGRAM, [JSON.stringify(task)], { execArgv: [] })
  const stop = () => void child.kill('SIGTERM')
  signal.addEventListener('abort', stop)
  let result: (PartResult & Watched) | null = null
  child.on('message', (message: PartResult & Watched) => {
    result = message
  })
  const [exitCode] = (await once(child, 'exit')) as [number | null]
  signal.removeEventListener('abort', stop)
  return exitCode === 0 ? result : null
}
