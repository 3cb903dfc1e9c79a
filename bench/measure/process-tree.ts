import { readdirSync, readFileSync } from 'node:fs'

/** Linux tells the time of processes in hundredths of a second (USER_HZ), whatever the kernel counts in. */
export const TICK_MS = 10

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
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)))
}

/** CPU milliseconds of a process and of everything it has started, now or earlier. */
export function timeOfTree(processes: readonly ProcessTime[], pid: number): number {
  const own = processes.find((one) => one.pid === pid)
  if (own === undefined) return 0
  const children = processes.filter(({ parentPid }) => parentPid === pid)
  return own.ownMs + own.endedMs + children.reduce((sum, child) => sum + timeOfTree(processes, child.pid), 0)
}

function readProcess(pid: number): ProcessTime[] {
  const stat = readStat(`/proc/${pid}/stat`)
  return stat === null ? [] : [{ pid, ...stat }]
}

/** What the `stat` of a process or a thread tells; null where it has ended meanwhile. */
export function readStat(file: string): Omit<ProcessTime, 'pid'> | null {
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
