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
  /** By this process and those it has started, by process id. */
  own: ReadonlyMap<number, number>
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
    const all = after.all - before.all
    const own = [...after.own].reduce((sum, [pid, time]) => sum + time - (before.own.get(pid) ?? 0), 0)
    return Math.min(1, Math.max(0, (all - own) / ((after.at - before.at) * cpus().length)))
  }
}

function readTimes(): CpuTimes | null {
  if (process.platform !== 'linux') return null
  const all = cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0)
  return { at: monotonicMs(), all, own: ownTimes() }
}

function ownTimes(): Map<number, number> {
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)))
  const own = new Map<number, number>()
  const add = (parent: number) => {
    for (const { pid, time } of processes.filter(({ pid, ppid }) => pid === parent || ppid === parent)) {
      if (own.has(pid)) continue
      own.set(pid, time)
      add(pid)
    }
  }
  add(process.pid)
  return own
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
