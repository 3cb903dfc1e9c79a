import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { cpus, loadavg, release, totalmem, type } from 'node:os'
import { monotonicMs } from './load.ts'

/** Linux tells the time of processes in hundredths of a second (USER_HZ), whatever the kernel counts in. */
const TICK_MS = 10

/** What the figures were measured on. */
export function describeMachine() {
  const processors = cpus()
  return {
    cpu: processors[0]?.model ?? 'unknown',
    cores: processors.length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${release()}`,
    node: process.version,
    /** Of the last minute before anything was measured: what other programs were doing. */
    loadBefore: Number((loadavg()[0] ?? 0).toFixed(2)),
  }
}

export interface ProcessTime {
  pid: number
  parentPid: number
  /** The name of the program, of which Linux keeps 15 characters. */
  name: string
  /** CPU milliseconds of all its threads. */
  ownMs: number
  /** Of the processes it has started that have ended. */
  endedMs: number
}

/** All processes of the machine; none where the system does not tell. */
export function readProcesses(): ProcessTime[] {
  if (process.platform !== 'linux') return []
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.flatMap((pid) => {
    const stat = readStat(`/proc/${pid}/stat`)
    return stat === null ? [] : [{ pid: Number(pid), ...stat }]
  })
}

/** A process and all that it has started. */
function treeOf(processes: readonly ProcessTime[], pid: number): ProcessTime[] {
  const own = processes.filter((one) => one.pid === pid)
  const children = processes.filter(({ parentPid }) => parentPid === pid)
  return [...own, ...children.flatMap((child) => treeOf(processes, child.pid))]
}

/** CPU milliseconds of a process and of everything it has started, now or earlier. */
export function timeOfTree(processes: readonly ProcessTime[], pid: number): number {
  return treeOf(processes, pid).reduce((sum, { ownMs, endedMs }) => sum + ownMs + endedMs, 0)
}

/** CPU milliseconds so far of all threads of a process; 0 where it has ended. */
export function timeOf(pid: number): number {
  return readStat(`/proc/${pid}/stat`)?.ownMs ?? 0
}

/** What the `stat` of a process or a thread tells; null where it has ended meanwhile. */
function readStat(file: string): Omit<ProcessTime, 'pid'> | null {
  try {
    // proc(5): the program's name, in parentheses, may hold blanks; the parent is the second field after it. The times are
    // the twelfth to fifteenth: in programs and in the kernel, of itself and of children that have ended.
    const stat = readFileSync(file, 'utf8')
    const nameEndsAt = stat.lastIndexOf(')')
    const name = stat.slice(stat.indexOf('(') + 1, nameEndsAt)
    const fields = stat.slice(nameEndsAt + 2).split(' ')
    const milliseconds = (from: number) => (Number(fields[from]) + Number(fields[from + 1])) * TICK_MS
    return { parentPid: Number(fields[1]), name, ownMs: milliseconds(11), endedMs: milliseconds(13) }
  } catch {
    return null
  }
}

/** CPU milliseconds so far of the threads of this process, those of one name together. */
export function readThreads(): Record<string, number> {
  const times: Record<string, number> = {}
  if (process.platform !== 'linux') return times
  for (const thread of readdirSync('/proc/self/task')) {
    const stat = readStat(`/proc/self/task/${thread}/stat`)
    // Threads of a pool are numbered.
    const name = stat?.name.replace(/[-_:]*\d+$/, '')
    if (stat !== null && name !== undefined) times[name] = (times[name] ?? 0) + stat.ownMs
  }
  return times
}

/** Gives, when it is asked later, the share of the machine that other programs and machines of the host have had since. */
export function watchOthers(): () => number | null {
  const before = readTimes()
  return () => {
    const after = readTimes()
    if (before === null || after === null) return null
    const others = after.all - before.all - (after.own - before.own)
    return Math.min(1, Math.max(0, others / ((after.at - before.at) * cpus().length)))
  }
}

function readTimes() {
  if (process.platform !== 'linux') return null
  // proc(5), of all processors together, with what the host gave to other machines; what virtual machines of this one take
  // is in `user` already.
  const [, user, nice, system, , , irq, softirq, stolen] = readFileSync('/proc/stat', 'utf8')
    .split(/\s+/, 9)
    .map(Number)
  const all = [user, nice, system, irq, softirq, stolen].reduce<number>((sum, ticks = 0) => sum + ticks * TICK_MS, 0)
  return { at: monotonicMs(), all, own: timeOfTree(readProcesses(), process.pid) }
}

const REFERENCE_BYTES = 16 * 2 ** 20
const REFERENCE_TIMES = 64

/** CPU milliseconds of a fixed computation, the SHA-256 of a GiB: how fast the machine is in this hour. */
export function referenceMs(): number {
  const [block, before] = [Buffer.alloc(REFERENCE_BYTES), process.threadCpuUsage()]
  for (let time = 0; time < REFERENCE_TIMES; time += 1) hash('sha256', block)
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}
