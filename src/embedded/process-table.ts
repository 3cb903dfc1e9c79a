/** Questions about processes that are not our children: is it there, what does it run, since when. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const POLL_INTERVAL_MS = 50

/**
 * The command line of a running process as one string whose arguments are separated by NUL on Linux and by
 * blanks elsewhere; empty for a zombie or a process that is gone.
 */
function commandLine(pid: number): string {
  try {
    return process.platform === 'linux'
      ? readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      : execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).trim()
  } catch {
    return ''
  }
}

/**
 * True when the process runs with this whole argument. A process id alone proves nothing: after a restart of
 * the machine or of a container another program may have it.
 */
export function runsWithArgument(pid: number, argument: string): boolean {
  const line = commandLine(pid)
  return process.platform === 'linux' ? line.split('\0').includes(argument) : `${line} `.includes(` ${argument} `)
}

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

/**
 * Waits until the condition holds; false when it does not within the time given.
 *
 * @throws the signal's reason when that is aborted first.
 */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<boolean> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    signal?.throwIfAborted()
    if (await condition()) return true
    if (Date.now() >= deadline) return false
    await sleep(POLL_INTERVAL_MS)
  }
}
