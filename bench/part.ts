import type { Shutdown } from '../src/shutdown.ts'
import type { Costs } from './costs.ts'
import type { Figure } from './figures.ts'
import type { Watched } from './machine.ts'
import type { Arrangement, Stage } from './stage.ts'

/** What comes of a part. A part whose books do not agree throws instead, because its figures count for nothing. */
export interface PartResult {
  figures: Figure[]
  costs?: Costs[]
  /** What was compared with the books before any figure counted: how many operations, and whatever is worth telling. */
  audit: Record<string, number>
  /** What each repeat gave, for the JSON file: numbers, and lists of them by name. */
  repeats: readonly object[]
}

/** What `npm run bench` was told; its help says what each is for. */
export interface Options {
  /** Names, in the order in which they run; null for all. */
  parts: string[] | null
  repeats: number
  patienceSeconds: number
  waiting: number
  full: boolean
  quick: boolean
  out: string
}

export interface PartContext extends Pick<Options, 'repeats' | 'waiting' | 'quick' | 'full'> {
  /** Measures as often as `repeats`, or `times`, says, when the machine is quiet, and says what each repeat gave. */
  repeat<Result extends object>(
    measureOnce: (index: number) => Promise<Result>,
    times?: number,
  ): Promise<(Result & Watched)[]>
  /** A line for the person at the terminal; say something at least every half minute. */
  say(line: string): void
  logFile: string
  /** What is added to it is stopped with the part, whose process is its own. */
  shutdown: Shutdown
  signal: AbortSignal
}

export type StagedContext = PartContext & { stage: Stage }

/** The name of the file and in `--parts`, a heading of the report, and a sentence for `--help`. */
type PartText = Record<'name' | 'title' | 'about', string>

/**
 * One part of `npm run bench`: a file `bench/parts/<name>.ts` that exports `part: Part` is one, by being there. It runs in
 * a process of its own, on servers of its own, and after it everything is gone. One with a stage finds a whole service there,
 * running but cold; one without starts by itself what it measures.
 */
export type Part = PartText &
  (
    | { stage: Arrangement; run(context: StagedContext): Promise<PartResult> }
    | { stage: 'none'; run(context: PartContext): Promise<PartResult> }
  )
