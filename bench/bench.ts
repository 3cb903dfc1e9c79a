/** `npm run bench`: what a payment takes, beside the least that Temporal takes for anything. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, parse } from 'node:path'
import { runProgram, TERMINAL } from '../src/processes/command-line.ts'
import { runProcess, say } from '../src/processes/run-process.ts'
import type { Shutdown } from '../src/shutdown.ts'
import { benchProgram } from './command-line.ts'
import { median } from './figures.ts'
import { describeMachine, type Watched } from './machine.ts'
import type { Options, Part, PartResult } from './part.ts'
import { loadPart, partNames, runPart } from './parts.ts'
import { renderOrigin, renderPart } from './report.ts'

const parts = await Promise.all(partNames().map(loadPart))

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
  const [machine, measuredAt] = [describeMachine(), new Date().toISOString()]
  const measured: (Pick<Part, 'name' | 'title'> & PartResult & Watched)[] = []
  const failed: string[] = []
  const chosen = options.parts ?? parts.map(({ name }) => name)
  const { dir, name: file } = parse(options.out)
  await mkdir(dirname(options.out), { recursive: true })
  for (const [index, name] of chosen.entries()) {
    const { title } = await loadPart(name)
    say(`\n${title} (${index + 1} of ${chosen.length}: ${name})`)
    const result = await runPart({ ...options, name, logFile: join(dir, `${file}.${name}.log`) }, shutdown.signal)
    if (shutdown.signal.aborted) return
    if (result === null) failed.push(name)
    else measured.push({ name, title, ...result })
    // After every part, so that what was measured is kept whatever becomes of the rest.
    const report = { name: 'bench', measuredAt, machine, settings: options, failed, parts: measured }
    await writeFile(options.out, `${JSON.stringify(report, null, 2)}\n`)
  }
  const shares = measured.flatMap(({ others }) => others ?? [])
  const others = shares.length === 0 ? null : median(shares)
  say(`\n${measured.map(renderPart).join('\n\n')}\n\n${renderOrigin(measuredAt, machine, others)}`)
  say(`Written to ${options.out}`)
  if (failed.length === 0) shutdown.request('Everything is measured', 0)
  else shutdown.request(`Failed, see above: ${failed.join(', ')}`, 1)
}
