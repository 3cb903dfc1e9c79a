/** `npm run bench:rate-limit`: what the limiter costs, and that processes that are killed never over-admit. */
import { say } from '../src/processes/run-process.ts'
import type { Shutdown } from '../src/shutdown.ts'
import { runBench } from './command-line.ts'
import { createQuietRunner } from './measure/quiet.ts'
import { killAll, measureAll } from './rate-limit/measure.ts'
import { HELP, type Options, readOptions } from './rate-limit/options.ts'
import { startStage } from './rate-limit/stage.ts'
import { describeMachine } from './report/machine.ts'
import { type Report, renderFigures, renderOrigin, writeReport } from './report/report.ts'

await runBench(HELP, readOptions, run)

async function run(options: Options, shutdown: Shutdown): Promise<void> {
  const machine = describeMachine()
  const stage = await startStage(shutdown, say)
  const quietly = createQuietRunner(options.patienceSeconds * 1000, shutdown.signal)
  const { one, all, figures } = await measureAll(stage, { ...options, quietly, say })
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
