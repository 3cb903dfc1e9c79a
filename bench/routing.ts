/** `npm run bench:routing`: how fast rule sets decide, beside reading what they look at. */
import { compile } from '../domain/routing/compile.ts'
import { say } from '../src/processes/run-process.ts'
import type { Shutdown } from '../src/shutdown.ts'
import { runBench } from './command-line.ts'
import { createQuietRunner } from './measure/quiet.ts'
import { median } from './measure/statistics.ts'
import { figureOf } from './report/figure.ts'
import { describeMachine } from './report/machine.ts'
import { inBrief, type Report, renderFigures, renderOrigin, writeReport } from './report/report.ts'
import { audit, createGateways, measureRates, OPTIONS, type Rates } from './routing/measure.ts'
import { HELP, type Options, readOptions } from './routing/options.ts'
import { createPayments } from './routing/payments.ts'
import { createRuleSet } from './routing/rule-set.ts'

/** On one core; a decision is then far below what the database takes for the same payment. */
const DECISIONS_PER_SECOND_LEAST = 500_000
const SEED = 1

await runBench(HELP, readOptions, run)

async function run(options: Options, shutdown: Shutdown): Promise<void> {
  const machine = describeMachine()
  const ruleSet = createRuleSet(options.rules, options.gateways, SEED)
  const rules = compile(ruleSet, OPTIONS)
  const payments = createPayments(rules.velocities, SEED)
  const gateways = createGateways(options.gateways)
  const audited = audit(ruleSet, payments)
  const quietly = createQuietRunner(options.patienceSeconds * 1000, shutdown.signal)
  measureRates(rules, payments, gateways, options.seconds / 2)
  const repeats: (Rates & { others: number | null })[] = []
  for (let index = 1; index <= options.repeats; index += 1) {
    const rates = await quietly.run(async () => measureRates(rules, payments, gateways, options.seconds))
    repeats.push(rates)
    say(`${index} of ${options.repeats}: ${inBrief(rates)}`)
  }
  const figures = [
    { name: 'decisions', of: (rates: Rates) => rates.decisions },
    { name: 'decisions with candidates and tags', of: (rates: Rates) => rates.wholeDecisions },
  ].map(({ name, of }) =>
    figureOf(
      { name: `${name}, ${options.rules} rules`, unit: '/s', besideName: 'reading the same payments' },
      repeats.map((rates) => ({ measured: of(rates), beside: rates.floor })),
    ),
  )
  const shares = repeats.flatMap(({ others }) => others ?? [])
  const decisionsPerSecond = Math.round(median(repeats.map(({ decisions }) => decisions)))
  const holds = decisionsPerSecond >= DECISIONS_PER_SECOND_LEAST
  const report: Report = {
    name: 'routing',
    measuredAt: new Date().toISOString(),
    machine,
    settings: { ...options, decisionsPerSecond, decisionsPerSecondLeast: DECISIONS_PER_SECOND_LEAST, holds },
    audit: audited,
    others: shares.length === 0 ? null : median(shares),
    figures,
    repeats: { rates: repeats },
  }
  await writeReport(options.out, report)
  say(`\n${renderFigures(figures)}\n\n${renderOrigin(report)}`)
  say(
    `${decisionsPerSecond} decisions a second and core, median of ${options.repeats}: at least ` +
      `${DECISIONS_PER_SECOND_LEAST} ${holds ? 'holds' : 'is missed'}`,
  )
  say(`Written to ${options.out}`)
  shutdown.request('Everything is measured', holds ? 0 : 1)
}
