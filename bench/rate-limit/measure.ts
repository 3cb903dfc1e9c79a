import type { QuietRunner, Watched } from '../measure/quiet.ts'
import { seededRandom } from '../measure/random.ts'
import type { Figure } from '../report/figure.ts'
import { inBrief } from '../report/report.ts'
import { installAdmissionLog } from './admission-log.ts'
import type { Caller } from './callers.ts'
import { type Costs, figuresOf, measureCosts } from './cost.ts'
import { askAndKill, type KillAudit } from './kills.ts'
import type { Options } from './options.ts'
import type { Stage } from './stage.ts'

/** Mean pause between two kills: a process lives for some seconds, and starts in one. */
const KILL_PAUSE_MS = 600
/** Fewer would show little, on a machine so busy that the time is over before. */
const KILLS_MIN = 5

type Measuring = Pick<Options, 'processes' | 'concurrency' | 'repeats' | 'runSeconds'> & {
  quietly: QuietRunner
  /** A line for the person at the terminal. */
  say(line: string): void
}

/** Each repeat of one caller, and of all processes, and the figures that follow. */
export interface MeasuredCosts {
  one: (Costs & Watched)[]
  all: (Costs & Watched)[]
  figures: Figure[]
}

/** What a request costs, asked by one caller and by processes that share one bucket. */
export async function measureAll(
  stage: Stage,
  { processes, concurrency, repeats, runSeconds, quietly, say }: Measuring,
): Promise<MeasuredCosts> {
  const measured: Record<'one' | 'all', (Costs & Watched)[]> = { one: [], all: [] }
  const [single, crowd] = await Promise.all([
    stage.start('single', 1),
    Promise.all(Array.from({ length: processes }, (_, n) => stage.start(`crowd-${n}`, concurrency))),
  ])
  const groups: ['one' | 'all', Caller[]][] = [
    ['one', [single]],
    ['all', crowd],
  ]
  // What is compiled and cached by the first requests of a process is no part of the cost of the others.
  for (const [, callers] of groups) await measureCosts(callers, 1)
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    for (const [group, callers] of groups) {
      const result = await quietly.run(() => measureCosts(callers, runSeconds))
      say(`${group === 'one' ? 'One caller' : `${processes} processes`}: ${inBrief(result)}`)
      measured[group].push(result)
    }
  }
  await Promise.all([single, ...crowd].map((caller) => caller.kill()))
  const figures = [...figuresOf('one caller', measured.one), ...figuresOf(`${processes} processes`, measured.all)]
  return { ...measured, figures }
}

/** Has processes share one bucket while they are killed at random: see `askAndKill`. */
export async function killAll(
  stage: Stage,
  {
    limit,
    processes,
    concurrency,
    killSeconds,
    seed,
  }: Pick<Options, 'limit' | 'processes' | 'concurrency' | 'killSeconds' | 'seed'>,
): Promise<KillAudit> {
  await stage.setLimit(limit)
  await stage.em().execute('delete from rate_limit_bucket')
  await installAdmissionLog(stage.em())
  const endsAt = performance.now() + killSeconds * 1000
  return askAndKill({
    em: stage.em(),
    limit,
    callers: processes,
    concurrency,
    start: (name) => stage.start(name, concurrency),
    random: seededRandom(seed),
    pauseMs: KILL_PAUSE_MS,
    isEnough: async (kills) => kills >= KILLS_MIN && performance.now() > endsAt,
    signal: stage.shutdown.signal,
  })
}
