import type { Shutdown } from '../../src/shutdown.ts'
import type { Costs } from '../measure/costs.ts'
import type { QuietRunner } from '../measure/quiet.ts'
import type { Figure } from '../report/figure.ts'
import type { Arrangement, Stage } from '../stage/stage.ts'

export type { Costs } from '../measure/costs.ts'
export type { Figure } from '../report/figure.ts'
export type { Arrangement, Stage } from '../stage/stage.ts'

/** What comes of a part. A part whose books do not agree throws instead, because its figures count for nothing. */
export interface PartResult {
  figures: Figure[]
  costs?: Costs[]
  /** What was compared with the books before any figure counted: how many operations, and whatever is worth telling. */
  audit: Record<string, number>
  /** What each repeat gave, for the JSON file: numbers, and lists of them by name. */
  repeats: readonly object[]
}

/** What every part is given. */
export interface PartContext {
  /** Measure so often, and give the median with its spread: see `figureOf`. */
  repeats: number
  /** How many payments wait in the part that measures what that does. */
  waiting: number
  /** True for a try: small sizes, short runs, the same code. */
  quick: boolean
  /** Temporal on PostgreSQL instead of the embedded server. */
  full: boolean
  /** Runs something when the machine is quiet, and again where it was not, as long as there is patience. */
  quietly: QuietRunner
  /** A line for the person at the terminal; say something at least every half minute. */
  say(line: string): void
  /** Where logs go: a file `<part>.log` beside the result. */
  logFile: string
  /** What is added to it is stopped with the part, whose process is its own. */
  shutdown: Shutdown
  /** `shutdown.signal` */
  signal: AbortSignal
}

interface PartText {
  /** As in `--parts`, and of the file: `bench/parts/<name>.ts`. */
  name: string
  /** A heading of the table. */
  title: string
  /** One sentence for `--help`. */
  about: string
}

/** A part that measures a whole service, which it finds running but cold in `context.stage`. */
export interface StagedPart extends PartText {
  stage: Arrangement
  run(context: PartContext & { stage: Stage }): Promise<PartResult>
}

/** A part that starts by itself what it measures. */
export interface FreePart extends PartText {
  stage: 'none'
  run(context: PartContext): Promise<PartResult>
}

/**
 * One part of `npm run bench`: a file `bench/parts/<name>.ts` that exports `part: Part` is one, by being there. It runs in
 * a process of its own, on servers of its own, and after it everything is gone.
 */
export type Part = StagedPart | FreePart
