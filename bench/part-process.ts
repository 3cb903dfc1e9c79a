/** One part of `npm run bench`, in a process of its own: what one leaves behind must not be measured with the next. */
import { runProcess, say } from '../src/processes/run-process.ts'
import { createQuietRunner, type Watched, watchOthers } from './machine.ts'
import type { PartContext } from './part.ts'
import { loadPart, type PartTask } from './parts.ts'
import { inBrief } from './report.ts'
import { openStage } from './stage.ts'

const task = JSON.parse(process.argv[2] ?? '') as PartTask

await runProcess(async (shutdown) => {
  process.on('disconnect', () => shutdown.request('Stopping, because the bench is gone', 1))
  const { name, repeats, waiting, quick, full, logFile, patienceSeconds } = task
  const { signal } = shutdown
  const tell = (line: string) => say(`  ${line}`)
  const quietly = createQuietRunner(patienceSeconds * 1000, signal)
  const repeat: PartContext['repeat'] = async <Result extends object>(
    measureOnce: (index: number) => Promise<Result>,
    times = repeats,
  ) => {
    const results: (Result & Watched)[] = []
    for (let index = 1; index <= times; index += 1) {
      const result = await quietly(() => measureOnce(index))
      results.push(result)
      tell(`${index} of ${times}: ${inBrief(result)}`)
    }
    return results
  }
  const context = { repeats, waiting, quick, full, repeat, say: tell, logFile, shutdown, signal }
  const part = await loadPart(name)
  const others = watchOthers()
  const result =
    part.stage === 'none'
      ? await part.run(context)
      : await part.run({ ...context, stage: await openStage(part.stage, context) })
  process.send?.({ ...result, others: others() })
  shutdown.request(`${name} is measured`, 0)
})
