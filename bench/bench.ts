/** `npm run bench`: what a payment takes, beside the least that Temporal takes for anything. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, parse } from 'node:path'
import { runProgram, TERMINAL } from '../src/processes/command-line.ts'
import { runProcess, say } from '../src/processes/run-process.ts'
import type { Shutdown } from '../src/shutdown.ts'
import { benchProgram, chosenParts } from './command-line.ts'
import { describeMachine, watchOthers } from './machine.ts'
import { loadParts, type Options, type PartResult, runPart } from './part.ts'
import { inBrief, renderFigures, renderOrigin } from './report.ts'

const parts = await loadParts()

process.exitCode = await runProgram(
  benchProgram(parts, TERMINAL, (options) =>
    runProcess(async (shutdown) => {
      if (process.env.npm_lifecycle_event !== undefined) shutdown.watchParent()
      await run(options, shutdown)
    }),
  ),
  process.argv.slice(2),
  TERMINAL,
)

async function run(options: Options, shutdown: Shutdown): Promise<void> {
  const [machine, measuredAt, others] = [describeMachine(), new Date().toISOString(), watchOthers()]
  const measured: ({ name: string } & PartResult)[] = []
  const failed: string[] = []
  const chosen = chosenParts(parts, options)
  const { dir, name: file } = parse(options.out)
  await mkdir(dirname(options.out), { recursive: true })
  for (const [index, { name }] of chosen.entries()) {
    say(`\n${name} (${index + 1} of ${chosen.length})`)
    const result = await runPart({ ...options, name, logFile: join(dir, `${file}.${name}.log`) }, shutdown.signal)
    if (shutdown.signal.aborted) return
    if (result === null) failed.push(name)
    else measured.push({ name, ...result })
    // After every part, so that what was measured is kept whatever becomes of the rest.
    const report = { name: 'bench', measuredAt, machine, settings: options, failed, parts: measured }
    await writeFile(options.out, `${JSON.stringify(report, null, 2)}\n`)
  }
  say(`\n${renderFigures(measured.flatMap(({ figures }) => figures))}`)
  for (const { name, audit } of measured) say(`\nThe books of ${name} agree: ${inBrief(audit)}`)
  say(`\n${renderOrigin(measuredAt, machine, others())}\nWritten to ${options.out}`)
  if (failed.length === 0) shutdown.request('Everything is measured', 0)
  else shutdown.request(`Failed, see above: ${failed.join(', ')}`, 1)
}
