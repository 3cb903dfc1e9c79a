import type { Shutdown } from '../shutdown.ts'
import { runWithoutOptions } from './command-line.ts'
import { createProcessLogger } from './process-logger.ts'
import { runProcess } from './run-process.ts'

interface Service {
  name: 'api' | 'worker' | 'codec-server'
  about: string
  start(shutdown: Shutdown): Promise<void>
}

/**
 * Runs `npm run NAME`, a process whose output a collector reads: each line is JSON, from the reason why it does not start to
 * its end. Those lines are written at every LOG_LEVEL.
 */
export async function runService({ name, about, start }: Service): Promise<void> {
  const logger = createProcessLogger(name, 'info')
  const run = () => runProcess(start, { report: (line, level) => logger[level](line) })
  process.exitCode = await runWithoutOptions({ name, about, run })
}
