/** `npm run bench:isolation`: what payments at one gateway feel of another that hangs. */
import { say } from '../src/processes/run-process.ts'
import type { Shutdown } from '../src/shutdown.ts'
import { runBench } from './command-line.ts'
import { figuresOf } from './isolation/figures.ts'
import { createMerchant } from './isolation/merchant.ts'
import { HELP, type Options, readOptions } from './isolation/options.ts'
import { type Bench, measurePair, type Pair } from './isolation/pair.ts'
import { createQuietRunner, type Watched } from './measure/quiet.ts'
import { median } from './measure/statistics.ts'
import { describeMachine } from './report/machine.ts'
import { inBrief, type Report, renderFigures, renderOrigin, writeReport } from './report/report.ts'
import { startService } from './stage/service.ts'

/** Payments before anything is measured: what is compiled and cached by the first ones is no part of the others. */
const WARM_UP_PAYMENTS = 60

await runBench(HELP, readOptions, run)

async function run(options: Options, shutdown: Shutdown): Promise<void> {
  const machine = describeMachine()
  const service = await startService(shutdown, {
    log: say,
    logFile: `${options.out}.log`,
    ...(options.guard ? {} : { wrapGateway: (gateway) => gateway }),
  })
  const [well, hanging] = [await createMerchant(service, 'Well'), await createMerchant(service, 'Hanging')]
  say('Warming up')
  for (const prepared of await well.prepare(WARM_UP_PAYMENTS)) await well.pay(prepared)
  const pairs = await measureAll({ service, well, hanging, options, signal: shutdown.signal })
  const figures = figuresOf(pairs, options)
  const known = pairs.flatMap(({ others }) => others ?? [])
  const last = pairs.at(-1)?.audits
  const report: Report = {
    name: 'isolation',
    measuredAt: new Date().toISOString(),
    machine,
    settings: { ...options },
    audit: {
      payments: last?.well.payments ?? 0,
      paymentsAtHanging: last?.hanging.payments ?? 0,
      notSentAtHanging: last?.hanging.failed ?? 0,
      unknownAtHanging: last?.hanging.unknownAtFirst ?? 0,
    },
    others: known.length === 0 ? null : median(known),
    figures,
    repeats: { pairs },
  }
  await writeReport(options.out, report)
  say(`\n${renderFigures(figures)}\n\n${renderOrigin(report)}`)
  say(`All books agree after every run: ${inBrief(report.audit)}`)
  say(`Written to ${options.out}`)
  shutdown.request('Everything is measured', 0)
}

async function measureAll(bench: Bench): Promise<(Pair & Watched)[]> {
  const { pairs: count, patienceSeconds } = bench.options
  const quietly = createQuietRunner(patienceSeconds * 1000, bench.signal)
  const pairs: (Pair & Watched)[] = []
  for (let index = 1; index <= count; index += 1) {
    const pair = await quietly.run(() => measurePair(bench, index))
    pairs.push(pair)
    say(`Pair ${index} of ${count}: ${inBrief(pair)}`)
  }
  return pairs
}
