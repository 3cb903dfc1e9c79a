import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Shutdown } from '../src/shutdown.ts'
import type { Figure } from './figures.ts'

/** What `npm run bench` was told; its help says what each is for. */
export interface Options {
  /** Names of parts and of pieces of them; null for those of the ten minutes. */
  only: string[] | null
  repeats: number
  quick: boolean
  out: string
}

/** What comes of a part. A part whose books do not agree throws instead, because its figures count for nothing. */
export interface PartResult {
  figures: Figure[]
  /** What was compared with the books before any figure counted, in numbers. */
  audit: Record<string, number>
  /** What each repeat gave, for the JSON file. */
  repeats: readonly object[]
}

export interface PartContext extends Options {
  /** A line for the person at the terminal; say something at least every half minute. */
  say(line: string): void
  logFile: string
  /** What is added to it is stopped with the part, whose process is its own. */
  shutdown: Shutdown
  signal: AbortSignal
}

/**
 * One part of `npm run bench`: a file `bench/parts/<name>.ts` that exports `part: Part` is one, by being there. It runs in
 * a process of its own, on servers of its own, and after it everything is gone.
 */
export interface Part {
  name: string
  /** A sentence for `--help`. */
  about: string
  /** Only where it is named: it takes long. */
  isLong?: true
  /** What can be measured of it alone, by name. */
  pieces?: readonly string[]
  run(context: PartContext): Promise<PartResult>
}

const FOLDER = new URL('./parts/', import.meta.url)
const PROGRAM = fileURLToPath(new URL('./part-process.ts', import.meta.url))

/** All parts; those of the ten minutes first. */
export async function loadParts(): Promise<Part[]> {
  const names = readdirSync(fileURLToPath(FOLDER)).map((name) => basename(name, '.ts'))
  const parts = await Promise.all(names.map(loadPart))
  return parts.sort((one, other) => Number(one.isLong ?? false) - Number(other.isLong ?? false))
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
export async function runPart(task: PartTask, signal: AbortSignal): Promise<PartResult | null> {
  const child = fork(PROGRAM, [JSON.stringify(task)], { execArgv: ['--max-semi-space-size=8'] })
  const stop = () => void child.kill('SIGTERM')
  signal.addEventListener('abort', stop)
  let result: PartResult | null = null
  child.on('message', (message: PartResult) => {
    result = message
  })
  const [exitCode] = (await once(child, 'exit')) as [number | null]
  signal.removeEventListener('abort', stop)
  return exitCode === 0 ? result : null
}
