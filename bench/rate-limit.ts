/** `npm run bench:rate-limit`: what the limiter costs, and that processes that are killed never over-admit. */
import { say } from '../src/processes/run-process.ts'
import type { Shutdown } from '../src/shutdown.ts'
import { runBench } from './command-line.ts'
import { createQuietRunner, type Watched } from './measure/quiet.ts'
import { seededRandom } from './measure/random.ts'
import { installAdmissionLog } from './rate-limit/admission-log.ts'
import type { Caller } from './rate-limit/callers.ts'
import { type Costs, figuresOf, measureCosts } from './rate-limit/cost.ts'
import { askAndKill, type KillAudit } from './rate-limit/kills.ts'
import { HELP, type Options, readOptions } from './rate-limit/options.ts'
import { type Stage, startStage } from './rate-limit/stage.ts'
import { describeMachine } from './report/machine.ts'
import { inBrief, type Report, renderFigures, renderOrigin, writeReport } from './report/report.ts'

/** Mean pause between two kills: a process lives for some seconds, and starts in one. */
const KILL_PAUSE_MS = 600
/** Fewer would show little, on a machine so busy that the time is over before. */
const KILLS_MIN = 5

await runBench(HELP, readOptions, run)

async function run(options: Options, shutdown: Shutdown): Promise<void> {
  const machine = describeMachine()
  const stage = await startStage(shutdown, say)
  const { one, all } = await measureAll(stage, options)
  const figures = [...figuresOf('one caller', one), ...figuresOf(`${options.processes} processes`, all)]
  const audit = await killAll(stage, options)
  const known = [...one, ...all].flatMap(({ others }) => others ?? [])
  const report: Report = {
    name: 'rate-limit',
    measuredAt: new Date().toISOString(),
    machine,
    settings: { ...options },
    audit: { ...audit },
    others: known.length === 0 ? null : Math.max(...known),
    figures,
    repeats: { one, all },
  }
  await writeReport(options.out, report)
  say(`\n${renderFigures(figures)}\n\n${renderOrigin(report)}`)
  say(
    `${audit.kills} of the processes were killed while they shared one bucket of ${options.limit}: it admitted ` +
      `${audit.admitted} requests in ${audit.seconds.toFixed(1)} s, of which ${audit.admitted - audit.heard} were never ` +
      `heard of, and refused ${audit.refused}. The worst window lies ${(-audit.worst).toFixed(2)} below L + L·t/60.`,
  )
  say(`Written to ${options.out}`)
  shutdown.request('Everything is measured', 0)
}

async function measureAll(
  stage: Stage,
  { processes, concurrency, repeats, runSeconds, patienceSeconds }: Options,
): Promise<Record<'one' | 'all', (Costs & Watched)[]>> {
  const quiet = createQuietRunner(patienceSeconds * 1000, stage.shutdown.signal)
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
      const result = await quiet.run(() => measureCosts(callers, runSeconds))
      say(`${group === 'one' ? 'One caller' : `${processes} processes`}: ${inBrief(result)}`)
      measured[group].push(result)
    }
  }
  await Promise.all([single, ...crowd].map((caller) => caller.kill()))
  return measured
}

async function killAll(stage: Stage, options: Options): Promise<KillAudit> {
  const { limit, processes, concurrency, killSeconds, seed } = options
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
