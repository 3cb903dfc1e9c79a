import { readdirSync, readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { monotonicMs } from './clock.ts'

/** Linux tells the time of processes in hundredths of a second (USER_HZ), whatever the kernel counts in. */
const TICK_MS = 10

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
  return { at: monotonicMs(), all, own: ownTime() }
}

function ownTime(): number {
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)))
  const timeOf = (parent: number): number =>
    processes.filter(({ ppid }) => ppid === parent).reduce((sum, { pid, time }) => sum + time + timeOf(pid), 0)
  return timeOf(process.pid) + (processes.find(({ pid }) => pid === process.pid)?.time ?? 0)
}

function readProcess(pid: number): { pid: number; ppid: number; time: number }[] {
  try {
    // proc(5): the program's name, in parentheses, may hold blanks; the parent is the second field after it. The times are
    // the twelfth to fifteenth: in programs and in the kernel, of itself and of children that have ended.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
    return [{ pid, ppid: Number(fields[1]), time: ticks * TICK_MS }]
  } catch {
    // It has ended meanwhile.
    return []
  }
}
