import { setTimeout as sleep } from 'node:timers/promises'

/**
 * One Ctrl-C arrives twice: npm shares the terminal's process group with its script and also forwards the signal
 * to it. What comes within this time after the first signal is the same wish.
 */
const SAME_WISH_MS = 1_000
/** How soon an orphan notices that npm is gone. */
const PARENT_POLL_MS = 500
/** Killed processes are gone at once; waiting longer would hide that one is not. */
const FORCE_MS = 5_000

/** A part of the process that has to be stopped, and how. */
export interface StopStep {
  name: string
  /** Comes to an end by itself: bounds its own waiting. */
  stop(): Promise<void>
  /** Ends it without waiting; for what would stay behind when this process ends. */
  kill?(): Promise<void>
}

/** Is told why and how a process ends: as it was asked to, or not. */
export type Report = (line: string, level: 'info' | 'error') => void

export interface Shutdown {
  /** Aborted as soon as a stop is wanted; what is starting then gives up. */
  readonly signal: AbortSignal
  /** Stopped before everything that was added earlier. */
  add(step: StopStep): void
  /** Runs when a stop is wanted; the first step waits for it. */
  onRequest(listener: () => Promise<void>): void
  /** Stop when the process that started this one ends: npm, killed, forwards no signal. */
  watchParent(): void
  /** Asks for a stop and gives the reason; only the first reason and code count. */
  request(reason: string, exitCode: number): void
  /** Resolves with the exit code when everything has been stopped, after `request` or a signal. */
  finished(): Promise<number>
}

/**
 * Listens for signals and then stops the parts of this process, the last one added first. A second signal kills what would
 * stay behind and exits with code 1.
 *
 * @param signals none where the process is not the service's alone.
 */
export function createShutdown(
  report: Report,
  signals: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'],
): Shutdown {
  const steps: StopStep[] = []
  const listeners: (() => Promise<void>)[] = []
  const wanted = new AbortController()
  const requested = Promise.withResolvers<number>()
  let firstSignalAt: number | undefined

  function request(reason: string, exitCode: number): void {
    if (wanted.signal.aborted) return
    report(reason, exitCode === 0 ? 'info' : 'error')
    wanted.abort()
    requested.resolve(exitCode)
  }

  async function force(): Promise<void> {
    report('Stopping at once', 'error')
    await Promise.race([Promise.all(steps.map((step) => step.kill?.())), sleep(FORCE_MS)])
    process.exit(1)
  }

  for (const name of signals) {
    process.on(name, () => {
      const now = performance.now()
      firstSignalAt ??= now
      if (now - firstSignalAt > SAME_WISH_MS) void force()
      else request(name === 'SIGINT' ? 'Stopping (Ctrl-C again to stop at once)' : `Stopping (${name})`, 0)
    })
  }

  function watchParent(): void {
    const parent = process.ppid
    const timer = setInterval(() => {
      if (process.ppid !== parent) request('Stopping, because npm is gone', 0)
    }, PARENT_POLL_MS)
    timer.unref()
  }

  async function stopAll(): Promise<boolean> {
    let clean = true
    await Promise.all(listeners.map((listener) => listener()))
    // A step stays in the list until it is done, so that it can still be killed while it hangs.
    for (let step = steps.at(-1); step !== undefined; step = steps.at(-1)) {
      try {
        await step.stop()
      } catch (error) {
        clean = false
        report(`${step.name} did not stop cleanly: ${(error as Error).message}`, 'error')
      }
      steps.pop()
    }
    return clean
  }

  return {
    signal: wanted.signal,
    add: (step) => void steps.push(step),
    onRequest: (listener) => void listeners.push(listener),
    watchParent,
    request,
    async finished() {
      const exitCode = await requested.promise
      return (await stopAll()) ? exitCode : Math.max(exitCode, 1)
    },
  }
}
