import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/**
 * When the process was started, as an opaque string that differs between two processes that had the same id
 * one after the other; undefined when there is no such process.
 */
export function processStartMark(pid: number): string | undefined {
  try {
    if (process.platform !== 'linux') {
      return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined
    }
    // proc(5): field 2 is the program's name in parentheses and may hold blanks, so count from the last one.
    // Field 3 is the state, field 22 the start in clock ticks since boot.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? undefined : fields[19]
  } catch {
    return undefined
  }
}
