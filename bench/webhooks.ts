/** `npm run bench:webhooks`: how fast webhooks go out, beside what Temporal itself takes. */
import { say } from '../src/processes/run-process.ts'
import type { Shutdown } from '../src/shutdown.ts'
import { runBench } from './command-line.ts'
import { startFloor } from './floor/floor.ts'
import { createQuietRunner, type QuietRunner, type Watched } from './measure/quiet.ts'
import { median } from './measure/statistics.ts'
import { describeMachine } from './report/machine.ts'
import { inBrief, type Report, renderFigures, renderOrigin, writeReport } from './report/report.ts'
import { startReceiver } from './stage/receiver.ts'
import { startService } from './stage/service.ts'
import { measureArrivals } from './webhooks/arrival.ts'
import { audit } from './webhooks/audit.ts'
import type { Bench } from './webhooks/bench.ts'
import { measureCeiling } from './webhooks/ceiling.ts'
import { measurePair } from './webhooks/dead-endpoints.ts'
import { createDeliveries } from './webhooks/deliveries.ts'
import { figuresOf, type Measured, othersOf } from './webhooks/figures.ts'
import { HELP, type Options, readOptions } from './webhooks/options.ts'
import { createPopulation, type Population, SERVERS_COUNT, SILENT_COUNT } from './webhooks/population.ts'

/** An ordinary day: enough load to be felt, far from what makes everything wait. */
const SHARE_OF_CEILING = 0.25

await runBench(HELP, readOptions, run)

async function run(options: Options, shutdown: Shutdown): Promise<void> {
  const machine = describeMachine()
  const service = await startService(shutdown, { log: say, logFile: `${options.out}.log` })
  const deliveries = createDeliveries(service, shutdown.signal)
  const count = { healthy: SERVERS_COUNT, silent: SILENT_COUNT }
  const receiver = await startReceiver(count, shutdown, deliveries.onArrival)
  const floor = await startFloor(service, shutdown)
  const bench: Bench = { service, floor, receiver, deliveries, options, signal: shutdown.signal }
  const population = await createPopulation(bench)
  const measured = await measure(bench, population)
  const audited = await audit(bench, population.healthy)
  const figures = figuresOf(measured, options)
  const report: Report = {
    name: 'webhooks',
    measuredAt: new Date().toISOString(),
    machine,
    settings: { ...options, ratePerSecond: measured.ratePerSecond },
    audit: { ...audited, eagerStartsOfFloor: floor.eagerShare() },
    others: othersOf(measured),
    figures,
    repeats: { ...measured },
  }
  await writeReport(options.out, report)
  say(`\n${renderFigures(figures)}\n\n${renderOrigin(report)}`)
  say(`None of ${audited.events} events was lost, ${audited.duplicates} arrived twice.`)
  say(`Written to ${options.out}`)
  shutdown.request('Everything is measured', 0)
}

async function measure(bench: Bench, population: Population): Promise<Measured> {
  const { options, signal } = bench
  const [merchant] = population.healthy
  const quietly = createQuietRunner(options.patienceSeconds * 1000, signal)
  say('Warming up')
  await measureCeiling(bench, merchant)
  const ceilings = await repeat('Ceiling', options.repeats, quietly, () => measureCeiling(bench, merchant))
  const ratePerSecond = SHARE_OF_CEILING * median(ceilings.map(({ deliveries }) => deliveries))
  const arrivals = await repeat('Arrival', options.repeats, quietly, (seed) =>
    measureArrivals(bench, merchant, { ratePerSecond, seed }),
  )
  const pairs = await repeat('Dead endpoints', options.pairs, quietly, (index) =>
    measurePair(bench, population, { ratePerSecond, index }),
  )
  return { ceilings, ratePerSecond, arrivals, pairs }
}

/** Says what comes of every repeat, because minutes without a word look like a fault. */
async function repeat<Result extends object>(
  name: string,
  times: number,
  quietly: QuietRunner,
  measureOnce: (index: number) => Promise<Result>,
): Promise<(Result & Watched)[]> {
  const results: (Result & Watched)[] = []
  for (let index = 1; index <= times; index += 1) {
    const result = await quietly.run(() => measureOnce(index))
    results.push(result)
    say(`${name}, ${index} of ${times}: ${inBrief(result)}`)
  }
  return results
}
