import { cpus } from 'node:os'
import { monotonicMs } from './clock.ts'
import { readProcesses, timeOfTree } from './process-tree.ts'

/** What has been computed up to an instant, in CPU milliseconds. */
interface CpuTimes {
  at: number
  /** By the whole machine. */
  all: number
  /** By this process and those it has started; what a process has taken goes to its parent when it ends. */
  own: number
}

/**
 * Begins to watch who computes.
 *
 * @returns gives, when it is asked, the share of the machine that other programs have taken since, from 0 to 1; null where
 *   the system does not tell.
 */
export function watchOthers(): () => number | null {
  const before = readTimes()
  return () => {
    const after = readTimes()
    if (before === null || after === null) return null
    const others = after.all - before.all - (after.own - before.own)
    return Math.min(1, Math.max(0, others / ((after.at - before.at) * cpus().length)))
  }
}

function readTimes(): CpuTimes | null {
  if (process.platform !== 'linux') return null
  const all = cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0)
  return { at: monotonicMs(), all, own: timeOfTree(readProcesses(), process.pid) }
}
