import { setInterval } from 'node:timers'
import type { Logger } from '../logger.ts'
import type { Shutdown } from '../shutdown.ts'

export interface Sweep {
  /** A part of the process: "The sweep of payments". */
  name: string
  intervalMs: number
  /** Ends early where `stopping` is aborted. */
  run(stopping: AbortSignal): Promise<unknown>
}

/**
 * Runs a sweep at the start and then at intervals, never twice at a time; a failed sweep is repeated the next time. Stops
 * with the process.
 */
export function startSweep({ name, intervalMs, run }: Sweep, logger: Logger, shutdown: Shutdown): void {
  const stopping = new AbortController()
  let running: Promise<void> | null = null
  const sweep = async (): Promise<void> => {
    try {
      await run(stopping.signal)
    } catch (error) {
      if (!stopping.signal.aborted) logger.error({ err: error }, `${name} has failed; the next one is soon`)
    }
    running = null
  }
  const sweepUnlessRunning = () => {
    running ??= sweep()
  }
  sweepUnlessRunning()
  const timer = setInterval(sweepUnlessRunning, intervalMs)
  shutdown.add({
    name,
    stop: async () => {
      clearInterval(timer)
      stopping.abort()
      await running
    },
  })
}
