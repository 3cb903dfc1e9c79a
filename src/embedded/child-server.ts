import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, renameSync } from 'node:fs'
import { StartupError } from '../startup-error.ts'
import { waitUntil } from './wait-until.ts'

/** How much of a log a person reads before opening the file. */
const QUOTED_LOG_LINES = 5
/** PostgreSQL reads its log again after a crash, and Temporal a large history; either is ready within a second otherwise. */
const READY_TIMEOUT_MS = 60_000
/** What is killed is gone at once, unless the machine is in trouble. */
const KILL_MS = 5_000

/** A server program that this process has started and must end. */
export interface ChildServer {
  readonly pid: number
  /** Resolves with one sentence when the process has ended, for whatever reason. Never rejects. */
  readonly exited: Promise<string>
  hasExited(): boolean
  /** Sends each signal in turn, waiting so many milliseconds after it; ends with SIGKILL. */
  stop(...steps: { signal: NodeJS.Signals; waitMs: number }[]): Promise<void>
}

interface ChildServerOptions {
  name: string
  command: string
  args: readonly string[]
  /** The whole environment of the child. Ours holds secrets and settings that are not meant for it. */
  env: Record<string, string>
  cwd: string
  /** Where its output goes. The output of the run before is kept beside it as `<logFile>.previous`. */
  logFile: string
  uid?: number | undefined
  gid?: number | undefined
}

/**
 * Starts a server in a session of its own. Ctrl-C reaches every process of the terminal's foreground group, and
 * a database that stops at the same instant as the API would break the requests that are being finished.
 *
 * @throws StartupError when the program cannot be run at all.
 */
export async function startChildServer(options: ChildServerOptions): Promise<ChildServer> {
  const { name, command, args, env, cwd, logFile, uid, gid } = options
  const log = openLog(logFile)
  const child = spawn(command, args, {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', log, log],
    ...(uid !== undefined && { uid }),
    ...(gid !== undefined && { gid }),
  })
  closeSync(log)
  let hasExited = false
  const exited = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => {
      hasExited = true
      resolve(`${name} ended ${signal === null ? `with code ${code}` : `by ${signal}`}`)
    })
  })
  try {
    await once(child, 'spawn')
  } catch (error) {
    throw new StartupError(`${name} cannot be started: ${(error as Error).message}.`, { cause: error })
  }
  // The event loop need not stay alive for it: whoever starts a server also stops it.
  child.unref()

  const stop = async (...steps: { signal: NodeJS.Signals; waitMs: number }[]) => {
    for (const { signal, waitMs } of [...steps, { signal: 'SIGKILL' as const, waitMs: KILL_MS }]) {
      if (hasExited) return
      child.kill(signal)
      await waitUntil(() => hasExited, waitMs)
    }
  }
  return { pid: child.pid as number, exited, hasExited: () => hasExited, stop }
}

/**
 * Waits until a server that was just started can be used.
 *
 * @throws StartupError with the end of its log when it ends instead, or takes a minute.
 */
export async function waitUntilReady(
  server: ChildServer,
  {
    name,
    logFile,
    isReady,
    signal,
  }: {
    name: string
    logFile: string
    isReady: () => boolean | Promise<boolean>
    signal: AbortSignal | undefined
  },
): Promise<void> {
  const isOver = await waitUntil(async () => server.hasExited() || (await isReady()), READY_TIMEOUT_MS, signal)
  if (server.hasExited()) throw new StartupError(`${await server.exited}. ${quoteLog(logFile)}`)
  if (!isOver) throw new StartupError(`${name} is not ready after ${READY_TIMEOUT_MS / 1000} s. ${quoteLog(logFile)}`)
}

/** Names a log file and quotes its last lines, for an error message. */
function quoteLog(logFile: string): string {
  const lines = readFileSync(logFile, 'utf8').trim().split('\n').slice(-QUOTED_LOG_LINES)
  return `Its log (${logFile}) ends:\n${lines.join('\n')}`
}

function openLog(logFile: string): number {
  try {
    renameSync(logFile, `${logFile}.previous`)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  return openSync(logFile, 'a', 0o600)
}
