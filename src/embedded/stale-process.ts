import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { type Progress, StartupError } from '../startup-error.ts'
import { waitUntil } from './wait-until.ts'

/** A clean stop after a crash of its parent takes a second or two; one that takes longer than this is stuck. */
const CLEAN_STOP_MS = 15_000
/** What is killed is gone at once, unless the machine is in trouble. */
const KILL_MS = 5_000

interface StaleProcessOptions {
  /** File whose first line is the process id. */
  pidFile: string
  /** An argument that only our own process can have: the path of its data. */
  argument: string
  /** The signal that asks this program for a clean stop. */
  signal: NodeJS.Signals
  name: string
  log: Progress
}

/**
 * Ends a process that an earlier, killed run left behind, and removes its pid file. A process that has the id
 * but not our data among its arguments belongs to someone else and is left alone.
 *
 * @throws StartupError when the process survives even SIGKILL.
 */
export async function endStaleProcess({ pidFile, argument, signal, name, log }: StaleProcessOptions): Promise<void> {
  const pid = readPid(pidFile)
  const isOurs = () => pid !== undefined && runsWithArgument(pid, argument)
  if (pid !== undefined && isOurs()) {
    log(`Ending the ${name} that an earlier run left behind (process ${pid})`)
    send(pid, signal)
    if (!(await waitUntil(() => !isOurs(), CLEAN_STOP_MS))) {
      send(pid, 'SIGKILL')
      if (!(await waitUntil(() => !isOurs(), KILL_MS))) {
        throw new StartupError(`${name} of an earlier run (process ${pid}) cannot be ended; end it and start again.`)
      }
    }
  }
  rmSync(pidFile, { force: true })
}

function readPid(pidFile: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(pidFile, 'utf8'), 10)
    // 0 and negative numbers name process groups, 1 is never ours.
    return pid > 1 ? pid : undefined
  } catch {
    return undefined
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

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
