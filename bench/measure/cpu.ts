import { readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { monotonicMs } from './clock.ts'
import { readProcesses, TICK_MS, timeOfTree } from './process-tree.ts'

/** What has been computed up to an instant, in CPU milliseconds. */
interface CpuTimes {
  at: number
  /** By the whole machine, with what its host gave to other machines while this one wanted to compute. */
  all: number
  /** By this process and those it has started; what a process has taken goes to its parent when it ends. */
  own: number
}

/**
 * Begins to watch who computes.
 *
 * @returns gives, when it is asked, the share of the machine that others have taken since, from 0 to 1: other programs, and
 *   other machines on the same host. Null where the system does not tell.
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
  // proc(5), of all processors together; what virtual machines of this one take is in `user` already.
  const [, user, nice, system, , , irq, softirq, stolen] = readFileSync('/proc/stat', 'utf8')
    .split(/\s+/, 9)
    .map(Number)
  const all = [user, nice, system, irq, softirq, stolen].reduce<number>((sum, ticks = 0) => sum + ticks * TICK_MS, 0)
  return { at: monotonicMs(), all, own: timeOfTree(readProcesses(), process.pid) }
}
