/** One part of `npm run bench`, in a process of its own: what one leaves behind must not be measured with the next. */
import { runProcess, say } from '../../src/processes/run-process.ts'
import type { Shutdown } from '../../src/shutdown.ts'
import { watchOthers } from '../measure/cpu.ts'
import { createQuietRunner } from '../measure/quiet.ts'
import type { PartContext, PartResult } from '../parts/part.ts'
import { openStage } from '../stage/stage.ts'
import { loadPart } from './parts.ts'
import type { PartMessage, PartTask } from './run-part.ts'

const task = JSON.parse(process.argv[2] ?? '') as PartTask

await runProcess(async (shutdown) => {
  process.on('disconnect', () => shutdown.request('Stopping, because the bench is gone', 1))
  const others = watchOthers()
  const result = await run(shutdown)
  process.send?.({ ...result, others: others() } satisfies PartMessage)
  shutdown.request(`${task.name} is measured`, 0)
})

async function run(shutdown: Shutdown): Promise<PartResult> {
  const { name, repeats, waiting, quick, full, logFile, patienceSeconds } = task
  const part = await loadPart(name)
  const { signal } = shutdown
  const context: PartContext = {
    repeats,
    waiting,
    quick,
    full,
    quietly: createQuietRunner(patienceSeconds * 1000, signal),
    say: (line) => say(`  ${line}`),
    logFile,
    shutdown,
    signal,
  }
  if (part.stage === 'none') return part.run(context)
  return part.run({
    ...context,
    stage: await openStage(part.stage, { log: context.say, logFile, quick, full, shutdown }),
  })
}
