/** `npm run bench`: what a payment takes, beside the least that Temporal takes for anything. */
import { join, parse } from 'node:path'
import { say } from '../src/processes/run-process.ts'
import type { Shutdown } from '../src/shutdown.ts'
import { runBench } from './command-line.ts'
import { median } from './measure/statistics.ts'
import { describeMachine } from './report/machine.ts'
import { type MeasuredPart, renderPart } from './report/render-parts.ts'
import { renderOrigin, writeReport } from './report/report.ts'
import { helpOn, type Options, readOptions } from './run/options.ts'
import { loadPart, partNames } from './run/parts.ts'
import { type PartMessage, runPart } from './run/run-part.ts'

const names = partNames()
const parts = await Promise.all(names.map(loadPart))

await runBench(helpOn(parts), (args) => readOptions(args, names), run)

async function run(options: Options, shutdown: Shutdown): Promise<void> {
  const machine = describeMachine()
  const measuredAt = new Date().toISOString()
  const measured: (MeasuredPart & PartMessage)[] = []
  const failed: string[] = []
  const chosen = options.parts ?? names
  for (const [index, name] of chosen.entries()) {
    const { title } = await loadPart(name)
    say(`\n${title} (${index + 1} of ${chosen.length}: ${name})`)
    const told = await runPart({ ...options, name, logFile: logFileOf(options.out, name) }, shutdown.signal)
    if (shutdown.signal.aborted) return
    if (told === null) failed.push(name)
    else measured.push({ name, title, ...told })
    // After every part, so that what was measured is kept whatever becomes of the rest.
    await writeReport(options.out, { name: 'bench', measuredAt, machine, settings: options, failed, parts: measured })
  }
  const shares = measured.flatMap(({ others }) => others ?? [])
  const others = shares.length === 0 ? null : median(shares)
  say(`\n${measured.map(renderPart).join('\n\n')}\n\n${renderOrigin({ measuredAt, machine, others })}`)
  say(`Written to ${options.out}`)
  if (failed.length === 0) shutdown.request('Everything is measured', 0)
  else shutdown.request(`Failed, see above: ${failed.join(', ')}`, 1)
}

function logFileOf(out: string, part: string): string {
  const { dir, name } = parse(out)
  return join(dir, `${name}.${part}.log`)
}
