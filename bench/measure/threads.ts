import { readdirSync } from 'node:fs'
import { readStat } from './process-tree.ts'

/**
 * CPU milliseconds so far of the threads of this process, those of one name together: of Node's main thread, the thread
 * that runs workflows, the SDK's core, and V8's helpers. Nothing where the system does not tell.
 */
export function readThreads(): Record<string, number> {
  if (process.platform !== 'linux') return {}
  const times: Record<string, number> = {}
  for (const thread of readdirSync('/proc/self/task')) {
    const stat = readStat(`/proc/self/task/${thread}/stat`)
    if (stat === null) continue
    // Threads of a pool are numbered.
    const name = stat.name.replace(/[-_:]*\d+$/, '')
    times[name] = (times[name] ?? 0) + stat.ownMs
  }
  return times
}
