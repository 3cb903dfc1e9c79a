/** One part of `npm run bench`, in a process of its own: what one leaves behind must not be measured with the next. */
import { runProcess, say } from '../src/processes/run-process.ts'
import { loadPart, type PartTask } from './part.ts'

const { name, ...task } = JSON.parse(process.argv[2] ?? '') as PartTask

await runProcess(async (shutdown) => {
  process.on('disconnect', () => shutdown.request('Stopping, because the bench is gone', 1))
  const part = await loadPart(name)
  const tell = (line: string) => say(`  ${line}`)
  const result = await part.run({ ...task, say: tell, shutdown, signal: shutdown.signal })
  process.send?.(result)
  shutdown.request(`${name} is measured`, 0)
})
